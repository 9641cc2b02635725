// Where everything begins: the language, then the page that the address names.
import { html, render, useEffect, useState } from "./vendor/preact.js";
import "./settings.js";
import { address, moved } from "./route.js";
import { preferred, speak, t } from "./text.js";
import { Plainly } from "./page/plainly.js";

/** Each page is loaded when somebody goes there. @type {[RegExp, () => Promise<{Page: any}>][]} */
const PAGES = [
  [/^\/$/, () => import("./lobby/lobby.js")],
  [/^\/t\/(?<table>[^/]+)$/, () => import("./table/table.js")],
  [/^\/replay\/(?<table>[^/]+)\/(?<round>\d+)$/, () => import("./replay.js")],
  [/^\/learn\/(?<game>[^/]+)$/, () => import("./lesson.js")],
  [/^\/rules\/(?<game>[^/]+)$/, () => import("./rules.js")],
];

const Missing = () => html`<${Plainly} title=${t("not_found")} />`;

/** @param {string} path */
async function find(path) {
  const { pathname, searchParams } = new URL(path, location.origin);
  for (const [pattern, load] of PAGES) {
    const match = pattern.exec(pathname);
    if (match) return { Page: (await load()).Page, where: { ...match.groups }, query: searchParams };
  }
  return { Page: Missing, where: {}, query: searchParams };
}

function App() {
  const path = address.value;
  const [shown, show] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let current = true;
    void find(path).then((found) => {
      if (!current) return;
      show({ ...found, key: path.split("?")[0] });
      // A new page begins at its beginning, for ears as for eyes.
      if (moved) requestAnimationFrame(() => document.getElementById("content")?.focus({ preventScroll: true }));
    });
    return () => {
      current = false;
    };
  }, [path]);
  if (!shown) return null;
  return html`<a class="button skip" href="#content">${t("skip")}</a>
    <${shown.Page} key=${shown.key} ...${shown.where} query=${shown.query} />`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
try {
  await speak(preferred());
  root.replaceChildren();
  render(html`<${App} />`, root);
} catch {
  // Without catalogues there are no words, so these are written here.
  root.textContent = "The server cannot be reached · Nie ma połączenia z serwerem · Der Server ist nicht erreichbar";
}
