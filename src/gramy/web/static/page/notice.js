// A page with one sentence, for instance that a table does not exist.
import { html, useEffect } from "../vendor/preact.js";
import { t } from "../text.js";
import { Bar } from "./bar.js";

/** @param {{title: string, about?: string}} props */
export function NoticePage({ title, about }) {
  useEffect(() => {
    document.title = `${title} · Gramy`;
  }, [title]);
  return html`<div class="page">
    <${Bar} />
    <main id="content" class="notice-page" tabIndex=${-1}>
      <h1>${title}</h1>
      ${about && html`<p class="quiet">${about}</p>`}
      <p><a class="button primary big" href="/">${t("home")}</a></p>
    </main>
  </div>`;
}
