/** Whether llama.cpp loads the model: the first sentence of the panel. */

import { REFUSED } from "gguf-wasm/common/template-problem.js";
import { html, nothing } from "lit";
import { icons } from "../ui/icons.ts";
import { renderText } from "../ui/render-text.ts";
import { type ChecksResult, runningWords, type ShownFinding } from "./findings.ts";
import { severityIcon } from "./findings-badge.ts";
import { loadsSentence } from "./loads-sentence.ts";

/**
 * `findings` are listed below the notice. `refusedTemplate` says that llama.cpp refuses a chat template. While checks run, the sentence is no
 * verdict yet.
 */
export function renderLoads(
  loads: ChecksResult["loads"],
  findings: readonly ShownFinding[],
  { refusedTemplate, running }: Pick<ChecksResult, "refusedTemplate" | "running">,
) {
  const { answer, reason, rules } = loads;
  // For a file that is no model, or one of several shards, nothing is wrong: the reason is a note.
  const isUsable = answer === "yes" && refusedTemplate === undefined && running === undefined;
  const isStopped = answer === "yes" && refusedTemplate !== undefined;
  const severity = refusedTemplate === undefined ? (reason?.severity ?? "info") : "error";
  const style = isUsable ? "good" : { error: "bad", warning: "warning", info: "" }[severity];
  return html`<div class="notice loads ${style}">
    ${isUsable ? icons.check : severityIcon(severity)}
    <div>
      <p>${renderText(isStopped ? REFUSED : loadsSentence(loads, findings), { limit: 1200 })}</p>
      ${refusedTemplate === undefined ? nothing : html`<p>${renderText(refusedTemplate, { limit: 1200 })}</p>`}
      ${running === undefined ? nothing : html`<p role="status">${runningWords(running)}</p>`}
      <p class="rules">By the rules of ${rules}. Tensor values are not checked.</p>
    </div>
  </div>`;
}
