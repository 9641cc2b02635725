// Reports of names, and the tables of the server with their players.
import { html, useState } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { request } from "../request.js";
import { playerName, t } from "../text.js";
import { PlayerActions } from "./orders.js";
import { Field, a, when } from "./words.js";

/** @typedef {import("./orders.js").Act} Act */

/** @param {{reports: any[], act: Act}} props */
export function Reports({ reports, act }) {
  return html`<section aria-labelledby="reports">
    <h2 id="reports">${a("reports")}</h2>
    ${!reports.length && html`<p class="quiet">${a("nothing")}</p>`}
    <ul class="admin-list">
      ${reports.map((report) => {
        const order = (/** @type {string} */ kind) =>
          request("/api/admin/orders", { kind, guest: report.guest, minutes: 24 * 60 });
        const label = (/** @type {string} */ key) => `${a(key)}: ${report.name}`;
        return html`<li key=${report.id} class="panel admin-row">
          <span class="admin-words">
            <b>${report.name}</b>
            <span class="quiet">${`${report.table} · ${when(report.made)}`}</span>
          </span>
          <span class="admin-doors">
            <button type="button" class="button" aria-label=${label("remove_name")} onClick=${() =>
              act(request(`/api/admin/tables/${report.table}/rename`, { seat: report.seat }))}>
              ${a("remove_name")}
            </button>
            <button type="button" class="button" aria-label=${label("mute_day")} onClick=${() => act(order("mute"))}>
              ${a("mute_day")}
            </button>
            <button type="button" class="button danger" aria-label=${label("ban_day")}
              onClick=${() => act(order("ban"))}>
              ${a("ban_day")}
            </button>
            <button type="button" class="button" aria-label=${label("done")}
              onClick=${() => act(request(`/api/admin/reports/${report.id}`, undefined, "DELETE"))}>
              ${a("done")}
            </button>
          </span>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** @param {{tables: any[], act: Act}} props */
export function Tables({ tables, act }) {
  const [player, setPlayer] = useState(/** @type {any} */ (null));
  const [closing, setClosing] = useState("");
  const [reason, setReason] = useState("");
  const close = async () => {
    if (await act(request(`/api/admin/tables/${closing}/close`, { reason }))) setClosing("");
  };
  return html`<section aria-labelledby="tables">
    <h2 id="tables">${a("tables")}</h2>
    ${!tables.length && html`<p class="quiet">${a("nothing")}</p>`}
    <ul class="admin-list">
      ${tables.map(
        (table) => html`<li key=${table.table} class="panel admin-table">
          <div class="admin-row">
            <span class="admin-words">
              <b>${t("title", {}, table.game)}</b>
              <span class="quiet">
                <a href=${`/t/${table.table}`}>${table.table}</a>
                ${["", t("status", { status: table.status }), a(table.public ? "public" : "private")].join(" · ")}
                ${` · ${a("viewers", { number: table.viewers })}`}
              </span>
            </span>
            <button type="button" class="button" aria-label=${`${a("close_table")}: ${table.table}`}
              onClick=${() => setClosing(table.table)}>
              ${a("close_table")}
            </button>
          </div>
          <ul class="admin-seats">
            ${table.seats.map(
              (/** @type {any} */ seat, /** @type {number} */ number) => html`<${SeatRow} key=${number} seat=${seat}
                number=${number} open=${() => setPlayer({ table: table.table, number, seat })} />`,
            )}
          </ul>
        </li>`,
      )}
    </ul>
    ${
      player &&
      html`<${Sheet} title=${playerName(player.seat.name, player.number)} close=${() => setPlayer(null)}>
        <${PlayerActions} table=${player.table} seat=${player.number} guest=${player.seat.guest} act=${act}
          done=${() => setPlayer(null)} />
      </${Sheet}>`
    }
    ${
      closing &&
      html`<${Sheet} title=${a("close_table")} close=${() => setClosing("")}>
        <p>${a("close_about")}</p>
        <${Field} label=${a("reason")} value=${reason} set=${setReason} />
        <div class="admin-doors">
          <button type="button" class="button danger" onClick=${close}>${a("close_table")}</button>
          <button type="button" class="button" onClick=${() => setClosing("")}>${t("close")}</button>
        </div>
      </${Sheet}>`
    }
  </section>`;
}

/** @param {{seat: any, number: number, open: () => void}} props */
function SeatRow({ seat, number, open }) {
  if (seat.kind === "open") return html`<li class="quiet">${t("open_seat")}</li>`;
  if (seat.kind === "bot")
    return html`<li class="quiet">${`${seat.name} · ${t("bot_level", { level: seat.level })}`}</li>`;
  const name = playerName(seat.name, number);
  const presence = seat.online === null ? a("elsewhere") : t(seat.online ? "online" : "offline");
  return html`<li>
    <span><b>${name}</b> <span class="quiet">${[presence, seat.network].filter(Boolean).join(" · ")}</span></span>
    ${
      seat.guest &&
      html`<button type="button" class="button" aria-label=${`${a("actions")}: ${name}`} onClick=${open}>
        ${a("actions")}
      </button>`
    }
  </li>`;
}
