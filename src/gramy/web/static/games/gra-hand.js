// The player's cards. While faces are chosen, each card is a button that turns it over.
import { html, useRef, useState } from "../vendor/preact.js";
import { CardSide, Sign, faceWord, other } from "./gra-parts.js";

/** @typedef {import("./gra-log.js").ShownHand} ShownHand */

/** Pixels from which a movement is a swipe and not a tap. */
const SWIPE = 18;

/**
 * The faces that are up, and the angle of each card. At first these are the faces the server has, or the lower ones.
 * @param {string} deal changes with every new hand
 * @param {ShownHand | null} hand
 * @param {boolean} fixed whether the server's faces are shown, and cards can no longer be turned
 */
export function useTurned(deal, hand, fixed) {
  const fresh = /** @returns {{deal: string, angles: number[]}} */ () => ({
    deal,
    angles: (hand?.cards ?? []).map((card, i) => (hand?.faces[i] === +card[1] ? 180 : 0)),
  });
  const [stored, store] = useState(fresh);
  const facing = (/** @type {number[]} */ angles) =>
    (hand?.cards ?? []).map((card, i) => +card[Math.abs(angles[i] / 180) % 2]);
  const outdated = fixed && hand?.faces.some((face, i) => face !== facing(stored.angles)[i]);
  const now = stored.deal === deal && !outdated ? stored : fresh();
  const faces = facing(now.angles);
  /**
   * @param {number} index
   * @param {1 | -1} way
   */
  const turn = (index, way = 1) =>
    store((was) => {
      const from = was.deal === deal ? was : fresh();
      return { deal, angles: from.angles.map((angle, i) => (i === index ? angle + 180 * way : angle)) };
    });
  return { faces, angles: now.angles, turn };
}

/**
 * @param {object} props
 * @param {ShownHand} props.hand
 * @param {string} props.deal changes with every new hand
 * @param {ReturnType<typeof useTurned>} props.turned
 * @param {boolean} props.open whether faces may be chosen
 * @param {number[] | null} props.wanted the faces of a hint
 * @param {boolean} props.jokers
 * @param {Translate} props.t
 */
export function Hand({ hand, deal, turned, open, wanted, jokers, t }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const cards = hand.cards.map((card, i) => {
    const up = turned.faces[i];
    const words = { at: i + 1, up: faceWord(up, jokers, t), down: faceWord(other(card, up), jokers, t) };
    const body = html`<${Turning} card=${card} angle=${turned.angles[i]} jokers=${jokers} />`;
    const highlighted = open && wanted && wanted[i] !== up ? "" : undefined;
    return html`<li key=${i} style=${{ "--i": i }} data-face=${up} data-highlighted=${highlighted}>${
      open
        ? html`<${TurnButton} label=${t("board_card", words, "gra")}
          turn=${(/** @type {1 | -1} */ way) => turned.turn(i, way)}>
          ${body}
        <//>`
        : html`<span class="gra-card" role="img" aria-label=${t("board_card_fixed", words, "gra")}>${body}</span>`
    }</li>`;
  });
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (at < 0) return;
    if (event.key === "ArrowLeft") buttons.at(at - 1)?.focus();
    else if (event.key === "ArrowRight") buttons[(at + 1) % buttons.length].focus();
    else if (event.key === "ArrowUp") turned.turn(at, 1);
    else if (event.key === "ArrowDown") turned.turn(at, -1);
    else return;
    event.preventDefault();
  };
  return html`<section class="gra-hand" aria-label=${t("board_hand", {}, "gra")}>
    <ul class="gra-cards" key=${deal} ref=${list} onKeyDown=${onKeyDown} style=${{ "--n": hand.cards.length }}>
      ${cards}
    </ul>
  </section>`;
}

/**
 * The button that confirms the faces. It stays, because they can be changed until all players are ready.
 * @param {object} props
 * @param {boolean} props.confirmed whether the server has these faces
 * @param {boolean} props.ready whether any faces were confirmed
 * @param {boolean} props.wanted whether these are the faces of a hint
 * @param {() => void} props.confirm
 * @param {Translate} props.t
 */
export function Confirm({ confirmed, ready, wanted, confirm, t }) {
  return html`<div class="gra-confirm">
    <p class="quiet">${t(confirmed ? "board_still_changeable" : "board_turn_hint", {}, "gra")}</p>
    <button type="button" class=${`button big ${confirmed ? "done" : "primary"}`} aria-disabled=${confirmed}
      data-highlighted=${wanted && !confirmed ? "" : undefined} onClick=${() => confirmed || confirm()}>
      ${confirmed && html`<${Sign} of="check" />`}
      ${t(confirmed ? "board_confirmed" : ready ? "board_confirm_change" : "board_confirm", {}, "gra")}</button>
    <p class="gra-keys quiet">${t("board_keys_choose", {}, "gra")}</p>
  </div>`;
}

/**
 * A card that can be turned: two sides, back to back, so that numbers are never upside down.
 * @param {{card: string, angle: number, jokers: boolean}} props
 */
function Turning({ card, angle, jokers }) {
  const [low, high] = [+card[0], +card[1]];
  return html`<span class="gra-turning" aria-hidden="true" style=${{ transform: `rotateX(${angle}deg)` }}>
    <${CardSide} up=${low} down=${high} jokers=${jokers} />
    <${CardSide} up=${high} down=${low} jokers=${jokers} back />
  </span>`;
}

/**
 * A button that turns a card on a tap, a key or a swipe. The swipe gives the direction.
 * @param {{label: string, turn: (way: 1 | -1) => void, children: any}} props
 */
function TurnButton({ label, turn, children }) {
  const pointer = useRef({ from: 0, swiped: false });
  /** @param {PointerEvent} event */
  const down = (event) => {
    pointer.current = { from: event.clientY, swiped: false };
  };
  /** @param {PointerEvent} event */
  const up = (event) => {
    const far = event.clientY - pointer.current.from;
    if (Math.abs(far) < SWIPE) return;
    pointer.current.swiped = true;
    turn(far < 0 ? 1 : -1);
  };
  /**
   * A swipe with a mouse ends in a click, which is ignored; a key sends a click with detail 0.
   * @param {MouseEvent} event
   */
  const click = (event) => {
    if (event.detail === 0 || !pointer.current.swiped) turn(1);
    pointer.current.swiped = false;
  };
  return html`<button type="button" class="gra-card" onPointerDown=${down} onPointerUp=${up} onClick=${click}>
    <span class="sr">${label}</span>
    ${children}
  </button>`;
}
