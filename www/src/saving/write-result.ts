import { html, nothing } from "lit";
import { errorText } from "../gguf/error-texts.ts";
import { saveFailureOf } from "../gguf/failure.ts";
import { icons } from "../ui/icons.ts";
import type { LongTask } from "../ui/long-task.ts";
import { renderText } from "../ui/render-text.ts";

/** The result of writing files: a sentence, or why it failed. `kept` says what was written before it failed or was cancelled. */
export function renderWriteResult({ state }: LongTask<string>, kept = "No file was written.") {
  if (state.name === "done")
    return html`<p class="notice good">${icons.check}<span>${renderText(state.value, { limit: 600 })}</span></p>`;
  if (state.name !== "failed") return nothing;
  if (state.isCancelled)
    return html`<p class="notice">
      ${icons.info}<span><strong>Cancelled.</strong> ${kept}</span>
    </p>`;
  const { title, what, next } = errorText(saveFailureOf(state.error));
  return html`<div class="notice bad" role="alert">
    ${icons.error}
    <div>
      <p><strong>${title}.</strong> ${renderText(what, { limit: 600 })} ${kept}</p>
      ${
        next.length === 0
          ? nothing
          : html`<ul>
              ${next.map((step) => html`<li>${step}</li>`)}
            </ul>`
      }
    </div>
  </div>`;
}
