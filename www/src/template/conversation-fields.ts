import type { SyntaxFacts, TemplateVariable } from "gguf-wasm/common/template-facts.js";
import { css, html, LitElement, nothing } from "lit";
import { property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { checkStyles, textareaStyles } from "../ui/styles/fields.ts";
import { escapeText } from "../ui/text.ts";
import { formatMessages } from "./own-messages.ts";
import {
  hasTools,
  type InputProblems,
  lacksPrompt,
  NO_PROBLEMS,
  otherVariables,
  ownMessages,
  sampleOf,
  SERVER_VALUES,
} from "./render-input.ts";
import { requestParts, requestText } from "./request-body.ts";
import { offeredSamples, SAMPLE_TOOLS } from "./sample-conversations.ts";
import "./saved-fields.ts";
import type { SavedConversation } from "./saved-conversations.ts";
import { ALL, OWN, type TemplateState } from "./template-state.ts";
import type { TokenVariables } from "./token-variables.ts";
import { problemStyles } from "../ui/styles/notices.ts";

/**
 * The conversation and the variables of a rendering. The event `gguf-template-choice` reports a choice (detail: the changed members), and
 * `gguf-saved-conversations` that other conversations are kept (detail: all of them).
 */
export class GgufConversationFields extends LitElement {
  @property({ attribute: false }) choices: TemplateState = {};
  /** Undefined if the template cannot be read. */
  @property({ attribute: false }) facts: SyntaxFacts | undefined;
  @property({ attribute: false }) tokens: TokenVariables = { bos_token: "", eos_token: "" };
  @property({ attribute: false }) problems: InputProblems = NO_PROBLEMS;
  /** The conversations that the person keeps. */
  @property({ attribute: false }) saved: readonly SavedConversation[] = [];

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
    const variables = otherVariables(facts);
    const read = Object.entries(tokens).filter(([name]) => facts && reads(name));
    const noPrompt = lacksPrompt(choices);
    return html`${this.#renderChoice()} ${choices.conversation === OWN ? this.#renderOwn() : nothing}
      <div>
        ${this.#renderCheck("Add a generation prompt", noPrompt === undefined ? undefined : !noPrompt, (isAdded) => ({ noPrompt: !isAdded }))}
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

  #renderChoice() {
    const { choices, saved } = this;
    const sample = sampleOf(choices);
    const kept = this.#kept;
    return html`<div class="field">
      <label class="sr" for="conversation">Conversation</label>
      <select id="conversation" @change=${this.#onConversation}>
        <optgroup label="Samples">
          ${offeredSamples(this.facts, sample?.id).map(
            ({ id, title }) => html`<option value=${id} .selected=${live(id === sample?.id)}>${title}</option>`,
          )}
        </optgroup>
        ${
          saved.length === 0
            ? nothing
            : html`<optgroup label="Saved">
                ${saved.map(
                  (one, at) =>
                    html`<option value="saved-${at}" .selected=${live(one === kept)}>
                      ${escapeText(one.name, 60)}
                    </option>`,
                )}
              </optgroup>`
        }
        <option value=${OWN} .selected=${live(choices.conversation === OWN && kept === undefined)}>Own messages</option>
        <option value=${ALL} .selected=${live(choices.conversation === ALL)}>All side by side</option>
      </select>
    </div>`;
  }

  /** The saved conversation that is shown. */
  get #kept(): SavedConversation | undefined {
    const { conversation, messages, ownTools } = this.choices;
    if (conversation !== OWN) return undefined;
    return this.saved.find((one) => one.messages === messages && one.tools === ownTools);
  }

  #renderOwn() {
    const messages = ownMessages(this.choices);
    const { ownTools } = this.choices;
    const tools = hasTools(this.choices) ? (ownTools ?? formatMessages(SAMPLE_TOOLS)) : undefined;
    const { problems } = this;
    return html`${this.#renderJson("messages", "Messages as JSON", messages, problems.messages, this.#onMessages)}
      ${
        tools === undefined
          ? nothing
          : this.#renderJson("tools", "Tools as JSON", tools, problems.tools, (text) =>
              this.#choose({ ownTools: text, tools: undefined }),
            )
      }
      <p class="hint">
        You can paste a whole request of a program: a JSON object with the members “messages” and “tools”.
        <gguf-copy-button
          label="Copy as a request"
          caption="Copy as a request"
          .text=${() => requestText(messages, tools)}
        ></gguf-copy-button>
      </p>
      <gguf-saved-fields
        .saved=${this.saved}
        .shown=${{ name: this.#kept?.name ?? "", messages, ...(tools === undefined ? {} : { tools }) }}
        .isKept=${this.#kept !== undefined}
        ?invalid=${problems.messages !== undefined || problems.tools !== undefined}
        @gguf-keep=${({ detail }: CustomEvent<SavedConversation>) => this.#showKept(detail)}
      ></gguf-saved-fields>`;
  }

  #renderJson(id: string, label: string, text: string, problem = "", typed: (text: string) => void) {
    return html`<div class="field">
      <label for=${id}>${label}</label>
      <textarea
        id=${id}
        rows="10"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${problem !== ""}
        aria-describedby="${id}-problem"
        .value=${live(text)}
        @input=${(event: Event) => typed((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <p id="${id}-problem" class="problem" role="alert">${escapeText(problem, 400)}</p>
    </div>`;
  }

  /** Messages, or a whole request, of which the parts are taken. */
  readonly #onMessages = (text: string) => {
    const parts = requestParts(text);
    if (!parts) {
      this.#choose({ messages: text });
      return;
    }
    const variables = { ...this.choices.variables, ...parts.variables };
    this.#choose({ messages: parts.messages, ownTools: parts.tools, tools: undefined, variables });
  };

  #showKept({ messages, tools }: SavedConversation): void {
    this.#choose({ conversation: OWN, messages, ownTools: tools, tools: undefined });
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
    const kept = this.saved[Number(/^saved-(\d+)$/.exec(conversation)?.[1])];
    if (kept) {
      this.#showKept(kept);
      return;
    }
    const sample = sampleOf(this.choices);
    // One's own conversation begins as the sample that was shown.
    const begins = conversation === OWN && sample && this.choices.messages === undefined;
    const own = begins && {
      messages: formatMessages(sample.messages),
      ownTools: sample.tools && formatMessages(sample.tools),
    };
    this.#choose({ conversation, tools: undefined, ...own });
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
