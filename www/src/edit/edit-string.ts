import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { utf8Text } from "./hex.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import type { Apply } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";
import "./edit-hex.ts";
import "./edit-text.ts";

/** An editor for a string: as text, or as bytes if they are not UTF-8 or the person chooses bytes. */
export class GgufEditString extends LitElement {
  @property() value = "";
  /** The stored bytes of the string. */
  @property({ attribute: false }) stored: () => Uint8Array = () => new TextEncoder().encode(this.value);
  @property() label = "";
  @property({ type: Boolean }) long = false;
  @property({ attribute: false }) apply: Apply = () => undefined;
  @property({ attribute: false }) drafts: Map<string, string> | undefined;
  @property({ attribute: false }) draftId = "";
  /** The stored bytes if they are not UTF-8. */
  @state() private bytes: Uint8Array | undefined;
  @state() private hex = false;

  static override styles = [
    baseStyles,
    editStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
      }
      .broken {
        display: flex;
        gap: 8px;
        padding: 8px 10px;
        border-radius: 6px;
        background: var(--gguf-warning-soft);
        font-size: var(--gguf-text-dense);
      }
      .broken svg {
        flex: none;
        color: var(--gguf-warning);
      }
      .as {
        justify-self: start;
        /* Aligns the text of the button with the field above. */
        margin-inline-start: -9px;
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("value")) return;
    const before = this.bytes;
    this.bytes = undefined;
    if (this.value.includes("\ufffd")) {
      const bytes = this.stored();
      if (utf8Text(bytes) === undefined) this.bytes = bytes;
    }
    // A string that is not UTF-8 is shown as bytes at first.
    if (this.bytes && !before) this.hex = true;
    else if (before && !this.bytes) this.hex = false;
  }

  override render() {
    const { bytes, hex } = this;
    return html`${
        bytes
          ? html`<p class="broken">
              ${icons.warning}<span
                >${
                  hex
                    ? "These bytes are not valid UTF-8. They do not change unless you edit them."
                    : "The bytes of this string are not valid UTF-8: � marks an invalid byte. If you edit this text, it replaces all bytes."
                }</span
              >
            </p>`
          : nothing
      }${
        hex
          ? html`<gguf-edit-hex
              .value=${bytes ?? this.stored()}
              .label=${this.label}
              .apply=${this.apply}
              .drafts=${this.drafts}
              .draftId="${this.draftId} hex"
            ></gguf-edit-hex>`
          : html`<gguf-edit-text
              .value=${this.value}
              .label=${this.label}
              .long=${this.long}
              .apply=${this.apply}
              .drafts=${this.drafts}
              .draftId=${this.draftId}
            ></gguf-edit-text>`
      }<button type="button" class="quiet small as" @click=${this.#onHex}>
        ${hex ? (bytes ? "Replace with text" : "Edit as text") : "Edit as bytes"}
      </button>`;
  }

  readonly #onHex = () => {
    this.hex = !this.hex;
  };
}

define("gguf-edit-string", GgufEditString);
