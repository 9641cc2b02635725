// The choices that the forms of the lobby share: players, level and variants.
import { html } from "../vendor/preact.js";
import { Choice, Switch } from "../page/control.js";
import { t } from "../text.js";

/** @param {{game: GameListed, players: number, set: (players: number) => void}} props */
export function Players({ game: { seats }, players, set }) {
  const [least, most] = seats;
  if (least === most) return null;
  const counts = Array.from({ length: most - least + 1 }, (_, index) => String(least + index));
  return html`<${Choice} legend=${t("players")} chosen=${String(players)}
    set=${(/** @type {string} */ value) => set(Number(value))}
    choices=${counts.map((value) => ({ value, label: value }))} />`;
}

/** @param {{game: GameListed, level: string, set: (level: string) => void}} props */
export function Level({ game: { levels }, level, set }) {
  if (levels.length < 2) return null;
  return html`<${Choice} legend=${t("level_label")} chosen=${level} set=${set}
    choices=${levels.map((value) => ({ value, label: t("level", { level: value }) }))} />`;
}

/** @param {{game: GameListed, options: Options, set: (options: Options) => void}} props */
export function Variants({ game, options, set }) {
  const variants = Object.entries(game.options).filter(([name]) => name !== "players");
  if (!variants.length) return null;
  return html`<fieldset class="choice variants"><legend>${t("variants")}</legend>
    ${variants.map(
      ([
        name,
        values,
      ]) => html`<${Variant} key=${name} name=${name} values=${values} chosen=${options[name] ?? values[0]}
        set=${(/** @type {string} */ value) => set({ ...options, [name]: value })} />`,
    )}
  </fieldset>`;
}

/**
 * A switch for a variant that is on or off, otherwise a choice between its values.
 * @param {{name: string, values: string[], chosen: string, set: (value: string) => void}} props
 */
export function Variant({ name, values, chosen, set }) {
  const title = t("variant", { option: name });
  const about = t("variant_about", { option: name });
  if (values.length === 2 && values.includes("on")) {
    return html`<${Switch} name=${title} about=${about} on=${chosen === "on"}
      set=${(/** @type {boolean} */ on) => set(on ? "on" : "off")} />`;
  }
  return html`<${Choice} legend=${title} about=${about} chosen=${chosen} set=${set}
    choices=${values.map((value) => ({ value, label: t("variant_value", { value }) }))} />`;
}
