// Texts, times and small fields of the host's page.
import { html } from "../vendor/preact.js";
import { language, t } from "../text.js";

/**
 * Return a text of the host's catalogue.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export const a = (key, values = {}) => t(key, values, "admin");

/** @param {number} seconds calendar time */
export const when = (seconds) =>
  new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);

/** @param {number} seconds */
export const duration = (seconds) =>
  new Intl.NumberFormat(language(), { style: "unit", unit: "millisecond", maximumFractionDigits: 1 }).format(
    seconds * 1000,
  );

const DURATIONS = [15, 60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60];

/**
 * How long an order lasts.
 * @param {{minutes: number, set: (minutes: number) => void}} props
 */
export function Duration({ minutes, set }) {
  return html`<label class="field">
    <span>${a("duration")}</span>
    <select class="input" value=${minutes}
      onChange=${(/** @type {any} */ event) => set(Number(event.currentTarget.value))}>
      ${DURATIONS.map(
        (value) => html`<option key=${value} value=${value} selected=${value === minutes}>
          ${a("duration_value", { minutes: String(value) })}
        </option>`,
      )}
    </select>
  </label>`;
}

/**
 * @param {{label: string, value: string, set: (value: string) => void, most?: number, [more: string]: any}} props
 */
export function Field({ label, value, set, most = 200, ...more }) {
  return html`<label class="field">
    <span>${label}</span>
    <input class="input" value=${value} maxLength=${most} ...${more}
      onInput=${(/** @type {any} */ event) => set(event.currentTarget.value)} />
  </label>`;
}
