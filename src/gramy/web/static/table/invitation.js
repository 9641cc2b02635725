// A table before its first deal: the waiting room for those who sit there, an invitation for everybody else.
import { html, useEffect, useState } from "../vendor/preact.js";
import { proposeName } from "../lobby/name.js";
import { sitDown } from "../lobby/open.js";
import { PageLink } from "../page/link.js";
import { reasonOf } from "../request.js";
import { nickname } from "../settings.js";
import { shortName, t, translate } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { Rules, Room, WaitingSeats } from "./room.js";
import { useNews } from "./room-news.js";
import "./room-texts.js";

await loadStyles("../style/room.css", import.meta.url);

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {import("../connection.js").Connection} props.connection
 * @param {() => void} props.seated
 * @param {(seat: number) => void} props.choosePlayer
 */
export function Invitation({ snapshot, names, connection, seated, choosePlayer }) {
  const { table, you } = snapshot;
  const news = useNews(snapshot, names);
  const free = table.seats.some((seat) => seat.kind === "open");
  let content = html`<${Welcome} snapshot=${snapshot} names=${names} seated=${seated} free=${free} />`;
  if (you !== null)
    content = html`<${Room} snapshot=${snapshot} names=${names} connection=${connection} choosePlayer=${choosePlayer}
      seated=${seated} invite=${free && html`<${InviteLink} table=${table} />`} />`;
  return html`<div class="invitation">
    <div role="status" class="room-news">${news.map(({ words, number }) => html`<p key=${number}>${words}</p>`)}</div>
    ${content}
  </div>`;
}

/** @param {{table: Table}} props */
function InviteLink({ table }) {
  return html`<section class="panel room-part invitation-link">
    <${PageLink} label=${t("invite")} path=${`/t/${table.table}`}
      title=${`Gramy · ${t("title", {}, table.game)}`} />
    <img class="qr" src=${`/api/tables/${table.table}/qr.svg`} width="148" height="148" alt=${t("invite_qr")} />
  </section>`;
}

/**
 * What somebody sees who has opened the link: what is played, by whom, and a form to join.
 * @param {{snapshot: Snapshot, names: string[], free: boolean, seated: () => void}} props
 */
function Welcome({ snapshot, names, free, seated }) {
  const { table } = snapshot;
  const host = table.opener ?? -1;
  const bots = table.seats.some((seat) => seat.kind === "bot");
  const full = bots && names[host] ? [t("table_full"), t("ask_for_seat", { name: names[host] })] : [t("table_full")];
  return html`<div class="panel invitation-card welcome-card">
    <div class="welcome-head">
      <img class="invitation-picture" src=${`/static/pictures/${table.game}.svg`} width="360" height="200" alt="" />
      <div class="invitation-words">
        <p class="welcome-by">${names[host] ? t("invited_by", { name: names[host] }) : t("sit_down_title")}</p>
        <h2>${t("title", {}, table.game)}</h2>
        <p class="quiet">${t("about", { game: table.game })}</p>
      </div>
    </div>
    ${free ? html`<${JoinForm} table=${table} seated=${seated} />` : html`<p>${full.join(" ")}</p>`}
    <section class="invitation-words">
      <h3>${t("invited_seats")}</h3>
      <${WaitingSeats} snapshot=${snapshot} names=${names} />
    </section>
    <section class="invitation-words">
      <h3>${t("invited_rules")}</h3>
      <${Rules} table=${table} explained />
      <p><a href=${`/rules/${table.game}`}>${t("read_rules_label", { title: t("title", {}, table.game) })}</a></p>
    </section>
  </div>`;
}

/** @param {{table: Table, seated: () => void}} props */
function JoinForm({ table, seated }) {
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const others = table.seats.map((seat) => seat.name).filter(Boolean);
  useEffect(() => proposeName(others), []);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    sitDown(table.table, table.game).then(seated, (error) => setProblem(reasonOf(error)));
  };
  return html`<form class="join-form" onSubmit=${submit}>
    <label class="field"><span>${t("nickname")}</span>
      <input class="input" autocomplete="nickname" spellcheck=${false} value=${nickname.value}
        onBlur=${() => proposeName(others)}
        onInput=${(/** @type {any} */ event) => {
          nickname.value = event.currentTarget.value = shortName(event.currentTarget.value);
        }} /></label>
    <button class="button primary big">${t("sit_down")}</button>
    ${problem && html`<p class="problem" role="alert">${translate(problem)}</p>`}
  </form>`;
}
