// Parts that the boards of Face to Face and Quick & Easy share: players, progress, and the buttons at the bottom.
import { html } from "../vendor/preact.js";
import { initial } from "../text.js";
import { loadStyles } from "./styles.js";

await loadStyles("./players.css", import.meta.url);

/**
 * @param {{name: string, colour: string, online?: boolean}} props `colour` is the class of the seat's colour
 */
export function Avatar({ name, colour, online = true }) {
  return html`<span class=${`avatar ${colour}${online ? "" : " away"}`} aria-hidden="true">${initial(name)}</span>`;
}

/**
 * How many cards a player has laid.
 * @param {{done: number, all: number, label: string}} props
 */
export function Progress({ done, all, label }) {
  return html`<span class="progress" role="img" aria-label=${label}>
    <span class="lane"><i style=${{ "--done": done / all }}></i></span>
    <span class="count">${done}<small>/${all}</small></span>
  </span>`;
}

/**
 * One pip for each card of the turn: filled when it is laid, empty while it must still be laid.
 * @param {{laid: number, required: number}} props
 */
export function Pips({ laid, required }) {
  const pips = Array.from(
    { length: laid + required },
    (_, index) => html`<i key=${index} class=${index < laid ? "on" : ""}></i>`,
  );
  return html`<span class="pips" aria-hidden="true">${pips}</span>`;
}

/**
 * @param {object} props
 * @param {{label: string, off: boolean, press: () => void}} props.undo
 * @param {{label: string, small: string, off: boolean, press: () => void}} props.end `small` says what follows
 * @param {"end" | "start"} [props.move] what the second button does
 */
export function Actions({ undo, end, move = "end" }) {
  return html`<div class="actions">
    <button type="button" class="button" data-button="undo" aria-disabled=${undo.off} aria-keyshortcuts="U"
      onClick=${undo.press}>
      <svg width="17" height="17" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M9 5 4 10l5 5M4.5 10H14a5.5 5.5 0 0 1 0 11h-3" fill="none" stroke="currentColor" stroke-width="2.4"
          stroke-linecap="round" stroke-linejoin="round" />
      </svg>
      <span>${undo.label}</span>
    </button>
    <button type="button" class=${`button end${end.off ? "" : " primary"}`} data-button=${move} aria-disabled=${end.off}
      aria-keyshortcuts=${move === "end" ? "E" : "S"} onClick=${end.press}>
      <span><b>${end.label}</b>${" "}<small>${end.small}</small></span>
    </button>
  </div>`;
}
