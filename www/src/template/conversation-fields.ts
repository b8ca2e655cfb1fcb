import type { SyntaxFacts, TemplateVariable } from "gguf-wasm/common/template-facts.js";
import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { checkStyles, textareaStyles } from "../ui/styles/fields.ts";
import { escapeText } from "../ui/text.ts";
import { formatMessages } from "./own-messages.ts";
import {
  hasTools,
  type InputProblems,
  NO_PROBLEMS,
  otherVariables,
  ownMessages,
  sampleOf,
  SERVER_VALUES,
} from "./render-input.ts";
import { SAMPLE_CONVERSATIONS } from "./sample-conversations.ts";
import { ALL, OWN, type TemplateState } from "./template-state.ts";
import type { TokenVariables } from "./token-variables.ts";
import { problemStyles } from "../ui/styles/notices.ts";

/** The conversation and the variables of a rendering. The event `gguf-template-choice` reports a choice (detail: the changed members). */
export class GgufConversationFields extends LitElement {
  @property({ attribute: false }) choices: TemplateState = {};
  /** Undefined if the template cannot be read. */
  @property({ attribute: false }) facts: SyntaxFacts | undefined;
  @property({ attribute: false }) tokens: TokenVariables = { bos_token: "", eos_token: "" };
  @property({ attribute: false }) problems: InputProblems = NO_PROBLEMS;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        gap: 12px;
        min-width: 0;
      }
      .field {
        display: grid;
        gap: 4px;
        min-width: 0;
      }
      .field > label {
        font-size: var(--gguf-text-dense);
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      select,
      input[type="text"] {
        width: 100%;
        max-width: calc(360 * var(--gguf-unit));
      }
      ${textareaStyles}
      input.json {
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
      }
      [aria-invalid="true"] {
        border-color: var(--gguf-danger) !important;
      }
      ${checkStyles}
      .variables {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(calc(220 * var(--gguf-unit)), 100%), 1fr));
        gap: 12px;
      }
      .hint {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
        overflow-wrap: anywhere;
      }
      ${problemStyles}
      code {
        font: var(--gguf-text-small)/1.5 var(--gguf-mono);
      }
      @media (pointer: coarse) {
        textarea,
        input.json {
          font-size: var(--gguf-text-lead);
        }
      }
    `,
  ];

  override render() {
    const { choices, facts, tokens } = this;
    const reads = (name: string) => facts?.variables.some((variable) => variable.name === name) ?? true;
    const sample = sampleOf(choices);
    const variables = otherVariables(facts);
    const read = Object.entries(tokens).filter(([name]) => facts && reads(name));
    return html`<div class="field">
        <label class="sr" for="conversation">Conversation</label>
        <select id="conversation" @change=${this.#onConversation}>
          ${SAMPLE_CONVERSATIONS.map(
            ({ id, title }) => html`<option value=${id} .selected=${live(id === sample?.id)}>${title}</option>`,
          )}
          <option value=${OWN} .selected=${live(choices.conversation === OWN)}>Own messages</option>
          <option value=${ALL} .selected=${live(choices.conversation === ALL)}>All side by side</option>
        </select>
      </div>
      ${choices.conversation === OWN ? this.#renderMessages() : nothing}
      <div>
        ${this.#renderCheck("Add a generation prompt", !choices.noPrompt, (noPrompt) => ({ noPrompt: !noPrompt }))}
        ${this.#renderCheck("Offer a tool", hasTools(choices), (tools) => ({ tools }))}
        ${
          hasTools(choices) && !reads("tools")
            ? html`<p class="hint">The template does not read the variable <code>tools</code>.</p>`
            : nothing
        }
      </div>
      ${
        variables.length === 0
          ? nothing
          : html`<div class="variables">${variables.map((variable) => this.#renderVariable(variable))}</div>`
      }
      ${
        read.length === 0
          ? nothing
          : html`<p class="hint">
              ${read.map(
                ([name, text], index) =>
                  html`${index > 0 ? ", " : ""}<code>${name}</code> is
                    ${text === "" ? "empty" : html`<code>${renderText(text, { limit: 100 })}</code>`}`,
              )}.
            </p>`
      }`;
  }

  #renderMessages() {
    const problem = this.problems.messages ?? "";
    return html`<div class="field">
      <label for="messages">Messages as JSON</label>
      <textarea
        id="messages"
        rows="10"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${problem !== ""}
        aria-describedby="messages-problem"
        .value=${live(ownMessages(this.choices))}
        @input=${(event: Event) => this.#choose({ messages: (event.target as HTMLTextAreaElement).value })}
      ></textarea>
      <p id="messages-problem" class="problem" role="alert">${escapeText(problem, 400)}</p>
    </div>`;
  }

  /** `isChecked` is undefined if some of the conversations have it. */
  #renderCheck(label: string, isChecked: boolean | undefined, change: (isChecked: boolean) => Partial<TemplateState>) {
    return html`<label class="check"
      ><input
        type="checkbox"
        .checked=${live(isChecked ?? false)}
        .indeterminate=${live(isChecked === undefined)}
        @change=${(event: Event) => this.#choose(change((event.target as HTMLInputElement).checked))}
      />${label}</label
    >`;
  }

  #renderVariable({ name, isSwitch, values }: TemplateVariable) {
    const value = new Map(Object.entries(this.choices.variables ?? {})).get(name);
    const problem = this.problems.variables.get(name) ?? "";
    const id = `variable-${name}`;
    const byDefault = SERVER_VALUES.get(name);
    const unset = byDefault === undefined ? "Not set" : `${byDefault}, as llama-server sets it`;
    if (isSwitch)
      return html`<div class="field">
        <label for=${id}><code>${renderText(name, { limit: 60 })}</code></label>
        <select id=${id} @change=${(event: Event) => this.#set(name, (event.target as HTMLSelectElement).value)}>
          <option value="" .selected=${live(value === undefined)}>${unset}</option>
          ${["true", "false", ...(value === undefined || value === "true" || value === "false" ? [] : [value])].map(
            (option) =>
              html`<option value=${option} .selected=${live(value === option)}>${escapeText(option, 60)}</option>`,
          )}
        </select>
        <p class="problem" role="alert" ?hidden=${problem === ""}>${escapeText(problem, 400)}</p>
      </div>`;
    return html`<div class="field">
      <label for=${id}><code>${renderText(name, { limit: 60 })}</code>, as JSON</label>
      <input
        type="text"
        id=${id}
        class="json"
        list="${id}-values"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${unset}
        aria-invalid=${problem !== ""}
        aria-describedby="${id}-problem"
        .value=${live(value ?? "")}
        @input=${(event: Event) => this.#set(name, (event.target as HTMLInputElement).value)}
      />
      <datalist id="${id}-values">${values.map((known) => html`<option value=${known}></option>`)}</datalist>
      <p id="${id}-problem" class="problem" role="alert">${escapeText(problem, 400)}</p>
    </div>`;
  }

  readonly #onConversation = (event: Event) => {
    const conversation = (event.target as HTMLSelectElement).value;
    const sample = sampleOf(this.choices);
    // One's own conversation begins as the sample that was shown.
    const begins = conversation === OWN && sample && this.choices.messages === undefined;
    this.#choose({ conversation, tools: undefined, ...(begins ? { messages: formatMessages(sample.messages) } : {}) });
  };

  /** Sets the JSON of a variable; "" unsets it. */
  #set(name: string, json: string): void {
    const variables = new Map(Object.entries(this.choices.variables ?? {}));
    if (json.trim() === "") variables.delete(name);
    else variables.set(name, json);
    this.#choose({ variables: Object.fromEntries(variables) });
  }

  #choose(detail: Partial<TemplateState>): void {
    this.dispatchEvent(new CustomEvent("gguf-template-choice", { detail }));
  }
}

define("gguf-conversation-fields", GgufConversationFields);
