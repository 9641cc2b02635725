// Table talk of Quick & Easy: two taps send a phrase, and bubbles show the last ones. Phrases come from the server.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { COLOURS, Symbol } from "../ui/card.js";
import { shake } from "../ui/motion.js";

const GAME = "quick-easy";
const NAMES = /** @type {string[]} */ (Object.values(COLOURS));

/**
 * @typedef {{phrase: string, line: number, fresh: boolean}} SpokenPhrase `fresh` until the speaker's hand changes
 */

/**
 * Return the last phrases of each seat: at most two since the end of its last turn, or an older one that is not fresh.
 * @param {Line[]} lines
 * @returns {Map<number, SpokenPhrase[]>}
 */
export function recentPhrases(lines) {
  /** @type {Map<number, SpokenPhrase[]>} */
  const bySeat = new Map();
  lines.forEach(({ seat, move, events }, line) => {
    const before = bySeat.get(seat) ?? [];
    if (move === "end")
      bySeat.set(
        seat,
        before.slice(-1).map((spoken) => ({ ...spoken, fresh: false })),
      );
    for (const { key, values } of events) {
      if (key !== "said") continue;
      const phrase = String(values.phrase);
      const kept = before.filter((spoken) => spoken.fresh && spoken.phrase !== phrase);
      bySeat.set(seat, [...kept.slice(-1), { phrase, line, fresh: true }]);
    }
  });
  return bySeat;
}

/**
 * A phrase as a symbol and a word: a colour and how high, or a pile and a wish.
 * @param {{phrase: string, t: Translate}} props
 */
function Phrase({ phrase, t }) {
  const [first = "", second = ""] = phrase.split(" ");
  if (NAMES.includes(first)) {
    return html`<span class=${`sign in-colour ${first}`}><${Symbol} colour=${first} /></span>
      <span>${t("board_band", { band: second || "any" }, GAME)}</span>`;
  }
  return html`<span class=${`sign arrow-sign ${second}`}><i></i></span>
    <span>${t("board_wish", { wish: first }, GAME)}</span>`;
}

/**
 * @param {{spoken: SpokenPhrase, seat: number, t: Translate}} props
 */
export function Bubble({ spoken, seat, t }) {
  return html`<span class=${`bubble${spoken.fresh ? "" : " stale"}`}>
    <span class="sr">${t("said", { seat, phrase: spoken.phrase }, GAME)}</span>
    <span class="phrase" aria-hidden="true"><${Phrase} phrase=${spoken.phrase} t=${t} /></span>
  </span>`;
}

/**
 * @param {{phrases: string[], talk: (phrase: string) => Promise<Message | null>, seat: number, t: Translate}} props
 */
export function Talk({ phrases, talk, seat, t }) {
  const [open, setOpen] = useState("");
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const wishes = phrases.filter((phrase) => !NAMES.includes(phrase.split(" ")[0] ?? ""));
  /** @param {string} colour */
  const about = (colour) => phrases.filter((phrase) => phrase.split(" ")[0] === colour);
  const choices = open === "piles" ? wishes : about(open);

  useEffect(() => {
    if (!open) return undefined;
    // A touch anywhere else closes the choice.
    const closeOutside = (/** @type {Event} */ event) =>
      root.current?.contains(/** @type {Node} */ (event.target)) || setOpen("");
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [open]);
  useEffect(() => {
    if (open)
      /** @type {HTMLElement | null | undefined} */ (root.current?.querySelector(".phrases button"))?.focus({
        preventScroll: true,
      });
  }, [open]);

  /** @param {string} phrase */
  const send = async (phrase) => {
    const opener = open;
    setOpen("");
    if (opener)
      /** @type {HTMLElement | null | undefined} */ (root.current?.querySelector(`[data-about="${opener}"]`))?.focus();
    if (await talk(phrase)) shake(root.current);
  };
  /** @param {string} what */
  const press = (what) => {
    const [only, ...more] = what === "piles" ? wishes : about(what);
    if (only && !more.length)
      void send(only); // one tap is enough where there is no choice
    else setOpen(open === what ? "" : what);
  };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    /** @type {HTMLElement | null | undefined} */ (root.current?.querySelector(`[data-about="${open}"]`))?.focus();
    setOpen("");
  };

  /**
   * @param {string} what
   * @param {any} sign
   * @param {string} label
   */
  const opener = (
    what,
    sign,
    label,
  ) => html`<button key=${what} type="button" class=${`about in-colour ${what}`} data-about=${what} title=${label}
    aria-expanded=${about(what).length === 1 ? undefined : open === what} onClick=${() => press(what)}>
    <span class="sr">${label}</span>
    ${sign}
  </button>`;

  return html`<div class="phrasebook" role="group" aria-label=${t("board_talk", {}, GAME)} ref=${root} onKeyDown=${key}>
    <div class="abouts">
      ${NAMES.filter((name) => about(name).length).map((name) =>
        opener(
          name,
          html`<${Symbol}
            colour=${name} />`,
          t("board_about", { colour: name }, GAME),
        ),
      )}
      ${
        wishes.length > 0 &&
        opener(
          "piles",
          html`<span class="both">
            <i class="arrow"></i>
            <i class="arrow falling"></i>
          </span>`,
          t("board_about", { colour: "piles" }, GAME),
        )
      }
    </div>
    ${
      open !== "" &&
      html`<div class="phrases panel">
        ${choices.map(
          (phrase) => html`<button key=${phrase} type="button" class="button" onClick=${() => send(phrase)}>
            <span class="sr">${t("said", { seat, phrase }, GAME)}</span>
            <span class="phrase" aria-hidden="true"><${Phrase} phrase=${phrase} t=${t} /></span>
          </button>`,
        )}
      </div>`
    }
  </div>`;
}
