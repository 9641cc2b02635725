// A link to copy or to share.
import { html, useEffect, useId, useRef, useState } from "../vendor/preact.js";
import { announce } from "../announce.js";
import { request } from "../request.js";
import { t } from "../text.js";
import { Icon } from "./icon.js";

/** Addresses that only work on the same machine. */
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
/** How long the button says that the link was copied, in milliseconds. */
const COPIED_TIME = 2000;

/**
 * Copy the text of a field; return whether that worked. Browsers offer `navigator.clipboard` only over https. On plain
 * http the old command copies what is selected.
 * @param {HTMLInputElement} field
 */
async function copyFrom(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

/**
 * Return the address of a page that others can open, and whether only this computer can. A user at the server's own
 * machine has a page from localhost; then the server knows its address in the network.
 * @param {string} path
 */
export function useAddress(path) {
  const local = LOCAL.includes(location.hostname);
  const [found, setFound] = useState({ address: location.origin, only_here: false });
  useEffect(() => {
    if (!local) return;
    request("/api/address").then(setFound, () => {});
  }, []);
  return { url: found.address + path, onlyHere: local && found.only_here };
}

/**
 * @param {object} props
 * @param {string} props.label
 * @param {string} [props.about]
 * @param {string} props.url
 * @param {string} props.title
 */
export function LinkField({ label, about, url, title }) {
  const [state, setState] = useState(/** @type {"" | "copied" | "selected"} */ (""));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (state !== "copied") return undefined;
    const timer = setTimeout(() => setState(""), COPIED_TIME);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => setState(""), [url]);
  /** @param {Event} event */
  const copy = async (event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    if (!field.current) return;
    if (!(await copyFrom(field.current))) {
      setState("selected"); // the text stays selected
      return;
    }
    button.focus();
    setState("copied");
    announce(t("copied"));
  };
  const copied = state === "copied";
  return html`<div class="link-field">
    <label class="label" for=${id}>${label}</label>
    ${about && html`<p class="quiet">${about}</p>`}
    <div class="link-row">
      <input id=${id} ref=${field} class="input" readonly value=${url}
        onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
      <button type="button" class=${`button${"share" in navigator ? "" : " primary"}`} onClick=${copy}>
        <${Icon} name=${copied ? "check" : "copy"} /> ${t(copied ? "copied" : "copy")}
      </button>
      ${
        "share" in navigator &&
        html`<button type="button" class="button primary share" onClick=${() =>
          navigator.share({ title, url }).catch(() => {})}>
          <${Icon} name="share" /> ${t("share")}
        </button>`
      }
    </div>
    <p class="quiet link-state" role="status">${state === "selected" && t("copy_selected")}</p>
  </div>`;
}

/**
 * A link to a page, with the address by which others reach this server.
 * @param {{label: string, about?: string, path: string, title: string}} props
 */
export function PageLink({ label, about, path, title }) {
  const { url, onlyHere } = useAddress(path);
  return html`<${LinkField} label=${label} about=${onlyHere ? t("invite_here") : about} url=${url} title=${title} />`;
}
