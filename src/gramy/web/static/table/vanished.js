// A player has been away for long and the others decide. This does not cover the board, since play may go on.
import { html } from "../vendor/preact.js";
import { t } from "../text.js";

/** @param {{snapshot: Snapshot, names: string[], decide: (seat: number, choice: string) => void}} props */
export function Vanished({ snapshot, names, decide }) {
  const missing = snapshot.absent.find((one) => one.can_decide);
  if (!missing || snapshot.you === null || snapshot.table.status !== "playing") return null;
  /** @param {string} choice */
  const button = (choice, kind = "", label = "") =>
    html`<button type="button" class=${`button ${kind}`} onClick=${() => decide(missing.seat, choice)}>
      ${label}
    </button>`;
  return html`<section class="vanished panel" role="alertdialog" aria-labelledby="vanished"
    aria-describedby="vanished-about">
    <h2 id="vanished">${t("away_title", { name: names[missing.seat] })}</h2>
    <p id="vanished-about" class="quiet">${t("away_about")}</p>
    <div class="vanished-doors">
      ${button("bot", "primary", t("bot_takes_over"))}
      ${button("wait", "", t("wait_longer"))}
      ${button("end", "", t("end_match"))}
    </div>
  </section>`;
}
