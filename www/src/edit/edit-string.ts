import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { utf8Text } from "./hex.ts";
import { icons } from "../ui/icons.ts";
import { baseStyles } from "../ui/styles.ts";
import type { Apply } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { define } from "../ui/define.ts";
import "./edit-hex.ts";
import "./edit-text.ts";

/** A string: as text, or by its bytes where they are not UTF-8 or somebody wants to see them. */
export class GgufEditString extends LitElement {
  static override properties = {
    value: {},
    stored: { attribute: false },
    label: {},
    long: { type: Boolean },
    apply: { attribute: false },
    drafts: { attribute: false },
    draftId: { attribute: false },
    bytes: { state: true },
    hex: { state: true },
  };

  declare value: string;
  /** Gives the string exactly as stored. */
  declare stored: () => Uint8Array;
  declare label: string;
  declare long: boolean;
  declare apply: Apply;
  declare drafts: Map<string, string> | undefined;
  declare draftId: string;
  /** What is stored, where it is not UTF-8. */
  declare private bytes: Uint8Array | undefined;
  declare private hex: boolean;

  constructor() {
    super();
    this.value = "";
    this.stored = () => new TextEncoder().encode(this.value);
    this.label = "";
    this.long = false;
    this.apply = () => undefined;
    this.drafts = undefined;
    this.draftId = "";
    this.bytes = undefined;
    this.hex = false;
  }

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
        font-size: 12.5px;
      }
      .broken svg {
        flex: none;
        color: var(--gguf-warning);
      }
      .as {
        justify-self: start;
        /* Its words begin where the field above does. */
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
    // Text that is not text is first shown as what it is.
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
                    ? "These bytes are not UTF-8. They stay as they are until you change them."
                    : "The bytes of this string are not UTF-8: � stands for what is no character. What you type here replaces all of them."
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

declare global {
  interface HTMLElementTagNameMap {
    "gguf-edit-string": GgufEditString;
  }
}
