// All settings, for a sheet.
import { html, useState } from "../vendor/preact.js";
import { haptics, motion, notify, revealSpeed, sound, theme } from "../settings.js";
import { LANGUAGES, chooseLanguage, language, t } from "../text.js";
import { Choice, Switch } from "./control.js";

/**
 * Return why this page can show no notifications, as a key of the catalogue; "" if it can. Browsers hide the feature
 * from pages that came over plain http, and iPhones from pages that are not installed.
 */
const noNotifications = () =>
  !window.isSecureContext ? "notify_insecure" : "Notification" in window ? "" : "notify_missing";

/** Whether this device can vibrate. Computers have the function too, but nothing to vibrate with. */
const canVibrate = () => "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

export function Settings() {
  const [refused, setRefused] = useState(false);
  const missing = noNotifications();
  /** @param {boolean} on */
  const setNotify = async (on) => {
    const allowed = !on || (await Notification.requestPermission()) === "granted";
    setRefused(!allowed);
    notify.value = on && allowed;
  };
  const speeds = /** @type {const} */ (["slow", "normal", "fast"]);
  const themes = /** @type {const} */ (["auto", "dark", "light"]);
  return html`<div class="settings">
    <${Choice} legend=${t("language")} chosen=${language()} set=${chooseLanguage}
      choices=${Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))} />
    <${Choice} legend=${t("theme")} chosen=${theme.value} set=${(/** @type {any} */ value) => {
      theme.value = value;
    }}
      choices=${themes.map((value) => ({ value, label: t("theme_value", { theme: value }) }))} />
    <${Switch} name=${t("sound")} on=${sound.value} set=${(/** @type {boolean} */ on) => {
      sound.value = on;
    }} />
    <${Switch} name=${t("motion")} about=${t("motion_about")} on=${motion.value} set=${(/** @type {boolean} */ on) => {
      motion.value = on;
    }} />
    <${Choice} legend=${t("reveal_speed")} about=${t("reveal_speed_about")} chosen=${revealSpeed.value}
      set=${(/** @type {any} */ value) => {
        revealSpeed.value = value;
      }}
      choices=${speeds.map((value) => ({ value, label: t("speed_value", { speed: value }) }))} />
    ${
      canVibrate() &&
      html`<${Switch} name=${t("haptics")} about=${t("haptics_about")} on=${haptics.value}
        set=${(/** @type {boolean} */ on) => {
          haptics.value = on;
        }} />`
    }
    <${Switch} name=${t("notify")} about=${t(missing || (refused ? "notify_refused" : "notify_about"))}
      on=${notify.value && !missing} disabled=${Boolean(missing)} set=${setNotify} />
  </div>`;
}
