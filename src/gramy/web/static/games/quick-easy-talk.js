// The choice of phrases in Quick & Easy: two taps send one. It is loaded when somebody can talk.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Symbol } from "../ui/card.js";
import { shake } from "../ui/motion.js";
import { loadStyles } from "../ui/styles.js";
import { NAMES, Phrase, describes, heightOf, isAboutCard } from "./quick-easy-said.js";

await loadStyles("./quick-easy-talk.css", import.meta.url);

const GAME = "quick-easy";

/**
 * @param {object} props
 * @param {string[]} props.phrases
 * @param {(phrase: string) => Promise<Message | null>} props.talk
 * @param {number} props.seat
 * @param {QuickEasyBoard} props.board
 * @param {Translate} props.t
 */
export function Talk({ phrases, talk, seat, board, t }) {
  const [open, setOpen] = useState(""); // what the choice is about
  const [doubted, setDoubted] = useState(""); // a phrase that is not true of the hand, until the player decides
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const wishes = phrases.filter((phrase) => !NAMES.includes(phrase.split(" ")[0] ?? ""));
  /** @param {string} colour */
  const about = (colour) => phrases.filter((phrase) => phrase.split(" ")[0] === colour);
  const choices = open === "piles" ? wishes : about(open);

  /** @param {boolean} [refocus] gives the focus back to the button that opened the choice */
  const close = (refocus = true) => {
    const opener = root.current?.querySelector(`[data-about="${open}"]`);
    if (refocus) /** @type {HTMLElement | null | undefined} */ (opener)?.focus({ preventScroll: true });
    setOpen("");
    setDoubted("");
  };
  useEffect(() => {
    if (!open) return undefined;
    // A touch anywhere else closes the choice.
    const closeOutside = (/** @type {Event} */ event) =>
      root.current?.contains(/** @type {Node} */ (event.target)) || close(false);
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [open]);
  useEffect(() => {
    const first = /** @type {HTMLElement | null | undefined} */ (root.current?.querySelector(".phrases button"));
    if (open) first?.focus({ preventScroll: true });
  }, [open, doubted]);

  /** @param {string} phrase */
  const send = async (phrase) => {
    close();
    if (await talk(phrase)) shake(root.current?.querySelector(".abouts"));
  };
  /**
   * @param {string} phrase
   * @param {string} opener what the phrase is about
   */
  const choose = (phrase, opener) => {
    if (isTrue(phrase, board.hand ?? [], board)) return void send(phrase);
    setOpen(opener);
    setDoubted(phrase);
  };
  /** @param {string} what */
  const press = (what) => {
    const [only, ...more] = what === "piles" ? wishes : about(what);
    if (open === what) return close();
    setDoubted("");
    if (only && !more.length)
      choose(only, what); // one tap is enough where there is no choice
    else setOpen(what);
  };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    close();
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
    aria-expanded=${about(what).length === 1 && open !== what ? undefined : open === what}
    onClick=${() => press(what)}>
    <span class="sr">${label}</span>
    ${sign}
  </button>`;
  const question = () => html`<div class="doubt">
    <p id="doubt">
      ${t("board_untrue", { phrase: doubted }, GAME)}${" "}<b>${t("board_say_anyway", {}, GAME)}</b>
    </p>
    <button type="button" class="button" aria-describedby="doubt" onClick=${() => close()}>${t("cancel")}</button>
    <button type="button" class="button" data-button="say" aria-describedby="doubt" onClick=${() => send(doubted)}>
      ${t("board_say", {}, GAME)}
    </button>
  </div>`;

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
      html`<div class=${`phrases panel${doubted ? "" : ` of-${choices.length}`}`}>
        ${
          doubted
            ? question()
            : choices.map(
                (phrase) => html`<button key=${phrase} type="button" class="button" data-phrase=${phrase}
                  onClick=${() => choose(phrase, open)}>
                  <span class="sr">${t("said", { seat, phrase }, GAME)}${range(phrase, t)}</span>
                  <span class="phrase" aria-hidden="true"><${Phrase} phrase=${phrase} t=${t} full /></span>
                </button>`,
              )
        }
        <button type="button" class="phrases-close" aria-label=${t("close")} onClick=${() => close()}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 7 17 17M17 7 7 17" /></svg>
        </button>
      </div>`
    }
  </div>`;
}

/**
 * Return the numbers that a phrase's height means, for screen readers.
 * @param {string} phrase
 * @param {Translate} t
 */
function range(phrase, t) {
  const height = heightOf(phrase.split(" ")[1] ?? "");
  return height ? ` (${t("board_height", { from: height[0], to: height[1] }, GAME)})` : "";
}

/**
 * Return whether a phrase is true of a hand. Wishes always are.
 * @param {string} phrase
 * @param {string[]} hand
 * @param {{up: string | null, down: string | null}} tops
 */
function isTrue(phrase, hand, tops) {
  if (isAboutCard(phrase)) return hand.some((card) => describes(phrase, card));
  const [verb, pile] = phrase.split(" ");
  if (verb !== "turn") return true;
  const top = pile === "up" ? tops.up : tops.down;
  if (!top) return false;
  const steps = (/** @type {string} */ card) => Number(card.slice(1)) - Number(top.slice(1));
  return hand.some((card) => card[0] === top[0] && (pile === "up" ? steps(card) < 0 : steps(card) > 0));
}
