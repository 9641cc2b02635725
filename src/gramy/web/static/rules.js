// The pages of text: the rules of a game, and how the cards are dealt.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, ThemeButton } from "./page/control.js";
import { reasonOf, request } from "./request.js";
import { navigate } from "./route.js";
import { language, t, translate } from "./text.js";
import { loadStyles } from "./ui/styles.js";

await loadStyles("./style/rules.css", import.meta.url);

/**
 * The server makes this HTML from our own Markdown, with raw HTML turned off. This policy is the only place where the
 * client inserts HTML.
 * @type {{createHTML: (text: string) => any}}
 */
const trusted = /** @type {any} */ (window).trustedTypes?.createPolicy("gramy", {
  createHTML: (/** @type {string} */ text) => text,
}) ?? { createHTML: (text) => text };

/** @param {{game?: string}} props the game whose rules are shown; without one, how the cards are dealt */
export function Page({ game }) {
  const path = game ? `rules/${encodeURIComponent(game)}` : "fairness";
  const title = game ? t("rules") : t("fairness");
  const code = language();
  const [page, setPage] = useState({
    markup: /** @type {any} */ (null),
    refused: /** @type {Message | null} */ (null),
  });
  useEffect(() => {
    let current = true;
    request(`/api/${path}?language=${code}`).then(
      ({ html: markup }) => current && setPage({ markup: trusted.createHTML(markup), refused: null }),
      (error) => current && setPage({ markup: null, refused: reasonOf(error) }),
    );
    document.title = `${title} · ${game ? t("title", {}, game) : "Gramy"}`;
    return () => {
      current = false;
    };
  }, [path, title, code]);

  /** Go back to the page before, for instance the table. */
  const close = () => (history.length > 1 ? history.back() : navigate("/"));
  return html`<div class="page">
    <${Bar} title=${html`<p class="bar-title">${title}</p>`}>
      <${LanguagePicker} /><${ThemeButton} />
      <button type="button" class="button" onClick=${close}>${t("close")}</button>
    </${Bar}>
    <main id="content" tabIndex=${-1}>
      ${page.refused && html`<p class="panel problem">${translate(page.refused)}</p>`}
      ${game && html`<p class="rules-doors"><a class="button primary" href=${`/learn/${game}`}>${t("learn")}</a></p>`}
      ${page.markup && html`<article class="panel rules" dangerouslySetInnerHTML=${{ __html: page.markup }}></article>`}
    </main>
  </div>`;
}
