/** One row of the list of findings: a finding, or findings about the same tensor of several blocks. */

import { html, nothing } from "lit";
import { rowLink } from "../ui/documentation.ts";
import { formatCount, formatHex, formatId, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { escapeText } from "../ui/text.ts";
import { joinedFix, type JoinedFindings } from "./equal-findings.ts";
import { findingTarget, severityLabel, type ShownFinding } from "./findings.ts";
import { severityIcon } from "./findings-badge.ts";

/** The places of joined findings that are listed at first. */
const FIRST_PLACES = 100;

/** What the list does when a person chooses a button of a row. */
export interface FindingActions {
  /** Whether the file is edited or can be, so that findings can be fixed. */
  readonly canFix: boolean;
  readonly fix: (finding: Pick<ShownFinding, "fix">) => void;
  readonly showRow: (finding: ShownFinding) => void;
  readonly showPanel: (panel: string) => void;
  /** Whether the places of joined findings are listed: none, the first ones or all. */
  readonly listing: (id: string) => "none" | "some" | "all";
  readonly list: (id: string, listing: "none" | "some" | "all") => void;
}

/** The row of a finding, or of joined findings. */
export function renderFindings(joined: JoinedFindings, actions: FindingActions) {
  const { first, findings, name, sentence } = joined;
  const isOne = findings.length === 1;
  return html`<li>
    ${severityIcon(first.severity)}
    <div>
      ${
        name === undefined && first.shard === undefined
          ? nothing
          : html`<p class="subject">
              ${first.shard === undefined ? nothing : html`<span class="shard">Shard ${formatId(first.shard)}</span>`}${name === undefined ? nothing : renderText(name, { limit: 300 })}
            </p>`
      }
      <p class="message">
        <span class="sr">${severityLabel(first.severity)}: </span>${renderText(sentence, { limit: 900 })}
      </p>
      <p class="code">
        ${rowLink("checks", first.code, first.code) ?? first.code}${!isOne || first.offset === undefined ? nothing : ` · at ${formatHex(first.offset)}`}
      </p>
      ${isOne ? nothing : renderPlaces(joined, actions)}
    </div>
    ${renderActions(joined, actions)}
  </li>`;
}

/** The buttons of a row, if it has any. */
function renderActions(joined: JoinedFindings, actions: FindingActions) {
  const { first, findings } = joined;
  const buttons =
    findings.length === 1
      ? [renderFix(first.fix, actions), renderShow(first, actions)]
      : [renderFix(joinedFix(joined), actions)];
  return buttons.every((button) => button === nothing) ? nothing : html`<div class="actions">${buttons}</div>`;
}

/** The findings that are joined, each with its buttons. */
function renderPlaces({ id, findings }: JoinedFindings, actions: FindingActions) {
  const listing = actions.listing(id);
  const isOpen = listing !== "none";
  const shown = listing === "all" ? findings : findings.slice(0, FIRST_PLACES);
  return html`<button
      type="button"
      class="quiet places"
      aria-expanded=${isOpen}
      @click=${() => actions.list(id, isOpen ? "none" : "some")}
    >
      ${isOpen ? "Hide" : "Show"} ${formatCount(findings.length, "place")}
    </button>
    ${
      isOpen
        ? html`<ul class="members">
              ${shown.map(
                (finding) =>
                  html`<li>
                    <div>
                      <p class="subject">${renderText(finding.tensor ?? "", { limit: 200 })}</p>
                      ${finding.offset === undefined ? nothing : html`<p class="code">at ${formatHex(finding.offset)}</p>`}
                    </div>
                    <div class="actions">${renderFix(finding.fix, actions)} ${renderShow(finding, actions)}</div>
                  </li>`,
              )}
            </ul>
            ${
              shown.length < findings.length
                ? html`<button type="button" class="quiet more" @click=${() => actions.list(id, "all")}>
                    Show ${formatInteger(findings.length - shown.length)} more
                  </button>`
                : nothing
            }`
        : nothing
    }`;
}

function renderFix(fix: ShownFinding["fix"], { canFix, fix: make }: FindingActions) {
  if (fix === undefined || !canFix) return nothing;
  return html`<button type="button" class="fix" @click=${() => make({ fix })}>
    <span class="sr">Fix: </span>${renderText(fix.title, { limit: 120 })}
  </button>`;
}

/** The button that shows what a finding is about: its entry, its tensor or its panel. */
function renderShow(finding: ShownFinding, { showRow, showPanel }: FindingActions) {
  const { panel } = finding;
  if (panel !== undefined)
    return html`<button type="button" @click=${() => showPanel(panel)}>Show chat template</button>`;
  const target = findingTarget(finding);
  if (target === undefined) return nothing;
  const words = target.kind === "entry" ? "Show entry" : "Show tensor";
  return html`<button
    type="button"
    aria-label="${words} ${escapeText(target.name, 120)}"
    @click=${() => showRow(finding)}
  >
    ${words}
  </button>`;
}
