// A pile: a button that says what it would cost, or why not, as soon as a card is picked.
import { html, useRef } from "../vendor/preact.js";
import { styled } from "./styles.js";

await styled("./cards.css", import.meta.url);

/**
 * What the picked card would do here.
 * @typedef {object} Prospect
 * @property {"step" | "trick" | "help" | "no"} tone
 * @property {string} badge in a few signs: "+4"
 * @property {string} hint in a few words: "costs 4", or why the pile does not take it
 */

/**
 * @param {object} props
 * @param {string} props.name the pile's name in moves
 * @param {string} props.label the pile in words, its top included
 * @param {"up" | "down"} props.way
 * @param {string} props.top what lies on top, for telling that it changed
 * @param {(place: string | undefined) => any} props.draw the picture of the top card
 * @param {any} props.foot what stands below while no card is picked
 * @param {Prospect | null} props.prospect
 * @param {number} props.digit the key that plays here
 * @param {boolean} props.over a card is being held over it
 * @param {(name: string) => void} props.play
 */
export function Pile({ name, label, way, top, draw, foot, prospect, digit, over, play }) {
  // The card that was on top stays below while the next one flies in.
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
