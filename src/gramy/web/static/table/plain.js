// The board of a game that has none: its moves as buttons. Enough to play a new game on the day its rules are written.
import { html } from "../vendor/preact.js";

/** Boards that bring their own table talk have no need of the shell's. */
export const needsTalk = true;
export const needsSeats = true;

/** @param {Snapshot} snapshot @param {string[]} names @param {Say} t */
export function prompt({ view, you }, names, t) {
  if (!view) return "";
  if (view.outcome) return t("prompt_over");
  if (you !== null && view.to_act.includes(you)) return t("prompt_you");
  const to_act = view.to_act.filter((seat) => seat < names.length);
  return to_act.length ? t("prompt_wait", { to_act }) : t("prompt_deal");
}

/** @param {BoardProps} props */
export function Board({ snapshot, act, t, hint }) {
  return html`<div class="plain-board">
    <p class="quiet">${t("no_board")}</p>
    <div class="plain-moves">
      ${(snapshot.replay ? [] : (snapshot.view?.moves ?? [])).map(
        (move) => html`<button key=${move} type="button"
          class=${`button${hint?.moves[0]?.[0] === move ? " primary" : ""}`} onClick=${() => act(move)}>
          ${move}
        </button>`,
      )}
    </div>
    <pre>${JSON.stringify(snapshot.view?.board, null, 1)}</pre>
  </div>`;
}
