import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { noticeStyles, panelBoxStyles } from "../ui/panel-styles.ts";
import "../ui/scroll-row.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { taskStyles } from "../ui/task-progress.ts";
import { type ChecksTask, renderChecksProgress } from "./checks-progress.ts";
import { renderScope } from "./checks-scope.ts";
import { type ChecksState, type FilterChoice, filterChoices, filterFindings, toggled } from "./checks-state.ts";
import { checksStyles } from "./checks-styles.ts";
import { joinEqual } from "./equal-findings.ts";
import { type FindingActions, renderFindings } from "./finding-item.ts";
import { severityIcon } from "./findings-badge.ts";
import {
  type ChecksResult,
  findingTarget,
  NO_PROBLEMS,
  othersOf,
  runningWords,
  safeFindings,
  type ShownFinding,
} from "./findings.ts";
import { renderLoads } from "./loads-notice.ts";
import { renderPrograms } from "./programs-notice.ts";
import { type SeveritySection, severitySections } from "./severity-sections.ts";

/** The findings of one severity that are listed at first. A broken file may have one finding for each tensor. */
const FIRST_FINDINGS = 100;

/** The findings of the checks: what is wrong or unusual, and where. */
export class GgufChecks extends LitElement {
  /** Undefined until the checks have run. */
  @property({ attribute: false }) findings: readonly ShownFinding[] | undefined;
  /** Whether llama.cpp loads the model. Undefined until the checks have run. */
  @property({ attribute: false }) loads: ChecksResult["loads"] | undefined;
  /** Which programs load the model. */
  @property({ attribute: false }) programs: ChecksResult["programs"];
  /** The sentence about a chat template that llama.cpp refuses. */
  @property({ attribute: false }) refusedTemplate: string | undefined;
  /** What of the checks still runs. Undefined: nothing. */
  @property({ attribute: false }) running: ChecksResult["running"];
  /** The checks while they run or after they were stopped. Undefined if they take a moment only. */
  @property({ attribute: false }) task: ChecksTask | undefined;
  /** Whether the findings are about the file after editing. */
  @property({ type: Boolean }) edited = false;
  /** Whether the size of the file is known, so that missing tensor data would be found. */
  @property({ type: Boolean }) sized = false;
  /** Whether the chat template was checked. Undefined if there is none. */
  @property({ attribute: false }) templateReviewed: boolean | undefined;
  /** Whether the file is edited or can be, so that findings can be fixed. */
  @property({ type: Boolean }) editable = false;
  /** The filter. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: ChecksState | undefined;
  @state() private filter: ChecksState = {};
  /** The severities of which all findings are listed. */
  @state() private expanded: ReadonlySet<string> = new Set();
  /** Which places of joined findings are listed, by their id. */
  @state() private listings: ReadonlyMap<string, "some" | "all"> = new Map();

  /** Whether an element of the panel had the focus before the update. */
  #hadFocus = false;
  readonly #reporter = new StateReporter<ChecksState>(this, (state) => ({ checks: state }));

  static override styles = [baseStyles, panelBoxStyles, taskStyles, noticeStyles, checksStyles];

