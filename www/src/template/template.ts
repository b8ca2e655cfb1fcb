import { templateFlags } from "gguf-wasm/common/template-flags.js";
import type { Place } from "gguf-wasm/common/template-places.js";
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
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { baseStyles } from "../ui/styles.ts";
import "./conversation-fields.ts";
import { renderFlags, renderTests } from "./flag-list.ts";
import { familyPlaces } from "./family-places.ts";
import type { OtherTemplates } from "./other-templates.ts";
import { prepareInput, type PreparedConversation, type PreparedInput } from "./render-input.ts";
import { comparedConversation } from "./rendering-differences.ts";
import { readSaved, type SavedConversation, storeSaved } from "./saved-conversations.ts";
import { type ComparisonChoice, otherText } from "./second-template.ts";
import "./second-template.ts";
import {
  renderComparison,
  type RenderedConversation,
  renderGrid,
  renderProblem,
  renderRendering,
} from "./shown-rendering.ts";
import { TemplateAnalysis } from "./template-analysis.ts";
import { type ChatTemplate, chatTemplates, missingNames, templateTitle } from "./template-list.ts";
import type { RenderInput } from "./template-messages.ts";
import type { GgufTemplateSource } from "./template-source.ts";
import "./template-source.ts";
import { ALL, type TemplateState, withoutDefaults } from "./template-state.ts";
import { templateStyles } from "./template-styles.ts";
import { renderTextDifference } from "./text-difference.ts";
import { addedTokens, type TokenVariables, tokenVariables } from "./token-variables.ts";
/** The end of the keys of what the second template renders. No id of a conversation has it. */
const SECOND = "/second";
/** The field of a template among the texts that are not applied yet. */
const draftOf = ({ row }: ChatTemplate) => `template ${row.entry.key}`;

