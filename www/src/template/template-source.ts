import { type Place, Places } from "gguf-wasm/common/template-places.js";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { formatInteger } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import "../ui/text-block.ts";

/** The editor. Its module is loaded when a template is shown. */
type CodeEditor = InstanceType<typeof import("./code-editor.ts").CodeEditor>;

/** The most characters of a template that the editor shows. Larger templates are shown as plain text. */
const MOST_CHARACTERS = 200_000;
/** The most characters of a line. Editors become slow with longer lines. */
const LONGEST_LINE = 20_000;

function isTooLarge(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return true;
  return text.split("\n").some((line) => line.length > LONGEST_LINE);
}

/**
 * The source of a template. The event `gguf-template-input` reports each change that a person types (detail: the text), and
 * `gguf-template-commit` that the text is complete.
 */
export class GgufTemplateSource extends LitElement {
  @property() text = "";
  @property() label = "";
  @property({ type: Boolean }) editable = false;
  /** Whether the module of the editor could not be loaded. */
  @state() private failed = false;

  #editor: CodeEditor | undefined;
  #loading = false;
  /** Whether the text has changes that are not reported as complete. */
  #isDirty = false;

  static override styles = [
    baseStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .cm-editor {
        max-height: min(560px, 60vh);
        border: 1px solid var(--gguf-line);
        border-radius: 6px;
        overflow: hidden;
      }
      p {
        display: flex;
        gap: 8px;
        margin-bottom: 8px;
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-dense);
      }
      p svg {
        flex: none;
        margin-top: 1px;
        color: var(--gguf-accent);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#commit();
    this.#editor?.destroy();
    this.#editor = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override willUpdate(changed: PropertyValues): void {
    if (isTooLarge(this.text)) {
      this.#editor?.destroy();
      this.#editor = undefined;
    } else if (this.#editor) {
      if (changed.has("text")) this.#editor.setText(this.text);
      if (changed.has("editable")) this.#editor.setEditable(this.editable);
    } else if (!this.failed) void this.#load();
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const { CodeEditor } = await import("./code-editor.ts");
      if (!this.isConnected || isTooLarge(this.text)) return;
      this.#editor = new CodeEditor({
        text: this.text,
        label: this.label,
        isEditable: this.editable,
        root: this.renderRoot as ShadowRoot,
        onInput: this.#onInput,
        onCommit: this.#commit,
      });
      this.requestUpdate();
    } catch {
      this.failed = true;
    } finally {
      this.#loading = false;
    }
  }

  /** Moves the cursor to a place. */
  showPlace(place: Place): void {
    this.#editor?.show(new Places(this.text).offsetOf(place));
  }

  override render() {
    if (this.#editor) return html`${this.#editor.dom}`;
    const block = html`<gguf-text-block .text=${this.text} label=${this.label}></gguf-text-block>`;
    if (isTooLarge(this.text))
      return html`<p>
          ${icons.info}<span
            >Templates with more than ${formatInteger(MOST_CHARACTERS)} characters, or with a line of more than
            ${formatInteger(LONGEST_LINE)}, are shown as plain text. The metadata panel can edit them.</span
          >
        </p>
        ${block}`;
    return html`${
      this.failed
        ? html`<p>
            ${icons.info}<span
              >The editor could not be loaded. Check the connection, and reload the page for colours and line
              numbers.</span
            >
          </p>`
        : nothing
    }${block}`;
  }

  readonly #onInput = (text: string) => {
    this.#isDirty = true;
    this.dispatchEvent(new CustomEvent("gguf-template-input", { detail: text }));
  };

  readonly #commit = () => {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.dispatchEvent(new CustomEvent("gguf-template-commit"));
  };
}

define("gguf-template-source", GgufTemplateSource);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-template-source": GgufTemplateSource;
  }
}
