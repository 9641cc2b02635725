// A player has been away for long and the others decide. This does not cover the board, since play may go on.
import { html } from "../vendor/preact.js";
import { t } from "../text.js";

/** @param {{snapshot: Snapshot, names: string[], decide: (seat: number, choice: string) => void}} props */
export function AbsentDialog({ snapshot, names, decide }) {
  const absent = snapshot.absent.find((one) => one.can_decide);
  if (!absent || snapshot.you === null || snapshot.table.status !== "playing") return null;
  /** @param {string} choice */
  const button = (choice, kind = "", label = "") =>
    html`<button type="button" class=${`button ${kind}`} onClick=${() => decide(absent.seat, choice)}>
      ${label}
    </button>`;
  return html`<section class="absent panel" role="alertdialog" aria-labelledby="absent"
    aria-describedby="absent-about">
    <h2 id="absent">${t("away_title", { name: names[absent.seat] })}</h2>
    <p id="absent-about" class="quiet">${t("away_about")}</p>
    <div class="absent-doors">
      ${button("bot", "primary", t("bot_takes_over"))}
      ${button("wait", "", t("wait_longer"))}
      ${button("end", "", t("end_match"))}
    </div>
  </section>`;
}
