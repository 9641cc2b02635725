// Dragging by pointer events, for mouse, pen and touch (HTML drag and drop does not work by touch). A card follows the
// pointer; a pile that takes it pulls it in. Clicks remain clicks.
import { useEffect, useRef } from "../vendor/preact.js";

/**
 * @typedef {object} Dragging
 * @property {(card: string, pile: string) => boolean} takes whether the pile would take the card
 * @property {(pile: string | null) => void} over a card is over this pile now
 * @property {(card: string, pile: string) => void} drop
 */

/**
 * The card under the pointer.
 * @typedef {object} Held
 * @property {HTMLElement} element
 * @property {string} card
 * @property {number} pointer the pointer's id
 * @property {number} x where the pointer went down
 * @property {number} y
 * @property {number} lastX
 * @property {number} tilt in degrees
 * @property {boolean} on whether it is a drag by now
 * @property {{x: number, y: number}} middle of the card at the start
 */

const TAP_DISTANCE = 7; // pixels: a shorter movement is a tap
const PULL_DISTANCE = 56; // pixels from which a pile pulls
const PULL = 0.4; // the share of the way

/**
 * @param {{current: HTMLElement | null}} root holds [data-card] buttons and [data-pile] buttons
 * @param {Dragging} dragging
 */
export function useDrag(root, dragging) {
  const latest = useRef(dragging);
  latest.current = dragging;
  useEffect(() => (root.current ? enableDrag(root.current, latest) : undefined), []);
}

/**
 * @param {HTMLElement} root
 * @param {{current: Dragging}} dragging
 * @returns {() => void} turns it off
 */
function enableDrag(root, dragging) {
  /** @type {Held | null} */
  let held = null;
  let ignoreClick = false; // the click that a browser sends after a drag

  /**
   * Return the pile that the card would fall on: one near by that takes it, or one right below that will say why not.
   * @param {string} card
   * @param {number} x
   * @param {number} y
   */
  const pileAt = (card, x, y) => {
    let best = /** @type {{name: string, element: HTMLElement, away: number, open: boolean} | null} */ (null);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-pile]"))) {
      const name = element.dataset.pile ?? "";
      const box = element.getBoundingClientRect();
      const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      const open = dragging.current.takes(card, name);
      if (away <= (open ? PULL_DISTANCE : 0) && (!best || away < best.away)) best = { name, element, away, open };
    }
    return best;
  };

  /** @param {PointerEvent} event */
  const down = (event) => {
    const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-card]"));
    ignoreClick = false;
    if (!element || event.button !== 0 || held) return;
    const { clientX: x, clientY: y } = event;
    held = {
      element,
      card: element.dataset.card ?? "",
      pointer: event.pointerId,
      x,
      y,
      lastX: x,
      tilt: 0,
      on: false,
      middle: { x, y },
    };
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    const { element, card } = held;
    if (!held.on) {
      if (Math.hypot(dx, dy) < TAP_DISTANCE) return;
      held.on = true;
      element.setPointerCapture(event.pointerId);
      const box = element.getBoundingClientRect();
      held.middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      element.toggleAttribute("data-dragging", true);
    }
    const at = { x: held.middle.x + dx, y: held.middle.y + dy };
    const pile = pileAt(card, at.x, at.y);
    let pull = { x: 0, y: 0 };
    if (pile?.open) {
      const slot = (pile.element.querySelector(".slot") ?? pile.element).getBoundingClientRect();
      pull = { x: PULL * (slot.x + slot.width / 2 - at.x), y: PULL * (slot.y + slot.height / 2 - at.y) };
    }
    const swing = Math.max(-14, Math.min(14, (event.clientX - held.lastX) * 1.4));
    held.tilt = pile?.open ? 0 : held.tilt * 0.8 + swing * 0.2; // it swings while it moves and is straight over a pile
    held.lastX = event.clientX;
    element.toggleAttribute("data-caught", Boolean(pile?.open));
    element.style.setProperty("--dx", `${dx + pull.x}px`);
    element.style.setProperty("--dy", `${dy + pull.y}px`);
    element.style.setProperty("--tilt", `${held.tilt}deg`);
    dragging.current.over(pile?.name ?? null);
  };

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { element, card, on, middle, x, y } = held;
    held = null;
    if (!on) return;
    ignoreClick = true;
    const pile =
      event.type === "pointerup" ? pileAt(card, middle.x + event.clientX - x, middle.y + event.clientY - y) : null;
    dragging.current.over(null);
    if (pile) dragging.current.drop(card, pile.name);
    // Before the next frame the board measures the card where it was dropped; only then may it return.
    requestAnimationFrame(() => {
      for (const flag of ["data-dragging", "data-caught"]) element.removeAttribute(flag);
      for (const name of ["--dx", "--dy", "--tilt"]) element.style.removeProperty(name);
    });
  };

  /** @param {MouseEvent} event */
  const click = (event) => {
    if (!ignoreClick) return;
    ignoreClick = false;
    event.stopPropagation();
    event.preventDefault();
  };

  const controller = new AbortController();
  const options = { signal: controller.signal };
  root.addEventListener("pointerdown", down, options);
  root.addEventListener("pointermove", move, options);
  root.addEventListener("pointerup", up, options);
  root.addEventListener("pointercancel", up, options);
  root.addEventListener("click", click, { ...options, capture: true });
  return () => controller.abort();
}
