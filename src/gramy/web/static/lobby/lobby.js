// The lobby: the games, the tables to continue and the tables to join.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Bar } from "../page/bar.js";
import { Choice, LanguagePicker, SoundButton, ThemeButton } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { RequestError, reasonOf, request } from "../request.js";
import { level, nickname } from "../settings.js";
import { load, save } from "../storage.js";
import { lazy } from "../table/lazy.js";
import { shortName, t, translate } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { lastSettings, saveSettings, usualLevel, variantsIn } from "./last.js";
import { proposeName } from "./name.js";
import { Continue, Played, Tables, useOwnTables } from "./tables.js";

await loadStyles("../style/lobby.css", import.meta.url);

// What is seen only after a press, or without a connection.
const OpenForm = lazy(() => import("./form.js"), "OpenForm");
const PlayForm = lazy(() => import("./play-form.js"), "PlayForm");
const SettingsSheet = lazy(() => import("./settings-sheet.js"), "SettingsSheet");
const NoNetwork = lazy(() => import("./no-network.js"), "NoNetwork");

/** @param {GameListed} game */
const playNow = async (game) => (await import("./open.js")).playNow(game);

export function Page() {
  const [found, setGames] = useState(/** @type {GameListed[] | null} */ (null));
  const [opening, setOpening] = useState(/** @type {GameListed | null} */ (null));
  const [noNetwork, setNoNetwork] = useState(false);
  const own = useOwnTables();
  const [settings, setSettings] = useState(false);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  useEffect(() => {
    document.title = "Gramy";
    request("/api/games").then(showGames, (error) =>
      error instanceof RequestError && !error.status ? setNoNetwork(true) : setProblem(reasonOf(error)),
    );
  }, []);
  const shownProblem = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => shownProblem.current?.scrollIntoView({ block: "center" }), [problem]); // the press may be far below
  /** @param {GameListed[]} listed */
  const showGames = (listed) => {
    save("games", listed); // for the lobby without a connection
    setGames(listed);
    setNoNetwork(false);
  };
  /** @param {() => Promise<void>} action */
  const attempt = (action) => {
    setProblem(null);
    action().catch((error) => setProblem(reasonOf(error)));
  };

  const games = found ?? [];
  const ready = found !== null || problem !== null; // all parts appear at once, so that none moves the others
  return html`<div class="page lobby">
    <${Bar} home=${false} title=${html`<p class="bar-title brand">Gramy</p>`}>
      <${LanguagePicker} /><${ThemeButton} /><${SoundButton} />
      <button type="button" class="tool" aria-label=${t("settings")} title=${t("settings")}
        onClick=${() => setSettings(true)}>
        <${Icon} name="settings" />
      </button>
    </${Bar}>
    <main id="content" tabIndex=${-1}>${
      noNetwork && html`<${NoNetwork} games=${load("games", /** @type {GameListed[]} */ ([]))} found=${showGames} />`
    }${
      ready &&
      html`
        <section class="welcome" aria-labelledby="welcome">
          <h1 id="welcome">${t("tagline")}</h1>
          <div class="you">
            <${Nickname} />
            <${Level} games=${games} />
          </div>
        </section>
        ${problem && html`<p class="panel problem" role="alert" ref=${shownProblem}>${translate(problem)}</p>`}
        <${Continue} own=${own} />
        <section aria-labelledby="games">
          <h2 id="games" class="sr">${t("choose_game")}</h2>
          <ul class="games">
            ${games.map(
              (game) => html`<${GameCard} key=${game.name} game=${game}
                play=${() => attempt(() => playNow(game))} open=${() => setOpening(game)} />`,
            )}
          </ul>
        </section>
        <${Played} own=${own} />
        <${Tables} games=${games} attempt=${attempt} />
        <${SavedMatch} attempt=${attempt} />`
    }
    </main>
    ${ready && html`<footer class="lobby-foot quiet">${t("everything_here")}</footer>`}
    ${opening && html`<${OpenForm} game=${opening} close=${() => setOpening(null)} />`}
    ${settings && html`<${SettingsSheet} close=${() => setSettings(false)} />`}
  </div>`;
}

