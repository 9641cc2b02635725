// Highlights what a hint or a lesson asks the user to touch.
import { useLayoutEffect } from "../vendor/preact.js";
import { loadStyles } from "./styles.js";

await loadStyles("./highlight.css", import.meta.url);

/**
 * @param {{current: HTMLElement | null}} root
 * @param {string | null} selector of elements below the root
 * @param {unknown} moment changes when these elements may have changed
 */
export function useHighlight(root, selector, moment) {
  useLayoutEffect(() => {
    if (!selector) return undefined;
    const marked = [...(root.current?.querySelectorAll(selector) ?? [])];
    for (const element of marked) element.toggleAttribute("data-highlighted", true);
    return () => marked.forEach((element) => element.removeAttribute("data-highlighted"));
  }, [selector, moment]);
}
