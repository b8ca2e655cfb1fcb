import type { Gguf } from "gguf-wasm/explain";
import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { failureOf } from "../gguf/failure.ts";
import { makeTokenizer } from "../worker/file-tokenizer.ts";
import { sentenceOf } from "../worker/tokenizer-calls.ts";
import "../ui/copy-button.ts";
import { define } from "../ui/define.ts";
import { whenIdle } from "../ui/idle.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { wrappedTextStyles } from "../ui/styles/text.ts";
import { escapeText, truncate } from "../ui/text.ts";
import { type SpecialText, type SpecialTokens, splitAtTokens, type TextPiece, tokenised } from "./rendered-tokens.ts";
import type { Rendering } from "./template-messages.ts";
import { appendMarked, lineMayEndBefore, lineStart, whiteSpaceStyles } from "./white-space.ts";

/** The characters that are shown at first, and that each "Show more" adds. Laying out much more text takes noticeable time. */
const CHARACTERS_AT_ONCE = 32_000;

/** The most characters that are tokenised. It takes less than a frame of the screen. */
const MOST_TOKENISED = 100_000;

/** The tokens of a text that is shown, and what they were computed from. */
interface TokensOfText {
  readonly text: string;
  readonly gguf: Gguf;
  readonly special: SpecialTokens | undefined;
  readonly pieces: readonly TextPiece[];
  readonly count?: number;
  readonly added?: number;
  /** Why tokens are not counted. */
  readonly problem?: string;
}

/** The text that a template renders, with its special tokens marked. */
export class GgufRenderedText extends LitElement {
  @property({ attribute: false }) rendering: Rendering = { text: "", isCut: false, notes: [] };
  /** What is rendered, for screen readers. */
  @property() label = "Rendered text";
  /** The file with the tokenizer. */
  @property({ attribute: false }) gguf: Gguf | undefined;
  /** The special tokens of the vocabulary. Undefined if there is none, or until they have been read. */
  @property({ attribute: false }) special: SpecialTokens | undefined;
  /** Whether spaces, line breaks and tabs have marks. */
  @property({ type: Boolean }) spaces = false;
  /** Whether each token has a mark. */
  @property({ type: Boolean }) tokenised = false;
  /** Whether another rendering says why tokens are not counted. */
  @property({ type: Boolean }) brief = false;
  /** Whether the text is that of an earlier template or conversation. */
  @property({ type: Boolean }) stale = false;
  @state() private shown: number = CHARACTERS_AT_ONCE;
  /** The tokens of the last text that was tokenised. */
  @state() private tokens: TokensOfText | undefined;

  static override styles = [
    baseStyles,
    css`
      ${wrappedTextStyles}
      pre {
        max-height: min(560px, 70vh);
        font: var(--gguf-text-dense)/1.7 var(--gguf-mono);
      }
      .token {
        padding: 1px 3px;
        border-radius: 4px;
        background: var(--gguf-accent-soft);
        color: var(--gguf-accent);
        box-decoration-break: clone;
        -webkit-box-decoration-break: clone;
      }
      ${whiteSpaceStyles}
      /* A token stands in one line. */
      .token,
      .piece {
        white-space: pre;
        overflow-wrap: normal;
      }
      .piece {
        border-radius: 3px;
      }
      .even {
        background: color-mix(in oklab, var(--gguf-number) 11%, transparent);
      }
      .odd {
        background: color-mix(in oklab, var(--gguf-string) 15%, transparent);
      }
      @media (forced-colors: active) {
        .piece {
          border-block-end: 1px solid CanvasText;
        }
        .odd {
          border-block-end-style: dotted;
        }
      }
      .user-defined {
        background: none;
        outline: 1px solid var(--gguf-accent);
        outline-offset: -1px;
      }
      p {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        margin-top: 6px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      gguf-copy-button {
        margin-inline-start: auto;
      }
    `,
  ];