/**
 * Opens a file in which the user has saved a match.
 * @param {{attempt: (action: () => Promise<void>) => void}} props
 */
function SavedMatch({ attempt }) {
  /** @param {{currentTarget: HTMLInputElement}} event */
  const open = ({ currentTarget: input }) => {
    const file = input.files?.[0];
    if (file) attempt(async () => (await import("../record.js")).openRecord(file));
    input.value = ""; // the same file may be chosen again
  };
  return html`<p class="saved-match quiet">
    ${t("saved_match")}
    <label class="button">
      <input type="file" class="sr" accept=".gramy,.txt" onChange=${open} /> ${t("open_file")}
    </label>
  </p>`;
}

function Nickname() {
  useEffect(() => proposeName(), []);
  return html`<label class="field nickname">
    <span>${t("nickname")}</span>
    <input
      class="input" autocomplete="nickname" spellcheck=${false} value=${nickname.value}
      aria-describedby="nickname-hint" onBlur=${() => proposeName()}
      onInput=${(/** @type {any} */ event) => {
        nickname.value = event.currentTarget.value = shortName(event.currentTarget.value);
      }} />
    <span id="nickname-hint" class="hint">${t("nickname_hint")}</span>
  </label>`;
}

/**
 * The level of the bots for “play now”.
 * @param {{games: GameListed[]}} props
 */
function Level({ games }) {
  const levels = [...new Set(games.flatMap((game) => game.levels))];
  if (levels.length < 2) return null;
  return html`<${Choice} legend=${t("level_label")} chosen=${levels.includes(level.value) ? level.value : levels[0]}
    set=${(/** @type {string} */ value) => {
      level.value = value;
    }}
    choices=${levels.map((value) => ({ value, label: t("level", { level: value }) }))} />`;
}

/** @param {{game: GameListed, play: () => void, open: () => void}} props */
function GameCard({ game, play, open }) {
  const title = t("title", {}, game.name);
  const [least, most] = game.seats;
  const [last, setLast] = useState(() => lastSettings(game, "alone"));
  const [choosing, setChoosing] = useState(false);
  const chosen = [
    t("players_exactly", { number: last.players }),
    t("level", { level: usualLevel(game) }),
    ...variantsIn(game, last.options).map((option) => t("variant", { option })),
  ].join(" · ");
  return html`<li class="panel game" data-game=${game.name}>
    <img class="game-picture" src=${`/static/pictures/${game.name}.svg`} width="360" height="200" alt="" />
    <div class="game-text">
      <h3>${title}</h3>
      <p>${t("about", { game: game.name })}</p>
      <p class="facts">
        <span class="chip">
          ${least === most ? t("players_exactly", { number: most }) : t("players_between", { least, most })}
        </span>
        <span class="chip">${t("character", { game: game.name })}</span></p>
    </div>
    <div class="game-doors">
      <button type="button" class="play-settings" aria-label=${t("play_settings_label", { title, chosen })}
        onClick=${() => setChoosing(true)}>
        <${Icon} name="settings" size=${18} /> <span>${chosen}</span>
      </button>
      <button type="button" class="button primary big" aria-label=${`${t("play_now")}: ${title}`} onClick=${play}>
        ${t("play_now")}
      </button>
      <button type="button" class="button big" aria-label=${`${t("open_table")}: ${title}`} onClick=${open}>
        ${t("open_table")}
      </button>
      <a class="button" href=${`/learn/${game.name}`} aria-label=${`${t("learn")}: ${title}`}>${t("learn")}</a>
      <a class="button" href=${`/rules/${game.name}`} aria-label=${t("read_rules_label", { title })}>
        <${Icon} name="book" size=${19} /> ${t("rules")}
      </a>
    </div>
    ${
      choosing &&
      html`<${PlayForm} game=${game} settings=${last} play=${play} close=${() => setChoosing(false)}
        set=${(/** @type {import("./last.js").LastSettings} */ settings) => {
          saveSettings(game, "alone", settings);
          setLast(settings);
        }} />`
    }
  </li>`;
}
