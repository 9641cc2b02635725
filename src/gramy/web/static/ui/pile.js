// A pile: a button that shows what the picked card would cost here, or why the pile does not take it.
import { html, useRef } from "../vendor/preact.js";
import { loadStyles } from "./styles.js";

await loadStyles("./piles.css", import.meta.url);

/**
 * What the picked card would do here.
 * @typedef {object} Prospect
 * @property {"step" | "far" | "leap" | "trick" | "help" | "no"} tone a step costs little, a leap much
 * @property {string} badge for instance "+4"
 * @property {string} hint for instance "costs 4", or why the pile does not take it
 */

/**
 * Return the tone of a cost: small, noticeable or large, by the share of the pile that it uses up.
 * @param {number} steps
 * @param {number} range of the pile
 * @returns {"step" | "far" | "leap"}
 */
export const costTone = (steps, range) => (steps <= range * 0.1 ? "step" : steps <= range * 0.3 ? "far" : "leap");

/**
 * @param {object} props
 * @param {string} props.name the pile's name in moves
 * @param {string} props.label the pile in words, its top included
 * @param {"up" | "down"} props.way
 * @param {string} props.top the top card, to notice a change
 * @param {(place: string | undefined) => any} props.draw draws the top card
 * @param {any} props.foot shown below while no card is picked
 * @param {Prospect | null} props.prospect
 * @param {number} props.digit the key that lays a card here
 * @param {boolean} props.over a card is dragged over it
 * @param {(name: string) => void} props.play
 */
export function Pile({ name, label, way, top, draw, foot, prospect, digit, over, play }) {
  // The old top card stays visible while the next one flies in.
  const seen = useRef({ top, draw, under: /** @type {((place: string | undefined) => any) | null} */ (null) });
  if (seen.current.top !== top) seen.current = { top, draw, under: seen.current.draw };
  else seen.current.draw = draw;

  const refused = prospect?.tone === "no";
  const state = prospect ? (refused ? " closed" : ` open ${prospect.tone}`) : "";
  return html`<button type="button" class=${`pile ${way}${state}${over ? " over" : ""}`} data-pile=${name}
    aria-disabled=${refused} aria-keyshortcuts=${String(digit)} onClick=${() => play(name)}>
    <span class="sr">${prospect ? `${label} ${prospect.hint}` : label}</span>
    <span class="slot" aria-hidden="true">${seen.current.under?.(undefined)}${draw(`pile:${name}`)}</span>
    ${
      prospect &&
      !refused &&
      html`<span class="badge" aria-hidden="true">${prospect.badge}</span>
        <span class="digit" aria-hidden="true">${digit}</span>`
    }
    ${refused && html`<span class="why" aria-hidden="true">${prospect.hint}</span>`}
    <span class="foot" aria-hidden="true">
      <i class="arrow"></i>
      ${prospect && !refused ? html`<span class="cost">${prospect.hint}</span>` : foot}
    </span>
  </button>`;
}
