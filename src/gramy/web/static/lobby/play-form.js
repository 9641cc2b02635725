// The settings of “Play now”: players, level and variants. Each change is saved at once.
import { html } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { level } from "../settings.js";
import { t } from "../text.js";
import { Level, Players, Variants } from "./choices.js";
import { usualLevel } from "./last.js";
import { loadStyles } from "../ui/styles.js";

await loadStyles("../style/lobby-forms.css", import.meta.url);

/**
 * @param {object} props
 * @param {GameListed} props.game
 * @param {import("./last.js").LastSettings} props.settings
 * @param {(settings: import("./last.js").LastSettings) => void} props.set
 * @param {() => void} props.play
 * @param {() => void} props.close
 */
export function PlayForm({ game, settings, set, play, close }) {
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    play();
  };
  return html`<${Sheet} title=${t("title", {}, game.name)} close=${close} kind="open-sheet">
    <form class="open-form" onSubmit=${submit}>
      <p class="quiet">${t("play_settings_about")}</p>
      <${Players} game=${game} players=${settings.players}
        set=${(/** @type {number} */ players) => set({ ...settings, players })} />
      <${Level} game=${game} level=${usualLevel(game)} set=${(/** @type {string} */ value) => {
        level.value = value;
      }} />
      <${Variants} game=${game} options=${settings.options}
        set=${(/** @type {Options} */ options) => set({ ...settings, options })} />
      <button class="button primary big wide">${t("play_now")}</button>
    </form>
  </${Sheet}>`;
}
