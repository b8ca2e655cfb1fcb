import { css, html, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { formatCount } from "../ui/numbers.ts";
import type { Parsed } from "./new-values.ts";
import { fromField, hidesSomething, type LineEnd, needsEscapes, toField } from "./string-text.ts";
import { baseStyles } from "../ui/styles.ts";
import { EditControl } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

/** The most lines that a field shows without scrolling. */
const MAX_ROWS = 18;

/** A text field that preserves every byte of a string: both kinds of line breaks, and invisible characters as escapes. */
export class GgufEditText extends EditControl {
  @property() value = "";
  /** Whether the field has several lines even if the string has one. */
  @property({ type: Boolean }) long = false;
  @state() private wraps = true;
  @state() private escaped = false;
  @state() private lineEnd: LineEnd = "lf";

  protected readonly sourceProperties = ["value"];

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 6px;
      }
      textarea {
        max-height: min(460px, 60vh);
        overflow: auto;
        overflow-wrap: anywhere;
      }
      textarea.straight {
        white-space: pre;
        overflow-wrap: normal;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 10px;
      }
      .tools label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }
      .tools select {
        min-height: calc(28 * var(--gguf-unit));
        padding: 0 6px;
        font-size: var(--gguf-text-small);
      }
      .hint {
        margin-inline-start: auto;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("value")) {
      const field = toField(this.value);
      this.escaped ||= field.escaped;
      this.lineEnd = field.lineEnd;
    }
    super.willUpdate(changed);
  }

  protected initialText(): string {
    return toField(this.value, this.escaped).text;
  }

  protected parse(text: string): Parsed<string> {
    return fromField({ text, escaped: this.escaped, lineEnd: this.lineEnd });
  }

  get #several(): boolean {
    return this.long || this.text.includes("\n") || this.text.length > 160;
  }

  protected override applies(event: KeyboardEvent): boolean {
    return this.#several ? event.ctrlKey || event.metaKey : !event.shiftKey;
  }

  override render() {
    const invalid = this.problem !== "";
    const several = this.#several;
    const lines = this.text.split("\n", 100_000).length;
    return html`<textarea
        data-value-field
        class=${this.wraps ? "" : "straight"}
        rows=${several ? Math.min(MAX_ROWS, Math.max(this.long ? 8 : 3, lines, Math.ceil(this.text.length / 110))) : 1}
        wrap=${this.wraps ? "soft" : "off"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-label=${this.label}
        aria-invalid=${invalid}
        aria-describedby="hint problem"
        .value=${this.text}
        @input=${this.onInput}
        @change=${this.onChange}
        @keydown=${this.onKey}
      ></textarea>
      <p id="problem" class="problem" role="alert" ?hidden=${!invalid}>${invalid ? this.problem : nothing}</p>
      <div class="tools">
        ${
          several
            ? html`<button type="button" class="small" aria-pressed=${this.wraps} @click=${this.#onWrap}>
                Wrap lines
              </button>`
            : nothing
        }
        ${
          this.escaped || hidesSomething(this.value)
            ? html`<button
                type="button"
                class="small"
                aria-pressed=${this.escaped}
                ?disabled=${this.escaped && needsEscapes(this.value)}
                @click=${this.#onEscapes}
              >
                Escape invisible characters
              </button>`
            : nothing
        }
        ${
          lines > 1 && !this.escaped
            ? html`<label
                >Line breaks<select @change=${this.#onLineEnd}>
                  <option value="lf" .selected=${live(this.lineEnd === "lf")}>LF</option>
                  <option value="crlf" .selected=${live(this.lineEnd === "crlf")}>CR LF</option>
                </select></label
              >`
            : nothing
        }
        <span id="hint" class="hint"
          >${formatCount(this.text.length, "character")}${lines > 1 ? `, ${formatCount(lines, "line")}` : ""} ·
          ${several ? "Ctrl+Enter applies the text" : "Enter applies the text, Shift+Enter inserts a line break"}</span
        >
      </div>`;
  }

  readonly #onWrap = () => {
    this.wraps = !this.wraps;
  };

  readonly #onEscapes = () => {
    if (!this.commit()) return;
    this.escaped = !this.escaped;
    this.begin();
  };

  readonly #onLineEnd = (event: Event) => {
    this.lineEnd = (event.target as HTMLSelectElement).value as LineEnd;
    const parsed = this.parse(this.text);
    if (parsed.problem === undefined && parsed.value !== this.value) this.apply(parsed.value);
  };
}

define("gguf-edit-text", GgufEditText);
