/** The errors and warnings of a file that is about to be saved, in the words of the Checks panel. */

import { html, nothing } from "lit";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { joinEqual, type JoinedFindings } from "./equal-findings.ts";
import { type ChecksResult, runningWords, type ShownFinding } from "./findings.ts";
import { severityIcon } from "./findings-badge.ts";
import { severitySections } from "./severity-sections.ts";

/** The findings of a severity that are listed. The panel has all. */
const MOST_LINES = 8;

/** What the checks say of the file. */
export interface CheckedPlan {
  readonly checks: ChecksResult | undefined;
  /** The findings of the plan, which count while the checks run. */
  readonly planned: readonly ShownFinding[];
}

/** The errors and the warnings with what they mean, and whether checks still run. */
export function renderProblems({ checks, planned }: CheckedPlan) {
  const running = checks === undefined ? "all" : checks.running;
  const findings = running === "all" ? planned : (checks?.findings ?? planned);
  const sections = severitySections(joinEqual(findings)).filter(({ severity }) => severity !== "info");
  return html`${sections.map(
    ({ severity, title, meaning, groups }) =>
      html`<div class="notice ${severity}">
        ${severityIcon(severity)}
        <div>
          <strong>${title}</strong>
          <p>${meaning}</p>
          <ul>
            ${groups.slice(0, MOST_LINES).map((group) => html`<li>${renderText(line(group), { limit: 400 })}</li>`)}
            ${
              groups.length > MOST_LINES
                ? html`<li>and ${formatCount(groups.length - MOST_LINES, "more", "more")}: see the panel Checks</li>`
                : nothing
            }
          </ul>
        </div>
      </div>`,
  )}
  ${running === undefined ? nothing : html`<p class="hint" role="status">${runningWords(running)}</p>`}`;
}

function line({ name, sentence }: JoinedFindings): string {
  return name === undefined ? sentence : `${name}: ${sentence}`;
}
