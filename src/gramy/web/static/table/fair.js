// One line about the cards of a match that is over: whether they are those that were promised.
import { html, useEffect, useState } from "../vendor/preact.js";
import { checked } from "../fair.js";
import { Icon } from "../page/icon.js";
import { t } from "../text.js";

/** @param {{table: string, round: number, you: number | null, lines: Line[]}} props `lines` as they were read while the match went on */
export function Fair({ table, round, you, lines }) {
  const [found, setFound] = useState(/** @type {import("../fair.js").Finding | null} */ (null));
  useEffect(() => {
    let current = true;
    setFound(null);
    checked(table, round, you, lines).then(
      (finding) => current && setFound(finding),
      () => {},
    ); // not reached: then nothing is said
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
