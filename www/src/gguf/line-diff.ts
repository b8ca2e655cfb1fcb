import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { define } from "../ui/define.ts";
import { formatCount } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { cutParts, isMostlyEqual, splitAtDifference, type TextParts } from "../ui/text-difference.ts";
import { FULL, loadFull } from "./full.ts";
import { type DiffLine, lineDiff, linePairs } from "./differing-lines.ts";

/** The most lines that are shown at first. */
const FIRST_LINES = 200;
/** The most characters of a line that are shown. */
const MAX_LINE_LENGTH = 600;
/** The most characters that are shown of two texts without a common line. */
const MAX_TEXT_LENGTH = 400;

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const WORDS = { same: "", removed: "Removed: ", added: "Added: " } as const;

/** Shows the differences between two texts line by line. Of a long line, the surroundings of its first difference are shown. */
export class GgufLineDiff extends LitElement {
  @property() from = "";
  @property() to = "";
  @state() private all = false;
  /** The lines of the difference. Undefined if the texts have too little in common. */
  #lines: readonly DiffLine[] | undefined;
  /** The positions of lines that replace each other. */
  #pairs: ReadonlyMap<number, number> = new Map();

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        margin-top: 4px;
        border: 1px solid var(--gguf-line);
        border-radius: 6px;
        overflow: hidden;
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
      }
      p {
        display: grid;
        grid-template-columns: 1.1em minmax(0, 1fr);
        gap: 6px;
        padding: 0 10px;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
      .removed {
        background: var(--gguf-danger-soft);
      }
      .removed .sign {
        color: var(--gguf-danger);
      }
      .added {
        background: color-mix(in oklab, var(--gguf-string) 10%, var(--gguf-surface));
      }
      .added .sign {
        color: var(--gguf-string);
      }
      .sign {
        font-weight: 600;
        user-select: none;
      }
      mark {
        border-radius: 2px;
        background: color-mix(in oklab, currentcolor 16%, transparent);
        color: inherit;
        font-weight: 600;
      }
      .gap {
        display: block;
        padding-block: 2px;
        background: var(--gguf-sunken);
        color: var(--gguf-ink-2);
        font: var(--gguf-text-small)/1.5 var(--gguf-sans);
      }
      button {
        min-height: calc(28 * var(--gguf-unit));
        margin: 6px 10px;
        padding: 0 9px;
        font: 500 var(--gguf-text-small)/1 var(--gguf-sans);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("from") && !changed.has("to")) return;
    const full = FULL.started();
    if (!full) void this.#load();
    this.#lines = full && lineDiff(this.from, this.to, full.textHunks);
    this.#pairs = linePairs(this.#lines ?? []);
  }

  /** Loads the module that finds the differing lines. Without it, the texts are shown as if they had no line in common. */
  async #load(): Promise<void> {
    await loadFull().catch(() => undefined);
    if (FULL.started()) this.requestUpdate("from");
  }

  override render() {
    const lines = this.#lines;
    if (!lines) {
      const parts = splitAtDifference(this.from, this.to);
      return html`${this.#renderParts("removed", parts, 0, MAX_TEXT_LENGTH)}${this.#renderParts("added", parts, 1, MAX_TEXT_LENGTH)}`;
    }
    if (lines.length === 0) return html`<p class="gap">The texts are equal.</p>`;
    if (isEqualBeforeEnd(this.from, this.to)) return html`<p class="gap">Only the line breaks at the end differ.</p>`;
    const shown = this.all ? lines : lines.slice(0, FIRST_LINES);
    return html`${shown.map((line, at) =>
      line.kind === "gap"
        ? html`<p class="gap">${formatCount(line.lines, "unchanged line")}</p>`
        : this.#renderOne(line.kind, line.text, lines[this.#pairs.get(at) ?? -1]),
    )}${
      shown.length < lines.length
        ? html`<button type="button" @click=${this.#showAll}>
            Show ${formatCount(lines.length - shown.length, "more line")}
          </button>`
        : nothing
    }`;
  }

  #renderOne(kind: "same" | "removed" | "added", text: string, other: DiffLine | undefined) {
    if (kind === "same" || other === undefined || other.kind === "gap")
      return renderLine(kind, renderText(text, { limit: MAX_LINE_LENGTH, inline: true }));
    return kind === "removed"
      ? this.#renderParts(kind, splitAtDifference(text, other.text), 0, MAX_LINE_LENGTH)
      : this.#renderParts(kind, splitAtDifference(other.text, text), 1, MAX_LINE_LENGTH);
  }

  #renderParts(kind: "removed" | "added", pair: readonly [TextParts, TextParts], side: 0 | 1, room: number) {
    const { before, differing, after } = cutParts(pair[side], room);
    if (!isMostlyEqual(pair) || differing === "")
      return renderLine(kind, renderText(before + differing + after, { inline: true }));
    const inline = { inline: true };
    return renderLine(
      kind,
      html`<bdi
        >${renderText(before, inline)}<mark>${renderText(differing, inline)}</mark>${renderText(after, inline)}</bdi
      >`,
    );
  }

  readonly #showAll = () => {
    this.all = true;
  };
}

function renderLine(kind: "same" | "removed" | "added", content: TemplateResult) {
  return html`<p class=${kind}>
    <span class="sign" aria-hidden="true">${SIGNS[kind]}</span
    ><span><span class="sr">${WORDS[kind]}</span>${content}</span>
  </p>`;
}

/** Whether two texts are equal except for the line breaks at their ends. */
function isEqualBeforeEnd(from: string, to: string): boolean {
  const [shorter, longer] = from.length < to.length ? [from, to] : [to, from];
  return longer.startsWith(shorter) && /^[\r\n]*$/.test(longer.slice(shorter.length));
}

define("gguf-line-diff", GgufLineDiff);
