// The form that opens a table: players, variants, clock, and whether it is public.
import { html, useState } from "../vendor/preact.js";
import { Choice, Switch } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { Sheet } from "../page/sheet.js";
import { reasonOf } from "../request.js";
import { level } from "../settings.js";
import { load, save } from "../storage.js";
import { playerName, shortName, t, translate } from "../text.js";
import { Level, Players, Variants } from "./choices.js";
import { lastSettings, saveSettings, usualLevel } from "./last.js";
import { openTable } from "./open.js";
import { loadStyles } from "../ui/styles.js";

await loadStyles("../style/lobby-forms.css", import.meta.url);

export const CLOCKS = [null, { minutes: 2, seconds: 5 }, { minutes: 5, seconds: 10 }, { minutes: 15, seconds: 30 }];

/** @param {{game: GameListed, close: () => void}} props */
export function OpenForm({ game, close }) {
  const [{ players, options }, setSettings] = useState(() => lastSettings(game, "friends"));
  const [kinds, setKinds] = useState(/** @type {Record<number, SeatKind>} */ ({})); // by seat
  const [names, setNames] = useState(() => load("beside", /** @type {Record<number, string>} */ ({}))); // by seat
  const [strength, setStrength] = useState(usualLevel(game));
  const [clock, setClock] = useState(0);
  const [listed, setListed] = useState(false); // in the public list of tables
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));

  const others = Array.from({ length: players - 1 }, (_, index) => index + 1);
  const bots = others.some((seat) => kinds[seat] === "bot");
  /** @param {number} seat */
  const nameIn = (seat) => names[seat] ?? playerName("", seat);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    level.value = strength;
    saveSettings(game, "friends", { players, options });
    save("beside", names);
    const seats = [null, ...others.map((seat) => (kinds[seat] === "bot" ? { bot: strength } : null))];
    const beside = others.filter((seat) => kinds[seat] === "here");
    openTable(
      game,
      { options: { ...options, players: String(players) }, seats, public: listed, clock: CLOCKS[clock] ?? null },
      beside.map((seat) => ({ seat, name: playerName(nameIn(seat).trim(), seat) })),
    ).catch((error) => setProblem(reasonOf(error)));
  };

  return html`<${Sheet} title=${t("open_title")} close=${close} kind="open-sheet">
    <form class="open-form" onSubmit=${submit}>
      <p class="open-game">
        <img src=${`/static/pictures/${game.name}.svg`} width="90" height="50" alt="" /> <b>
          ${t("title", {}, game.name)}
        </b>
      </p>
      <${Players} game=${game} players=${players}
        set=${(/** @type {number} */ number) => setSettings({ players: number, options })} />
      <fieldset class="choice">
        <legend>${t("who_plays")}</legend>
        <p class="quiet seats-about">${t("guests_about")}</p>
        <ol class="seat-picks">
          <li class="seat-pick"><span class="seat-face seat-0" aria-hidden="true">1</span><b>${t("seat_you")}</b></li>
          ${others.map(
            (seat) => html`<li key=${seat} class="seat-pick">
              <span class=${`seat-face seat-${seat}`} aria-hidden="true">
                ${kinds[seat] === "bot" ? html`<${Icon} name="bot" size=${20} />` : seat + 1}
              </span>
              <${SeatPick} seat=${seat} kind=${kinds[seat] ?? "open"} name=${nameIn(seat)}
                set=${(/** @type {SeatKind} */ kind) => setKinds({ ...kinds, [seat]: kind })}
                rename=${(/** @type {string} */ name) => setNames({ ...names, [seat]: name })} />
            </li>`,
          )}
        </ol>
      </fieldset>
      ${bots && html`<${Level} game=${game} level=${strength} set=${setStrength} />`}
      <${Variants} game=${game} options=${options}
        set=${(/** @type {Options} */ chosen) => setSettings({ players, options: chosen })} />
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
 * A choice between a guest, somebody at this device, who has a name, and a bot.
 * @typedef {"open" | "here" | "bot"} SeatKind
 *
 * @param {object} props
 * @param {number} props.seat
 * @param {SeatKind} props.kind
 * @param {string} props.name
 * @param {(kind: SeatKind) => void} props.set
 * @param {(name: string) => void} props.rename
 */
function SeatPick({ seat, kind, name, set, rename }) {
  const number = seat + 1;
  return html`<div class="seat-who">
    <${Choice} plain legend=${t("seat_label", { number })} chosen=${kind} set=${set}
      choices=${["open", "here", "bot"].map((value) => ({ value, label: t(`seat_${value}`) }))} />
    ${
      kind === "here" &&
      html`<input class="input" aria-label=${t("seat_here_name", { number })} spellcheck=${false} value=${name}
        onFocus=${(/** @type {any} */ { currentTarget }) => currentTarget.select()}
        onInput=${(/** @type {any} */ { currentTarget }) => {
          currentTarget.value = shortName(currentTarget.value);
          rename(currentTarget.value);
        }} />`
    }
  </div>`;
}
