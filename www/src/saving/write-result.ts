import { html, nothing } from "lit";
import { errorText } from "../gguf/error-texts.ts";
import { saveFailureOf } from "../gguf/failure.ts";
import { icons } from "../ui/icons.ts";
import type { LongTask } from "../ui/long-task.ts";
import { renderText } from "../ui/render-text.ts";
import { compareWritten, openWritten, type Written, type WrittenFile } from "./written-files.ts";

interface ResultOptions {
  /** What was written before it failed or was cancelled. */
  readonly kept?: string;
  /** Whether the new files are another form of the open model, so that they can be compared with it. */
  readonly isComparable?: boolean;
}

/** The result of writing files: a sentence and an offer to open them, or why it failed. */
export function renderWriteResult(
  { state }: LongTask<string> | LongTask<Written>,
  { kept = "No file was written.", isComparable = false }: ResultOptions = {},
) {
  if (state.name === "done") {
    const { text, files } = typeof state.value === "string" ? { text: state.value, files: [] } : state.value;
    return html`<div class="notice good">
      ${icons.check}
      <div>${renderText(text, { limit: 600 })} ${files.length === 0 ? nothing : renderOffer(files, isComparable)}</div>
    </div>`;
  }
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

function renderOffer(files: readonly WrittenFile[], isComparable: boolean) {
  const button = (title: string, ask: typeof openWritten) =>
    html`<button type="button" class="small" @click=${(event: Event) => ask(event.currentTarget as HTMLElement, files)}>
      ${title}
    </button>`;
  return html`${button(files.length === 1 ? "Open the new file" : "Open the new files", openWritten)}
  ${isComparable ? button("Compare with the original", compareWritten) : nothing}`;
}
