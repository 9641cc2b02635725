// The rules of a game, in the reader's language.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, ThemeButton } from "./page/control.js";
import { reasonOf, request } from "./request.js";
import { go } from "./route.js";
import { language, say, t } from "./text.js";

/**
 * The page is HTML that our own server made from our own text, with raw HTML switched off; this policy is the one place
 * where the client puts in HTML at all.
 * @type {{createHTML: (text: string) => any}}
 */
const trusted = /** @type {any} */ (window).trustedTypes?.createPolicy("gramy", {
  createHTML: (/** @type {string} */ text) => text,
}) ?? { createHTML: (text) => text };

/** @param {{game: string}} props */
export function Page({ game }) {
  const spoken = language();
  const [page, setPage] = useState({
    markup: /** @type {any} */ (null),
    refused: /** @type {Message | null} */ (null),
  });
  useEffect(() => {
    let current = true;
    request(`/api/rules/${encodeURIComponent(game)}?language=${spoken}`).then(
      ({ html: markup }) => current && setPage({ markup: trusted.createHTML(markup), refused: null }),
      (error) => current && setPage({ markup: null, refused: reasonOf(error) }),
    );
    document.title = `${t("rules")} · ${t("title", {}, game)}`;
    return () => {
      current = false;
    };
  }, [game, spoken]);

  /** Back to the table, if that is where the reader came from. */
  const close = () => (history.length > 1 ? history.back() : go("/"));
  return html`<div class="page">
    <${Bar} title=${html`<p class="bar-title">${t("rules")}</p>`}>
      <${LanguagePicker} /><${ThemeButton} />
      <button type="button" class="button" onClick=${close}>${t("close")}</button>
    </${Bar}>
    <main id="content" tabIndex=${-1}>
      ${page.refused && html`<p class="panel problem">${say(page.refused)}</p>`}
      <p class="rules-doors"><a class="button primary" href=${`/learn/${game}`}>${t("learn")}</a></p>
      ${page.markup && html`<article class="panel rules" dangerouslySetInnerHTML=${{ __html: page.markup }}></article>`}
    </main>
  </div>`;
}
