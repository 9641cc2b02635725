// What one can do about another player: report their name to the host. Whoever runs the table can also hand it over,
// free the seat before the deal, and remove the player for good. Somebody who plays on this device can leave.
import { html, useState } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { reasonOf, request } from "../request.js";
import "./room-texts.js";
import { seatNames, t, translate } from "../text.js";

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {number} props.seat
 * @param {string} props.name
 * @param {import("../connection.js").Connection} props.connection
 * @param {() => Promise<Message | null>} [props.leave] takes a player from the table who plays on this device
 * @param {() => void} props.close
 */
export function PlayerSheet({ snapshot, seat, name, connection, leave, close }) {
  const { table, you } = snapshot;
  const names = seatNames(table.seats);
  const [meant] = useState(table.seats[seat]?.name ?? ""); // meanwhile somebody else may take the seat
  const [asked, setAsked] = useState(false);
  const [reported, setReported] = useState(false);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const report = () =>
    request(`/api/tables/${encodeURIComponent(table.table)}/report`, { seat }).then(
      () => setReported(true),
      (error) => setProblem(reasonOf(error)),
    );
  /** @param {Promise<Message | null>} command */
  const attempt = async (command) => {
    const refused = await command;
    if (refused) setProblem(refused);
    else close();
  };
  const runs = you !== null && table.opener === you;
  const waiting = snapshot.deal?.phase === "wait" && table.status === "waiting";
  /** @param {string} label */
  const button = (label, press = () => {}, kind = "wide") =>
    html`<button type="button" class=${`button ${kind}`} onClick=${press}>${label}</button>`;
  const confirmation = html`<p>${t("remove_about", { name })}</p>
    <div class="absent-doors">
      ${button(t("cancel"), () => setAsked(false), "")}
      ${button(t("remove"), () => void attempt(connection.remove(seat, meant)), "primary")}
    </div>`;
  const handOver =
    runs &&
    html`<p class="quiet">${t("hand_over_about", { name })}</p>
      ${button(t("hand_over"), () => void attempt(connection.room.handOver(seat, meant)))}`;
  /** @param {() => Promise<Message | null>} free */
  const freeSeat = (free) =>
    html`<p class="quiet">${t("free_seat_about", { name })}</p>
      ${button(t("free_seat"), () => void attempt(free()))}`;
  const choices = html`${handOver} ${runs && waiting && freeSeat(() => connection.room.free(seat, meant))}
    ${runs && button(`${t("remove")}…`, () => setAsked(true))}
    <p class="quiet" role="status">${reported ? t("reported") : t("report_about")}</p>
    ${!reported && button(t("report_name"), () => void report())}`;
  const choicesHere =
    leave && html`${handOver} ${waiting ? freeSeat(leave) : button(t("leave"), () => void attempt(leave()))}`;
  return html`<${Sheet} title=${name} close=${close}>
    <div class="player-actions">
      ${problem && html`<p class="problem" role="alert">${translate(problem, names)}</p>`}
      ${asked ? confirmation : (choicesHere ?? choices)}
    </div>
  </${Sheet}>`;
}
