// What one can do about another player: report their name to the host, and remove them, if one opened the table.
import { html, useState } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { reasonOf, request } from "../request.js";
import { t, translate } from "../text.js";

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {number} props.seat
 * @param {string} props.name
 * @param {(seat: number, name: string) => Promise<Message | null>} props.remove
 * @param {() => void} props.close
 */
export function PlayerSheet({ snapshot, seat, name, remove, close }) {
  const { table, you } = snapshot;
  const [meant] = useState(table.seats[seat]?.name ?? ""); // meanwhile somebody else may take the seat
  const [asked, setAsked] = useState(false);
  const [reported, setReported] = useState(false);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const report = () =>
    request(`/api/tables/${encodeURIComponent(table.table)}/report`, { seat }).then(
      () => setReported(true),
      (error) => setProblem(reasonOf(error)),
    );
  const removeNow = async () => {
    const refused = await remove(seat, meant);
    if (refused) setProblem(refused);
    else close();
  };
  const mayRemove = you !== null && table.opener === you;
  /** @param {string} label */
  const button = (label, press = () => {}, kind = "wide") =>
    html`<button type="button" class=${`button ${kind}`} onClick=${press}>${label}</button>`;
  const confirmation = html`<p>${t("remove_about", { name })}</p>
    <div class="absent-doors">
      ${button(t("cancel"), () => setAsked(false), "")} ${button(t("remove"), () => void removeNow(), "primary")}
    </div>`;
  const choices = html`${mayRemove && button(`${t("remove")}…`, () => setAsked(true))}
    <p class="quiet" role="status">${reported ? t("reported") : t("report_about")}</p>
    ${!reported && button(t("report_name"), () => void report())}`;
  return html`<${Sheet} title=${name} close=${close}>
    <div class="player-actions">
      ${problem && html`<p class="problem" role="alert">${translate(problem)}</p>`} ${asked ? confirmation : choices}
    </div>
  </${Sheet}>`;
}
