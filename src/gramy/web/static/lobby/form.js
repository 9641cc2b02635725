// The form that opens a table: players, variants, clock, and whether it is public.
import { html, useState } from "../vendor/preact.js";
import { Choice, Switch } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { Sheet } from "../page/sheet.js";
import { reasonOf } from "../request.js";
import { level } from "../settings.js";
import { t, translate } from "../text.js";
import { openTable, usualLevel } from "./open.js";

export const CLOCKS = [null, { minutes: 2, seconds: 5 }, { minutes: 5, seconds: 10 }, { minutes: 15, seconds: 30 }];

/** @param {{game: GameListed, close: () => void}} props */
export function OpenForm({ game, close }) {
  const [least, most] = game.seats;
  const [players, setPlayers] = useState(least);
  const [bots, setBots] = useState(/** @type {boolean[]} */ ([])); // by seat
  const [strength, setStrength] = useState(usualLevel(game));
  const [options, setOptions] = useState(/** @type {Options} */ ({}));
  const [clock, setClock] = useState(0);
  const [listed, setListed] = useState(false); // in the public list of tables
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));

  const counts = Array.from({ length: most - least + 1 }, (_, index) => String(least + index));
  const others = Array.from({ length: players - 1 }, (_, index) => index + 1);
  /**
   * @param {number} changed
   * @param {boolean} bot
   */
  const setBot = (changed, bot) =>
    setBots(Array.from({ length: players }, (_, seat) => (seat === changed ? bot : (bots[seat] ?? false))));
  const variants = Object.entries(game.options).filter(([name]) => name !== "players");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    level.value = strength;
    const seats = [null, ...others.map((seat) => (bots[seat] ? { bot: strength } : null))];
    openTable(game, {
      options: { ...options, players: String(players) },
      seats,
      public: listed,
      clock: CLOCKS[clock] ?? null,
    }).catch((error) => setProblem(reasonOf(error)));
  };

  return html`<${Sheet} title=${t("open_title")} close=${close} kind="open-sheet">
    <form class="open-form" onSubmit=${submit}>
      <p class="open-game">
        <img src=${`/static/pictures/${game.name}.svg`} width="90" height="50" alt="" /> <b>
          ${t("title", {}, game.name)}
        </b>
      </p>
      ${
        least < most &&
        html`<${Choice} legend=${t("players")} chosen=${String(players)}
          set=${(/** @type {string} */ value) => setPlayers(Number(value))}
          choices=${counts.map((value) => ({ value, label: value }))} />`
      }
      <fieldset class="choice">
        <legend>${t("who_plays")}</legend>
        <p class="quiet seats-about">${t("guests_about")}</p>
        <ol class="seat-picks">
          <li class="seat-pick"><span class="seat-face seat-0" aria-hidden="true">1</span><b>${t("seat_you")}</b></li>
          ${others.map(
            (seat) => html`<li key=${seat} class="seat-pick">
              <span class=${`seat-face seat-${seat}`} aria-hidden="true">
                ${bots[seat] ? html`<${Icon} name="bot" size=${20} />` : seat + 1}
              </span>
              <${SeatPick} seat=${seat} bot=${bots[seat] ?? false}
                set=${(/** @type {boolean} */ bot) => setBot(seat, bot)} />
            </li>`,
          )}
        </ol>
      </fieldset>
      ${
        others.some((seat) => bots[seat]) &&
        game.levels.length > 1 &&
        html`<${Choice} legend=${t("level_label")} chosen=${strength} set=${setStrength}
          choices=${game.levels.map((value) => ({ value, label: t("level", { level: value }) }))} />`
      }
      ${
        variants.length > 0 &&
        html`<fieldset class="choice variants"><legend>${t("variants")}</legend>
          ${variants.map(
            ([
              name,
              values,
            ]) => html`<${Variant} key=${name} name=${name} values=${values} chosen=${options[name] ?? values[0]}
              set=${(/** @type {string} */ value) => setOptions({ ...options, [name]: value })} />`,
          )}
        </fieldset>`
      }
      <${Choice} legend=${t("clock")} about=${clock ? t("clock_about") : undefined} chosen=${String(clock)}
        set=${(/** @type {string} */ value) => setClock(Number(value))}
        choices=${CLOCKS.map((time, index) => ({
          value: String(index),
          label: time ? t("clock_value", time) : t("clock_off"),
        }))} />
      <${Switch} name=${t("public")} about=${t("public_about")} on=${listed} set=${setListed} />
      ${problem && html`<p class="problem" role="alert">${translate(problem)}</p>`}
      <button class="button primary big wide">${t("open_now")}</button>
  </form></${Sheet}>`;
}

/**
 * A choice between a bot and a guest.
 * @param {{seat: number, bot: boolean, set: (bot: boolean) => void}} props
 */
function SeatPick({ seat, bot, set }) {
  return html`<${Choice} plain legend=${t("seat_label", { number: seat + 1 })} chosen=${bot ? "bot" : "open"}
    set=${(/** @type {string} */ who) => set(who === "bot")}
    choices=${[
      { value: "open", label: t("seat_open") },
      { value: "bot", label: t("seat_bot") },
    ]} />`;
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
