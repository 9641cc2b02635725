// Small controls that several pages share.
import { html, useId } from "../vendor/preact.js";
import { sound, theme } from "../settings.js";
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
