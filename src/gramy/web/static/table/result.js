// The result of a match, with the buttons for what comes next.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { Icon } from "../page/icon.js";
import { playSound } from "../sound.js";
import { t, translate } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { Fair } from "./fair.js";

await loadStyles("../style/result.css", import.meta.url);

/** The last card lands before the result is shown; in milliseconds. */
const PAUSE = 1100;

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {import("../connection.js").Connection} props.connection
 * @param {(command: Promise<Message | null>) => Promise<Message | null>} props.attempt
 * @param {import("./board.js").BoardModule | null} props.board
 * @param {boolean} props.pause whether to wait for the last card
 * @param {number[]} [props.here] the seats of the people at this device, if there are several
 * @param {boolean} props.dismissed
 * @param {(dismissed: boolean) => void} props.dismiss
 */
export function Result({ snapshot, names, connection, attempt, board, pause, here, dismissed, dismiss }) {
  const { table, view, you } = snapshot;
  const [shown, setShown] = useState(!pause);
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PAUSE);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (shown && !dismissed) heading.current?.focus({ preventScroll: true });
  }, [shown, dismissed]);
  const rematch = useRematch(snapshot, names);
  if (!shown) return null;
  const { asked } = rematch;
  const won = view?.outcome?.winners.some((seat) => (here ? here.includes(seat) : seat === you));
  const agree = () => asked || attempt(connection.rematch());
  if (dismissed)
    return html`<section class="result-back" aria-label=${t("match_over_title")}>
      ${
        rematch.words &&
        html`<p class="panel rematch-asked">
          <span>${rematch.words}</span>
          ${
            !asked &&
            you !== null &&
            html`<button type="button" class="button primary" onClick=${agree}>
              ${t("rematch")}
            </button>`
          }
        </p>`
      }
      <button type="button" class="button primary" onClick=${() => dismiss(false)}>
        <${Icon} name="trophy" /> ${t("show_result")}
      </button>
    </section>`;
  return html`<section class="result panel" aria-labelledby="result">
    <button type="button" class="tool bare result-away" aria-label=${t("show_table")} title=${t("show_table")}
      onClick=${() => dismiss(true)}>
      <${Icon} name="close" />
    </button>
    <span class=${`medal${won ? " won" : ""}`} aria-hidden="true">
      <${Icon} name="trophy" size=${30} />
    </span>
    <h2 id="result" ref=${heading} tabIndex=${-1}>${headline(snapshot, board, here && names)}</h2>
    <p>${outcomeSentence(view, names)}</p>
    <div class="result-doors">
      ${
        you !== null &&
        html`<button type="button" class="button primary big" aria-disabled=${asked}
          onClick=${agree}>
          ${t("rematch")}
        </button>`
      }
      <a class="button big" href=${`/replay/${table.table}/${table.round}${you === null ? "" : `?seat=${you}`}`}>
        <${Icon} name="play" size=${18} /> ${t("to_replay")}
      </a>
    </div>
    <${Fair} table=${table.table} round=${table.round} you=${you} names=${names}
      lines=${connection.lines.peek()} />
    ${rematch.words && html`<p class="rematch-words">${rematch.words}</p>`}
    <div class="result-more">
      <a class="button plain" href="/">${t("to_lobby")}</a>
      <a class="button plain" href=${`/api/record/${table.table}/${table.round}`}
        download=${recordName(table)}>
        <${Icon} name="save" size=${18} /> ${t("save_record")}
      </a>
    </div>
  </section>`;
}

/**
 * Who wants to play again and who has not answered yet. It is announced when it changes.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 */
function useRematch({ table, rematch = [], you }, names) {
  const asked = you !== null && rematch.includes(you);
  const others = rematch.filter((seat) => seat !== you);
  const missing = table.seats.flatMap((seat, number) =>
    seat.kind === "person" && seat.online && !rematch.includes(number) ? [names[number]] : [],
  );
  let words = "";
  if (asked && missing.length) words = t("rematch_waiting", { who: missing.join(", ") });
  else if (!asked && others.length)
    words = t("rematch_asked", { number: others.length, who: others.map((seat) => names[seat]).join(", ") });
  useEffect(() => {
    announce(words);
    if (others.length && !asked) playSound("turn");
  }, [words]);
  return { asked, words };
}

/**
 * Return the name of the file in which a match is saved: what was played, and when.
 * @param {Table} table
 */
const recordName = ({ game, round }) =>
  `gramy-${game}-${new Intl.DateTimeFormat("sv", { dateStyle: "short" }).format(new Date())}-${round}.gramy`;

/**
 * @param {Snapshot} snapshot
 * @param {import("./board.js").BoardModule | null} board
 * @param {string[]} [names] given where several people look at this device: "you" could be any of them
 */
function headline(snapshot, board, names) {
  const { view, you, table } = snapshot;
  const outcome = view?.outcome;
  const winners = outcome?.winners;
  const together = winners?.length === table.seats.length;
  if (!winners || you === null) return t("match_over_title");
  if (together) return t("won_together");
  if (names && winners.length) return t("named_won", { name: names[winners[0] ?? 0] });
  if (winners.includes(you)) return t("you_won");
  if (outcome?.key === "abandoned") return t("match_over_title");
  return board?.headline?.(snapshot, t) ?? t("you_lost");
}

/**
 * @param {View | null} view
 * @param {string[]} names
 */
function outcomeSentence(view, names) {
  if (!view?.outcome) return t("match_ended_early");
  const { key, values, winners } = view.outcome;
  return translate({ key, values: { winner: winners[0], ...values }, game: view.game }, names);
}
