// Starts the client: loads the language, then the page that the address names.
import { html, render, useEffect, useState } from "./vendor/preact.js";
import "./settings.js";
import { Notices } from "./notices.js";
import { NoticePage } from "./page/notice.js";
import { address, navigated } from "./route.js";
import { loadLanguage, preferredLanguage, t } from "./text.js";
import { workerAddress } from "./trusted.js";

/** The page comes first; the service worker is registered after so many milliseconds. */
const WORKER_DELAY = 1500;

/**
 * Each page is loaded when the user goes there.
 * @type {[RegExp, () => Promise<{Page: any}>][]}
 */
const PAGES = [
  [/^\/(offline)?$/, () => import("./lobby/lobby.js")],
  [/^\/t\/(?<table>[^/]+)$/, () => import("./table/table.js")],
  [/^\/replay\/(?<table>[^/]+)\/(?<round>\d+)$/, () => import("./replay.js")],
  [/^\/record$/, () => import("./record.js")],
  [/^\/learn\/(?<game>[^/]+)$/, () => import("./lesson.js")],
  [/^\/rules\/(?<game>[^/]+)$/, () => import("./rules.js")],
  [/^\/admin$/, () => import("./admin/admin.js")],
  [/^\/fairness$/, () => import("./rules.js")],
];

const NotFound = () => html`<${NoticePage} title=${t("not_found_title")} about=${t("not_found")} />`;

/** @param {string} path */
async function findPage(path) {
  const { pathname, searchParams } = new URL(path, location.origin);
  for (const [pattern, load] of PAGES) {
    const match = pattern.exec(pathname);
    if (match) return { Page: (await load()).Page, params: { ...match.groups }, query: searchParams };
  }
  return { Page: NotFound, params: {}, query: searchParams };
}

function App() {
  const path = address.value;
  const [shown, show] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let current = true;
    void findPage(path).then((found) => {
      if (!current) return;
      show({ ...found, key: path.split("?")[0] });
      // Screen readers continue from the focus, so a new page takes it.
      if (navigated) requestAnimationFrame(() => document.getElementById("content")?.focus({ preventScroll: true }));
    });
    return () => {
      current = false;
    };
  }, [path]);
  if (!shown) return null;
  return html`<a class="button skip" href="#content">${t("skip")}</a>
    <${Notices} />
    <${shown.Page} key=${shown.key} ...${shown.params} query=${shown.query} />`;
}

/** Register the service worker. Browsers have none on plain http, except on localhost. */
function registerWorker() {
  navigator.serviceWorker?.register(workerAddress(), { updateViaCache: "none" }).catch(() => {
    /* storage is full or forbidden: the client works without it */
  });
}

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
try {
  await loadLanguage(preferredLanguage());
  root.replaceChildren();
  render(html`<${App} />`, root);
  setTimeout(registerWorker, WORKER_DELAY);
} catch {
  // There are no catalogues to take this sentence from.
  root.textContent = "The server cannot be reached · Nie ma połączenia z serwerem · Der Server ist nicht erreichbar";
}
