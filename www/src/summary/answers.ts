/**
 * The short answers of the summary, one line each: which programs load the file, whether it is complete, its experts, its checks, its
 * tokenizer and its template.
 */

import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { severityIcon } from "../checks/findings-badge.ts";
import { isRefused, othersOf, runningWords } from "../checks/findings.ts";
import { findingCounts, problemCounts } from "../checks/severity-sections.ts";
import { tokenizerModels } from "../gguf/library.ts";
import type { ShownHeader } from "../gguf/shown-file.ts";
import { flagCounts, flagWords } from "../template/flag-words.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatBinaryBytes, formatBytes, formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { linkButtonStyles } from "../ui/styles/link-button.ts";
import { unbroken } from "../ui/unbroken.ts";
import { architecture, isTruncated } from "./facts.ts";
import type { SummarySubject } from "./subject.ts";

/** What the answers are about. */
interface AnswerSubject extends SummarySubject {
  /** The file after editing. */
  readonly now: ShownHeader;
  /** Whether the file has a panel with this name. */
  readonly hasPanel: (name: string) => boolean;
}

/** The place of an answer that the checks give. */
const CHECKS_RUN = "The checks are running";

interface Answer {
  readonly label: string;
  readonly state: "good" | "bad" | "open";
  readonly text: unknown;
  /** The panel that says more. */
  readonly panel?: string;
  /** The words of the button that leads to the panel. Absent: "Show". */
  readonly action?: string;
}

