import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { icons } from "./icons.ts";
import { baseStyles } from "./styles.ts";
import { announce } from "./announce.ts";
import { define } from "./define.ts";

/** Copies `text` to the clipboard and announces it. `text` is a function because the text of an array may be megabytes long. */
export class GgufCopyButton extends LitElement {
  @property({ attribute: false }) text: () => string = () => "";
  /** The name of the button for screen readers. */
  @property() label = "Copy";
  /** The text on the button. "" shows only the icon. */
  @property() caption = "";
  /** Takes the button out of the tab order. Rows use it, because they have a key for copying. */
  @property({ type: Boolean }) skipped = false;
  /** Whether the icon shows a link. */
  @property({ type: Boolean }) link = false;
  @state() private state: "" | "copied" | "failed" = "";

  #timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
      }
      button {
        min-height: calc(24 * var(--gguf-unit));
        font-size: var(--gguf-text-small);
      }
      button.icon {
        width: calc(24 * var(--gguf-unit));
      }
      .copied {
        color: var(--gguf-accent);
      }
      .failed {
        color: var(--gguf-danger);
      }
      @media (pointer: coarse) {
        button {
          min-height: calc(36 * var(--gguf-unit));
        }
        button.icon {
          width: calc(36 * var(--gguf-unit));
        }
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override render() {
    const words = this.state === "copied" ? "Copied" : this.state === "failed" ? "Not copied" : this.caption;
    return html`<button
      type="button"
      class="quiet ${this.state} ${words === "" || this.caption === "" ? "icon" : ""}"
      tabindex=${this.skipped ? -1 : 0}
      title=${this.label}
      aria-label=${this.state === "" ? this.label : `${this.label}: ${words}`}
      @click=${this.#copy}
    >
      ${this.state === "copied" ? icons.check : this.state === "failed" ? icons.close : this.link ? icons.link : icons.copy}${this.caption === "" ? nothing : html`<span part="caption">${words}</span>`}
    </button>`;
  }

  readonly #copy = async (event: Event) => {
    event.stopPropagation();
    try {
      await navigator.clipboard.writeText(this.text());
      this.state = "copied";
    } catch {
      this.state = "failed";
    }
    announce(this, this.state === "copied" ? "Copied" : "The browser did not allow copying");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.state = "";
    }, 1600);
  };
}

define("gguf-copy-button", GgufCopyButton);
