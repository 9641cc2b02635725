// How cards travel. An element with data-place is measured before the DOM changes and glides from where it was (FLIP),
// by the Web Animations API on `transform` alone, so that it never blocks a click and can be interrupted at any time.
import { useLayoutEffect, useRef } from "../vendor/preact.js";

/**
 * What lies where, for one moment of a board: enough to tell where a card came from.
 * @typedef {object} Scene
 * @property {string[]} hand the cards of the open hand
 * @property {Record<string, string>} piles the top card of each pile
 * @property {number | null} turn the seat whose turn it is
 * @property {number} left how many cards nobody has laid yet: it falls when a card is laid and grows when one is taken back
 */

/** @typedef {{x: number, y: number, width: number, turned: number}} Box the middle, the width, and the angle in degrees */

/** Whether the reader prefers things to stay where they are. */
export function calm() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * @param {HTMLElement} element
 * @returns {Box}
 */
export function boxOf(element) {
  const outer = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return {
    x: outer.x + outer.width / 2,
    y: outer.y + outer.height / 2,
    width: element.offsetWidth * (parseFloat(style.scale) || 1), // not the outer width: that grows as the card turns
    turned: parseFloat(style.rotate) || 0,
  };
}

/**
 * @param {HTMLElement | null} root
 * @returns {Map<string, Box>} every place on the board, as it is on the screen right now
 */
function boxesIn(root) {
  return new Map(placesIn(root).map((element) => [element.dataset.place ?? "", boxOf(element)]));
}

/**
 * @param {HTMLElement | null} root
 * @returns {HTMLElement[]}
 */
function placesIn(root) {
  const all = root ? [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-place]"))] : [];
  return all.filter((element) => element.offsetWidth > 0); // what a small screen leaves out is nowhere
}

/**
 * Where the card that now lies at `place` was before; undefined when it did not travel.
 * @param {string} place
 * @param {Scene} was
 * @param {Scene} is
 * @returns {string | undefined}
 */
export function origin(place, was, is) {
  const [kind, name] = place.split(":");
  if (kind === "hand") {
    if (was.hand.includes(name)) return place; // it only moved up in the fan
    const pile = Object.keys(was.piles).find((key) => was.piles[key] === name && is.piles[key] !== name);
    return pile ? `pile:${pile}` : "deck"; // taken back, or drawn
  }
  if (kind !== "pile" || was.piles[name] === is.piles[name]) return undefined;
  const card = is.piles[name];
  if (was.hand.includes(card) && !is.hand.includes(card)) return `hand:${card}`;
  return is.left < was.left ? `seat:${was.turn}` : undefined; // somebody else laid it, or a card above it was taken off
}

/**
 * Makes the cards below `root` travel whenever the scene changes.
 * @param {{current: HTMLElement | null}} root
 * @param {Scene} scene
 */
export function useTravel(root, scene) {
  const last = useRef(scene);
  const before = /** @type {{current: Map<string, Box> | null}} */ (useRef(null));
  const key = JSON.stringify([scene.hand, scene.piles]);
  const lastKey = useRef(key);
  // A component's body runs before its DOM changes: now the old places can still be measured, a dragged card included.
  if (lastKey.current !== key && !calm()) before.current = boxesIn(root.current);
  useLayoutEffect(() => {
    const boxes = before.current;
    const was = last.current;
    [last.current, lastKey.current, before.current] = [scene, key, null];
    if (!boxes) return;
    let newcomers = 0;
    const flights = [];
    for (const element of placesIn(root.current)) {
      const from = origin(element.dataset.place ?? "", was, scene);
      const box = from && boxes.get(from);
      if (box) flights.push({ element, was: box, delay: from === "deck" ? 70 + 60 * newcomers++ : 0 });
    }
    // One kind of step for all before the next kind: so the browser lays out once, and not once for each card.
    for (const { element } of flights) flying.get(element)?.cancel(); // a newer flight begins where this one had got to
    const measured = flights.map((flight) => ({ ...flight, now: boxOf(flight.element) }));
    measured.forEach(glide);
  });
}

/** The flights that are under way. @type {WeakMap<HTMLElement, Animation>} */
const flying = new WeakMap();

/**
 * @param {{element: HTMLElement, was: Box, now: Box, delay: number}} flight of an element that is where it belongs already
 */
function glide({ element, was, now, delay }) {
  const [dx, dy] = [was.x - now.x, was.y - now.y];
  const far = Math.hypot(dx, dy);
  if (far < 1 && Math.abs(was.turned - now.turned) < 0.5) return;
  // `transform` works inside `rotate`, so the way back has to be turned into the card's own directions.
  const angle = (-now.turned * Math.PI) / 180;
  const x = dx * Math.cos(angle) - dy * Math.sin(angle);
  const y = dx * Math.sin(angle) + dy * Math.cos(angle);
  const long = far > 60;
  const lifted = element.closest(".pile") ?? element; // above everything while in the air
  if (long) lifted.classList.add("flying");
  const flight = element.animate(
    [
      { transform: `translate(${x}px, ${y}px) rotate(${was.turned - now.turned}deg) scale(${was.width / now.width})` },
      { transform: "none" },
    ],
    {
      id: "glide",
      delay,
      duration: long ? Math.min(430, 230 + far * 0.3) : 220,
      easing: long ? "cubic-bezier(.22, 1.12, .36, 1)" : "cubic-bezier(.2, .8, .2, 1)",
      fill: "backwards",
    },
  );
  flying.set(element, flight);
  flight.onfinish = flight.oncancel = () => flying.get(element) === flight && lifted.classList.remove("flying");
}

/**
 * "No": short, sideways, and over.
 * @param {Element | null | undefined} element
 */
export function shake(element) {
  if (!element || calm()) return;
  const steps = [0, -7, 6, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  element.animate(steps, { duration: 320, easing: "ease-out" });
}
