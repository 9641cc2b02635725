// The user's settings. Each is a signal and is saved in this browser; styles read some of them from the root element.
import { effect, signal } from "./vendor/preact.js";
import { load, save } from "./storage.js";

/**
 * Return a signal with the saved value, which is saved again on every change.
 * @template T
 * @param {string} name
 * @param {T} initial
 */
function setting(name, initial) {
  const value = signal(load(name, initial));
  effect(() => save(name, value.value));
  return value;
}

export const theme = setting("theme", /** @type {"auto" | "dark" | "light"} */ ("auto"));
export const sound = setting("sound", true);
export const motion = setting("motion", true);
export const revealSpeed = setting("reveal-speed", /** @type {"slow" | "normal" | "fast"} */ ("normal"));
export const haptics = setting("haptics", true);
export const notify = setting("notify", false);
export const nickname = setting("nickname", "");
export const level = setting("level", "");

const systemDark = matchMedia("(prefers-color-scheme: dark)");
systemDark.addEventListener("change", applyTheme);

function applyTheme() {
  const dark = theme.peek() === "auto" ? systemDark.matches : theme.peek() === "dark";
  document.documentElement.dataset.theme = theme.peek();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", dark ? "#14151d" : "#eae3d5");
}

effect(() => {
  void theme.value;
  applyTheme();
});
effect(() => {
  document.documentElement.dataset.motion = motion.value ? "on" : "off";
});

/** Whether nothing should move: the user's setting here, or the system's. */
export const reducedMotion = () => !motion.peek() || matchMedia("(prefers-reduced-motion: reduce)").matches;
