// The reader's own choices. Each is a signal, remembered by this browser, and visible on the root element for the styles.
import { effect, signal } from "./vendor/preact.js";
import { recall, remember } from "./memory.js";

/** @template T @param {string} name @param {T} otherwise */
function kept(name, otherwise) {
  const choice = signal(recall(name, otherwise));
  effect(() => remember(name, choice.value));
  return choice;
}

export const theme = kept("theme", /** @type {"auto" | "dark" | "light"} */ ("auto"));
export const sound = kept("sound", true);
export const motion = kept("motion", true);
export const notify = kept("notify", false);
export const nickname = kept("nickname", "");
export const level = kept("level", "");

const night = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now, whoever decided it. */
export const dark = signal(night.matches);
night.addEventListener("change", showTheme);

function showTheme() {
  dark.value = theme.peek() === "auto" ? night.matches : theme.peek() === "dark";
  document.documentElement.dataset.theme = theme.peek();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", dark.peek() ? "#14151d" : "#eae3d5");
}

effect(() => {
  void theme.value;
  showTheme();
});
effect(() => {
  document.documentElement.dataset.motion = motion.value ? "on" : "off";
});

/** Whether things may move: the reader's choice here, and the system's. */
export const lively = () => motion.peek() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
