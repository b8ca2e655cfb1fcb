/** Findings by severity, and their numbers in words. Joined findings count once. */

import { countWords, joinEqual, type JoinedFindings } from "./equal-findings.ts";
import { NO_PROBLEMS, SEVERITIES, type Severity, type ShownFinding } from "./findings.ts";

/** The findings of one severity. */
export interface SeveritySection {
  readonly severity: Severity;
  readonly title: string;
  /** What the severity means for the file. */
  readonly meaning: string;
  readonly groups: readonly JoinedFindings[];
}

/** The sections of joined findings, the most severe first, without empty ones. A section is in file order. */
export function severitySections(groups: readonly JoinedFindings[]): SeveritySection[] {
  return SEVERITIES.map(({ severity, word, words, meaning }) => {
    const own = groups.filter(({ first }) => first.severity === severity);
    return { severity, title: countWords(own, word, words), meaning, groups: own };
  }).filter((section) => section.groups.length > 0);
}

/** The number of findings of each severity, in words: "2 errors in 122 places, 1 note". */
export function findingCounts(findings: readonly ShownFinding[]): string {
  const sections = severitySections(joinEqual(findings));
  return sections.length === 0 ? NO_PROBLEMS : sections.map(({ title }) => title).join(", ");
}

/** The severities that the badge counts, with the number of findings of each. Notes are not problems. */
export function problemCounts(findings: readonly ShownFinding[]): { severity: Severity; count: number }[] {
  return severitySections(joinEqual(findings))
    .filter(({ severity }) => severity !== "info")
    .map(({ severity, groups }) => ({ severity, count: groups.length }));
}
