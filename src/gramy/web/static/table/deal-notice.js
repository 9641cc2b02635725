// What a table shows of its deal: that the cards are being dealt, and what went wrong.
import { html, useEffect, useState } from "../vendor/preact.js";
import { Icon } from "../page/icon.js";
import { t } from "../text.js";

/** Milliseconds until a notice closes that may be harmless. */
const PASSING_NOTICE = 15_000;

/**
 * What went wrong with the deal of this round, until the user closes it. What may be harmless closes by itself.
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string | undefined} props.problem
 * @param {ReturnType<typeof import("../text.js").textFor>} props.text
 */
export function DealNotice({ snapshot: { deal, table, you }, problem, text }) {
  const [closed, setClosed] = useState("");
  const forfeited = (deal?.withheld ?? []).flat().filter((seat) => table.seats[seat]?.stand_in);
  const words = problem
    ? t("deal_problem", { problem })
    : table.status !== "playing" || !forfeited.length
      ? ""
      : you !== null && forfeited.includes(you)
        ? text.t("bot_plays_round")
        : text.t("dealt_anew", { seats: forfeited });
  // The number of a slow phone comes late although the deal is honest. The notice covers the prompt, and the result
  // repeats it: so it closes by itself.
  const passing = problem === "left_out" && words !== closed;
  useEffect(() => {
    if (!passing) return undefined;
    const timer = setTimeout(() => setClosed(words), PASSING_NOTICE);
    return () => clearTimeout(timer);
  }, [passing, words]);
  if (!words || words === closed) return null;
  return html`<div class="stalled deal-notice panel" role="status">
    <p>${words}</p>
    <button type="button" class="tool bare" aria-label=${t("close")} onClick=${() => setClosed(words)}>
      <${Icon} name="close" />
    </button>
  </div>`;
}

/**
 * Return what is shown while the cards are dealt: most deals take so short a time that nobody sees it.
 * @param {Snapshot} snapshot
 */
export const dealing = ({ deal }) =>
  (deal?.phase === "commit" || deal?.phase === "reveal") &&
  html`<div class="notice-page" role="status">
    <h2>${t("dealing_title")}</h2>
    <p class="quiet">${t("dealing_about")}</p>
  </div>`;
