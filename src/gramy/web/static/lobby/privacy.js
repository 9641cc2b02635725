// What the server stores about a guest, and a button that deletes it.
import { html, useState } from "../vendor/preact.js";
import { clearStorage } from "../storage.js";
import { reasonOf, request } from "../request.js";
import { t, translate } from "../text.js";

export function Privacy() {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const deleteData = () =>
    request("/api/guest", undefined, "DELETE").then(
      () => {
        clearStorage();
        location.assign("/"); // a new document, without anything in memory
      },
      (error) => setProblem(reasonOf(error)),
    );
  return html`<section class="privacy" aria-labelledby="privacy">
    <h3 id="privacy">${t("privacy")}</h3>
    <p class="quiet">${t(asking ? "forget_sure" : "privacy_about")}</p>
    ${problem && html`<p class="problem" role="alert">${translate(problem)}</p>`}
    <div class="privacy-doors">${
      asking
        ? html`<button type="button" class="button" onClick=${() => setAsking(false)}>${t("forget_no")}</button>
          <button type="button" class="button primary" onClick=${deleteData}>${t("forget_yes")}</button>`
        : html`<button type="button" class="button" onClick=${() => setAsking(true)}>${t("forget_me")}</button>`
    }
    </div>
  </section>`;
}
