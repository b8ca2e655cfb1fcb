import { css, html, LitElement, nothing } from "lit";
import { icons } from "./icons.ts";
import { base } from "./styles.ts";
import { define } from "./define.ts";

/** Copies `text` (computed only when asked for: an array's may be megabytes) and says so. */
export class GgufCopyButton extends LitElement {
  static override properties = {
    text: { attribute: false },
    label: {},
    caption: {},
    skipped: { type: Boolean },
    link: { type: Boolean },
    state: { state: true },
  };

  declare text: () => string;
  /** What is copied, for those who cannot see beside what the button stands. */
  declare label: string;
  /** Words on the button; without them it is only the icon. */
  declare caption: string;
  /** Leaves the button out of the tab order, where a row's own keys do the same. */
  declare skipped: boolean;
  /** Whether what is copied is a link. */
  declare link: boolean;
  declare private state: "" | "copied" | "failed";

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.text = () => "";
    this.label = "Copy";
    this.caption = "";
    this.skipped = false;
    this.link = false;
    this.state = "";
  }

  static override styles = [
    base,
    css`
      :host {
        display: inline-flex;
      }
      button {
        min-height: 24px;
        font-size: 12px;
      }
      button.icon {
        width: 24px;
      }
      .copied {
        color: var(--gguf-accent);
      }
      .failed {
        color: var(--gguf-danger);
      }
      @media (pointer: coarse) {
        button {
          min-height: 36px;
        }
        button.icon {
          width: 36px;
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

declare global {
  interface HTMLElementTagNameMap {
    "gguf-copy-button": GgufCopyButton;
  }
}

/** Has the viewer's live region say something. */
export function announce(from: HTMLElement, message: string): void {
  from.dispatchEvent(new CustomEvent("gguf-announce", { detail: message, bubbles: true, composed: true }));
}
