// A table with free seats: its link and QR code, the players so far, and a form to take a seat.
import { html, useState } from "../vendor/preact.js";
import { sitDown } from "../lobby/open.js";
import { LinkField } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { inForce } from "../page/variants.js";
import { reasonOf } from "../request.js";
import { nickname } from "../settings.js";
import { initial, shortName, t, translate } from "../text.js";
import { seatColour } from "../ui/identity.js";
import { PlayerButton, otherPeople } from "./seats.js";

/** Addresses that only work on the same machine. */
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {() => void} props.seated
 * @param {(seat: number) => void} props.choosePlayer
 */
export function Invitation({ snapshot, names, seated, choosePlayer }) {
  const { table, you } = snapshot;
  const title = t("title", {}, table.game);
  const free = table.seats.filter((seat) => seat.kind === "open").length;
  if (!free)
    return html`<div class="invitation"><div class="panel invitation-card">
      <div class="invitation-words" role="status">
        <h2>${t("dealing_title")}</h2>
        <p class="quiet">${t("dealing_about")}</p>
      </div>
      <${WaitingSeats} snapshot=${snapshot} names=${names} choosePlayer=${choosePlayer} />
    </div></div>`;
  return html`<div class="invitation"><div class="panel invitation-card">
    <img class="invitation-picture" src=${`/static/pictures/${table.game}.svg`} width="360" height="200" alt="" />
    ${you === null && html`<${SitDown} table=${table} seated=${seated} />`}
    <div class="invitation-words">
      <h2>${t("waiting_title")} <span class="chip">${t("free_seats", { number: free })}</span></h2>
      <p class="quiet">${t("waiting_for_others")}</p>
    </div>
    <div class="invitation-link">
      <${LinkField} label=${t("invite")} about=${LOCAL.includes(location.hostname) ? t("invite_here") : ""}
        url=${`${location.origin}/t/${table.table}`} title=${`Gramy · ${title}`} />
      <img class="qr" src=${`/api/tables/${table.table}/qr.svg`} width="148" height="148" alt=${t("invite_qr")} />
    </div>
    <ul class="variants-on">
      ${inForce(table).map(({ name }) => html`<li key=${name} class="chip">${name}</li>`)}
    </ul>
    <${WaitingSeats} snapshot=${snapshot} names=${names} choosePlayer=${choosePlayer} />
  </div></div>`;
}

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {(seat: number) => void} props.choosePlayer
 */
function WaitingSeats({ snapshot, names, choosePlayer }) {
  const others = otherPeople(snapshot);
  return html`<ol class="waiting-seats" aria-label=${t("seats")}>
    ${snapshot.table.seats.map(
      (seat, number) => html`<li key=${number} class=${seat.kind === "open" ? "free" : ""}>
        <span class=${`seat-face ${seatColour(number, snapshot.you, names.length)}`} aria-hidden="true">
          ${sign(seat, number)}
        </span>
        ${names[number]}
        ${
          others.includes(number) && html`<${PlayerButton} name=${names[number]} press=${() => choosePlayer(number)} />`
        }
      </li>`,
    )}
  </ol>`;
}

/**
 * @param {Seat} seat
 * @param {number} number
 */
const sign = (seat, number) =>
  seat.kind === "bot"
    ? html`<${Icon} name="bot" size=${20} />`
    : seat.kind === "open"
      ? number + 1
      : initial(seat.name);

/** @param {{table: Table, seated: () => void}} props */
function SitDown({ table, seated }) {
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    sitDown(table.table, table.game).then(seated, (error) => setProblem(reasonOf(error)));
  };
  return html`<form class="sit-down" onSubmit=${submit}>
    <h2>${t("sit_down_title")}</h2>
    <label class="field"><span>${t("nickname")}</span>
      <input class="input" autocomplete="nickname" value=${nickname.value} onInput=${(/** @type {any} */ event) => {
        nickname.value = event.currentTarget.value = shortName(event.currentTarget.value);
      }} /></label>
    ${problem && html`<p class="problem" role="alert">${translate(problem)}</p>`}
    <button class="button primary big">${t("sit_down")}</button>
  </form>`;
}
