// The menu of a table: settings, rules, keys, the private link of the seat, and the way out.
import { html } from "../vendor/preact.js";
import { tokenOf } from "../memory.js";
import { LinkField, Settings } from "../page/control.js";
import { Icon } from "../page/icon.js";
import { Sheet } from "../page/sheet.js";
import { go } from "../route.js";
import { t } from "../text.js";
import { Seats } from "./seats.js";

/** @param {{snapshot: Snapshot, names: string[], leave: () => Promise<Message | null>, keys: () => void, close: () => void}} props */
export function Menu({ snapshot, names, leave, keys, close }) {
  const { table, you } = snapshot;
  const token = tokenOf(table.table);
  const out = () => {
    // The server need not answer before the page goes: the seat's place stays remembered.
    void leave();
    setTimeout(() => go("/"), 60);
  };
  return html`<${Sheet} title=${t("menu")} close=${close} kind="tall">
    <nav class="menu-links" aria-label=${t("menu")}>
      <a class="button wide" href=${`/rules/${table.game}`}><${Icon} name="book" /> ${t("rules")}</a>
      <button type="button" class="button wide keys-door" onClick=${keys}>${t("keys")}</button>
    </nav>
    ${table.status !== "waiting" && html`<${Seats} snapshot=${snapshot} names=${names} />`}
    <${Settings} />
    ${
      you !== null &&
      token &&
      html`<${LinkField} label=${t("other_device")} about=${t("other_device_about")}
        title="Gramy" url=${`${location.origin}/t/${table.table}#seat=${token}`} />`
    }
    ${
      you !== null &&
      table.status !== "finished" &&
      html`<div class="leave">
        <button type="button" class="button wide" onClick=${out}>${t("leave")}</button>
        <p class="quiet">${t("leave_about")}</p>
      </div>`
    }
  </${Sheet}>`;
}

const KEYS = [
  ["U", "key_undo"],
  ["H", "key_hint"],
  ["L", "key_log"],
  ["M", "key_mute"],
  ["?", "key_help"],
];

/** @param {{close: () => void}} props */
export function Keys({ close }) {
  return html`<${Sheet} title=${t("keys")} close=${close}>
    <p>${t("key_board")}</p>
    <dl class="keys">
      ${KEYS.map(([key, about]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${t(about ?? "")}</dd></div>`)}
    </dl>
  </${Sheet}>`;
}
