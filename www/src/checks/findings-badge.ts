import { html } from "lit";
import { icons } from "../ui/icons.ts";
import { formatInteger } from "../ui/numbers.ts";
import type { Severity, ShownFinding } from "./findings.ts";
import { findingCounts, problemCounts } from "./severity-sections.ts";

export function severityIcon(severity: Severity) {
  return severity === "error" ? icons.error : severity === "warning" ? icons.warning : icons.info;
}

/** The numbers of errors and of warnings. */
export function findingsBadge(findings: readonly ShownFinding[]) {
  return problemsBadge(problemCounts(findings), findingCounts(findings));
}

/** Numbers of problems, with the words for screen readers. */
export function problemsBadge(counts: readonly { severity: Severity; count: number }[], words: string) {
  return html`${counts.map(
      ({ severity, count }) =>
        html`<span class="badge ${severity}" title=${words}
          >${severityIcon(severity)}<span aria-hidden="true">${formatInteger(count)}</span></span
        >`,
    )}<span class="sr">: ${words}</span>`;
}
