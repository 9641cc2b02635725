// Navigation between pages without loading the document again. Back closes what lies above a page, such as a sheet,
// before it leaves the page.
import { signal, useLayoutEffect, useRef } from "./vendor/preact.js";

/** The address shown now, without the part after `#`. */
export const address = signal(location.pathname + location.search);

/** Whether the user has navigated: the first page must not take the focus. */
export let navigated = false;

/**
 * @param {string} path
 * @param {{replace?: boolean}} [options]
 */
export function navigate(path, { replace = false } = {}) {
  if (leavingEntry) return addEventListener("popstate", () => navigate(path, { replace }), { once: true });
  history[replace || onLayerEntry() ? "replaceState" : "pushState"](null, "", path);
  updateAddress();
  scrollTo(0, 0);
}

function updateAddress() {
  navigated = true;
  address.value = location.pathname + location.search;
}
addEventListener("popstate", updateAddress);

// While a layer is open, the history has one more entry, marked as ours. Back removes the entry, and the topmost layer
// closes. When the user closes the last layer in another way, we remove the entry. A reload keeps the entry but not the
// layer, and Forward may come to it again; both times we step back at once.

/** @type {{close: () => void}[]} what lies above the page; the topmost is the last */
const layers = [];
let leavingEntry = false;

const onLayerEntry = () => history.state?.layer === true;

/** Add our entry while a layer is open; remove it when none is. */
function settleEntry() {
  if (leavingEntry) return;
  if (layers.length && !onLayerEntry()) history.pushState({ layer: true }, "");
  if (layers.length || !onLayerEntry()) return;
  leavingEntry = true;
  history.back();
}

addEventListener("popstate", () => {
  const expected = leavingEntry || onLayerEntry();
  leavingEntry = false;
  if (expected) settleEntry();
  else layers.at(-1)?.close();
});
settleEntry(); // after a reload

/**
 * Have Back close a component.
 * @param {() => void} close
 */
export function useLayer(close) {
  const layer = useRef({ close });
  layer.current.close = close;
  useLayoutEffect(() => {
    const { current } = layer;
    layers.push(current);
    settleEntry();
    return () => {
      layers.splice(layers.indexOf(current), 1);
      queueMicrotask(settleEntry); // another sheet may follow in the same moment
    };
  }, []);
}

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
