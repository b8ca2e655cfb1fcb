import { html } from "lit";
import { icons } from "../ui/icons.ts";
import { formatInteger } from "../ui/numbers.ts";
import { type ChecksResult, runningWords, type Severity } from "./findings.ts";
import { findingCounts, problemCounts } from "./severity-sections.ts";

export function severityIcon(severity: Severity) {
  return severity === "error" ? icons.error : severity === "warning" ? icons.warning : icons.info;
}

/** The numbers of errors and of warnings. While checks run, no words say that nothing was found. */
export function findingsBadge({ findings, running }: Pick<ChecksResult, "findings" | "running">) {
  const counts = problemCounts(findings);
  const isOpen = running !== undefined && counts.length === 0;
  return problemsBadge(counts, isOpen ? runningWords(running) : findingCounts(findings));
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
