// The bar at the top of every page.
import { html } from "../vendor/preact.js";
import { t } from "../text.js";
import { Mark } from "./icon.js";

/** @param {{title?: any, home?: boolean, children?: any}} props */
export function Bar({ title, home = true, children }) {
  const name = html`<${Mark} />`;
  return html`<header class="bar">
    ${
      home
        ? html`<a class="home" href="/" aria-label=${t("home")}>
          ${name}
        </a>`
        : html`<span class="home">
          ${name}
        </span>`
    }
    ${title}
    <div class="tools">${children}</div>
  </header>`;
}
