// How cards move (FLIP). Elements with data-place are measured before the DOM changes and glide from where they were.
// Only `transform` is animated, so an animation never blocks a click and can be interrupted at any time.
import { useLayoutEffect, useRef } from "../vendor/preact.js";
import { reducedMotion } from "../settings.js";

/**
 * Where the cards are, as far as needed to find where a card came from.
 * @typedef {object} Scene
 * @property {string[]} hand the cards of the open hand
 * @property {Record<string, string>} piles the top card of each pile
 * @property {number | null} turn the seat whose turn it is
 * @property {number} left how many cards have not been laid: fewer after a card is laid, more after an undo
 */

/** @typedef {{x: number, y: number, width: number, turned: number}} Box the middle, the width, the angle in degrees */

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
 * @returns {Map<string, Box>} every place on the board as it is on the screen now
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
  return all.filter((element) => element.offsetWidth > 0); // small screens leave out some of them
}

/**
 * Return the place that the card at `place` came from, or undefined if it did not move.
 * @param {string} place
 * @param {Scene} before
 * @param {Scene} after
 * @returns {string | undefined}
 */
function origin(place, before, after) {
  const [kind, name] = place.split(":");
  if (kind === "hand") {
    if (before.hand.includes(name)) return place; // it only moved within the hand
    const pile = Object.keys(before.piles).find((key) => before.piles[key] === name && after.piles[key] !== name);
    return pile ? `pile:${pile}` : "deck"; // after an undo, or drawn
  }
  if (kind !== "pile" || before.piles[name] === after.piles[name]) return undefined;
  const card = after.piles[name];
  if (before.hand.includes(card) && !after.hand.includes(card)) return `hand:${card}`;
  return after.left < before.left ? `seat:${before.turn}` : undefined; // another player laid it, or it was an undo
}

/**
 * Animate the cards below `root` whenever the scene changes.
 * @param {{current: HTMLElement | null}} root
 * @param {Scene} scene
 */
export function useTravel(root, scene) {
  const last = useRef(scene);
  const before = /** @type {{current: Map<string, Box> | null}} */ (useRef(null));
  const key = JSON.stringify([scene.hand, scene.piles]);
  const lastKey = useRef(key);
  // A component's body runs before the DOM changes, so the old places can still be measured, a dragged card included.
  if (lastKey.current !== key && !reducedMotion()) before.current = boxesIn(root.current);
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
    // All writes before all reads, so that the browser computes the layout once and not once for each card.
    for (const { element } of flights) flying.get(element)?.cancel(); // the new flight starts where the old one was
    const measured = flights.map((flight) => ({ ...flight, now: boxOf(flight.element) }));
    measured.forEach(glide);
  });
}

/**
 * The running animations.
 * @type {WeakMap<HTMLElement, Animation>}
 */
const flying = new WeakMap();

/**
 * Animate an element from where it was to where it is now.
 * @param {{element: HTMLElement, was: Box, now: Box, delay: number}} flight
 */
function glide({ element, was, now, delay }) {
  const [dx, dy] = [was.x - now.x, was.y - now.y];
  const far = Math.hypot(dx, dy);
  if (far < 1 && Math.abs(was.turned - now.turned) < 0.5) return;
  // `transform` is applied inside `rotate`, so the way back is in the coordinates of the rotated card.
  const angle = (-now.turned * Math.PI) / 180;
  const x = dx * Math.cos(angle) - dy * Math.sin(angle);
  const y = dx * Math.sin(angle) + dy * Math.cos(angle);
  const long = far > 60;
  const lifted = element.closest(".pile") ?? element; // above everything while it flies
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
 * Shake an element to show that something was refused.
 * @param {Element | null | undefined} element
 */
export function shake(element) {
  if (!element || reducedMotion()) return;
  const steps = [0, -7, 6, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  element.animate(steps, { duration: 320, easing: "ease-out" });
}
