// Small controls that several pages share.
import { html, useId, useState } from "../vendor/preact.js";
import { haptics, motion, notify, revealSpeed, sound, theme } from "../settings.js";
import { LANGUAGES, chooseLanguage, language, t } from "../text.js";
import { Icon } from "./icon.js";

/**
 * A switch with its name and a sentence about it.
 * @param {{name: string, about?: string, on: boolean, disabled?: boolean, set: (on: boolean) => void}} props
 */
export function Switch({ name, about, on, disabled = false, set }) {
  const id = useId();
  return html`<div class="switch-row">
    <label class="switch-text" for=${id}>
      <b>${name}</b>
      ${about && html`<span id=${`${id}-about`} class="quiet">${about}</span>`}
    </label>
    <input
      id=${id} type="checkbox" role="switch" class="switch" checked=${on} disabled=${disabled}
      aria-describedby=${about ? `${id}-about` : undefined}
      onChange=${(/** @type {any} */ event) => set(event.currentTarget.checked)} />
  </div>`;
}

/**
 * A choice of one among a few, all visible.
 * @param {object} props
 * @param {string} props.legend
 * @param {string} [props.about]
 * @param {{value: string, label: string}[]} props.choices
 * @param {string} props.chosen
 * @param {(value: string) => void} props.set
 * @param {boolean} [props.plain]
 */
export function Choice({ legend, about, choices, chosen, set, plain = false }) {
  const name = useId();
  return html`<fieldset class=${`choice${plain ? " plain" : ""}`}>
    <legend>${legend}</legend>
    ${about && html`<p class="quiet">${about}</p>`}
    <div class="choice-row">
      ${choices.map(
        ({ value, label }) => html`<label key=${value} class="choice-one">
          <input type="radio" class="sr" name=${name} value=${value} checked=${value === chosen}
            onChange=${() => set(value)} />
          <span>${label}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

export function LanguagePicker() {
  return html`<label class="tool picker"><span class="sr">${t("language")}</span>
    <span aria-hidden="true">${language().toUpperCase()}</span>
    <select value=${language()} onChange=${(/** @type {any} */ event) => chooseLanguage(event.currentTarget.value)}>
      ${Object.entries(LANGUAGES).map(
        ([code, name]) => html`<option key=${code} value=${code} lang=${code}
          selected=${code === language()}>
          ${name}
        </option>`,
      )}
    </select>
  </label>`;
}

const NEXT_THEME = /** @type {const} */ ({ auto: "dark", dark: "light", light: "auto" });
const THEME_ICON = /** @type {const} */ ({ auto: "auto", dark: "moon", light: "sun" });

export function ThemeButton() {
  const label = `${t("theme")}: ${t("theme_value", { theme: theme.value })}`;
  return html`<button type="button" class="tool" aria-label=${label} title=${label} onClick=${() => {
    theme.value = NEXT_THEME[theme.value];
  }}>
    <${Icon} name=${THEME_ICON[theme.value]} /></button>`;
}

export function SoundButton() {
  const label = t(sound.value ? "sound_on" : "sound_off");
  return html`<button type="button" class="tool" aria-label=${label} title=${label} onClick=${() => {
    sound.value = !sound.value;
  }}>
    <${Icon} name=${sound.value ? "sound" : "mute"} /></button>`;
}

/**
 * Return why this page can show no notifications, as a key of the catalogue; "" if it can. Browsers hide the feature
 * from pages that came over plain http, and iPhones from pages that are not installed.
 */
const noNotifications = () =>
  !window.isSecureContext ? "notify_insecure" : "Notification" in window ? "" : "notify_missing";

/** Whether this device can vibrate. Computers have the function too, but nothing to vibrate with. */
const canVibrate = () => "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

/** All settings, for a sheet. */
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
