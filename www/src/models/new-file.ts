/** The new file before it is written: its figures, or why it cannot be made. */

import { html, nothing } from "lit";
import { renderSteps } from "../convert/finding-notices.ts";
import { isPassing } from "../convert/resumption.ts";
import { errorText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { icons } from "../ui/icons.ts";
import { formatBytes, formatCount, formatInteger, formatPercent } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { renderMessage } from "./found.ts";
import type { ModelDescription } from "./model-folder.ts";
import type { PlannedFile } from "./planned-file.ts";

/** The name and the figures of the new file. */
export function renderFigures({ planned, quantized, plan, fileName, header }: PlannedFile, { size }: ModelDescription) {
  return html`<p class="new-name">${renderText(fileName, { limit: 200 })}</p>
    <dl class="figures">
      <div>
        <dt>Size</dt>
        <dd title="${formatInteger(plan.size)} bytes">
          ${formatBytes(plan.size)}<span class="before">${formatPercent(plan.size, size)} of ${formatBytes(size)}</span>
        </dd>
      </div>
      <div>
        <dt>Type</dt>
        <dd>${quantized?.type ?? planned.type.toUpperCase()}</dd>
      </div>
      <div>
        <dt>Tensors</dt>
        <dd>
          ${formatInteger(planned.tensors.length)}${planned.droppedTensors.length === 0 ? nothing : html`<span class="before">${formatInteger(planned.droppedTensors.length)} left out</span>`}
        </dd>
      </div>
      <div>
        <dt>Metadata</dt>
        <dd>
          ${formatCount(header.entries.length, "entry", "entries")}${planned.defaultedKeys.length === 0 ? nothing : html`<span class="before">${formatCount(planned.defaultedKeys.length, "default")}</span>`}
        </dd>
      </div>
    </dl>`;
}

/** Why the model has no projector file, beside the model that can be made. */
export function renderProjectorRefusal({ message }: Failure) {
  const [reason, rest] = firstSentence(message);
  return html`<div class="notice warning projector-refusal">
    ${icons.warning}
    <div>
      <p><strong>The projector cannot be made.</strong> ${renderMessage(reason)}</p>
      ${
        rest === ""
          ? nothing
          : html`<details>
              <summary>Details</summary>
              <p>${renderMessage(rest)}</p>
            </details>`
      }
      <p>The model of the text is made without it: it answers to text, but not to images or sound.</p>
    </div>
  </div>`;
}

/** The most characters of a message that is shown whole. */
const LONG_MESSAGE = 300;

/** The first sentence of a long message, and the rest. A short message has no rest. */
function firstSentence(message: string): [first: string, rest: string] {
  const end = message.indexOf(". ");
  if (message.length <= LONG_MESSAGE || end < 0) return [message, ""];
  return [message.slice(0, end + 1), message.slice(end + 2)];
}

/** Why no file can be made of a model that looked complete. */
export function renderRefusal(failure: Failure, again: () => void) {
  const { title, next } = errorText(failure);
  return html`<div class="notice bad" role="alert">
    ${icons.error}
    <div>
      <p><strong>${title}.</strong> ${renderMessage(failure.message)}</p>
      ${renderSteps(next)}
      ${isPassing(failure) ? html`<div class="buttons"><button type="button" @click=${again}>Try again</button></div>` : nothing}
    </div>
  </div>`;
}
