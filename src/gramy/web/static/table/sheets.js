// The sheets of a table, loaded together when the first one opens.
import { html } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { t } from "../text.js";
import { loadStyles } from "../ui/styles.js";
import { Log } from "./log.js";

await loadStyles("../style/table-sheets.css", import.meta.url);

export { Keys, Menu, Variants } from "./menu.js";
export { PlayerSheet } from "./player.js";
export { TalkSheet } from "./talk.js";

/**
 * @param {object} props
 * @param {Line[]} props.lines
 * @param {string[]} props.names
 * @param {number | null} props.you
 * @param {import("./board.js").BoardModule | null} [props.board]
 * @param {() => void} props.close
 */
export function LogSheet({ close, ...props }) {
  return html`<${Sheet} title=${t("log")} close=${close} kind="tall"><${Log} ...${props} /></${Sheet}>`;
}