  override willUpdate(changed: PropertyValues): void {
    this.#hadFocus = this.hasUpdated && (this.renderRoot as ShadowRoot).activeElement !== null;
    if (!changed.has("panelState")) return;
    const state = this.panelState ?? {};
    if (this.#reporter.adopts(state)) this.filter = state;
  }

  override updated(changed: PropertyValues): void {
    this.#reporter.report(this.filter);
    // The button that stops or starts the checks is gone, so the focus would be lost.
    if (changed.has("task") && this.#hadFocus && (this.renderRoot as ShadowRoot).activeElement === null)
      (this.renderRoot.querySelector("button") ?? this.closest<HTMLElement>("[role=region]"))?.focus();
  }

  override render() {
    const { findings } = this;
    if (findings === undefined) return renderChecksProgress(this.task);
    const about = html`${this.edited ? html`<p class="about">These are the checks of the file after editing.</p>` : nothing}
    ${this.#renderLoads(findings)}`;
    if (findings.length === 0)
      return html`${about} ${this.#renderNone()}
      ${renderScope({ isForOthers: this.#others !== undefined, hasSize: this.sized, hasTemplateReview: this.templateReviewed })}`;
    const sections = severitySections(filterFindings(joinEqual(findings), this.filter));
    return html`${about}${this.#renderFixAll(safeFindings(findings).length)}${this.#renderFilter(findings, sections.length > 0)}
    ${sections.map((section) => this.#renderSection(section))}
    ${
      sections.length === 0
        ? html`<p class="meaning">No finding passes the filter.</p>
            ${this.#renderClear()}`
        : nothing
    }`;
  }

  /** That nothing was found. It is good news only of a file that some program loads. */
  #renderNone() {
    const { loads, running } = this;
    if (running !== undefined) return html`<p class="none">${icons.info}${runningWords(running)}</p>`;
    const isLoaded = this.#others !== undefined || loads?.answer !== "no";
    return html`<p class="none ${isLoaded ? "" : "open"}">${isLoaded ? icons.check : icons.info}${NO_PROBLEMS}</p>`;
  }

  /** The programs that the file is for, if llama.cpp is none of them. */
  get #others() {
    const { loads, programs } = this;
    return loads && othersOf({ loads, programs });
  }

  /** The notice about the programs that load the file. */
  #renderLoads(findings: readonly ShownFinding[]) {
    const { loads, programs, refusedTemplate, running } = this;
    if (!loads) return nothing;
    const others = this.#others;
    return programs && others
      ? renderPrograms(programs, others, loads)
      : renderLoads(loads, findings, { refusedTemplate, running });
  }

  /** The button that makes all fixes that need no decision. */
  #renderFixAll(count: number) {
    if (!this.editable || count === 0) return nothing;
    return html`<div class="all">
      <button type="button" class="primary" aria-describedby="fix-all" @click=${() => this.#fix(undefined)}>
        Fix all safe (${formatInteger(count)})
      </button>
      <span id="fix-all" class="meaning"
        >${this.edited ? nothing : "Begins to edit the file. "}Safe fixes need no decision. They can be undone, and
        nothing is saved yet.</span
      >
    </div>`;
  }

  #renderClear() {
    return html`<button type="button" class="quiet clear" @click=${this.#clearFilter}>Clear filter</button>`;
  }

  /**
   * The buttons that choose severities and subjects. Without a choice, all findings are shown. The row may end beyond the window, so the button
   * that clears the filter is below it if the list is empty.
   */
  #renderFilter(findings: readonly ShownFinding[], clears: boolean) {
    const { severities, subjects } = filterChoices(joinEqual(findings), this.filter);
    if (severities.length === 0 && subjects.length === 0) return nothing;
    const isFiltered = this.filter.severities !== undefined || this.filter.subjects !== undefined;
    const button = <Name extends string>({ title, count, isChosen }: FilterChoice<Name>, choose: () => void) =>
      html`<button type="button" aria-pressed=${isChosen} @click=${choose}>
        ${title}<span class="many">${formatInteger(count)}</span>
      </button>`;
    return html`<gguf-scroll-row
      ><div class="filter">
        ${
          severities.length === 0
            ? nothing
            : html`<div role="group" aria-label="Filter by severity">
                ${severities.map((choice) =>
                  button(choice, () => this.#choose({ severities: toggled(this.filter.severities, choice.name) })),
                )}
              </div>`
        }
        ${
          subjects.length === 0
            ? nothing
            : html`<div role="group" aria-label="Filter by subject">
                ${subjects.map((choice) =>
                  button(choice, () => this.#choose({ subjects: toggled(this.filter.subjects, choice.name) })),
                )}
              </div>`
        }
        ${isFiltered && clears ? this.#renderClear() : nothing}
      </div></gguf-scroll-row
    >`;
  }

  #renderSection({ severity, title, meaning, groups }: SeveritySection) {
    const shown = this.expanded.has(severity) ? groups : groups.slice(0, FIRST_FINDINGS);
    return html`<section class=${severity} aria-labelledby="title-${severity}">
      <h3 id="title-${severity}">${severityIcon(severity)}${title}</h3>
      <p class="meaning">${meaning}</p>
      <ul>
        ${shown.map((joined) => renderFindings(joined, this.#actions))}
      </ul>
      ${
        shown.length < groups.length
          ? html`<button type="button" class="quiet more" @click=${() => this.#showAll(severity)}>
              Show ${formatInteger(groups.length - shown.length)} more
            </button>`
          : nothing
      }
    </section>`;
  }

  get #actions(): FindingActions {
    return {
      canFix: this.editable,
      fix: (finding) => this.#fix(finding),
      showRow: (finding) => this.#showRow(finding),
      showPanel: (panel) => this.#send("gguf-show-panel", panel),
      listing: (id) => this.listings.get(id) ?? "none",
      list: (id, listing) => {
        const listings = new Map(this.listings);
        if (listing === "none") listings.delete(id);
        else listings.set(id, listing);
        this.listings = listings;
      },
    };
  }

  #showAll(severity: string): void {
    this.expanded = new Set(this.expanded).add(severity);
  }

  #choose(choice: { [Member in keyof ChecksState]: ChecksState[Member] | undefined }): void {
    const { severities, subjects } = { ...this.filter, ...choice };
    this.filter = { ...(severities && { severities }), ...(subjects && { subjects }) };
    const all = joinEqual(this.findings ?? []);
    const { length } = filterFindings(all, this.filter);
    announce(this, `${formatInteger(length)} of ${formatCount(all.length, "finding")} shown`);
  }

  readonly #clearFilter = () => {
    this.#choose({ severities: undefined, subjects: undefined });
    // The button is gone, so the focus would be lost.
    this.renderRoot.querySelector<HTMLElement>(".filter button")?.focus();
  };

  /** Asks the viewer to make the fix of a finding, or all fixes that need no decision. */
  #fix(finding: Pick<ShownFinding, "fix"> | undefined): void {
    this.#send("gguf-fix", finding);
  }

  #showRow(finding: ShownFinding): void {
    const target = findingTarget(finding);
    if (!target) return;
    const { name, index } = target;
    this.#send("gguf-show-row", target.kind === "entry" ? { key: name, index } : { tensor: name, index });
  }

  #send(event: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true }));
  }
}

define("gguf-checks", GgufChecks);