function text(header: ShownHeader, key: string): string | undefined {
  const value = header.metadata.get(key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(header: ShownHeader, key: string): number | undefined {
  const value = header.metadata.get(key);
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** What the file is, and which programs load it. */
function programsAnswer({ checks, hasPanel }: AnswerSubject): Answer | undefined {
  if (!hasPanel("checks")) return undefined;
  const label = "Programs";
  if (checks === undefined) return { label, state: "open", text: CHECKS_RUN };
  const { programs } = checks;
  return programs && { label, state: "open", text: renderText(programs.sentence, { limit: 600 }) };
}

function fileAnswer({ gguf: stored, shards, checks }: AnswerSubject): Answer {
  const { fileSize, requiredSize } = stored;
  const answer = (state: Answer["state"], words: string) => ({ label: "File", state, text: words });
  if (shards.includes(" of "))
    return { ...answer("bad", `Incomplete: ${shards} shards could be opened`), panel: "shards" };
  if (fileSize === undefined || requiredSize === undefined)
    return answer("open", "Its size is not known, so nobody can say whether it is complete");
  if (isTruncated(stored))
    return answer(
      "bad",
      `Incomplete: ${formatBytes(requiredSize - fileSize)} of ${formatBytes(requiredSize)} are missing`,
    );
  if (checks?.findings.some(({ code }) => code === "truncated"))
    return { ...answer("bad", "Incomplete: data at its end was never written"), panel: "checks" };
  return answer("good", `Complete: ${formatBytes(fileSize)}${shards === "" ? "" : ` in ${shards} shards`}`);
}

function expertsAnswer({ now }: AnswerSubject): Answer | undefined {
  if (now.classification === undefined || now.tensors.length === 0) return undefined;
  const name = architecture(now);
  const count = number(now, `${name}.expert_count`) ?? 0;
  const used = number(now, `${name}.expert_used_count`);
  const label = "Experts";
  if (count === 0)
    return now.classification.kind === "mmproj"
      ? { label, state: "open", text: "None: all parameters are used" }
      : ["model", "embedding", "reranker", "text-diffusion"].includes(now.classification.kind)
        ? { label, state: "open", text: "None: every token uses all parameters" }
        : undefined;
  return {
    label,
    state: "open",
    text: `${formatInteger(count)}${used === undefined ? "" : `, of which each token uses ${formatInteger(used)}`}`,
  };
}

/** The memory of a file that is loaded beside a model. It has no context. */
function besideAnswer({ now }: AnswerSubject): Answer | undefined {
  const kind = now.classification?.kind;
  if (kind !== "mmproj" && kind !== "adapter") return undefined;
  const bytes = now.tensors.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
  return {
    label: "Memory",
    state: "open",
    text: `${formatBinaryBytes(bytes)} beside its model, whatever the context is`,
  };
}

function checksAnswer({ checks, hasPanel }: AnswerSubject): Answer | undefined {
  if (!hasPanel("checks")) return undefined;
  const label = "Checks";
  if (checks === undefined) return { label, state: "open", text: CHECKS_RUN, panel: "checks" };
  const [worst] = problemCounts(checks.findings);
  if (checks.running !== undefined && worst === undefined)
    return { label, state: "open", text: runningWords(checks.running), panel: "checks" };
  const counts = findingCounts(checks.findings);
  const { answer } = checks.loads;
  const isForOthers = othersOf(checks) !== undefined;
  const loaded =
    checks.refusedTemplate === undefined
      ? "llama.cpp loads it"
      : "llama.cpp loads the weights, but refuses the chat template";
  // For a file that stands beside a model, nothing is wrong: the reason is a note.
  const refused = `llama.cpp does not load it${isRefused(checks) ? "" : " as a model of its own"}`;
  // The first answer says which programs load it.
  const loads = isForOthers ? undefined : { yes: loaded, no: refused }[answer as string];
  // That llama.cpp does not load it is no good news, although the header has no problems.
  const isGood = worst === undefined && (isForOthers || answer !== "no");
  return {
    label,
    state: isGood ? "good" : worst === undefined ? "open" : "bad",
    text: html`${renderSeverity(worst)}${
      loads === undefined ? counts : unbroken(`${loads}; ${counts.charAt(0).toLowerCase()}${counts.slice(1)}`)
    }${checks.running === undefined ? nothing : html`. ${runningWords(checks.running)}`}`,
    panel: "checks",
  };
}

/** The icon of the most severe problem, if there is one. */
function renderSeverity(worst: ReturnType<typeof problemCounts>[number] | undefined) {
  return worst === undefined
    ? nothing
    : html`<span class="severity ${worst.severity}">${severityIcon(worst.severity)}</span>`;
}

/** The models of files without a tokenizer. */
const NO_TOKENIZER: ReadonlySet<string> = new Set(["none", "no_vocab"]);

function tokenizerAnswer({ now, hasPanel }: AnswerSubject): Answer | undefined {
  if (!hasPanel("tokenizer")) return undefined;
  const tokens = now.metadata.get("tokenizer.ggml.tokens");
  const model = text(now, "tokenizer.ggml.model");
  const split = text(now, "tokenizer.ggml.pre");
  const isKnown = tokenizerModels().some(({ name }) => name === model);
  return {
    label: "Tokenizer",
    state: "open",
    text: html`${typeof tokens === "object" ? formatCount(tokens.length, "token") : "No tokens"}${
      model === undefined || NO_TOKENIZER.has(model) ? nothing : html`, ${renderText(model, { limit: 60 })}`
    }${split === undefined ? nothing : html`, pre-tokenizer ${renderText(split, { limit: 60 })}`}${
      model !== undefined && !isKnown
        ? ". This model of tokenizer is unknown, perhaps newer than the rules of this page"
        : ""
    }`,
    panel: "tokenizer",
  };
}

function templateAnswer({ review, templates, hasPanel }: AnswerSubject): Answer | undefined {
  if (!hasPanel("template")) return undefined;
  const [label, panel] = ["Chat template", "template"];
  if (templates === 0) return { label, state: "open", text: "None", panel };
  const count = formatCount(templates, "template");
  if (review === undefined) return { label, state: "open", text: count, panel };
  const words = flagWords(review.flags);
  const text = `${count}, ${words === "" ? (review.isComplete ? "no problems found" : "not checked completely") : words}`;
  if (words === "") return { label, state: review.isComplete ? "good" : "open", text, panel };
  const [worst] = flagCounts(review.flags);
  return { label, state: "bad", text: html`${renderSeverity(worst)}${unbroken(text)}`, panel };
}

/** What can be made of the file. The tools have no tab of their own, so that people would look for them in vain. */
function toolAnswer({ hasPanel }: AnswerSubject): Answer | undefined {
  const answer = (words: string, panel: string, action: string) =>
    ({ label: "Convert", state: "open", text: words, panel, action }) as const;
  if (hasPanel("migrate")) return answer("This format is older than GGUF.", "migrate", "Migrate to GGUF");
  return hasPanel("convert")
    ? answer("A file of another type and size can be made.", "convert", "Choose a type")
    : undefined;
}

const ANSWERS = [
  programsAnswer,
  fileAnswer,
  besideAnswer,
  expertsAnswer,
  checksAnswer,
  tokenizerAnswer,
  templateAnswer,
  toolAnswer,
];

/** Whether a fact of a subject differs. The summary makes a new subject whenever it is updated. */
function differs(now: SummarySubject, before: SummarySubject | undefined): boolean {
  return Object.entries(now).some(([name, fact]) => fact !== before?.[name as keyof SummarySubject]);
}

/** The answers that make sense for a file. */
export class GgufAnswers extends LitElement {
  @property({ attribute: false, hasChanged: differs }) subject!: SummarySubject;

  static override styles = [
    baseStyles,
    linkButtonStyles,
    css`
      :host {
        display: block;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(340 * var(--gguf-unit))), 1fr));
        gap: 2px 28px;
        font-size: var(--gguf-text-control);
      }
      div {
        display: flex;
        flex-wrap: wrap;
        gap: 0 10px;
        min-width: 0;
        padding: 3px 0;
      }
      dt {
        flex: 0 0 calc(98 * var(--gguf-unit));
        padding-block: 3px;
        color: var(--gguf-ink-2);
        line-height: calc(18 * var(--gguf-unit));
      }
      dd {
        display: flex;
        flex: 1 1 calc(160 * var(--gguf-unit));
        gap: 6px;
        min-width: 0;
        padding-block: 3px;
        line-height: calc(18 * var(--gguf-unit));
        overflow-wrap: anywhere;
        text-wrap: pretty;
      }
      svg {
        flex: none;
        margin-top: 1px;
        color: var(--gguf-accent);
      }
      .severity svg {
        display: inline-block;
        margin: 0 6px 0 0;
        vertical-align: -3px;
      }
      .severity.error svg {
        color: var(--gguf-danger);
      }
      .severity.warning svg {
        color: var(--gguf-warning);
      }
    `,
  ];

  override render() {
    const { subject } = this;
    const hasPanel = (name: string) => subject.panels?.includes(name) ?? false;
    const all: AnswerSubject = { ...subject, now: subject.edited ?? subject.gguf, hasPanel };
    const answers = ANSWERS.map((answer) => answer(all)).filter((answer) => answer !== undefined);
    return html`<dl>
      ${answers.map(
        ({ label, state, text: words, panel, action = "Show" }) =>
          html`<div>
            <dt>${label}</dt>
            <dd class=${state}>
              ${state === "good" ? icons.check : nothing}<span
                >${typeof words === "string" ? unbroken(words) : words}${
                  panel === undefined || !hasPanel(panel)
                    ? nothing
                    : html` <button
                        type="button"
                        class="link"
                        aria-label=${action === "Show" ? `Show ${label}` : nothing}
                        @click=${() => this.#show(panel)}
                      >
                        ${action}
                      </button>`
                }</span
              >
            </dd>
          </div>`,
      )}
    </dl>`;
  }

  #show(panel: string): void {
    this.dispatchEvent(new CustomEvent("gguf-show-panel", { detail: panel, bubbles: true, composed: true }));
  }
}

define("gguf-answers", GgufAnswers);
