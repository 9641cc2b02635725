// The board of a game without one: its moves as buttons. A new game can be played as soon as its rules are written.
import { html } from "../vendor/preact.js";

export const needsTalk = true;
export const needsSeats = true;

/**
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @param {Translate} t
 */
export function prompt({ view, you }, names, t) {
  if (!view) return "";
  if (view.outcome) return t("prompt_over");
  if (you !== null && view.to_act.includes(you)) return t("prompt_you");
  const players = view.to_act.filter((seat) => seat < names.length);
  return players.length ? t("prompt_wait", { to_act: players }) : t("prompt_deal");
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
