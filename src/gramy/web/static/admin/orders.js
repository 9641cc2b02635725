// The orders in force, announcements, maintenance, and bans of networks.
import { html, useState } from "../vendor/preact.js";
import { request } from "../request.js";
import { LANGUAGES } from "../text.js";
import { Duration, Field, a, when } from "./words.js";

/** @typedef {(action: Promise<any>) => Promise<boolean>} Act */

/** @param {{orders: any[], act: Act}} props */
export function Orders({ orders, act }) {
  return html`<section aria-labelledby="orders">
    <h2 id="orders">${a("orders")}</h2>
    ${!orders.length && html`<p class="quiet">${a("nothing")}</p>`}
    <ul class="admin-list">
      ${orders.map((order) => {
        const what = a("kind", { kind: order.kind });
        const whom = order.subject.slice(0, 24);
        const words = order.reason || Object.values(order.texts).join(" · ");
        return html`<li key=${order.id} class="panel admin-row">
          <span class="admin-words">
            <b>${[what, whom].filter(Boolean).join(" · ")}</b>
            <span class="quiet">${a("until", { date: when(order.until) })}</span>
            ${words && html`<span>${words}</span>`}
          </span>
          <button type="button" class="button" aria-label=${`${a("end_order")}: ${what} ${whom}`}
            onClick=${() => act(request(`/api/admin/orders/${encodeURIComponent(order.id)}`, undefined, "DELETE"))}>
            ${a("end_order")}
          </button>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** @param {{orders: any[], act: Act}} props */
export function Announce({ orders, act }) {
  const [texts, setTexts] = useState(/** @type {Record<string, string>} */ ({}));
  const [minutes, setMinutes] = useState(60);
  const inMaintenance = orders.some(({ kind }) => kind === "maintenance");
  /** @param {"announcement" | "maintenance"} kind */
  const give = async (kind) => {
    if (await act(request("/api/admin/orders", { kind, minutes, texts }))) setTexts({});
  };
  return html`<section aria-labelledby="announce">
    <h2 id="announce">${a("announce_title")}</h2>
    <div class="panel admin-form">
      <p class="quiet">${a("announce_about")}</p>
      ${Object.entries(LANGUAGES).map(
        ([code, name]) => html`<${Field} key=${code} label=${name} lang=${code} most=${400} value=${texts[code] ?? ""}
          set=${(/** @type {string} */ value) => setTexts({ ...texts, [code]: value })} />`,
      )}
      <${Duration} minutes=${minutes} set=${setMinutes} />
      <div class="admin-doors">
        <button type="button" class="button primary" onClick=${() => give("announcement")}>${a("announce")}</button>
        <button type="button" class="button" disabled=${inMaintenance} onClick=${() => give("maintenance")}>
          ${a("maintain")}
        </button>
      </div>
      <p class="quiet">${a("maintain_about")}</p>
    </div>
  </section>`;
}

/** @param {{act: Act}} props */
export function BanNetwork({ act }) {
  const [network, setNetwork] = useState("");
  const [minutes, setMinutes] = useState(24 * 60);
  const [reason, setReason] = useState("");
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (await act(request("/api/admin/orders", { kind: "ban", network, minutes, reason }))) setNetwork("");
  };
  return html`<section aria-labelledby="ban-network">
    <h2 id="ban-network">${a("ban_network")}</h2>
    <form class="panel admin-form" onSubmit=${submit}>
      <${Field} label=${a("network")} placeholder="203.0.113.0/24" spellcheck=${false} most=${64} required
        value=${network} set=${setNetwork} />
      <${Duration} minutes=${minutes} set=${setMinutes} />
      <${Field} label=${a("reason")} value=${reason} set=${setReason} />
      <div class="admin-doors"><button type="submit" class="button">${a("ban")}</button></div>
    </form>
  </section>`;
}

/**
 * The actions about one player, in a sheet.
 * @param {{table: string, seat: number, guest: string, act: Act, done: () => void}} props
 */
export function PlayerActions({ table, seat, guest, act, done }) {
  const [minutes, setMinutes] = useState(60);
  const [reason, setReason] = useState("");
  const [reach, setReach] = useState("");
  /** @param {Promise<any>} action */
  const carryOut = async (action) => {
    if (await act(action)) done();
  };
  /** @param {object} more */
  const order = (more) => carryOut(request("/api/admin/orders", { guest, minutes, reason, ...more }));
  return html`<div class="admin-form">
    <${Duration} minutes=${minutes} set=${setMinutes} />
    <${Field} label=${a("reason")} value=${reason} set=${setReason} />
    <label class="field">
      <span>${a("reach")}</span>
      <select class="input" value=${reach}
        onChange=${(/** @type {any} */ event) => setReach(event.currentTarget.value)}>
        ${["", "narrow", "wide"].map(
          (value) => html`<option key=${value} value=${value} selected=${value === reach}>
            ${a("reach_value", { reach: value || "guest" })}
          </option>`,
        )}
      </select>
    </label>
    <div class="admin-doors">
      <button type="button" class="button"
        onClick=${() => carryOut(request(`/api/admin/tables/${table}/rename`, { seat }))}>
        ${a("remove_name")}
      </button>
      <button type="button" class="button" onClick=${() => order({ kind: "mute" })}>${a("mute")}</button>
      <button type="button" class="button danger" onClick=${() => order({ kind: "ban", reach })}>${a("ban")}</button>
    </div>
  </div>`;
}
