// Whether the deal of a finished match was fair: one line, with details.
import { html, useEffect, useState } from "../vendor/preact.js";
import { verifyDeal } from "../fair.js";
import { Icon } from "../page/icon.js";
import { t } from "../text.js";

/**
 * @param {object} props
 * @param {string} props.table
 * @param {number} props.round
 * @param {number | null} props.you
 * @param {Line[]} props.lines the log as this browser received it during the match
 */
export function Fair({ table, round, you, lines }) {
  const [found, setFound] = useState(/** @type {import("../fair.js").Verification | null} */ (null));
  useEffect(() => {
    let current = true;
    setFound(null);
    verifyDeal(table, round, you, lines).then(
      (verification) => current && setFound(verification),
      () => {},
    ); // without a connection nothing is shown
    return () => {
      current = false;
    };
  }, [table, round, you]);
  if (!found) return html`<p class="fair quiet">${t("cards_checking")}</p>`;
  const words = t("cards", { ...found });
  if (found.verdict === "commitment_broken" || found.verdict === "unfair")
    return html`<p class="fair unfair" role="alert">${words}</p>`;
  const known = found.verdict !== "uncheckable";
  return html`<details class=${`fair${known ? " known" : ""}`} data-verdict=${found.verdict}>
    <summary>
      ${known && html`<${Icon} name="check" size=${16} />`} ${t(known ? "cards_checked" : "cards_unchecked")}
    </summary>
    <p class="quiet">${words}</p>
  </details>`;
}
