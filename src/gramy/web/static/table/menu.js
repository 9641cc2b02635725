// The menu of a table: settings, rules, keyboard shortcuts, the private link of the seat, and leaving.
import { html } from "../vendor/preact.js";
import { seatTokens } from "../storage.js";
import { Icon } from "../page/icon.js";
import { PageLink } from "../page/link.js";
import { Settings } from "../page/settings.js";
import { Sheet } from "../page/sheet.js";
import { inForce } from "../page/variants.js";
import { navigate } from "../route.js";
import { t } from "../text.js";
import { PlayerButton, Seats, otherPeople } from "./seats.js";

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {string[]} props.names
 * @param {() => Promise<Message | null>} props.leave
 * @param {import("./one-device.js").Device} [props.device] where several people play on this device
 * @param {() => void} props.showKeys
 * @param {(seat: number) => void} props.choosePlayer
 * @param {() => void} props.close
 */
export function Menu({ snapshot, names, leave, device, showKeys, choosePlayer, close }) {
  const { table, you } = snapshot;
  const token = device ? device.token : seatTokens(table.table)[0];
  const others = otherPeople(snapshot);
  const leaveTable = () => {
    // There is no need to wait for the answer: the seat stays saved in this browser.
    void leave();
    setTimeout(() => navigate("/"), 60);
  };
  return html`<${Sheet} title=${t("menu")} close=${close} kind="tall">
    <nav class="menu-links" aria-label=${t("menu")}>
      <a class="button wide" href=${`/rules/${table.game}`}><${Icon} name="book" /> ${t("rules")}</a>
      <button type="button" class="button wide keys-door" onClick=${showKeys}>${t("keys")}</button>
    </nav>
    ${
      table.status !== "waiting" &&
      html`<${Seats} snapshot=${snapshot} names=${names} options=${(/** @type {number} */ seat) =>
        others.includes(seat) && html`<${PlayerButton} name=${names[seat]} press=${() => choosePlayer(seat)} />`} />`
    }
    <${Settings} />
    ${
      you !== null &&
      token &&
      html`<${PageLink} label=${t("other_device")} about=${t("other_device_about")}
        title="Gramy" path=${`/t/${table.table}#seat=${token}`} />`
    }
    ${
      you !== null &&
      table.status !== "finished" &&
      html`<div class="leave">
        <button type="button" class="button wide" onClick=${leaveTable}>${t("leave")}</button>
        <p class="quiet">${t(device ? "leave_all" : table.status === "waiting" ? "leave_waiting" : "leave_about")}</p>
      </div>`
    }
  </${Sheet}>`;
}

/**
 * The keys that work at this table, for this viewer.
 * @param {{snapshot: Snapshot, board: import("./board.js").BoardModule | null, close: () => void}} props
 */
export function Keys({ snapshot, board, close }) {
  const playing = snapshot.you !== null && snapshot.table.status === "playing";
  /** @type {[string, string][]} */
  const keys = [
    ...(playing && board?.keys ? board.keys(snapshot, t) : []),
    ...(playing && snapshot.hints ? [/** @type {[string, string]} */ (["H", t("key_hint")])] : []),
    ["L", t("key_log")],
    ["M", t("key_mute")],
    ["?", t("key_help")],
    ["Esc", t("key_close")],
  ];
  return html`<${Sheet} title=${t("keys")} close=${close}>
    <dl class="keys">
      ${keys.map(([key, about]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${about}</dd></div>`)}
    </dl>
  </${Sheet}>`;
}

/**
 * The variants in force and the clock, each with a sentence about it.
 * @param {{table: Table, close: () => void}} props
 */
export function Variants({ table, close }) {
  return html`<${Sheet} title=${t("in_force")} close=${close}>
    <dl class="in-force-list">
      ${inForce(table).map(({ name, about }) => html`<div key=${name}><dt>${name}</dt><dd>${about}</dd></div>`)}
    </dl>
  </${Sheet}>`;
}
