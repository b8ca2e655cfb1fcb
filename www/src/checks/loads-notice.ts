/** Whether llama.cpp loads the model: the first sentence of the panel. */

import { html } from "lit";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import type { ChecksResult, ShownFinding } from "./findings.ts";
import { severityIcon } from "./findings-badge.ts";
import { loadsSentence } from "./loads-sentence.ts";

/** `findings` are listed below the notice. */
export function renderLoads(loads: ChecksResult["loads"], findings: readonly ShownFinding[]) {
  const { answer, reason, rules } = loads;
  // For a file that is no model, or one of several shards, nothing is wrong: the reason is a note.
  const severity = reason?.severity ?? "info";
  const style = answer === "yes" ? "good" : { error: "bad", warning: "warning", info: "" }[severity];
  return html`<div class="notice loads ${style}">
    ${answer === "yes" ? icons.check : severityIcon(severity)}
    <div>
      <p>${renderText(loadsSentence(loads, findings), { limit: 1200 })}</p>
      <p class="rules">By the rules of ${rules}. Tensor values are not checked.</p>
    </div>
  </div>`;
}
