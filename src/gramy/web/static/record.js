// The replay of a match that the user saved as a file. The browser keeps the file, so that a reload shows it again.
import { html } from "./vendor/preact.js";
import { NoticePage } from "./page/notice.js";
import { ReplayPage } from "./replay.js";
import { request } from "./request.js";
import { navigate } from "./route.js";
import { load, save } from "./storage.js";
import { t } from "./text.js";

/**
 * @param {string} record
 * @param {string | number} viewer a seat
 * @returns {Promise<Replay>}
 */
const replayOf = (record, viewer) => request(`/api/replay?seat=${encodeURIComponent(viewer)}`, { record });

/**
 * Show the match in a file; throws a RequestError if it is not a record.
 * @param {File} file
 */
export async function openRecord(file) {
  const record = await file.text();
  await replayOf(record, 0);
  save("record", record);
  navigate("/record");
}

/** @param {{query: URLSearchParams}} props */
export function Page({ query }) {
  const record = load("record", "");
  if (!record) return html`<${NoticePage} title=${t("replay_missing")} about=${t("record_missing")} />`;
  return html`<${ReplayPage} seat=${query.get("seat") ?? ""} path="/record" match=${null}
    replayFor=${(/** @type {string | number} */ viewer) => replayOf(record, viewer)} />`;
}
