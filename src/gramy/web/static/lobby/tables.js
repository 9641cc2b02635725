// Lists of tables: those with a seat of this browser, and the public ones.
import { html, useEffect, useState } from "../vendor/preact.js";
import { Icon } from "../page/icon.js";
import { inForce } from "../page/variants.js";
import { forgetSeat, savedSeats } from "../storage.js";
import { RequestError, request } from "../request.js";
import { navigate } from "../route.js";
import { lazy } from "../table/lazy.js";
import { seatNames, t } from "../text.js";

const Bots = lazy(() => import("./bots.js"), "Bots"); // few servers have any

/** Milliseconds between two requests for the public tables, while the page is visible. */
const REFRESH_INTERVAL = 8000;
/** Matches that are over and still listed. */
const MOST_FINISHED = 4;

/** @param {Table} table */
const playerNames = (table) => seatNames(table.seats).join(", ");

/** Return the tables where this browser has a seat, and a function that removes one from its list. */
export function useOwnTables() {
  const [tables, setTables] = useState(/** @type {Table[]} */ ([]));
  useEffect(() => {
    let current = true;
    const found = savedSeats().map(({ table }) =>
      request(`/api/tables/${encodeURIComponent(table)}`).catch((error) => {
        if (error instanceof RequestError && error.status === 404) forgetSeat(table); // deleted, or from another server
        return null;
      }),
    );
    void Promise.all(found).then((all) => current && setTables(all.filter(Boolean)));
    return () => {
      current = false;
    };
  }, []);
  /** @param {string} name */
  const forget = (name) => {
    forgetSeat(name);
    setTables(tables.filter(({ table }) => table !== name));
  };
  return { tables, forget };
}

/** @typedef {{own: ReturnType<typeof useOwnTables>}} OwnTables */

/** @param {OwnTables} props */
export const Continue = ({ own }) =>
  html`<${OwnList} id="continue" forget=${own.forget} icon="play" word="continue_short" label="continue_label"
    tables=${own.tables.filter(({ status }) => status !== "finished")} main
    address=${(/** @type {Table} */ { table }) => `/t/${table}`} />`;

/** @param {OwnTables} props the last matches that are over */
export const Played = ({ own }) =>
  html`<${OwnList} id="played" forget=${own.forget} icon="eye" word="to_replay" label="replay_label"
    tables=${own.tables.filter(({ status }) => status === "finished").slice(0, MOST_FINISHED)}
    address=${replayAddress} />`;

/** @param {Table} table */
function replayAddress({ table, round }) {
  const seat = savedSeats().find((saved) => saved.table === table)?.seat ?? -1;
  return `/replay/${table}/${round}${seat < 0 ? "" : `?seat=${seat}`}`;
}

/**
 * @param {object} props
 * @param {string} props.id also the key of the heading
 * @param {Table[]} props.tables
 * @param {(table: string) => void} props.forget
 * @param {import("../page/icon.js").IconName} props.icon
 * @param {string} props.word the key of the link's word
 * @param {string} props.label the key of the link's name for screen readers
 * @param {(table: Table) => string} props.address
 * @param {boolean} [props.main] whether the link is what the user most likely wants
 */
function OwnList({ id, tables, forget, icon, word, label, address, main = false }) {
  if (!tables.length) return null;
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${t(id)}</h2>
    <ul class="table-list">
      ${tables.map((table) => {
        const words = { title: t("title", {}, table.game), names: playerNames(table) };
        return html`<${Row} key=${table.table} table=${table}>
          <a class=${`button${main ? " primary" : ""}`} href=${address(table)} aria-label=${t(label, words)}>
            <${Icon} name=${icon} size=${18} /> ${t(word)}
          </a>
          <button type="button" class="tool bare" aria-label=${t("forget", words)} onClick=${() => forget(table.table)}>
            <${Icon} name="close" size=${18} />
          </button>
        </${Row}>`;
      })}
    </ul>
  </section>`;
}

/** @param {{games: GameListed[], attempt: (action: () => Promise<void>) => void}} props */
export function Tables({ games, attempt }) {
  const [tables, setTables] = useState(/** @type {Table[] | null} */ (null));
  const [bots, setBots] = useState(/** @type {OnlineBot[]} */ ([]));
  useEffect(() => {
    let current = true;
    /**
     * @param {string} path
     * @param {(found: any) => void} set
     */
    const load = (path, set) =>
      request(path).then(
        (found) => current && set(found),
        () => {},
      );
    const refresh = () => {
      if (document.visibilityState !== "visible") return;
      void load("/api/tables", setTables);
      void load("/api/bots", setBots);
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_INTERVAL);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, []);
  if (!tables) return null;
  return html`<section class="tables" aria-labelledby="tables">
    <h2 id="tables">${t("tables")}</h2>
    ${tables.length === 0 && html`<p class="quiet">${t("no_tables")}</p>`}
    <ul class="table-list">
      ${tables.map((table) => {
        const words = { title: t("title", {}, table.game), names: playerNames(table) };
        const join = () =>
          attempt(async () => {
            const { sitDown } = await import("./open.js");
            await sitDown(table.table, table.game);
            navigate(`/t/${table.table}`);
          });
        return html`<${Row} key=${table.table} table=${table}>
          ${
            table.status === "waiting" &&
            html`<button type="button" class="button primary"
              aria-label=${t("join_label", words)} onClick=${join}>
              ${t("join")}
            </button>`
          }
          <a class="button" href=${`/t/${table.table}`} aria-label=${t("watch_label", words)}>
            <${Icon} name="eye" size=${20} /> ${t("watch")}
          </a>
        </${Row}>`;
      })}
    </ul>
  </section>
  ${bots.length > 0 && html`<${Bots} bots=${bots} games=${games} />`}`;
}

/** @param {{table: Table, children?: any}} props */
function Row({ table, children }) {
  const words = inForce(table).map(({ name }) => name);
  return html`<li class="panel table-row">
    <img src=${`/static/pictures/${table.game}.svg`} width="72" height="40" alt="" />
    <div class="table-row-text"><b>${t("title", {}, table.game)}</b>
      <span class="quiet">${playerNames(table)} · ${t("status", { status: table.status })}</span>
      ${words.length > 0 && html`<span class="quiet">${words.join(" · ")}</span>`}</div>
    <div class="table-row-doors">${children}</div>
  </li>`;
}
