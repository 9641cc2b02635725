// The sheet in which the person who runs a waiting table changes players, variants and the clock.
import { html, useState } from "../vendor/preact.js";
import { Variant } from "../lobby/choices.js";
import { CLOCKS } from "../lobby/form.js";
import { Choice } from "../page/control.js";
import { Sheet } from "../page/sheet.js";
import { t, translate } from "../text.js";

/** @param {Clock | null} clock */
const clockName = (clock) => (clock ? t("clock_value", { ...clock }) : t("clock_off"));

/**
 * @param {object} props
 * @param {Table} props.table
 * @param {GameListed} props.game
 * @param {string[]} props.names
 * @param {(options: Options, clock: Clock | null) => Promise<Message | null>} props.configure
 * @param {() => void} props.close
 */
export function RoomSettings({ table, game, names, configure, close }) {
  const [options, setOptions] = useState(table.options);
  const clocks = /** @type {(Clock | null)[]} */ ([...CLOCKS]);
  const current = table.clock ?? null;
  if (!clocks.some((one) => clockName(one) === clockName(current))) clocks.push(current);
  const [clock, setClock] = useState(clocks.findIndex((one) => clockName(one) === clockName(current)));
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  /**
   * @param {string} name
   * @param {string} value
   */
  const set = (name, value) => setOptions({ ...options, [name]: value });
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    const refused = await configure(options, clocks[clock] ?? null);
    setProblem(refused);
    if (!refused) close();
  };
  const [least, most] = game.seats;
  const counts = Array.from({ length: most - least + 1 }, (_, index) => String(least + index));
  const variants = Object.entries(game.options).filter(([name]) => name !== "players");
  return html`<${Sheet} title=${t("room_settings_title")} close=${close} kind="open-sheet">
    <form class="room-form" onSubmit=${submit}>
      ${
        least < most &&
        html`<${Choice} legend=${t("players")} chosen=${options.players ?? ""}
          set=${(/** @type {string} */ value) => set("players", value)}
          choices=${counts.map((value) => ({ value, label: value }))} />`
      }
      ${
        variants.length > 0 &&
        html`<fieldset class="choice variants"><legend>${t("variants")}</legend>
          ${variants.map(
            ([name, values]) => html`<${Variant} key=${name} name=${name} values=${values}
              chosen=${options[name] ?? values[0]} set=${(/** @type {string} */ value) => set(name, value)} />`,
          )}
        </fieldset>`
      }
      <${Choice} legend=${t("clock")} about=${clocks[clock] ? t("clock_about") : undefined} chosen=${String(clock)}
        set=${(/** @type {string} */ value) => setClock(Number(value))}
        choices=${clocks.map((time, index) => ({ value: String(index), label: clockName(time) }))} />
      ${problem && html`<p class="problem" role="alert">${translate(problem, names)}</p>`}
      <button class="button primary big wide">${t("room_save")}</button>
    </form>
  </${Sheet}>`;
}
