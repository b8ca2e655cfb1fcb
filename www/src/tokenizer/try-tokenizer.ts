import type { Gguf, Token } from "gguf-wasm/explain";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { quietFailureOf } from "../gguf/failure.ts";
import { announce } from "../ui/announce.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderText } from "../ui/render-text.ts";
import { escapeText } from "../ui/text.ts";
import { renderTokenText } from "./token-text.ts";
import { textareaStyles } from "../ui/styles/fields.ts";
import { hintStyles, problemStyles } from "../ui/styles/notices.ts";
import { type FileTokenizer, restartTokenizer, tokenizerOf } from "../worker/file-tokenizer.ts";
import { sentenceOf } from "../worker/tokenizer-calls.ts";

/** The most tokens that are shown. All are counted. */
const MOST_SHOWN = 2000;

/** The longest text, in UTF-16 units. Tokenising it takes less than a frame of the screen. */
const LONGEST = 100_000;

const EXAMPLE = "Hello, world! 1234 naïve 東京 🙂";

/** What the tokenizer is asked for: the ids of a text, or the text of ids. */
interface Question {
  readonly tokenizer: FileTokenizer;
  readonly text: string;
  readonly typedIds: string | undefined;
  readonly addSpecial: boolean;
  readonly parseSpecial: boolean;
}

interface Result {
  readonly text: string;
  /** The ids, and the first tokens. Undefined if there is a problem. */
  readonly ids?: readonly number[];
  readonly tokens?: readonly (Token | undefined)[];
  readonly problem?: string;
}

