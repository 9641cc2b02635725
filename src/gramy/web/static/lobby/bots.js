// The bots of other programs that are online: a list, and a sheet to challenge one.
import { html, useEffect, useState } from "../vendor/preact.js";
import { Choice } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { Sheet } from "../page/sheet.js";
import { reasonOf, request } from "../request.js";
import { navigate } from "../route.js";
import { t, translate } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { Variants } from "./choices.js";
import { lastSettings } from "./last.js";
import { openSilently } from "./open.js";

await loadStyles("../style/lobby-forms.css", import.meta.url);

/** Milliseconds between two looks whether the bot has answered. */
const LOOK_INTERVAL = 1000;

/** @param {{bots: OnlineBot[], games: GameListed[]}} props */
export function Bots({ bots, games }) {
  const [chosen, setChosen] = useState(/** @type {OnlineBot | null} */ (null));
  return html`<section class="tables bots" aria-labelledby="bots">
    <h2 id="bots">${t("bots")}</h2>
    <p class="quiet">${t("bots_hint")}</p>
    <ul class="table-list">
      ${bots.map(
        (bot) => html`<li key=${bot.bot} class="panel table-row">
          <${Icon} name="bot" size=${28} />
          <div class="table-row-text"><b>${bot.name}</b>
            <span class="quiet">${bot.games.map((game) => t("title", {}, game)).join(" · ")}</span></div>
          <div class="table-row-doors">
            <button type="button" class="button" aria-label=${t("challenge_label", { name: bot.name })}
              onClick=${() => setChosen(bot)}>
              ${t("challenge")}
            </button>
          </div>
        </li>`,
      )}
    </ul>
    ${chosen && html`<${Challenge} bot=${chosen} games=${games} close=${() => setChosen(null)} />`}
  </section>`;
}

/** @param {{bot: OnlineBot, games: GameListed[], close: () => void}} props */
function Challenge({ bot, games, close }) {
  const playable = games.filter(({ name, seats: [least] }) => least <= 2 && bot.games.includes(name));
  const [game, setGame] = useState(/** @type {GameListed | undefined} */ (playable[0]));
  const [options, setOptions] = useState(/** @type {Options} */ ({}));
  const [asked, setAsked] = useState(/** @type {{table: string, challenge: string} | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string} */ (""));
  useEffect(() => {
    if (game) setOptions(lastSettings(game, "friends").options);
  }, [game]);
  useAnswer(asked, (status) => {
    if (status === "accepted" && asked) navigate(`/t/${asked.table}`);
    else setProblem(t("challenge_refused", { name: bot.name }));
  });

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (!game) return;
    setProblem("");
    try {
      const settings = { options: { ...options, players: "2" }, seats: [null, null] };
      const table = asked?.table ?? (await openSilently(game, settings));
      setAsked({ table, challenge: "" });
      const { challenge } = await request(`/api/tables/${table}/challenge`, { bot: bot.bot });
      setAsked({ table, challenge });
    } catch (error) {
      setProblem(translate(reasonOf(error)));
    }
  };
  const waiting = asked !== null && !problem;
  return html`<${Sheet} title=${t("challenge_label", { name: bot.name })} close=${close} kind="open-sheet">
    <form class="open-form" onSubmit=${submit}>
      <${Choice} legend=${t("choose_game")} chosen=${game?.name ?? ""}
        choices=${playable.map(({ name }) => ({ value: name, label: t("title", {}, name) }))}
        set=${(/** @type {string} */ name) => setGame(playable.find((one) => one.name === name))} />
      ${game && html`<${Variants} game=${game} options=${options} set=${setOptions} />`}
      ${waiting && html`<p class="quiet" role="status">${t("challenge_waits", { name: bot.name })}</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        asked && problem
          ? html`<a class="button primary big wide" href=${`/t/${asked.table}`}>${t("to_table")}</a>`
          : html`<button class="button primary big wide" disabled=${waiting}>${t("challenge")}</button>`
      }
    </form>
  </${Sheet}>`;
}

/**
 * Look every second how a challenge stands, and report the answer once.
 * @param {{challenge: string} | null} asked
 * @param {(status: string) => void} answered
 */
function useAnswer(asked, answered) {
  useEffect(() => {
    if (!asked?.challenge) return undefined;
    const timer = setInterval(async () => {
      const { status } = await request(`/api/challenges/${asked.challenge}`).catch(() => ({ status: "asked" }));
      if (status === "asked") return;
      clearInterval(timer);
      answered(status);
    }, LOOK_INTERVAL);
    return () => clearInterval(timer);
  }, [asked?.challenge]);
}
