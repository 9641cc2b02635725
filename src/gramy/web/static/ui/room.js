// How much room a board has. Container queries could say it too, but whatever depends on them is worked out anew with every
// card that comes or goes (10 to 60 ms on a slow machine); this is worked out when the room changes, and at no other time.
import { useLayoutEffect } from "../vendor/preact.js";

/**
 * Tells the styles below `frame`: its size as --room-w and --room-h, its shape as data-shape, and data-width on a phone.
 * @param {{current: HTMLElement | null}} frame
 */
export function useRoom(frame) {
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
    const watching = new ResizeObserver(fit);
    watching.observe(element);
    return () => watching.disconnect();
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
