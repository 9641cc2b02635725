// The host's page: what happens on this server, and what the host can do about it. The host's token opens it.
import { html, useCallback, useEffect, useState } from "../vendor/preact.js";
import { Bar } from "../page/bar.js";
import { LanguagePicker, ThemeButton } from "../page/control.js";
import { RequestError, reasonOf, request } from "../request.js";
import { addCatalogue, translate } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { Announce, BanNetwork, Orders } from "./orders.js";
import { Reports, Tables } from "./tables.js";
import { a, duration, when } from "./words.js";

await Promise.all([
  loadStyles("../style/admin.css", import.meta.url),
  addCatalogue((code) => `/api/admin/text/${code}`),
]);

const REFRESH_INTERVAL = 10_000;

export function Page() {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const [loggedIn, setLoggedIn] = useState(true);
  const refresh = useCallback(async () => {
    try {
      setFound(await request("/api/admin"));
      setLoggedIn(true);
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) setLoggedIn(false);
      else setProblem(reasonOf(error));
    }
  }, []);
  useEffect(() => {
    document.title = `${a("title")} · Gramy`;
    void refresh();
    const timer = setInterval(() => document.visibilityState === "visible" && void refresh(), REFRESH_INTERVAL);
    return () => clearInterval(timer);
  }, []);

  /**
   * Carry out an action and show what has changed. Returns whether it worked.
   * @param {Promise<any>} action
   */
  const act = async (action) => {
    setProblem(null);
    try {
      await action;
      return true;
    } catch (error) {
      setProblem(reasonOf(error));
      return false;
    } finally {
      await refresh();
    }
  };
  const logOut = () => act(request("/api/admin/login", undefined, "DELETE"));
  const open = loggedIn && found;
  return html`<div class="page admin">
    <${Bar} title=${html`<h1 class="bar-title">${a("title")}</h1>`}>
      <${LanguagePicker} /><${ThemeButton} />
    </${Bar}>
    <main id="content" tabIndex=${-1}>
      <div role="alert">${problem && html`<p class="panel problem">${translate(problem)}</p>`}</div>
      ${!loggedIn && html`<${Login} act=${act} />`}
      ${
        open &&
        html`<${ServerState} found=${found} logOut=${logOut} />
          <${Reports} reports=${found.reports} act=${act} />
          <${Tables} tables=${found.tables} act=${act} />
          <${Orders} orders=${found.orders} act=${act} />
          <${Announce} orders=${found.orders} act=${act} />
          <${BanNetwork} act=${act} />
          <${Audit} entries=${found.audit} />`
      }
    </main>
  </div>`;
}

/** @param {{act: (action: Promise<any>) => Promise<boolean>}} props */
function Login({ act }) {
  const [token, setToken] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    setToken("");
    void act(request("/api/admin/login", { token }));
  };
  return html`<form class="panel admin-login" onSubmit=${submit}>
    <p>${a("login_about")}</p>
    <label class="field">
      <span>${a("token")}</span>
      <input class="input" type="password" autocomplete="current-password" required value=${token}
        onInput=${(/** @type {any} */ event) => setToken(event.currentTarget.value)} />
    </label>
    <button type="submit" class="button primary big">${a("log_in")}</button>
  </form>`;
}

/** @param {{found: any, logOut: () => void}} props */
function ServerState({ found, logOut }) {
  const { server, version } = found;
  const facts = [
    [a("fact_tables"), server.tables],
    [a("fact_sessions"), server.sessions],
    [a("fact_store"), server.store_seconds === null ? a("no_answer") : duration(server.store_seconds)],
    [a("fact_loop"), duration(server.loop_delay)],
    [a("fact_version"), version],
  ];
  return html`<section aria-labelledby="server">
    <div class="admin-head">
      <h2 id="server">${a("server")}</h2>
      <button type="button" class="button" onClick=${logOut}>${a("log_out")}</button>
    </div>
    <dl class="admin-facts">
      ${facts.map(([name, value]) => html`<div key=${name} class="panel"><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>
  </section>`;
}

/** @param {{entries: any[]}} props */
function Audit({ entries }) {
  return html`<section aria-labelledby="audit">
    <h2 id="audit">${a("audit")}</h2>
    <p class="quiet">${a("audit_about")}</p>
    ${!entries.length && html`<p class="quiet">${a("nothing")}</p>`}
    <ol class="admin-list">
      ${entries.map(
        (entry, at) => html`<li key=${`${entry.made}-${at}`} class="panel admin-row">
          <span class="quiet number">${when(entry.made)}</span>
          <b>${a("action", { action: entry.action })}</b>
          <span class="quiet">${[entry.subject.slice(0, 24), entry.detail].filter(Boolean).join(" · ")}</span>
        </li>`,
      )}
    </ol>
  </section>`;
}
