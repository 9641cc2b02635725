// Hints: asked for by a button or a key, shown on the board and in the prompt as long as they apply.
import { html, useEffect, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { Icon } from "../page/icon.js";
import { percent, t } from "../text.js";
import { inWords } from "./board.js";

/** @type {Message} */
const NOT_NOW = { key: "no_hints_now", values: {}, game: "" };

/**
 * @param {object} given
 * @param {import("../connection.js").Connection} given.connection
 * @param {Snapshot} given.snapshot
 * @param {Line[]} given.lines
 * @param {import("./board.js").BoardModule | null} given.board
 * @param {ReturnType<typeof import("../text.js").textFor>} given.text
 * @param {boolean} given.myTurn
 * @param {(message: Message) => void} given.refuse shows why there is no hint
 */
export function useHint({ connection, snapshot, lines, board, text, myTurn, refuse }) {
  const [asked, setAsked] = useState(-1); // how many lines the log had when the hint was asked for
  const [hidden, setHidden] = useState(/** @type {Hint | null} */ (null));
  /**
   * Whether the player has not moved since.
   * @param {number} at how many lines the log had then
   */
  const unmoved = (at) =>
    myTurn && lines.slice(at).every(({ seat, move }) => seat !== snapshot.you || move.startsWith("say "));

  const latest = connection.hint.value;
  const [best, chance] = latest?.moves[0] ?? ["", 0];
  const valid = latest && unmoved(latest.at) && snapshot.view?.moves.includes(best) ? latest : null;
  const hint = valid === hidden ? null : valid;
  const thinking = asked >= 0 && unmoved(asked);
  const sentence = hint
    ? t("hint_says", { move: board?.describeMove?.(best, text.t) ?? best, chance: percent(chance) })
    : "";
  const reason = hint?.reason ? text.translate(inWords(hint.reason, board)) : "";
  useEffect(() => announce(reason ? `${sentence}. ${reason}` : sentence), [hint]);

  const ask = async () => {
    if (thinking) return;
    if (valid) return setHidden(hint);
    setAsked(lines.length);
    const refused = snapshot.hints && myTurn ? await connection.askHint() : NOT_NOW;
    setAsked(-1);
    if (!refused) return;
    refuse(refused);
    announce(text.translate(refused));
  };
  return {
    hint,
    thinking,
    ask,
    available: myTurn && snapshot.hints,
    sentence: thinking ? t("hint_thinking") : sentence,
    reason: thinking ? "" : reason,
  };
}

/** @param {{hints: ReturnType<typeof useHint>}} props */
export function HintButton({ hints: { hint, thinking, ask } }) {
  const label = t(hint ? "hint_hide" : "hint");
  return html`<button type="button" class=${`tool hint-button${thinking ? " thinking" : ""}`} aria-label=${label}
    title=${`${label} (H)`} aria-keyshortcuts="H"
    aria-disabled=${thinking} onClick=${ask}><${Icon} name=${hint ? "close" : "bulb"} /></button>`;
}
