// The signs that it is the user's turn: the tab's icon, the badge of the installed app, and a vibration.
import { haptics } from "../settings.js";

/** Milliseconds of vibration and rest. */
const PATTERNS = { move: [12], turn: [35, 70, 35] };

/**
 * @param {boolean} on
 */
export function showTurn(on) {
  document.querySelector("link[rel=icon]")?.setAttribute("href", `/static/icon${on ? "-turn" : ""}.svg`);
  const badge = /** @type {any} */ (navigator); // not in every browser, and not on plain http
  void (on ? badge.setAppBadge?.() : badge.clearAppBadge?.())?.catch(() => {});
}

/**
 * Vibrate, if the device can and the user wants it. Browsers refuse it, with a warning, before the first touch.
 * @param {keyof typeof PATTERNS} kind
 */
export function vibrate(kind) {
  if (!haptics.peek() || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate?.(PATTERNS[kind]);
}
