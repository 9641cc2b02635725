// Parts of the GRA board: dice, cards with a face at each end, bids, hand sizes and signs.
import { html } from "../vendor/preact.js";

/** The positions of the pips of each value, in a square of 100. */
const PIPS = [
  [],
  [[50, 50]],
  [
    [28, 28],
    [72, 72],
  ],
  [
    [26, 26],
    [50, 50],
    [74, 74],
  ],
  [
    [28, 28],
    [72, 28],
    [28, 72],
    [72, 72],
  ],
  [
    [27, 27],
    [73, 27],
    [50, 50],
    [27, 73],
    [73, 73],
  ],
  [
    [28, 24],
    [72, 24],
    [28, 50],
    [72, 50],
    [28, 76],
    [72, 76],
  ],
];
const STAR = "M50 17 L59.7 38.6 83.3 41.2 65.7 57 70.6 80.2 50 68.4 29.4 80.2 34.3 57 16.7 41.2 40.3 38.6 Z";

/**
 * One face of a die; a one that is a joker is a star. Hidden from screen readers, so the value needs a label elsewhere.
 * @param {{value: number, joker?: boolean}} props
 */
export function Die({ value, joker }) {
  return html`<svg class="gra-die v${value}" viewBox="0 0 100 100" aria-hidden="true">
    <rect class="gra-die-body" x="2" y="2" width="96" height="96" rx="22" />
    ${
      joker && value === 1
        ? html`<path class="gra-pip" d=${STAR} />`
        : PIPS[value].map(([x, y]) => html`<circle class="gra-pip" cx=${x} cy=${y} r=${value === 1 ? 14 : 10.5} />`)
    }
  </svg>`;
}

/**
 * One side of a card: the upper face counts.
 * @param {{up: number, down: number, jokers: boolean, back?: boolean}} props
 */
export function CardSide({ up, down, jokers, back }) {
  return html`<span class="gra-side v${up} ${back ? "back" : ""}">
    <span class="gra-up"><b>${up}</b><${Die} value=${up} joker=${jokers} /></span>
    <span class="gra-down v${down}"><${Die} value=${down} joker=${jokers} /><b>${down}</b></span>
  </span>`;
}

/**
 * @param {string} card
 * @param {number} up
 * @returns {number} the other face of a card
 */
export const other = (card, up) => (+card[0] === up ? +card[1] : +card[0]);

/**
 * Return a face for a card's label: “4”, or “1 (joker)”.
 * @param {number} face
 * @param {boolean} jokers
 * @param {Translate} t
 */
export const faceWord = (face, jokers, t) =>
  face === 1 && jokers ? t("board_joker_face", { face }, "gra") : String(face);

/**
 * Return a bid in words: “three fours”.
 * @param {number} number
 * @param {number} value
 * @param {Translate} t
 */
export const bidWords = (number, value, t) =>
  t(`board_faces_${value}`, { number, words: t("board_number", { number: String(number) }, "gra") }, "gra");

/**
 * A bid as a picture, with its words for screen readers.
 * @param {{number: number, value: number, jokers?: boolean, t: Translate}} props
 */
export function BidSign({ number, value, jokers, t }) {
  return html`<span class="gra-bid"><span class="sr">${bidWords(number, value, t)}</span>
    <b aria-hidden="true">${number}</b><i aria-hidden="true">×</i><${Die} value=${value} joker=${jokers} /></span>`;
}

/**
 * A hand size as a row of little cards. It grows to a sixth, which loses; with fewer cards it shrinks from five.
 * @param {{size: number, fewer: boolean, change?: number, t: Translate}} props `change` is the size before
 */
export function Sizes({ size, fewer, change, t }) {
  const places = fewer ? 5 : 6;
  const marks = Array.from({ length: places }, (_, i) => {
    const last = !fewer && i === places - 1;
    const fresh = change !== undefined && i >= Math.min(size, change) && i < Math.max(size, change);
    return html`<i class="${i < size ? "on" : ""} ${last ? "last" : ""} ${fresh ? "fresh" : ""}"></i>`;
  });
  return html`<span class="gra-sizes" role="img" aria-label=${t("board_size", { size }, "gra")}>${marks}</span>`;
}

/** @typedef {keyof typeof shapes} SignName */
const shapes = {
  check: "M4 12.5 9.5 18 20 6.5",
  cross: "M6 6 18 18 M18 6 6 18",
  turn: "M5 9a8 8 0 0 1 14-1 M19 3v5h-5 M19 15a8 8 0 0 1-14 1 M5 21v-5h5",
  left: "M20 12a8 8 0 1 1-2.6-5.9 M20.5 2.5v5h-5",
  right: "M4 12a8 8 0 1 0 2.6-5.9 M3.5 2.5v5h5",
  crown: "M3 8l4.5 4L12 5l4.5 7L21 8l-2 11H5z",
};

/** @param {{of: SignName}} props */
export function Sign({ of }) {
  return html`<svg class="gra-sign" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d=${shapes[of]} />
  </svg>`;
}
