// A cue for content that is scrolled out of view.
import { useEffect } from "../vendor/preact.js";

/**
 * Set `data-more` of a scrolling element to "up", "down" or both while there is more in that direction. The styles fade
 * that edge.
 * @param {{current: HTMLElement | null}} box
 */
export function useMore(box) {
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = () => {
      const above = element.scrollTop > 2;
      const below = element.scrollHeight - element.clientHeight - element.scrollTop > 2;
      element.dataset.more = [above ? "up" : "", below ? "down" : ""].join(" ").trim();
    };
    const observer = new ResizeObserver(look);
    [element, ...element.children].forEach((one) => observer.observe(one));
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }); // after every render: children come and go
}
