/* Your cards. While faces are chosen each card is a button that turns it over; afterwards they only lie there. */
import { html, useRef, useState } from "../vendor/preact.js";
import { CardSide, Sign, faceWord, other } from "./gra-parts.js";

/** @typedef {import('./gra-story.js').Shown} Shown */

/** How far a finger moves before it is a swipe and not a tap. */
const SWIPE = 18;

/**
 * The faces that are up, and how far each card has been turned. They begin as the server knows them, or with the lower face.
 * @param {string} deal changes with every new hand
 * @param {Shown | null} hand
 * @param {boolean} fixed whether the server's word counts, and no longer how the reader turns them
 */
export function useTurned(deal, hand, fixed) {
  const fresh = /** @returns {{deal: string, angles: number[]}} */ () => ({
    deal,
    angles: (hand?.cards ?? []).map((card, i) => (hand?.faces[i] === +card[1] ? 180 : 0)),
  });
  const [kept, keep] = useState(fresh);
  const facing = (/** @type {number[]} */ angles) =>
    (hand?.cards ?? []).map((card, i) => +card[Math.abs(angles[i] / 180) % 2]);
  const other = fixed && hand?.faces.some((face, i) => face !== facing(kept.angles)[i]);
  const now = kept.deal === deal && !other ? kept : fresh();
  const faces = facing(now.angles);
  /** @param {number} at @param {1 | -1} way */
  const turn = (at, way = 1) =>
    keep((was) => {
      const from = was.deal === deal ? was : fresh();
      return { deal, angles: from.angles.map((angle, i) => (i === at ? angle + 180 * way : angle)) };
    });
  return { faces, angles: now.angles, turn };
}

/**
 * @param {{hand: Shown, deal: string, turned: ReturnType<typeof useTurned>, open: boolean, wanted: number[] | null, jokers: boolean, t: Say}} props
 * `deal` changes with every new hand, `open` while faces may be chosen, `wanted` are the faces that were advised
 */
export function Hand({ hand, deal, turned, open, wanted, jokers, t }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const cards = hand.cards.map((card, i) => {
    const up = turned.faces[i];
    const words = { at: i + 1, up: faceWord(up, jokers, t), down: faceWord(other(card, up), jokers, t) };
    const body = html`<${Turning} card=${card} angle=${turned.angles[i]} jokers=${jokers} />`;
    const pointed = open && wanted && wanted[i] !== up ? "" : undefined;
    return html`<li key=${i} style=${{ "--i": i }} data-pointed=${pointed}>${
      open
        ? html`<${TurnButton} label=${t("board_card", words, "gra")}
          turn=${(/** @type {1 | -1} */ way) => turned.turn(i, way)}>
          ${body}
        <//>`
        : html`<span class="gra-card" role="img" aria-label=${t("board_card_fixed", words, "gra")}>${body}</span>`
    }</li>`;
  });
  /** @param {KeyboardEvent} press */
  const walk = (press) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (at < 0) return;
    if (press.key === "ArrowLeft") buttons.at(at - 1)?.focus();
    else if (press.key === "ArrowRight") buttons[(at + 1) % buttons.length].focus();
    else if (press.key === "ArrowUp") turned.turn(at, 1);
    else if (press.key === "ArrowDown") turned.turn(at, -1);
    else return;
    press.preventDefault();
  };
  return html`<section class="gra-hand" aria-label=${t("board_hand", {}, "gra")}>
    <ul class="gra-cards" key=${deal} ref=${list} onKeyDown=${walk} style=${{ "--n": hand.cards.length }}>${cards}</ul>
  </section>`;
}

/**
 * Says that these faces shall count. They can be changed until everybody is ready, so it stays.
 * @param {{confirmed: boolean, ready: boolean, wanted: boolean, confirm: () => void, t: Say}} props
 * `confirmed` when what is up is what the server knows, `ready` once anything was confirmed, `wanted` when it was advised
 */
export function Confirm({ confirmed, ready, wanted, confirm, t }) {
  return html`<div class="gra-confirm">
    <p class="quiet">${t(confirmed ? "board_still_changeable" : "board_turn_hint", {}, "gra")}</p>
    <button type="button" class=${`button big ${confirmed ? "done" : "primary"}`} aria-disabled=${confirmed}
      data-pointed=${wanted && !confirmed ? "" : undefined} onClick=${() => confirmed || confirm()}>
      ${confirmed && html`<${Sign} of="check" />`}
      ${t(confirmed ? "board_confirmed" : ready ? "board_confirm_change" : "board_confirm", {}, "gra")}</button>
    <p class="gra-keys quiet">${t("board_keys_choose", {}, "gra")}</p>
  </div>`;
}

/** A card that can show either end up: two sides, back to back, so that numbers are never upside down. */
function Turning(/** @type {{card: string, angle: number, jokers: boolean}} */ { card, angle, jokers }) {
  const [low, high] = [+card[0], +card[1]];
  return html`<span class="gra-turning" aria-hidden="true" style=${{ transform: `rotateX(${angle}deg)` }}>
    <${CardSide} up=${low} down=${high} jokers=${jokers} />
    <${CardSide} up=${high} down=${low} jokers=${jokers} back />
  </span>`;
}

/**
 * Turns on a tap, a key or a swipe; the swipe says which way it turns.
 * @param {{label: string, turn: (way: 1 | -1) => void, children: any}} props
 */
function TurnButton({ label, turn, children }) {
  const finger = useRef({ from: 0, swiped: false });
  /** @param {PointerEvent} at */
  const down = (at) => {
    finger.current = { from: at.clientY, swiped: false };
  };
  /** @param {PointerEvent} at */
  const up = (at) => {
    const far = at.clientY - finger.current.from;
    if (Math.abs(far) < SWIPE) return;
    finger.current.swiped = true;
    turn(far < 0 ? 1 : -1);
  };
  /** A mouse that swiped still clicks; a key (detail 0) always means it. @param {MouseEvent} at */
  const click = (at) => {
    if (at.detail === 0 || !finger.current.swiped) turn(1);
    finger.current.swiped = false;
  };
  return html`<button type="button" class="gra-card" onPointerDown=${down} onPointerUp=${up} onClick=${click}>
    <span class="sr">${label}</span>
    ${children}
  </button>`;
}
