import type { Gguf } from "gguf-wasm/explain";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { tokenizerOf } from "../worker/file-tokenizer.ts";
import type { EditedFile, ShownEntry } from "../gguf/shown-file.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { tokenizerModels } from "../gguf/library.ts";
import "../gguf/line-diff.ts";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import { MOST_RENDERED } from "./analyse-template.ts";
import "./conversation-fields.ts";
import { renderFlags, renderTests } from "./flag-list.ts";
import { redFlags } from "./red-flags.ts";
import { NO_PROBLEMS, prepareInput, type PreparedInput, type TokenVariables } from "./render-input.ts";
import "./rendered-text.ts";
import { TemplateAnalysis } from "./template-analysis.ts";
import { type ChatTemplate, chatTemplates, missingNames } from "./template-list.ts";
import type { TemplateProblem } from "./template-messages.ts";
import type { GgufTemplateSource } from "./template-source.ts";
import "./template-source.ts";
import { type TemplateState, withoutDefaults } from "./template-state.ts";
import { templateStyles } from "./template-styles.ts";
import { ADD_BOS, addsBos, bosIdOf, tokenVariables } from "./token-variables.ts";

/** A template with more characters is not compared line by line. */
const MOST_COMPARED = 200_000;

const PROBLEM_TITLES: Readonly<Record<TemplateProblem["kind"], string>> = {
  syntax: "The template is not valid.",
  refused: "The template refuses the conversation:",
  "run-time": "The template fails:",
  limit: "The template was stopped.",
  time: "The template was stopped.",
  worker: "The template was not rendered.",
};