/** Text in, tokens out, and back: with the tokenizer of a file, as llama.cpp tokenises. */
export class GgufTryTokenizer extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @state() private text: string = EXAMPLE;
  @state() private addSpecial = true;
  @state() private parseSpecial = true;
  /** The ids that a person typed, to be turned into text. Undefined while text is turned into ids. */
  @state() private typedIds: string | undefined;
  /** The last result. Undefined until the tokenizer is made. */
  @state() private result: Result | undefined;
  /** What the tokenizer said last when it stopped. Undefined while it works. */
  @state() private stopped: string | undefined;
  /** What the tokenizer was asked for last. */
  #asked: Question | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 10px;
      }
      label {
        font-size: var(--gguf-text-dense);
        font-weight: 600;
      }
      ${textareaStyles}
      textarea {
        min-height: calc(76 * var(--gguf-unit));
      }
      [aria-invalid="true"] {
        border-color: var(--gguf-danger);
      }
      .boxes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(280 * var(--gguf-unit))), 1fr));
        gap: 12px 16px;
      }
      .box {
        display: grid;
        align-content: start;
        gap: 4px;
        min-width: 0;
      }
      .switches {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 20px;
      }
      .switches label {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: calc(24 * var(--gguf-unit));
        font-size: var(--gguf-text-control);
        font-weight: 400;
      }
      .switches input {
        width: calc(16 * var(--gguf-unit));
        height: calc(16 * var(--gguf-unit));
        margin: 0;
        accent-color: var(--gguf-accent);
      }
      .tokens {
        position: relative;
        min-height: calc(41 * var(--gguf-unit));
        max-height: 240px;
        padding: 8px;
        border-radius: 6px;
        overflow: auto;
        background: var(--gguf-sunken);
        font-family: var(--gguf-mono);
        font-size: var(--gguf-text-control);
        line-height: 1.6;
        overflow-wrap: anywhere;
      }
      .token {
        display: inline-block;
        max-width: 100%;
        margin: 1px;
        padding: 0 3px;
        border-radius: 3px;
        background: color-mix(in oklab, var(--hue) 24%, transparent);
        white-space: pre-wrap;
      }
      .token:nth-child(4n) {
        --hue: #2b6cb0;
      }
      .token:nth-child(4n + 1) {
        --hue: #b7791f;
      }
      .token:nth-child(4n + 2) {
        --hue: #2f855a;
      }
      .token:nth-child(4n + 3) {
        --hue: #b83280;
      }
      .token.special {
        outline: 1px solid var(--gguf-accent);
        outline-offset: -1px;
      }
      /* Forced colours remove the background, so each token gets an outline. That of a special token is thicker. */
      @media (forced-colors: active) {
        .token {
          outline: 1px solid;
          outline-offset: -1px;
        }
        .token.special {
          outline-width: 2px;
        }
      }
      .token small {
        margin-inline-start: 4px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-tiny);
      }
      ${hintStyles}
      p.hint:not(.tokens) {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 12px;
      }
      ${problemStyles}
      .about {
        display: flex;
        gap: 8px;
        padding: 8px 10px;
        border-radius: 6px;
        background: var(--gguf-sunken);
        font-size: var(--gguf-text-control);
        overflow-wrap: anywhere;
      }
      .restart {
        margin-top: 8px;
      }
      .about svg {
        flex: none;
        margin-top: 2px;
        color: var(--gguf-accent);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("gguf")) return;
    this.typedIds = undefined;
    this.result = undefined;
    this.stopped = undefined;
  }

  override updated(): void {
    const tokenizer = tokenizerOf(this.gguf, this);
    if (tokenizer && !("problem" in tokenizer)) void this.#ask(tokenizer);
  }

  /** Asks the tokenizer if the fields or switches have changed. */
  async #ask(tokenizer: FileTokenizer): Promise<void> {
    const { text, typedIds, addSpecial, parseSpecial } = this;
    const question = { tokenizer, text, typedIds, addSpecial, parseSpecial };
    if (this.#asked && isEqual(this.#asked, question)) return;
    this.#asked = question;
    try {
      const result = await answer(question);
      if (this.#asked === question) this.result = result;
    } catch (error) {
      // The file was closed, or the tokenizer is made anew: the next one is another one.
      if (quietFailureOf(error).code === "cancelled" || this.#asked !== question) return;
      const hadFocus = this.shadowRoot?.activeElement;
      this.stopped = sentenceOf(error);
      await this.updateComplete;
      // The field that had the focus is gone.
      if (hadFocus) this.renderRoot.querySelector<HTMLElement>(".restart button")?.focus();
    }
  }

  /** Makes the tokenizer anew. The text, the ids and all changes of the file stay. */
  readonly #restart = () => {
    this.stopped = undefined;
    this.result = undefined;
    this.#asked = undefined;
    restartTokenizer(this.gguf);
    announce(this, "The tokenizer is started again");
    this.requestUpdate();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("#text")?.focus());
  };

  #renderStopped(reason: string) {
    return html`<div class="about" role="alert">
      ${icons.warning}
      <div>
        <p>
          <strong>The tokenizer has stopped.</strong> ${renderText(reason, { limit: 300 })}. Your text and unsaved
          changes are kept. If it stops again, please report this message with the name of the model.
        </p>
        <p class="restart"><button type="button" @click=${this.#restart}>Reload the tokenizer</button></p>
      </div>
    </div>`;
  }

  override render() {
    const tokenizer = tokenizerOf(this.gguf, this);
    if (this.stopped !== undefined) return this.#renderStopped(this.stopped);
    if (tokenizer && "problem" in tokenizer && tokenizer.hasStopped) return this.#renderStopped(tokenizer.problem);
    if (tokenizer && "problem" in tokenizer)
      return html`<p class="about">${icons.info}<span>${tokenizer.problem}</span></p>`;
    const { result } = this;
    const isTyped = this.typedIds !== undefined;
    const { ids, problem = "" } = result ?? {};
    const text = isTyped && result ? result.text : this.text;
    const field = (id: "text" | "ids", value: string, isWrong: boolean, onInput: (event: Event) => void) =>
      html`<div class="box">
        <label for=${id}>${id === "text" ? "Text" : "Ids"}</label>
        <textarea
          id=${id}
          rows="3"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength=${id === "text" ? LONGEST : nothing}
          ?readonly=${id === "ids" && !tokenizer}
          aria-invalid=${isWrong}
          aria-describedby=${isWrong ? "problem" : nothing}
          .value=${live(value)}
          @input=${onInput}
        ></textarea>
        ${isWrong ? html`<p class="problem" id="problem" role="alert">${problem}</p>` : nothing}
      </div>`;
    return html`<div class="switches">
        ${this.#renderSwitch("addSpecial", "Add special tokens, as the file asks")}
        ${this.#renderSwitch("parseSpecial", "Recognise special tokens in the text")}
      </div>
      <div class="boxes">
        ${field("text", text, problem !== "" && !isTyped, this.#onText)}
        ${field(
          "ids",
          this.typedIds ?? ids?.slice(0, MOST_SHOWN).join(" ") ?? "",
          problem !== "" && isTyped,
          this.#onIds,
        )}
      </div>
      ${
        result
          ? ids && this.#renderTokens(result, ids)
          : html`<p class="tokens hint" role="status">Reading the vocabulary…</p>`
      }`;
  }

  #renderSwitch(member: "addSpecial" | "parseSpecial", label: string) {
    return html`<label
      ><input
        type="checkbox"
        .checked=${live(this[member])}
        @change=${(event: Event) => {
          // The switches are about text. So the text of the typed ids is tokenised.
          this.text = this.renderRoot.querySelector<HTMLTextAreaElement>("#text")?.value ?? this.text;
          this.typedIds = undefined;
          this[member] = (event.target as HTMLInputElement).checked;
        }}
      />${label}</label
    >`;
  }

  #renderTokens({ text, tokens = [] }: Result, ids: readonly number[]) {
    const characters = [...text].length;
    const share = ids.length === 0 ? "" : `, ${(characters / ids.length).toFixed(2)} characters per token`;
    return html`<div class="tokens" role="region" tabindex="0" aria-label="Tokens of the text">
        ${tokens.map((token, at) => {
          const isSpecial = token?.type !== undefined && token.type !== "normal" && token.type !== "byte";
          return html`<span
            class="token ${isSpecial ? "special" : ""}"
            title=${token ? `${escapeText(token.text, 100)} · ${token.type}` : nothing}
            >${token ? renderTokenText(token.bytes) : "not in the vocabulary"}<small>${ids[at]}</small></span
          >`;
        })}
      </div>
      <p class="hint">
        <span role="status"
          >${formatCount(ids.length, "token")}${share}.
          ${ids.length > tokens.length ? `The first ${formatInteger(tokens.length)} are shown.` : nothing}
          ${text.length >= LONGEST && this.typedIds === undefined ? `The text ends after ${formatInteger(LONGEST)} characters.` : nothing}</span
        >
        <gguf-copy-button label="Copy the ids" caption="Copy" .text=${() => ids.join(" ")}></gguf-copy-button>
      </p>`;
  }

  readonly #onText = (event: Event) => {
    this.typedIds = undefined;
    this.text = (event.target as HTMLTextAreaElement).value;
  };

  readonly #onIds = (event: Event) => {
    this.typedIds = (event.target as HTMLTextAreaElement).value;
  };
}

