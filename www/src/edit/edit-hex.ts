import { css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { formatCount } from "../ui/numbers.ts";
import { hexText, parseHex, utf8Text } from "./hex.ts";
import type { Parsed } from "./new-values.ts";
import { escapeText } from "../ui/text.ts";
import { baseStyles } from "../ui/styles.ts";
import { EditControl } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";

/** An editor for the bytes of a string, which may be invalid UTF-8. */
export class GgufEditHex extends EditControl {
  @property({ attribute: false }) value!: Uint8Array;

  protected readonly sourceProperties = ["value"];

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        gap: 6px;
      }
      textarea {
        width: min(100%, 54ch);
        max-height: min(420px, 60vh);
      }
      .hint {
        overflow-wrap: anywhere;
      }
    `,
  ];

  protected initialText(): string {
    return hexText(this.value);
  }

  protected parse(text: string): Parsed {
    return parseHex(text);
  }

  protected override applies(event: KeyboardEvent): boolean {
    return event.ctrlKey || event.metaKey;
  }

  override render() {
    const invalid = this.problem !== "";
    return html`<textarea
        data-value-field
        rows=${Math.min(16, Math.max(2, this.text.split("\n").length))}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-label="${this.label}, as hexadecimal bytes"
        aria-invalid=${invalid}
        aria-describedby="hint problem"
        .value=${this.text}
        @input=${this.onInput}
        @change=${this.onChange}
        @keydown=${this.onKey}
      ></textarea>
      <p id="problem" class="problem" role="alert" ?hidden=${!invalid}>${invalid ? this.problem : nothing}</p>
      <p id="hint" class="hint">${this.#hint()}</p>`;
  }

  #hint(): string {
    const parsed = parseHex(this.text);
    if (parsed.problem !== undefined) return "";
    const text = utf8Text(parsed.value);
    const size = formatCount(parsed.value.length, "byte");
    return text === undefined ? `${size}, not UTF-8` : `${size}; as text: “${escapeText(text, 120)}”`;
  }
}

define("gguf-edit-hex", GgufEditHex);
