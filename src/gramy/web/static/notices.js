// The host's announcements, on every page. A table's connection brings new ones at once; other pages ask now and then.
import { html, signal, useEffect } from "./vendor/preact.js";
import { request } from "./request.js";
import { language, t } from "./text.js";

/** Milliseconds between two requests for announcements, while the page is visible. */
const ASK_INTERVAL = 30_000;

/**
 * @typedef {{id: string, kind: string, texts: Record<string, string>, until: number}} Notice
 */
export const notices = signal(/** @type {Notice[]} */ ([]));

const ask = () =>
  request("/api/notices").then(
    (found) => {
      notices.value = found;
    },
    () => {}, // the page shows the lost connection itself
  );

/** @param {Notice} notice */
const textOf = ({ kind, texts }) =>
  texts[language()] ?? texts.en ?? Object.values(texts)[0] ?? (kind === "maintenance" ? t("maintenance") : "");

export function Notices() {
  useEffect(() => {
    void ask();
    const timer = setInterval(() => document.visibilityState === "visible" && void ask(), ASK_INTERVAL);
    return () => clearInterval(timer);
  }, []);
  const shown = notices.value.filter((notice) => notice.until * 1000 > Date.now());
  return html`<div class="notices" role="status">
    ${shown.map((notice) => html`<p key=${notice.id} data-kind=${notice.kind}>${textOf(notice)}</p>`)}
  </div>`;
}