function isEqual(a: Question, b: Question): boolean {
  return (Object.keys(a) as (keyof Question)[]).every((member) => a[member] === b[member]);
}

/** The ids of the text, or the text of the typed ids. */
async function answer({ tokenizer, text, typedIds, addSpecial, parseSpecial }: Question): Promise<Result> {
  const withTokens = async (shown: string, ids: readonly number[]) => ({
    text: shown,
    ids,
    tokens: await tokenizer.tokens(ids.slice(0, MOST_SHOWN)),
  });
  if (typedIds !== undefined) {
    const words = typedIds.split(/[\s,[\]]+/).filter(Boolean);
    const problem = problemOfIds(words, tokenizer.tokenCount);
    if (problem !== undefined) return { text: "", problem };
    const ids = words.map(Number);
    return withTokens(await tokenizer.decode(ids), ids);
  }
  try {
    return await withTokens(text, [...(await tokenizer.encode(text, { addSpecial, parseSpecial }))]);
  } catch (error) {
    // The vocabulary lacks what the text needs.
    if (quietFailureOf(error).code !== "bad-vocabulary") throw error;
    return { text, problem: sentenceOf(error) };
  }
}

/** What is wrong with typed ids. */
function problemOfIds(words: readonly string[], count: number): string | undefined {
  const range = `The ids of this vocabulary are 0 to ${formatId(count - 1)}.`;
  for (const word of words) {
    if (!/^\d+$/.test(word))
      return `“${escapeText(word, 40)}” is no id. Type numbers with spaces between them. ${range}`;
    if (Number(word) >= count) return `The vocabulary has no token ${escapeText(word, 40)}. ${range}`;
  }
  return undefined;
}

define("gguf-try-tokenizer", GgufTryTokenizer);
