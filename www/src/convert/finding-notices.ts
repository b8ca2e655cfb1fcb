import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import type { FindingGroup } from "./refusals.ts";

/** The messages of a group that are listed. */
const MOST_MESSAGES = 20;

/** A notice for what speaks against a conversion, or is worth knowing. */
export function renderFindings({ severity, title, next, messages }: FindingGroup) {
  const listed = messages.slice(0, MOST_MESSAGES);
  const rest = messages.length - listed.length;
  const isError = severity === "error";
  return html`<div class="notice ${isError ? "bad" : severity}">
    ${isError ? icons.error : severity === "warning" ? icons.warning : icons.info}
    <div>
      <p><strong>${title}.</strong></p>
      ${renderSteps(next)}
      ${
        listed.length === 0
          ? nothing
          : html`<details>
              <summary>Details</summary>
              <ul>
                ${listed.map((message) => html`<li>${renderText(message, { limit: 600 })}</li>`)}
                ${rest > 0 ? html`<li>and ${formatCount(rest, "more", "more")}</li>` : nothing}
              </ul>
            </details>`
      }
    </div>
  </div>`;
}

/** What a person can do. */
export function renderSteps(steps: readonly string[]) {
  return steps.length === 0
    ? nothing
    : html`<ul>
        ${steps.map((step) => html`<li>${step}</li>`)}
      </ul>`;
}
