// The pages of text: the rules of a game, and how the cards are dealt.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js";
import { Bar } from "./page/bar.js";
import { LanguagePicker, ThemeButton } from "./page/control.js";
import { drawFigures } from "./page/figures.js";
import { NoticePage } from "./page/notice.js";
import { RequestError, reasonOf, request } from "./request.js";
import { navigate } from "./route.js";
import { language, t, translate } from "./text.js";
import { trustedHtml } from "./trusted.js";
import { loadStyles } from "./ui/styles.js";

await loadStyles("./style/rules.css", import.meta.url);

/** @param {unknown} error */
const isMissing = (error) => error instanceof RequestError && error.status === 404;

/** @param {{game?: string}} props the game whose rules are shown; without one, how the cards are dealt */
export function Page({ game }) {
  const path = game ? `rules/${encodeURIComponent(game)}` : "fairness";
  const title = game ? t("rules") : t("fairness");
  const code = language();
  const [page, setPage] = useState({
    markup: /** @type {any} */ (null),
    refused: /** @type {Message | null} */ (null),
    missing: false,
  });
  useEffect(() => {
    let current = true;
    request(`/api/${path}?language=${code}`).then(
      ({ html: markup }) => current && setPage({ markup: trustedHtml(markup), refused: null, missing: false }),
      (error) => current && setPage({ markup: null, refused: reasonOf(error), missing: isMissing(error) }),
    );
    document.title = `${title} · ${game ? t("title", {}, game) : "Gramy"}`;
    return () => {
      current = false;
    };
  }, [path, title, code]);

  if (page.missing) return html`<${NoticePage} title=${t("not_found_title")} about=${t("not_found")} />`;

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
      ${page.markup && html`<${Article} markup=${page.markup} />`}
    </main>
  </div>`;
}

/**
 * The text, below a list of its parts.
 * @param {{markup: any}} props
 */
function Article({ markup }) {
  const article = useRef(/** @type {HTMLElement | null} */ (null));
  const [parts, setParts] = useState(/** @type {{id: string, words: string}[]} */ ([]));
  useLayoutEffect(() => {
    const headings = [...(article.current?.querySelectorAll("h2") ?? [])];
    headings.forEach((heading, index) => {
      heading.id = `part-${index + 1}`;
      heading.tabIndex = -1;
    });
    setParts(headings.map(({ id, textContent }) => ({ id, words: textContent ?? "" })));
    if (article.current) drawFigures(article.current);
    show(location.hash.slice(1) || "-");
  }, [markup]);
  /** @param {string} id of a part; a folded one is opened */
  const show = (id) => {
    const heading = document.getElementById(id);
    const folded = heading?.closest("details");
    if (folded) folded.open = true;
    heading?.scrollIntoView();
    return heading;
  };
  /**
   * Go to a part without a new entry in the history: Close and Back lead to the page before.
   * @param {MouseEvent} event
   * @param {string} id
   */
  const go = (event, id) => {
    event.preventDefault();
    history.replaceState(history.state, "", `#${id}`);
    show(id)?.focus({ preventScroll: true });
  };
  return html`${
    parts.length > 2 &&
    html`<nav class="rules-parts" aria-label=${t("contents")}>
      <ol>
        ${parts.map(
          ({ id, words }) => html`<li key=${id}>
            <a class="chip" href=${`#${id}`} onClick=${(/** @type {MouseEvent} */ event) => go(event, id)}>${words}</a>
          </li>`,
        )}
      </ol>
    </nav>`
  }
    <article class="panel rules" ref=${article} dangerouslySetInnerHTML=${{ __html: markup }}></article>`;
}
