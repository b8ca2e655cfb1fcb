import type { Finding } from "gguf-wasm";
import { html } from "lit";
import { icons } from "../ui/icons.ts";
import { formatInteger } from "../ui/numbers.ts";
import { findingCounts, highestSeverity, type Severity } from "./findings.ts";

export function severityIcon(severity: Severity) {
  return severity === "error" ? icons.error : severity === "warning" ? icons.warning : icons.info;
}

/** The number of findings, in the colour of the most severe one. */
export function findingsBadge(findings: readonly Finding[]) {
  const severity = highestSeverity(findings);
  const words = findingCounts(findings);
  if (severity === undefined) return html`<span class="sr" title=${words}>: ${words}</span>`;
  return html`<span class="badge ${severity}" title=${words}
    >${severityIcon(severity)}<span aria-hidden="true">${formatInteger(findings.length)}</span
    ><span class="sr">: ${words}</span></span
  >`;
}
