// Highlights what a hint or a lesson asks the user to touch.
import { useLayoutEffect } from "../vendor/preact.js";
import { loadStyles } from "./styles.js";

await loadStyles("./highlight.css", import.meta.url);

/** Attributes that hold what the user has chosen so far. */
const CHOICES = ["data-face", "data-bid"];

/**
 * @param {{current: HTMLElement | null}} root
 * @param {string | null} selector of elements below the root
 * @param {unknown} moment changes when these elements may have changed
 */
export function useHighlight(root, selector, moment) {
  useLayoutEffect(() => {
    const place = root.current;
    if (!selector || !place) return undefined;
    /** @type {Set<Element>} */
    let marked = new Set();
    /** @param {Iterable<Element>} elements */
    const mark = (elements) => {
      const wanted = new Set(elements);
      for (const element of marked) if (!wanted.has(element)) element.removeAttribute("data-highlighted");
      for (const element of wanted) element.toggleAttribute("data-highlighted", true);
      marked = wanted;
    };
    const update = () => mark(place.querySelectorAll(selector));
    update();
    // A move can take several touches: what is left of it shows only after each of them.
    const observer = new MutationObserver(update);
    observer.observe(place, { subtree: true, childList: true, attributeFilter: CHOICES });
    return () => {
      observer.disconnect();
      mark([]);
    };
  }, [selector, moment]);
}
