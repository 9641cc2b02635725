// A modal sheet: at the bottom on a phone, in the middle on a desktop. <dialog> keeps the focus inside, closes on
// Escape and gives the focus back. Back closes it too.
import { html, useId, useLayoutEffect, useRef } from "../vendor/preact.js";
import { useLayer } from "../route.js";
import { t } from "../text.js";
import { Icon } from "./icon.js";
import { useMore } from "./more.js";

/** @param {{title: string, close: () => void, kind?: string, children?: any}} props */
export function Sheet({ title, close, kind = "", children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const label = useId();
  const inside = useRef(/** @type {HTMLElement | null} */ (null));
  useLayer(close);
  useMore(inside);
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  /**
   * A click beside the sheet closes it: only there the dialog itself is the target.
   * @param {MouseEvent} event
   */
  const closeOutside = (event) => event.target === box.current && close();
  /** @param {Event} event */
  const cancel = (event) => {
    event.preventDefault();
    close();
  };
  return html`<dialog ref=${box} class=${`sheet ${kind}`} aria-labelledby=${label} onCancel=${cancel}
    onClick=${closeOutside}>
    <div class="sheet-inside" ref=${inside}>
      <div class="sheet-head">
        <h2 id=${label} tabIndex=${-1} autofocus>${title}</h2>
        <button type="button" class="tool bare" aria-label=${t("close")} onClick=${close}>
          <${Icon} name="close" />
        </button>
      </div>
      ${children}
    </div>
  </dialog>`;
}
