// The figures of the rules pages: rows of cards, drawn like those on the table. A page names them in a short notation.
import { html, render } from "../vendor/preact.js";
import { Die } from "../games/gra-parts.js";
import { ColourCard, NumberCard } from "../ui/card.js";
import { loadStyles } from "../ui/styles.js";

await Promise.all([
  loadStyles("../games/gra.css", import.meta.url),
  loadStyles("../style/figures.css", import.meta.url),
]);

/**
 * Draw the cards of each figure before its caption. `data-cards` has groups with `;` between them. In a group, `-`
 * leads from a card to the next one and `,` sets them side by side. A card that does not fit has `!` behind it.
 * @param {Element} page
 */
export function drawFigures(page) {
  for (const figure of page.querySelectorAll("figure[data-cards]")) {
    const place = document.createElement("div");
    place.className = "figure-cards gra"; // GRA colours its dice
    place.setAttribute("aria-hidden", "true"); // the caption says it
    figure.prepend(place);
    const groups = (figure.getAttribute("data-cards") ?? "").split(";");
    render(
      groups.map((group) => html`<span class="figure-group">${group.split(/([-,])/).map(part)}</span>`),
      place,
    );
  }
}

/** @param {string} text a card, or what stands between two */
function part(text) {
  if (text === "-") return html`<i class="figure-arrow"></i>`;
  if (text === ",") return null;
  const card = text.replace("!", "");
  return html`<span class=${card === text ? "" : "figure-no"}>${face(card)}</span>`;
}

/**
 * Draw a card: `31` a number, `G8` a number in a colour, `5/3` two faces of which the first counts, `2x5` a bid.
 * @param {string} card
 */
function face(card) {
  const [, first = "", sign = "", second = ""] = /^(\d+)([/x])(\d+)$/.exec(card) ?? [];
  if (sign === "x") return html`<b class="figure-bid">${first} × <${Die} value=${Number(second)} /></b>`;
  if (sign === "/")
    return html`<span class="figure-faces"><${Die} value=${Number(first)} /><${Die} value=${Number(second)} /></span>`;
  return /^\d/.test(card)
    ? html`<${NumberCard} value=${Number(card)} side="mine" />`
    : html`<${ColourCard} name=${card} />`;
}