/** The chat templates of a file: their source, what is suspicious about them, and what they make of a conversation. */
export class GgufTemplate extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  /** The entries of the file, after editing. */
  @property({ attribute: false }) entries: readonly ShownEntry[] = [];
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** The headers of requests to Hugging Face, for example an access token. */
  @property({ attribute: false }) hubHeaders: HeadersInit | undefined;
  /** The choices. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: TemplateState | undefined;
  /** Whether the panel is visible. Nothing is read or rendered before. */
  @property({ type: Boolean }) shown = false;
  @state() private choices: TemplateState = {};
  /** The text in the editor, if it differs from the entry. */
  @state() private typed: string | undefined;
  /** Why the typed text was refused; "" if it was not. */
  @state() private refusal = "";
  /** The pasted template that this one is compared with. */
  @state() private pasted: string | undefined;
  /** The templates of another model that this one is compared with, and the name of the chosen one. */
  @state() private other: OtherTemplates | undefined;
  @state() private otherName: string | undefined;
  /** The conversations that the person keeps. */
  @state() private saved: readonly SavedConversation[] = [];
  @state() private withSpaces = true;
  @state() private withTokens = true;

  #templates: readonly ChatTemplate[] = [];
  #tokens: TokenVariables = { bos_token: "", eos_token: "" };
  /** Whether programs add these tokens. */
  #added: ReturnType<typeof addedTokens> = { bos: undefined, eos: undefined };
  #prepared: PreparedInput = prepareInput({}, undefined, this.#tokens);
  /** The conversations in which two templates are compared. Empty without a second template. */
  #compared: readonly PreparedConversation[] = [];
  readonly #analysis = new TemplateAnalysis(this);
  readonly #reporter = new StateReporter<TemplateState>(this, (state) => ({ template: state }));

  static override styles = [baseStyles, templateStyles];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("panelState")) {
      const state = withoutDefaults(this.panelState ?? {});
      if (this.#reporter.adopts(state)) this.choices = state;
    }
    if (changed.has("gguf") || (changed.has("edits") && !this.edits)) this.#forgetTyped();
    if (changed.has("gguf")) this.other = this.pasted = undefined;
    if (!this.shown) return;
    if (changed.has("shown")) this.saved = readSaved();
    this.#templates = chatTemplates(this.entries);
    this.#tokens = tokenVariables(this.edits?.header ?? this.gguf);
    const template = this.#template;
    if (!template) return;
    const { gguf, edits } = this;
    // A text that was typed before a reload of the page.
    this.typed ??= this.edits?.draft(draftOf(template));
    const source = this.typed ?? template.text;
    const metadata = edits?.metadata ?? gguf.metadata;
    this.#added = addedTokens({ stored: gguf, metadata, tokenizer: tokenizerOf(gguf, this) }, tokenizerModels());
    this.#prepare();
    const inputs = this.#prepared.conversations.length > 0 ? this.#inputs(source) : undefined;
    this.#analysis.update({ gguf, template: source, tokens: this.#tokens, inputs }, this.typed !== undefined);
  }

  #prepare(): void {
    const { choices, saved } = this;
    const { facts } = this.#analysis.syntax ?? {};
    this.#prepared = prepareInput(choices, facts, this.#tokens, saved);
    this.#compared =
      this.#second === undefined
        ? []
        : prepareInput({ ...choices, conversation: ALL }, facts, this.#tokens, saved).conversations;
  }

  /** What is rendered, by the ids of the conversations. The keys of the second template have a mark. */
  #inputs(source: string): Map<string, RenderInput> {
    const { bos, eos } = this.#added;
    const added = {
      ...(bos ? { addedBos: this.#tokens.bos_token } : {}),
      ...(eos ? { addedEos: this.#tokens.eos_token } : {}),
    };
    const second = this.#second;
    // The shown ones come first.
    const all = [...this.#prepared.conversations, ...this.#compared];
    const inputs = all.flatMap(({ id, context }) => [
      [id, { template: source, context, ...added }] as const,
      ...(second === undefined ? [] : [[`${id}${SECOND}`, { template: second, context, ...added }] as const]),
    ]);
    return new Map(inputs);
  }

  /** The template that this one is compared with. */
  get #second(): string | undefined {
    // Before something is pasted, there is nothing to compare.
    if (this.pasted !== undefined) return this.pasted === "" ? undefined : this.pasted;
    if (this.other) return otherText({ other: this.other, otherName: this.otherName ?? "" });
    return this.#templates.find(({ name }) => name === this.choices.against && name !== this.#template?.name)?.text;
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
    const isWide = this.choices.conversation === ALL;
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
        ${this.#renderComparison(template)}
      </div>
      <div class="column">
        <section aria-labelledby="conversation-title">
          <h3 id="conversation-title">Conversation</h3>
          <gguf-conversation-fields
            .choices=${this.choices}
            .facts=${facts}
            .tokens=${this.#tokens}
            .problems=${this.#prepared.problems}
            .saved=${this.saved}
            @gguf-saved-conversations=${this.#onSaved}
            @gguf-template-choice=${({ detail }: CustomEvent<Partial<TemplateState>>) => this.#choose(detail)}
          ></gguf-conversation-fields>
        </section>
        ${isWide ? nothing : this.#renderRendering()}
      </div>
      ${isWide ? this.#renderRendering() : nothing}
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
                      ${templateTitle(name)}
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
        ?editable=${this.edits !== undefined && !isBroken(template)}
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
        isBroken(template) && this.edits
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
      ${renderTextDifference(stored, source)}
    </section>`;
  }

  #renderComparison(template: ChatTemplate) {
    const names = this.#templates.map(({ name }) => name).filter((name) => name !== template.name);
    const { against } = this.choices;
    const { pasted, other, otherName, edits, gguf } = this;
    const choice: ComparisonChoice = {
      ...(against !== undefined && names.includes(against) ? { against } : {}),
      ...(pasted === undefined ? {} : { pasted }),
      ...(other && { other }),
      ...(otherName === undefined ? {} : { otherName }),
    };
    return html`<section aria-labelledby="comparison">
      <h3 id="comparison">Compare with</h3>
      <gguf-second-template
        .names=${names}
        .choice=${choice}
        .source=${this.typed ?? template.text}
        .second=${this.#second}
        .families=${familyPlaces(edits?.metadata ?? gguf.metadata)}
        .hubHeaders=${this.hubHeaders}
        ?editable=${this.edits !== undefined && !isBroken(template)}
        @gguf-second-template=${this.#onSecond}
        @gguf-use-template=${this.#useSecond}
        >${this.#renderCompared()}</gguf-second-template
      >
    </section>`;
  }

  /** What the second template changes in all conversations. */
  #renderCompared() {
    if (this.#compared.length === 0) return nothing;
    const analysis = this.#analysis;
    const compared = this.#compared.map((one) =>
      comparedConversation(one, analysis.rendering(one.id), analysis.rendering(`${one.id}${SECOND}`)),
    );
    return html`<section aria-labelledby="compared">
      <h4 id="compared">What it changes</h4>
      ${renderComparison(compared)}
    </section>`;
  }

  #renderFlags() {
    const { syntax } = this.#analysis;
    if (!syntax) return nothing;
    const flags = templateFlags(this.#analysis.facts(this.#tokens.bos_token, this.#added.bos));
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

  #renderRendering() {
    const analysis = this.#analysis;
    const { conversations } = this.#prepared;
    const { problem } = analysis.syntax ?? {};
    const isCompared = this.#second !== undefined;
    const onPlace = (place: Place) => this.#source?.showPlace(place);
    const { gguf, withSpaces, withTokens } = this;
    const options = { gguf, special: analysis.special, withSpaces, withTokens, onPlace };
    const rendered = conversations.map(({ id, title }): RenderedConversation => ({
      id,
      title,
      shown: analysis.rendering(id),
      second: isCompared ? analysis.rendering(`${id}${SECOND}`) : undefined,
    }));
    const [first] = rendered;
    const content = () => {
      // Each rendering would say the same.
      if (problem?.kind === "syntax") return renderProblem(problem, onPlace);
      if (!first) return html`<p class="hint">A field is not valid, so there is no rendering.</p>`;
      return rendered.length === 1 ? renderRendering(first, options) : renderGrid(rendered, options);
    };
    return html`<section class="wide" aria-labelledby="rendering">
      <div class="head">
        <h3 id="rendering">Rendering</h3>
        <label class="check"
          ><input type="checkbox" .checked=${live(this.withTokens)} @change=${this.#onTokens} />Show tokens</label
        >
        <label class="check after"
          ><input type="checkbox" .checked=${live(this.withSpaces)} @change=${this.#onSpaces} />Show white space</label
        >
      </div>
      ${content()}
    </section>`;
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
    const template = this.#template;
    if (template) this.edits?.setDraft(draftOf(template), detail === template.text ? undefined : detail);
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
    if (refusal !== undefined) return;
    this.typed = undefined;
    edits.setDraft(draftOf(template), undefined);
  };

  readonly #onSecond = ({ detail }: CustomEvent<ComparisonChoice>) => {
    this.pasted = detail.pasted;
    this.other = detail.other;
    this.otherName = detail.otherName;
    this.#choose({ against: detail.against });
  };

  /** Puts the second template into the editor, as one change. */
  readonly #useSecond = () => {
    const second = this.#second;
    if (second === undefined) return;
    this.typed = second;
    this.#onCommit();
  };

  readonly #onSaved = ({ detail }: CustomEvent<readonly SavedConversation[]>) => {
    storeSaved(detail);
    this.saved = detail;
  };

  readonly #onTokens = (event: Event) => {
    this.withTokens = (event.target as HTMLInputElement).checked;
  };

  readonly #onSpaces = (event: Event) => {
    this.withSpaces = (event.target as HTMLInputElement).checked;
  };

  #forgetTyped(): void {
    this.typed = undefined;
    this.refusal = "";
  }

  #choose(change: Partial<TemplateState>): void {
    this.choices = { ...this.choices, ...change };
  }
}

/** Whether a template has bytes that are not valid UTF-8, so that it cannot be edited as a text. */
function isBroken({ text }: ChatTemplate): boolean {
  return text.includes("\ufffd");
}

/** The number of lines of a text. */
function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

define("gguf-template", GgufTemplate);
