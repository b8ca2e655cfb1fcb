import { css, html, LitElement, nothing } from "lit";
import {
  CHECKED,
  findingTarget,
  type FindingGroup,
  groupFindings,
  NO_PROBLEMS,
  NOT_CHECKED,
  safeFindings,
  severityLabel,
  type ShownFinding,
} from "./findings.ts";
import { formatHex, formatId, formatInteger } from "../ui/numbers.ts";
import { escapeText } from "../ui/text.ts";
import { renderText } from "../ui/render-text.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import { severityIcon } from "./findings-badge.ts";
import { define } from "../ui/define.ts";

/** The findings of one severity that are listed at first. A broken file may have one finding for each tensor. */
const FIRST_FINDINGS = 100;

/** The findings of the checks: what is wrong or unusual, and where. */
export class GgufChecks extends LitElement {
  static override properties = {
    findings: { attribute: false },
    edited: { type: Boolean },
    sized: { type: Boolean },
    editable: { type: Boolean },
    expanded: { state: true },
  };

  /** Undefined until the checks have run. */
  declare findings: readonly ShownFinding[] | undefined;
  /** Whether the findings are about the file after editing. */
  declare edited: boolean;
  /** Whether the size of the file is known, so that missing tensor data would be found. */
  declare sized: boolean;
  /** Whether the file is edited or can be, so that findings can be fixed. */
  declare editable: boolean;
  declare private expanded: ReadonlySet<string>;

