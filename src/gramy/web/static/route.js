// Navigation between pages without loading the document again.
import { signal } from "./vendor/preact.js";

/** The address shown now, without the part after `#`. */
export const address = signal(location.pathname + location.search);

/** Whether the user has navigated: the first page must not take the focus. */
export let navigated = false;

/**
 * @param {string} path
 * @param {{replace?: boolean}} [options]
 */
export function navigate(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  updateAddress();
  scrollTo(0, 0);
}

function updateAddress() {
  navigated = true;
  address.value = location.pathname + location.search;
}
addEventListener("popstate", updateAddress);

// Links within the app are followed here. The browser follows links to other sites, downloads and links in new tabs.
document.addEventListener("click", (event) => {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button || modified) return;
  const link = /** @type {Element | null} */ (event.target instanceof Element ? event.target : null)?.closest(
    "a[href]",
  );
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || to.pathname.startsWith("/api/") || to.pathname.startsWith("/static/")) return;
  if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
  event.preventDefault();
  navigate(to.pathname + to.search + to.hash);
});
