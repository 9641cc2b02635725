// Advice at friendly tables: asked for by a button or a key, shown on the board and in the prompt as long as it holds.
import { html, useEffect, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { Icon } from "../page/icon.js";
import { percent, t } from "../text.js";

/** @type {Message} */
const NOT_NOW = { key: "no_hints_now", values: {}, game: "" };

/**
 * @param {object} given
 * @param {import("../connection.js").Connection} given.connection
 * @param {Snapshot} given.snapshot
 * @param {Line[]} given.lines
 * @param {import("./board.js").BoardModule | null} given.board
 * @param {{say: (message: Message) => string, t: Say}} given.words
 * @param {boolean} given.mine whether it is the reader's turn
 * @param {(message: Message) => void} given.refuse
 */
export function useHint({ connection, snapshot, lines, board, words, mine, refuse }) {
  const [asked, setAsked] = useState(-1); // how many lines the log had when the reader asked
  const [hidden, setHidden] = useState(/** @type {Hint | null} */ (null));
  /** Whether the reader has not moved since. @param {number} at */
  const still = (at) =>
    mine && lines.slice(at).every(({ seat, move }) => seat !== snapshot.you || move.startsWith("say "));

  const given = connection.hint.value;
  const [best, chance] = given?.moves[0] ?? ["", 0];
  const holds = given && still(given.at) && snapshot.view?.moves.includes(best) ? given : null;
  const hint = holds === hidden ? null : holds;
  const thinking = asked >= 0 && still(asked);
  const sentence = hint
    ? t("hint_says", { move: board?.wording?.(best, words.t) ?? best, chance: percent(chance) })
    : "";
  useEffect(() => announce(sentence), [hint]);

  const ask = async () => {
    if (thinking) return;
    if (holds) return setHidden(hint);
    setAsked(lines.length);
    const refused = snapshot.hints && mine ? await connection.advise() : NOT_NOW;
    setAsked(-1);
    if (!refused) return;
    refuse(refused);
    announce(words.say(refused));
  };
  return { hint, thinking, ask, offered: mine && snapshot.hints, words: thinking ? t("hint_thinking") : sentence };
}

/** @param {{advice: ReturnType<typeof useHint>}} props */
export function HintButton({ advice: { hint, thinking, ask } }) {
  const label = t(hint ? "hint_hide" : "hint");
  return html`<button type="button" class=${`tool hint-button${thinking ? " thinking" : ""}`} aria-label=${label}
    title=${`${label} (H)`} aria-keyshortcuts="H"
    aria-disabled=${thinking} onClick=${ask}><${Icon} name=${hint ? "close" : "bulb"} /></button>`;
}