  override render() {
    const { text, isCut } = this.rendering;
    const shown = truncate(text, this.shown);
    const { pieces, count: tokenCount, added = 0, problem } = this.#tokensOf(shown);
    const count = pieces.filter(({ token }) => token).length;
    const isWhole = shown.length === text.length;
    const counts = [
      ...(tokenCount === undefined
        ? []
        : [
            `${formatCount(tokenCount, "token")}${added === 0 ? "" : ` (${formatInteger(added)} added by the tokenizer)`}`,
          ]),
      ...(this.special ? [formatCount(count, "special token")] : []),
    ].join(", ");
    const part =
      shown.length > MOST_TOKENISED
        ? ` in the first ${formatInteger(MOST_TOKENISED)} characters`
        : isWhole
          ? ""
          : " in the part that is shown";
    return html`<pre tabindex="0" role="region" aria-label=${this.label} aria-busy=${this.stale}>
${this.#renderPieces(pieces)}</pre>
      <p>
        <span role="status"
          >${isCut ? "The first " : ""}${formatCount(text.length, "character")}${
            counts === "" ? "" : `, ${counts}${part}`
          }</span
        >
        ${
          isWhole
            ? nothing
            : html`<button type="button" @click=${this.#more}>
                Show ${formatInteger(Math.min(CHARACTERS_AT_ONCE, text.length - shown.length))} more characters
              </button>`
        }
        <gguf-copy-button label="Copy the rendered text" caption="Copy" .text=${() => text}></gguf-copy-button>
      </p>
      ${problem === undefined || this.brief ? nothing : html`<p class="problem">Tokens are not counted. ${problem}</p>`}`;
  }

  override updated(): void {
    const { gguf } = this;
    const text = truncate(this.rendering.text, this.shown);
    if (!gguf || this.#isKnown(text)) return;
    void this.#tokenise(text, gguf);
  }

  #isKnown(text: string): boolean {
    const { tokens, gguf, special } = this;
    return tokens?.text === text && tokens.gguf === gguf && tokens.special === special;
  }

  /** What is known about the tokens of a text. Special tokens are marked until it is tokenised, too. */
  #tokensOf(text: string): Omit<TokensOfText, "text" | "gguf" | "special"> {
    if (this.tokens && this.#isKnown(text)) return this.tokens;
    const pieces = this.special ? splitAtTokens(text, this.special, MOST_TOKENISED) : [{ text }];
    return { pieces };
  }

  /** Tokenises a text when the page is idle. The result is kept until the text changes. */
  async #tokenise(text: string, gguf: Gguf): Promise<void> {
    const tokenizer = await makeTokenizer(gguf);
    await whenIdle();
    const { special } = this;
    const isNeeded = () =>
      !this.#isKnown(text) && this.gguf === gguf && truncate(this.rendering.text, this.shown) === text;
    if (!isNeeded()) return;
    const failed = (problem: string) => ({ ...this.#tokensOf(text), problem });
    let result: Omit<TokensOfText, "text" | "gguf" | "special">;
    if ("problem" in tokenizer) result = failed(tokenizer.problem);
    else {
      try {
        result = await tokenised(text, tokenizer, MOST_TOKENISED);
      } catch (error) {
        const { code } = failureOf(error);
        // The file was closed.
        if (code === "cancelled") return;
        if (code !== "bad-vocabulary") throw error;
        result = failed(sentenceOf(error));
      }
    }
    if (isNeeded()) this.tokens = { ...result, text, gguf, special };
  }

  /** The elements are made anew only if the text or its marks change. */
  #renderPieces(pieces: readonly TextPiece[]) {
    const [withSpaces, withTokens] = [this.spaces, this.tokenised];
    return guard([pieces, withSpaces, withTokens], () => pieceElements(pieces, { withSpaces, withTokens }));
  }

  readonly #more = () => {
    this.shown += CHARACTERS_AT_ONCE;
  };
}

/** A special token. */
function tokenElement({ id, kind, text }: SpecialText, withSpaces: boolean): HTMLElement {
  const element = document.createElement("span");
  element.className = `token ${kind}`;
  element.title = `Token ${id}, ${kind}: ${escapeText(text, 100)}`;
  const isolated = document.createElement("bdi");
  appendMarked(isolated, text, withSpaces);
  element.append(isolated);
  return element;
}

/** The elements of a text: one for each special token, and one for the text between two of them, with its tokens if they are marked. */
function pieceElements(
  pieces: readonly TextPiece[],
  { withSpaces, withTokens }: { withSpaces: boolean; withTokens: boolean },
): HTMLElement[] {
  const elements: HTMLElement[] = [lineStart()];
  const mayEnd = lineMayEndBefore();
  let between: HTMLElement | undefined;
  let count = 0;
  for (const piece of pieces) {
    // A special token is no part of a word.
    const ends = mayEnd(piece.text);
    if (piece.token) {
      between = undefined;
      elements.push(document.createElement("wbr"), tokenElement(piece.token, withSpaces));
      continue;
    }
    if (!between) elements.push((between = document.createElement("bdi")));
    if (ends && withTokens) between.append(document.createElement("wbr"));
    if (piece.id === undefined || !withTokens) {
      appendMarked(between, piece.text, withSpaces);
      continue;
    }
    count += 1;
    const element = document.createElement("span");
    element.className = `piece ${count % 2 === 0 ? "even" : "odd"}`;
    element.title = `Token ${piece.id}`;
    appendMarked(element, piece.text, withSpaces);
    between.append(element);
  }
  // Nothing follows the last line break.
  if (pieces.at(-1)?.text.endsWith("\n")) [...(elements.at(-1)?.querySelectorAll(".line") ?? [])].at(-1)?.remove();
  return elements;
}

define("gguf-rendered-text", GgufRenderedText);
