import type { Gguf, Tokenizer } from "gguf-wasm";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import { failureOf } from "../gguf/failure.ts";
import { tokenizerOf } from "../gguf/file-tokenizer.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { renderTokenText } from "./token-text.ts";

/** The most tokens that are shown. All are counted. */
const MOST_SHOWN = 2000;

/** The longest text, in UTF-16 units. Tokenising it takes less than a frame of the screen. */
const LONGEST = 100_000;

const EXAMPLE = "Hello, world! 1234 naïve 東京 🙂";

/** Text in, tokens out, and back: with the tokenizer of a file, as llama.cpp tokenises. */
export class GgufTryTokenizer extends LitElement {
  static override properties = {
    gguf: { attribute: false },
    text: { state: true },
    addSpecial: { state: true },
    parseSpecial: { state: true },
    typedIds: { state: true },
  };

  declare gguf: Gguf;
  declare private text: string;
  declare private addSpecial: boolean;
  declare private parseSpecial: boolean;
  /** The ids that a person typed, to be turned into text. Undefined while text is turned into ids. */
  declare private typedIds: string | undefined;

  constructor() {
    super();
    this.text = EXAMPLE;
    this.addSpecial = true;
    this.parseSpecial = true;
    this.typedIds = undefined;
  }

  static override styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 10px;
      }
      label {
        font-size: 12.5px;
        font-weight: 600;
      }
      textarea {
        width: 100%;
        min-height: 76px;
        resize: vertical;
        font-family: var(--gguf-mono);
        font-size: 12.5px;
      }
      .boxes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 280px), 1fr));
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
        min-height: 24px;
        font-size: 13px;
        font-weight: 400;
      }
      .switches input {
        width: 16px;
        height: 16px;
        margin: 0;
        accent-color: var(--gguf-accent);
      }
      .tokens {
        max-height: 240px;
        padding: 8px;
        border-radius: 6px;
        overflow: auto;
        background: var(--gguf-sunken);
        font-family: var(--gguf-mono);
        font-size: 13px;
        line-height: 1.9;
        overflow-wrap: anywhere;
      }
      .token {
        padding: 2px 1px;
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
      }
      .token small {
        margin-inline-start: 2px;
        color: var(--gguf-ink-2);
        font-size: 10px;
      }
      .hint {
        color: var(--gguf-ink-2);
        font-size: 12.5px;
      }
      .problem {
        color: var(--gguf-danger);
        font-size: 12.5px;
      }
      .about {
        display: flex;
        gap: 8px;
        font-size: 13px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.typedIds = undefined;
  }

  override render() {
    const tokenizer = tokenizerOf(this.gguf);
    if ("problem" in tokenizer) return html`<p class="about">${icons.info}<span>${tokenizer.problem}</span></p>`;
    const ids = this.#ids(tokenizer);
    const text = "problem" in ids ? "" : this.#textOf(tokenizer, ids.ids);
    return html`<div class="switches">
        ${this.#renderSwitch("addSpecial", "Add special tokens, as the file asks")}
        ${this.#renderSwitch("parseSpecial", "Recognise special tokens in the text")}
      </div>
      <div class="boxes">
        <div class="box">
          <label for="text">Text</label>
          <textarea
            id="text"
            spellcheck="false"
            maxlength=${LONGEST}
            .value=${live(this.typedIds === undefined ? this.text : text)}
            @input=${this.#onText}
          ></textarea>
        </div>
        <div class="box">
          <label for="ids">Ids</label>
          <textarea
            id="ids"
            spellcheck="false"
            aria-invalid=${"problem" in ids}
            aria-describedby=${"problem" in ids ? "problem" : nothing}
            .value=${live(this.typedIds ?? ("problem" in ids ? "" : ids.ids.slice(0, MOST_SHOWN).join(" ")))}
            @input=${this.#onIds}
          ></textarea>
          ${"problem" in ids ? html`<p class="problem" id="problem" role="alert">${ids.problem}</p>` : nothing}
        </div>
      </div>
      ${"problem" in ids ? nothing : this.#renderTokens(tokenizer, ids.ids, text)}`;
  }

  #renderSwitch(member: "addSpecial" | "parseSpecial", label: string) {
    return html`<label
      ><input
        type="checkbox"
        .checked=${live(this[member])}
        @change=${(event: Event) => {
          this[member] = (event.target as HTMLInputElement).checked;
          this.typedIds = undefined;
        }}
      />${label}</label
    >`;
  }

  #ids(tokenizer: Tokenizer): { ids: number[] } | { problem: string } {
    if (this.typedIds === undefined) {
      const { addSpecial, parseSpecial } = this;
      try {
        return { ids: [...tokenizer.encode(this.text, { addSpecial, parseSpecial })] };
      } catch (error) {
        // The vocabulary lacks what the text needs.
        const { code, message } = failureOf(error);
        if (code !== "bad-vocabulary") throw error;
        return { problem: message };
      }
    }
    const words = this.typedIds.split(/[\s,[\]]+/).filter(Boolean);
    const wrong = words.find((word) => !/^\d{1,10}$/.test(word) || tokenizer.token(Number(word)) === undefined);
    return wrong === undefined
      ? { ids: words.map(Number) }
      : { problem: `${wrong.slice(0, 40)} is not the id of a token.` };
  }

  #textOf(tokenizer: Tokenizer, ids: number[]): string {
    return tokenizer.decode(ids, { skipSpecial: false });
  }

  #renderTokens(tokenizer: Tokenizer, ids: readonly number[], text: string) {
    const shown = ids.slice(0, MOST_SHOWN);
    const characters = [...(this.typedIds === undefined ? this.text : text)].length;
    const share = ids.length === 0 ? "" : `, ${(characters / ids.length).toFixed(2)} characters per token`;
    return html`<div class="tokens" role="group" aria-label="Tokens of the text">
        ${shown.map((id) => {
          const token = tokenizer.token(id);
          const isSpecial = token?.type !== undefined && token.type !== "normal" && token.type !== "byte";
          return html`<span
            class="token ${isSpecial ? "special" : ""}"
            title="${token?.text ?? ""} · ${token?.type ?? ""}"
            >${token ? renderTokenText(token.bytes) : ""}<small>${id}</small></span
          >`;
        })}
      </div>
      <p class="hint" role="status">
        ${formatCount(ids.length, "token")}${share}.
        ${ids.length > shown.length ? `The first ${formatInteger(shown.length)} are shown.` : nothing}
        <gguf-copy-button label="Copy the ids" .text=${() => ids.join(" ")}></gguf-copy-button>
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

define("gguf-try-tokenizer", GgufTryTokenizer);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-try-tokenizer": GgufTryTokenizer;
  }
}
