// Shows the reader's hand where to go: what is pointed at glows.
import { useLayoutEffect } from "../vendor/preact.js";
import { styled } from "./styles.js";

await styled("./pointer.css", import.meta.url);

/**
 * @param {{current: HTMLElement | null}} place
 * @param {string | null} where a selector within the place
 * @param {unknown} moment changes when what is there may have changed
 */
export function usePointer(place, where, moment) {
  useLayoutEffect(() => {
    if (!where) return undefined;
    const marked = [...(place.current?.querySelectorAll(where) ?? [])];
    for (const element of marked) element.toggleAttribute("data-pointed", true);
    return () => marked.forEach((element) => element.removeAttribute("data-pointed"));
  }, [where, moment]);
}
