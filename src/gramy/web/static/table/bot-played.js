// What a bot did for a player who was away or out of time, until the player has read it.
import { html } from "../vendor/preact.js";
import { language, t } from "../text.js";
import { eventSentence } from "./log.js";

/**
 * @param {object} props
 * @param {BotPlayed} props.played
 * @param {Line[]} props.lines
 * @param {string[]} props.names
 * @param {import("./board.js").BoardModule | null} props.board
 * @param {() => void} props.acknowledge
 */
export function BotPlayedNotice({ played, lines, names, board, acknowledge }) {
  const time = new Intl.DateTimeFormat(language(), { hour: "numeric", minute: "2-digit" });
  const since = time.format(played.since * 1000);
  const timeUp = played.reason === "time";
  const last = typeof played.line === "number" ? lines[played.line] : undefined;
  const move = (last?.events ?? []).map((event) => eventSentence(event, names, board)).join(" ");
  return html`<section class="absent panel" role="alertdialog" aria-labelledby="bot-played"
    aria-describedby="bot-played-about">
    <h2 id="bot-played">${t(timeUp ? "time_up_title" : "bot_played_title")}</h2>
    <p id="bot-played-about">
      ${!timeUp && t("bot_played_reason", { reason: played.reason })}${" "}
      ${(!timeUp || played.moves > 1) && t("bot_played_moves", { moves: played.moves, since })}${" "}
      ${move && t("time_up_played", { move })}
    </p>
    <div class="absent-doors">
      <button type="button" class="button primary" onClick=${acknowledge}>${t("understood")}</button>
    </div>
  </section>`;
}
