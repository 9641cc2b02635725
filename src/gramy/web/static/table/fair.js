// Whether the deal of a finished match was fair: one line, with each check below it.
import { html, useEffect, useState } from "../vendor/preact.js";
import { verifyDeal } from "../fair.js";
import { Icon } from "../page/icon.js";
import { t, textFor } from "../text.js";

/** @typedef {import("../fair.js").Check} Check */

/**
 * @param {object} props
 * @param {string} props.table
 * @param {number} props.round
 * @param {number | null} props.you
 * @param {string[]} props.names
 * @param {Line[]} props.lines the log as this browser received it during the match
 */
export function Fair({ table, round, you, names, lines }) {
  const [checks, setChecks] = useState(/** @type {Check[] | null | undefined} */ (undefined));
  useEffect(() => {
    let current = true;
    setChecks(undefined);
    verifyDeal(table, round, you, lines).then(
      (found) => current && setChecks(found),
      () => {},
    ); // without a connection nothing is shown
    return () => {
      current = false;
    };
  }, [table, round, you]);
  if (checks === undefined) return html`<p class="fair quiet">${t("cards_checking")}</p>`;
  if (checks === null) return html`<p class="fair quiet" data-verdict="uncheckable">${t("cards_unchecked")}</p>`;
  const failed = checks.some(({ state }) => state === "failed");
  const sure = checks.every(({ state }) => state === "ok");
  const verdict = failed ? "unfair" : sure ? "fair" : "noted";
  const list = html`<${Checks} checks=${checks} names=${names} />
    <p><a href="/fairness">${t("fairness")}</a></p>`;
  if (failed)
    return html`<div class="fair unfair" role="alert" data-verdict=${verdict}>
      <p>${t("cards_verdict", { verdict })}</p>
      ${list}
    </div>`;
  return html`<details class="fair known" data-verdict=${verdict}>
    <summary><${Icon} name="check" size=${16} /> ${t("cards_verdict", { verdict })}</summary>
    ${list}
  </details>`;
}

/** @param {{checks: Check[], names: string[]}} props */
function Checks({ checks, names }) {
  const text = textFor(names);
  return html`<ul class="checks">
    ${checks.map(
      ({ key, state, values }) => html`<li key=${key} class=${`check-${state}`} data-check=${key} data-state=${state}>
        <span class="check-sign" aria-hidden="true">${SIGNS[state]}</span>
        <span class="sr">${t("check_state", { state })}</span>
        ${" "}${text.t(key, values)}
      </li>`,
    )}
  </ul>`;
}

/** @type {Record<import("../fair.js").State, string>} */
const SIGNS = { ok: "✓", note: "!", unknown: "?", failed: "✗" };