  constructor() {
    super();
    this.findings = undefined;
    this.edited = false;
    this.sized = false;
    this.editable = false;
    this.expanded = new Set();
  }

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        padding: 16px;
        overflow: auto;
      }
      section + section {
        margin-top: 22px;
      }
      h3 {
        display: flex;
        align-items: center;
        gap: 8px;
        font-size: 14px;
        font-weight: 650;
      }
      .error {
        --tint: var(--gguf-danger);
      }
      .warning {
        --tint: var(--gguf-warning);
      }
      .info {
        --tint: var(--gguf-ink-2);
      }
      h3 svg,
      li > svg {
        color: var(--tint);
      }
      .meaning,
      .about {
        color: var(--gguf-ink-2);
        font-size: 12.5px;
      }
      .about {
        margin-bottom: 16px;
      }
      ul {
        margin-top: 8px;
        border: 1px solid var(--gguf-line);
        border-radius: var(--gguf-radius);
      }
      li {
        display: grid;
        grid-template-columns: 16px minmax(0, 1fr) auto;
        align-items: start;
        gap: 2px 10px;
        padding: 10px 12px;
        font-size: 13px;
      }
      li + li {
        border-top: 1px solid var(--gguf-line);
      }
      li > svg {
        margin-top: 2px;
      }
      .all {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 12px;
        margin-bottom: 16px;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 6px;
      }
      .actions .fix {
        height: auto;
        white-space: normal;
        text-align: start;
      }
      :host {
        container: checks / inline-size;
      }
      @container checks (max-width: 640px) {
        li {
          grid-template-columns: 16px minmax(0, 1fr);
        }
        .actions {
          grid-column: 2;
          justify-content: flex-start;
          margin-top: 4px;
        }
      }
      .message {
        overflow-wrap: anywhere;
      }
      .subject {
        font: 500 12.5px/1.5 var(--gguf-mono);
      }
      .subject::after {
        content: ":";
      }
      .shard {
        margin-inline-end: 6px;
        padding: 1px 6px;
        border: 1px solid var(--gguf-line-strong);
        border-radius: 4px;
        color: var(--gguf-ink-2);
        font-size: 11.5px;
        white-space: nowrap;
      }
      .code {
        color: var(--gguf-ink-2);
        font: 11.5px/1.6 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      li button {
        min-height: 28px;
        padding: 0 9px;
        font-size: 12px;
      }
      .more {
        margin-top: 8px;
      }
      .none {
        display: flex;
        align-items: center;
        gap: 10px;
        font-size: 15px;
        font-weight: 600;
      }
      .scope {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 280px), 1fr));
        gap: 16px;
        margin-top: 16px;
      }
      .scope section {
        margin: 0;
      }
      .scope li {
        display: block;
      }
      .none svg {
        color: var(--gguf-accent);
      }
    `,
  ];

  override render() {
    const { findings } = this;
    const about = this.edited ? html`<p class="about">These are the checks of the file after editing.</p>` : nothing;
    if (findings === undefined) return html`<p class="about">Checking…</p>`;
    if (findings.length === 0)
      return html`${about}
        <p class="none">${icons.check}${NO_PROBLEMS}</p>
        <p class="meaning">Tensor values are not checked.</p>
        ${this.#renderScope()}`;
    return html`${about}${this.#renderFixAll(safeFindings(findings).length)}${groupFindings(findings).map((group) => this.#renderGroup(group))}`;
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

  /** Lists what was checked and what was not, so that an empty list of findings is not read as a promise that the model works. */
  #renderScope() {
    const checked = this.sized ? [...CHECKED, "The file is long enough for the data of every tensor."] : CHECKED;
    const unchecked = this.sized ? NOT_CHECKED : [...NOT_CHECKED, "Whether the file holds the data of every tensor."];
    return html`<div class="scope">
      <section aria-labelledby="checked">
        <h3 id="checked">Checked</h3>
        <ul>
          ${checked.map((line) => html`<li>${line}</li>`)}
        </ul>
      </section>
      <section aria-labelledby="unchecked">
        <h3 id="unchecked">Not checked</h3>
        <ul>
          ${unchecked.map((line) => html`<li>${line}</li>`)}
        </ul>
      </section>
    </div>`;
  }

  #renderGroup({ severity, title, meaning, findings }: FindingGroup) {
    const shown = this.expanded.has(severity) ? findings : findings.slice(0, FIRST_FINDINGS);
    const icon = severityIcon(severity);
    return html`<section class=${severity} aria-labelledby="title-${severity}">
      <h3 id="title-${severity}">${icon}${title}</h3>
      <p class="meaning">${meaning}</p>
      <ul>
        ${shown.map((finding) => this.#renderFinding(finding))}
      </ul>
      ${
        shown.length < findings.length
          ? html`<button type="button" class="quiet more" @click=${() => this.#showAll(severity)}>
              Show ${formatInteger(findings.length - shown.length)} more
            </button>`
          : nothing
      }
    </section>`;
  }

  #renderFinding(finding: ShownFinding) {
    const target = findingTarget(finding);
    const word = severityLabel(finding.severity);
    return html`<li>
      ${severityIcon(finding.severity)}
      <div>
        <p class="message">
          <span class="sr">${word}: </span
          >${finding.shard === undefined ? nothing : html`<span class="shard">Shard ${formatId(finding.shard)}</span>`}${target === undefined ? nothing : html`<span class="subject">${renderText(target.name, { limit: 200 })}</span>`}
          ${renderText(finding.message, { limit: 600 })}
        </p>
        <p class="code">
          ${finding.code}${finding.offset === undefined ? nothing : ` · at ${formatHex(finding.offset)}`}
        </p>
      </div>
      <div class="actions">
        ${
          finding.fix === undefined || !this.editable
            ? nothing
            : html`<button type="button" class="fix" @click=${() => this.#fix(finding)}>
                <span class="sr">Fix: </span>${renderText(finding.fix.title, { limit: 120 })}
              </button>`
        }
        ${
          target === undefined
            ? nothing
            : html`<button
                type="button"
                aria-label="${target.kind === "entry" ? "Show entry" : "Show tensor"} ${escapeText(target.name, 120)}"
                @click=${() => this.#showSubject(finding)}
              >
                ${target.kind === "entry" ? "Show entry" : "Show tensor"}
              </button>`
        }
      </div>
    </li>`;
  }

  #showAll(severity: string): void {
    this.expanded = new Set(this.expanded).add(severity);
  }

  /** Asks the viewer to make the fix of a finding, or all fixes that need no decision. */
  #fix(finding: ShownFinding | undefined): void {
    this.dispatchEvent(new CustomEvent("gguf-fix", { detail: finding, bubbles: true, composed: true }));
  }

  #showSubject(finding: ShownFinding): void {
    const target = findingTarget(finding);
    if (!target) return;
    const { name, index } = target;
    const detail = target.kind === "entry" ? { key: name, index } : { tensor: name, index };
    this.dispatchEvent(new CustomEvent("gguf-show-row", { detail, bubbles: true, composed: true }));
  }
}

define("gguf-checks", GgufChecks);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-checks": GgufChecks;
  }
}
