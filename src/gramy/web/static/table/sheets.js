// What opens above a table.
import { html } from "../vendor/preact.js";
import { Sheet } from "../page/sheet.js";
import { t } from "../text.js";
import { Log } from "./log.js";

export { Keys, Menu } from "./menu.js";
export { TalkSheet } from "./talk.js";

/** @param {{lines: Line[], names: string[], you: number | null, inline?: import("./log.js").Inline, close: () => void}} props */
export function LogSheet({ close, ...props }) {
  return html`<${Sheet} title=${t("log")} close=${close} kind="tall"><${Log} ...${props} /></${Sheet}>`;
}
