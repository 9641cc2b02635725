// Addresses: which page is shown, without loading it anew.
import { signal } from "./vendor/preact.js";

/** The address as shown now, without what follows `#`. */
export const address = signal(location.pathname + location.search);

/** Whether the reader has moved between pages: the first page must not steal the focus. */
export let moved = false;

/** @param {string} path @param {{replace?: boolean}} [how] */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  arrive();
  scrollTo(0, 0);
}

function arrive() {
  moved = true;
  address.value = location.pathname + location.search;
}
addEventListener("popstate", arrive);

/** Links within the app are followed here; new tabs, downloads and other sites are the browser's business. */
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = /** @type {Element | null} */ (event.target instanceof Element ? event.target : null)?.closest(
    "a[href]",
  );
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || to.pathname.startsWith("/api/") || to.pathname.startsWith("/static/")) return;
  if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
  event.preventDefault();
  go(to.pathname + to.search + to.hash);
});
