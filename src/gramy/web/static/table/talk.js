// Table talk by phrases, each a button.
import { html } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { t } from "../text.js";

/** @param {{snapshot: Snapshot, talk: (phrase: string) => void, close: () => void}} props */
export function TalkSheet({ snapshot, talk, close }) {
  /**
   * Phrases by their first word.
   * @type {Map<string, string[]>}
   */
  const groups = new Map();
  for (const phrase of snapshot.phrases) {
    const [first = ""] = phrase.split(" ");
    groups.set(first, [...(groups.get(first) ?? []), phrase]);
  }
  /** @param {string} phrase */
  const press = (phrase) => {
    talk(phrase);
    close();
  };
  return html`<${Sheet} title=${t("talk")} close=${close} kind="tall"><div class="talk">
    <p class="quiet">${t("talk_about")}</p>
    ${[...groups].map(
      ([first, phrases]) => html`<div key=${first} class="talk-group" data-word=${first}>
        ${phrases.map(
          (phrase) => html`<button key=${phrase} type="button" class="button" onClick=${() => press(phrase)}>
            ${phraseText(phrase, snapshot.table.game)}
          </button>`,
        )}
      </div>`,
    )}
  </div></${Sheet}>`;
}

/**
 * Return a phrase without the speaker and the quotation marks of the catalogue's sentence.
 * @param {string} phrase
 * @param {string} game
 */
const phraseText = (phrase, game) => t("said", { phrase, seat: "" }, game).replace(/^[^“„]*[“„]|[”“]$/g, "");
