// What is kept of a guest, in a few words, and the way to be forgotten.
import { html, useState } from "../vendor/preact.js";
import { forgetEverything } from "../memory.js";
import { reasonOf, request } from "../request.js";
import { say, t } from "../text.js";

export function Privacy() {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState(/** @type {Message | null} */ (null));
  const leave = () =>
    request("/api/guest", undefined, "DELETE").then(
      () => {
        forgetEverything();
        location.assign("/"); // a new page: nothing that the old one knew is left
      },
      (error) => setProblem(reasonOf(error)),
    );
  return html`<section class="privacy" aria-labelledby="privacy">
    <h3 id="privacy">${t("privacy")}</h3>
    <p class="quiet">${t(asking ? "forget_sure" : "privacy_about")}</p>
    ${problem && html`<p class="problem" role="alert">${say(problem)}</p>`}
    <div class="privacy-doors">${
      asking
        ? html`<button type="button" class="button" onClick=${() => setAsking(false)}>${t("forget_no")}</button>
          <button type="button" class="button primary" onClick=${leave}>${t("forget_yes")}</button>`
        : html`<button type="button" class="button" onClick=${() => setAsking(true)}>${t("forget_me")}</button>`
    }
    </div>
  </section>`;
}