/** The chat templates of a file: their source, what is suspicious about them, and what they make of a conversation. */
export class GgufTemplate extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  /** The entries of the file, after editing. */
  @property({ attribute: false }) entries: readonly ShownEntry[] = [];
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** The choices. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: TemplateState | undefined;
  /** Whether the panel is visible. Nothing is read or rendered before. */
  @property({ type: Boolean }) shown = false;
  @state() private choices: TemplateState = {};
  /** The text in the editor, if it differs from the entry. */
  @state() private typed: string | undefined;
  /** Why the typed text was refused; "" if it was not. */
  @state() private refusal = "";

  #templates: readonly ChatTemplate[] = [];
  #tokens: TokenVariables = {};
  #prepared: PreparedInput | undefined;
  readonly #analysis = new TemplateAnalysis(this);
  readonly #reporter = new StateReporter<TemplateState>(this, (state) => ({ template: state }));

  static override styles = [baseStyles, templateStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("panelState")) {
      const state = withoutDefaults(this.panelState ?? {});
      if (this.#reporter.adopts(state)) this.choices = state;
    }
    if (changed.has("gguf") || (changed.has("edits") && !this.edits)) this.#forgetTyped();
    if (!this.shown) return;
    this.#templates = chatTemplates(this.entries);
    this.#tokens = tokenVariables(this.edits?.header ?? this.gguf);
    const template = this.#template;
    if (!template) return;
    const source = this.typed ?? template.text;
    if (source.length > MOST_RENDERED) {
      this.#analysis.refuse(`Templates with more than ${formatInteger(MOST_RENDERED)} characters are not rendered.`);
      this.#prepared = undefined;
      return;
    }
    this.#prepared = prepareInput(source, this.choices, this.#analysis.syntax?.facts, this.#tokens);
    const { input } = this.#prepared;
    const { gguf } = this;
    this.#analysis.update({ gguf, template: source, tokens: this.#tokens, input }, this.typed !== undefined);
  }

  override updated(): void {
    this.#reporter.report(withoutDefaults(this.choices));
  }

  get #template(): ChatTemplate | undefined {
    return this.#templates.find(({ name }) => name === (this.choices.name ?? "")) ?? this.#templates[0];
  }

  override render() {
    if (!this.shown) return nothing;
    const template = this.#template;
    if (!template) return this.#renderNone();
    const facts = this.#analysis.syntax?.facts;
    return html`<div class="panel">
      ${this.#renderNotes()}
      <div class="column">
        ${this.#renderSource(template)} ${this.#renderDifference(template)} ${this.#renderFlags()}
        ${
          facts && facts.tests.length > 0
            ? html`<details>
                <summary>Values that the template tests</summary>
                ${renderTests(facts.tests)}
              </details>`
            : nothing
        }
      </div>
      <div class="column">
        <section aria-labelledby="conversation-title">
          <h3 id="conversation-title">Conversation</h3>
          <gguf-conversation-fields
            .choices=${this.choices}
            .facts=${facts}
            .tokens=${this.#tokens}
            .problems=${this.#prepared?.problems ?? NO_PROBLEMS}
            @gguf-template-choice=${({ detail }: CustomEvent<Partial<TemplateState>>) => this.#choose(detail)}
          ></gguf-conversation-fields>
        </section>
        ${this.#renderRendering()}
      </div>
    </div>`;
  }

  #renderNone() {
    return html`<div class="panel">
      <section class="wide" aria-labelledby="none">
        <h3 id="none">This file has no chat template</h3>
        <p class="hint">
          For conversations, llama.cpp then uses ChatML, which writes each message between
          <code>&lt;|im_start|&gt;</code> and <code>&lt;|im_end|&gt;</code>. A model that was trained with another form
          answers badly.
        </p>
        <p class="hint">
          The template is the entry <code>tokenizer.chat_template</code>.
          ${this.edits ? html`“Add entry” adds it.` : html`It can be added while the file is edited.`}
        </p>
      </section>
    </div>`;
  }

  /** What is unusual about the list of templates. */
  #renderNotes() {
    const templates = this.#templates;
    const missing = missingNames(this.entries, templates);
    const hasDefault = templates.some(({ name }) => name === "");
    const hasTools = templates.some(({ name }) => name === "tool_use");
    const notes = [
      ...(hasDefault
        ? []
        : [`The file has no default template. llama.cpp uses ${hasTools ? "tool_use" : "ChatML"} instead.`]),
      ...(missing.length > 0
        ? [`tokenizer.chat_templates names templates that the file does not have: ${missing.join(", ")}.`]
        : []),
    ];
    return notes.map(
      (note) => html`<p class="wide note">${icons.info}<span>${renderText(note, { limit: 600 })}</span></p>`,
    );
  }

  #renderSource(template: ChatTemplate) {
    const source = this.typed ?? template.text;
    const isBroken = template.text.includes("\ufffd");
    const { key } = template.row.entry;
    return html`<section aria-labelledby="source">
      <div class="head">
        <h3 id="source">Template</h3>
        ${
          this.#templates.length > 1
            ? html`<select aria-label="Chat template of the file" @change=${this.#onTemplate}>
                ${this.#templates.map(
                  ({ name }) =>
                    html`<option value=${name} .selected=${live(name === template.name)}>
                      ${name === "" ? "Default" : escapeText(name, 60)}
                    </option>`,
                )}
              </select>`
            : nothing
        }
        <gguf-copy-button label="Copy the template" caption="Copy" .text=${() => source}></gguf-copy-button>
      </div>
      <gguf-template-source
        .text=${source}
        label="Chat template"
        ?editable=${this.edits !== undefined && !isBroken}
        @gguf-template-input=${this.#onInput}
        @gguf-template-commit=${this.#onCommit}
      ></gguf-template-source>
      <p class="hint">
        ${formatCount(source.length, "character")}, ${formatCount(lineCount(source), "line")} in
        <button type="button" class="quiet key" @click=${() => this.#showEntry(key)}>
          ${renderText(key, { limit: 100 })}
        </button>
      </p>
      ${
        isBroken && this.edits
          ? html`<p class="hint">
              The template contains bytes that are not valid UTF-8, or the character �. The metadata panel can edit it.
            </p>`
          : nothing
      }
      ${this.refusal === "" ? nothing : html`<p class="failure" role="alert">${icons.error}<span>${this.refusal}</span></p>`}
    </section>`;
  }

  /** The difference to the stored template, while the file is edited. */
  #renderDifference(template: ChatTemplate) {
    if (!this.edits) return nothing;
    const { key } = template.row.entry;
    const stored = this.gguf.metadata.get(key);
    const source = this.typed ?? template.text;
    if (typeof stored !== "string" || stored === source) return nothing;
    return html`<section aria-labelledby="difference">
      <h3 id="difference">Changes to the stored template</h3>
      ${
        Math.max(stored.length, source.length) > MOST_COMPARED
          ? html`<p class="hint">
              The templates are too long to be compared: more than ${formatInteger(MOST_COMPARED)} characters.
            </p>`
          : html`<gguf-line-diff .from=${stored} .to=${source}></gguf-line-diff>`
      }
    </section>`;
  }

  #renderFlags() {
    const { syntax } = this.#analysis;
    if (!syntax) return nothing;
    const flags = redFlags(this.#analysis.facts(this.#tokens["bos_token"], this.#addsBos()));
    const hint = {
      running: "Checking…",
      partial: "Some checks did not end in time.",
      complete: flags.length === 0 && !syntax.problem ? "Nothing suspicious was found." : "",
    }[this.#analysis.checks];
    return html`<section aria-labelledby="flags">
      <h3 id="flags">What to look at</h3>
      ${flags.length > 0 ? renderFlags(flags) : nothing} ${hint === "" ? nothing : html`<p class="hint">${hint}</p>`}
    </section>`;
  }

  /** Whether programs add the BOS token: as the tokenizer of the stored file does, unless the edited file says something else. */
  #addsBos(): boolean | undefined {
    const stored = this.gguf.metadata;
    const metadata = this.edits?.metadata ?? stored;
    const tokenizer = tokenizerOf(this.gguf, this);
    const isEdited = metadata.get(ADD_BOS) !== stored.get(ADD_BOS);
    return addsBos(metadata, bosIdOf(this.gguf), isEdited ? { problem: "edited" } : tokenizer, tokenizerModels());
  }

  #renderRendering() {
    const analysis = this.#analysis;
    const { problem } = analysis;
    const rendering = problem ? undefined : analysis.rendering?.rendering;
    const isStale = !analysis.isCurrent;
    return html`<section aria-labelledby="rendering">
      <h3 id="rendering">Rendering</h3>
      ${this.#prepared && !this.#prepared.input ? html`<p class="hint">A field is not valid, so there is no new rendering.</p>` : nothing}
      ${problem ? this.#renderProblem(problem) : nothing}
      ${
        rendering
          ? html`<gguf-rendered-text
              .gguf=${this.gguf}
              .rendering=${rendering}
              .special=${analysis.special}
              ?stale=${isStale}
            ></gguf-rendered-text>`
          : nothing
      }
      ${!rendering && !problem && isStale && this.#prepared?.input ? html`<p class="hint">Rendering…</p>` : nothing}
    </section>`;
  }

  #renderProblem({ kind, message, place }: TemplateProblem) {
    return html`<div class="failure" role="alert">
      ${icons.error}
      <div>
        ${PROBLEM_TITLES[kind]} ${renderText(message, { limit: 1000 })}
        ${
          place
            ? html`<div>
                <button type="button" @click=${() => this.#source?.showPlace(place)}>
                  Line ${formatId(place.line)}, column ${formatId(place.column)}
                </button>
              </div>`
            : nothing
        }
      </div>
    </div>`;
  }

  get #source(): GgufTemplateSource | null {
    return this.renderRoot.querySelector("gguf-template-source");
  }

  #showEntry(key: string): void {
    this.dispatchEvent(new CustomEvent("gguf-show-row", { detail: { key }, bubbles: true, composed: true }));
  }

  readonly #onTemplate = (event: Event) => {
    this.#onCommit();
    this.#forgetTyped();
    this.#choose({ name: (event.target as HTMLSelectElement).value });
  };

  readonly #onInput = ({ detail }: CustomEvent<string>) => {
    this.typed = detail;
    this.refusal = "";
  };

  /** Records the typed text as one change of the entry. */
  readonly #onCommit = () => {
    const { typed, edits } = this;
    const template = this.#template;
    if (typed === undefined || !edits || !template) return;
    if (!typed.isWellFormed()) {
      this.refusal = "The text contains half of a character (a lone surrogate). Remove it.";
      return;
    }
    const refusal = typed === template.text ? undefined : edits.setText(template.row, typed);
    this.refusal = refusal ?? "";
    if (refusal === undefined) this.typed = undefined;
  };

  #forgetTyped(): void {
    this.typed = undefined;
    this.refusal = "";
  }

  #choose(change: Partial<TemplateState>): void {
    this.choices = { ...this.choices, ...change };
  }
}

/** The number of lines of a text. */
function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

define("gguf-template", GgufTemplate);
