// The settings and what is stored about the user, in one sheet.
import { html } from "../vendor/preact.js";
import { Settings } from "../page/settings.js";
import { Sheet } from "../page/sheet.js";
import { t } from "../text.js";
import { Privacy } from "./privacy.js";
import { loadStyles } from "../ui/styles.js";

await loadStyles("../style/lobby-forms.css", import.meta.url);

/** @param {{close: () => void}} props */
export function SettingsSheet({ close }) {
  return html`<${Sheet} title=${t("settings")} close=${close}>
    <${Settings} />
    <${Privacy} />
  </${Sheet}>`;
}
