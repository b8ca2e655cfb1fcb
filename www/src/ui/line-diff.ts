import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { define } from "./define.ts";
import { formatCount } from "./numbers.ts";
import { renderText } from "./render-text.ts";
import { baseStyles } from "./styles.ts";
import { type DiffLine, lineDiff } from "./text-difference.ts";

/** The most lines that are shown at first. */
const FIRST_LINES = 200;
/** The most characters of a line that are shown. */
const MAX_LINE_LENGTH = 600;
/** The most characters that are shown of two texts without a common line. */
const MAX_TEXT_LENGTH = 400;

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const WORDS = { same: "", removed: "Removed: ", added: "Added: " } as const;

/** Shows the differences between two texts line by line. */
export class GgufLineDiff extends LitElement {
  static override properties = {
    from: {},
    to: {},
    lines: { state: true },
    all: { state: true },
  };

  declare from: string;
  declare to: string;
  /** The lines of the difference: undefined until they are computed, null if the texts have too little in common. */
  declare private lines: readonly DiffLine[] | null | undefined;
  declare private all: boolean;

  constructor() {
    super();
    this.from = "";
    this.to = "";
    this.lines = undefined;
    this.all = false;
  }

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        margin-top: 4px;
        border: 1px solid var(--gguf-line);
        border-radius: 6px;
        overflow: hidden;
        font: 12.5px/1.5 var(--gguf-mono);
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
      .gap {
        display: block;
        padding-block: 2px;
        background: var(--gguf-sunken);
        color: var(--gguf-ink-2);
        font: 12px/1.5 var(--gguf-sans);
      }
      button {
        min-height: 28px;
        margin: 6px 10px;
        padding: 0 9px;
        font: 500 12px/1 var(--gguf-sans);
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("from") || changed.has("to")) void this.#compare();
  }

  async #compare(): Promise<void> {
    const { from, to } = this;
    this.lines = undefined;
    // If the module for differences does not load, only the beginning of both texts is shown.
    const lines = await lineDiff(from, to).catch(() => undefined);
    if (from === this.from && to === this.to) this.lines = lines ?? null;
  }

  override render() {
    const { lines } = this;
    if (lines === undefined) return nothing;
    if (lines === null)
      return html`${this.#renderLine("removed", this.from, MAX_TEXT_LENGTH)}${this.#renderLine("added", this.to, MAX_TEXT_LENGTH)}`;
    if (lines.length === 0) return html`<p class="gap">Only the line breaks at the end differ.</p>`;
    const shown = this.all ? lines : lines.slice(0, FIRST_LINES);
    return html`${shown.map((line) =>
      line.kind === "gap"
        ? html`<p class="gap">${formatCount(line.lines, "unchanged line")}</p>`
        : this.#renderLine(line.kind, line.text, MAX_LINE_LENGTH),
    )}${
      shown.length < lines.length
        ? html`<button type="button" @click=${this.#showAll}>
            Show ${formatCount(lines.length - shown.length, "more line")}
          </button>`
        : nothing
    }`;
  }

  #renderLine(kind: "same" | "removed" | "added", text: string, limit: number) {
    return html`<p class=${kind}>
      <span class="sign" aria-hidden="true">${SIGNS[kind]}</span
      ><span><span class="sr">${WORDS[kind]}</span>${renderText(text, { limit, inline: true })}</span>
    </p>`;
  }

  readonly #showAll = () => {
    this.all = true;
  };
}

define("gguf-line-diff", GgufLineDiff);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-line-diff": GgufLineDiff;
  }
}
