// The size of a board. Container queries could do this too, but styles that depend on them are computed again whenever
// a card comes or goes (10 to 60 ms on a slow machine). This runs only when the size changes.
import { useLayoutEffect } from "../vendor/preact.js";
import { useMore } from "../page/more.js";

/**
 * Set the size of `frame` for its styles: --room-w, --room-h, data-shape and data-width.
 * @param {{current: HTMLElement | null}} frame
 */
export function useRoom(frame) {
  useMore(frame);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = element;
      element.style.setProperty("--room-w", `${width}px`);
      element.style.setProperty("--room-h", `${height}px`);
      element.dataset.shape = shape(width, height);
      element.dataset.width = width <= 335 ? "tiny" : width <= 480 ? "narrow" : "roomy";
    };
    fit(); // before the first paint
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {"wide" | "low" | "upright" | "short"} a desktop, a phone on its side, a phone, a small phone
 */
function shape(width, height) {
  if (width >= height) return height <= 430 ? "low" : "wide";
  return height <= 570 ? "short" : "upright";
}
