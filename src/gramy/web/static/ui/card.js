// The faces and backs of cards. They are hidden from screen readers; the button around a card has its label.
import { html } from "../vendor/preact.js";
import { loadStyles } from "./styles.js";

await loadStyles("./cards.css", import.meta.url);

/** The five colours by their letter in a card's name ("G8"); each has a symbol, for people who do not see colours. */
export const COLOURS = /** @type {const} */ ({ R: "red", B: "blue", G: "green", Y: "yellow", S: "grey" });

/** Paths of 24 by 24. */
const SYMBOLS = {
  yellow: "M12 1.6 14.9 8.5 22.4 9.1 16.7 14 18.4 21.3 12 17.4 5.6 21.3 7.3 14 1.6 9.1 9.1 8.5Z",
  red: "M12 3 22.2 20.6H1.8Z",
  blue: "M12 1.5C15.6 6.4 19 10.6 19 14.9A7 7 0 0 1 5 14.9C5 10.6 8.4 6.4 12 1.5Z",
  green:
    "M21.5 2.5C22 13.5 18.5 20.5 11 20.5 8.8 20.5 7 19.8 5.7 18.7L3.6 21.2 2.2 20 4.6 17.3" +
    "C1.2 9.8 8.5 3.2 21.5 2.5ZM16 8.2 6.9 15.6 7.6 16.4Z",
  grey: "M4 4H20V20H4Z",
};

/**
 * @param {{colour: string, class?: string}} props
 */
export function Symbol({ colour, class: extra = "" }) {
  const path = SYMBOLS[/** @type {keyof typeof SYMBOLS} */ (colour)];
  return html`<svg class=${`symbol ${extra}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d=${path} fill="currentColor" fill-rule="evenodd" />
  </svg>`;
}

/**
 * A number card. Its hue and contour lines follow from the number, so close numbers look alike.
 * @param {{value: number, side: "mine" | "theirs", place?: string}} props
 */
export function NumberCard({ value, side, place }) {
  return html`<span class=${`card plain-card ${side}`} data-place=${place} style=${{ "--value": value }}
    aria-hidden="true">
    <span class="face">
      <span class="corner">${value}</span>
      <span class="centre">${value}</span>
      <span class="corner far">${value}</span>
    </span>
  </span>`;
}

/**
 * The first card of a pile in Face to Face, with the range of the pile.
 * @param {{from: number, to: number, side: "mine" | "theirs", place?: string}} props
 */
export function RowCard({ from, to, side, place }) {
  return html`<span class=${`card row-card ${side}`} data-place=${place} style=${{ "--value": from }}
    aria-hidden="true">
    <span class="face">
      <span class="corner">${from}</span>
      <span class="centre">${from}</span>
      <span class="leads">${from}<i></i>${to}</span>
    </span>
  </span>`;
}

/**
 * A number in one of the five colours.
 * @param {{name: string, place?: string}} props `name` as the server writes it: "G8"
 */
export function ColourCard({ name, place }) {
  const colour = COLOURS[/** @type {keyof typeof COLOURS} */ (name[0])];
  const number = name.slice(1);
  return html`<span class=${`card colour-card ${colour}`} data-place=${place} aria-hidden="true">
    <span class="face"><${Symbol} colour=${colour} class="watermark" />
      <span class="corner">${number}<${Symbol} colour=${colour} /></span>
      <span class=${`centre${number.length > 1 ? " long" : ""}`}>${number}</span>
      <span class="corner far">${number}<${Symbol} colour=${colour} /></span>
    </span>
  </span>`;
}

/**
 * The head of an empty pile: its direction.
 * @param {{way: "up" | "down", place?: string}} props
 */
export function StartCard({ way, place }) {
  return html`<span class=${`card start-card ${way}`} data-place=${place} aria-hidden="true">
    <span class="face"><i></i></span>
  </span>`;
}

/**
 * @param {{side?: string, place?: string}} props
 */
export function CardBack({ side = "", place }) {
  return html`<span class=${`card shut ${side}`} data-place=${place} aria-hidden="true">
    <span class="face"></span>
  </span>`;
}

/**
 * The hidden cards of another player; in a replay they may be open.
 * @param {object} props
 * @param {number} props.count
 * @param {string} [props.side]
 * @param {string} [props.place]
 * @param {string} props.label
 * @param {{text: string, colour?: string, label?: string}[]} [props.open] `label` if the text does not say it all
 */
export function Backs({ count, side = "", place, label, open }) {
  if (open) {
    return html`<span class="backs open" data-place=${place}><span class="sr">${label}</span>
      ${open.map(
        ({ text, colour = "", label: words = text }) => html`<i key=${text + colour}
          class=${`little-back ${side} little-face ${colour}`}>
          ${colour && html`<${Symbol} colour=${colour} />`}
          <span aria-hidden="true">${text}</span><span class="sr">${words} </span>
        </i>`,
      )}
    </span>`;
  }
  const backs = Array.from({ length: count }, (_, index) => html`<i key=${index} class=${`little-back ${side}`}></i>`);
  return html`<span class="backs" role="img" aria-label=${label} data-place=${place}>${backs}</span>`;
}

/**
 * A draw pile with the number of its cards. It gets thinner with fewer cards.
 * @param {{count: number, side?: string, place?: string, label: string}} props
 */
export function Deck({ count, side = "", place, label }) {
  const layers = Math.min(4, Math.ceil(count / 12));
  return html`<span class=${`deck ${side}`} role="img" aria-label=${label} title=${label} data-layers=${layers}>
    <i class=${`little-back ${side}`} data-place=${place}>${count}</i>
  </span>`;
}
