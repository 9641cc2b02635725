// Table talk: set phrases, each a button that says it.
import { html } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { t } from "../text.js";

/** @param {{snapshot: Snapshot, talk: (phrase: string) => void, close: () => void}} props */
export function TalkSheet({ snapshot, talk, close }) {
  /** Phrases that begin alike stand together. @type {Map<string, string[]>} */
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
            ${words(phrase, snapshot.table.game)}
          </button>`,
        )}
      </div>`,
    )}
  </div></${Sheet}>`;
}

/** The catalogues say a phrase with its speaker and in quotation marks; a button needs neither. @param {string} phrase @param {string} game */
const words = (phrase, game) => t("said", { phrase, seat: "" }, game).replace(/^[^“„]*[“„]|[”“]$/g, "");
