// The player's hand: a fan of buttons. A touch picks a card at once, a second touch drops it; arrows move the focus.
import { html, useRef, useState } from "../vendor/preact.js";
import { CardBack } from "./card.js";
import { loadStyles } from "./styles.js";

await loadStyles("./piles.css", import.meta.url);

/**
 * @typedef {object} Held
 * @property {string} id the card's name in moves
 * @property {string} label the card in words
 * @property {any} face
 * @property {boolean} [dead] no pile takes it now
 */

/**
 * @param {object} props
 * @param {Held[]} props.cards
 * @param {string | null} props.picked
 * @param {(id: string | null) => void} props.pick
 * @param {boolean} props.waiting it is another player's turn
 * @param {string} props.label
 */
export function Hand({ cards, picked, pick, waiting, label }) {
  const [current, setCurrent] = useState(""); // the one card in the Tab order
  const pressed = useRef(/** @type {{id: string, again: boolean} | null} */ (null));
  const focusable = cards.some((card) => card.id === current) ? current : cards[0]?.id;

  /** @param {string} id */
  const press = (id) => {
    pressed.current = { id, again: picked === id };
    pick(id); // on pointerdown: waiting for the click would feel slow
  };
  /** @param {string} id */
  const click = (id) => {
    const last = pressed.current;
    pressed.current = null;
    const again = last?.id === id ? last.again : picked === id; // without a pointer it came from the keyboard
    pick(again ? null : id);
  };
  /** @param {KeyboardEvent} event */
  const moveFocus = (event) => {
    const steps = /** @type {Record<string, number>} */ ({
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -cards.length,
      End: cards.length,
    });
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = /** @type {HTMLElement[]} */ ([
      .../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("[data-card]"),
    ]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  const middle = (cards.length - 1) / 2;
  return html`<div class=${`hand${waiting ? " waiting" : ""}`} role="group" aria-label=${label}
    style=${{ "--cards": cards.length }} onKeyDown=${moveFocus}>
    ${cards.map(
      (card, index) => html`<button
        key=${card.id} type="button" class=${`held${card.dead ? " dead" : ""}`} style=${{ "--offset": index - middle }}
        data-card=${card.id} data-place=${`hand:${card.id}`} aria-pressed=${picked === card.id}
        tabIndex=${card.id === focusable ? 0 : -1}
        onFocus=${() => setCurrent(card.id)}
        onPointerDown=${(/** @type {PointerEvent} */ event) => event.button === 0 && press(card.id)}
        onClick=${() => click(card.id)}><span class="sr">${card.label}</span>${card.face}</button>`,
    )}
  </div>`;
}

/**
 * The hand of a player whose cards are hidden, for spectators.
 * @param {{count: number, side: string}} props
 */
export function HiddenHand({ count, side }) {
  const middle = (count - 1) / 2;
  return html`<div class="hand" style=${{ "--cards": count }}>
    ${Array.from(
      { length: count },
      (_, index) => html`<span key=${index} class="held shut" style=${{ "--offset": index - middle }}>
        <${CardBack} side=${side} />
      </span>`,
    )}
  </div>`;
}
