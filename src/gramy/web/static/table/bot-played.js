// What a bot did for a player who was away, until the player has read it.
import { html } from "../vendor/preact.js";
import { language, t } from "../text.js";

/** @param {{played: BotPlayed, acknowledge: () => void}} props */
export function BotPlayedNotice({ played, acknowledge }) {
  const time = new Intl.DateTimeFormat(language(), { hour: "numeric", minute: "2-digit" });
  const since = time.format(played.since * 1000);
  return html`<section class="absent panel" role="alertdialog" aria-labelledby="bot-played"
    aria-describedby="bot-played-about">
    <h2 id="bot-played">${t("bot_played_title")}</h2>
    <p id="bot-played-about">
      ${t("bot_played_reason", { reason: played.reason })} ${t("bot_played_moves", { moves: played.moves, since })}
    </p>
    <div class="absent-doors">
      <button type="button" class="button primary" onClick=${acknowledge}>${t("understood")}</button>
    </div>
  </section>`;
}
