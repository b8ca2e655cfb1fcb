import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { baseStyles } from "../ui/styles.ts";
import { problemStyles } from "../ui/styles/notices.ts";
import { escapeText } from "../ui/text.ts";
import { LONGEST_NAME, readSaved, type SavedConversation, withoutSaved, withSaved } from "./saved-conversations.ts";

/**
 * Keeps the shown conversation under a name, or removes it. The event `gguf-saved-conversations` reports all kept ones, and `gguf-keep` the
 * one that was just kept.
 */
export class GgufSavedFields extends LitElement {
  @property({ attribute: false }) saved: readonly SavedConversation[] = [];
  /** The conversation that is shown. Its name is "" if it is not kept. */
  @property({ attribute: false }) shown: SavedConversation = { name: "", messages: "" };
  @property({ attribute: false }) isKept = false;
  /** Whether the conversation cannot be read. */
  @property({ type: Boolean }) invalid = false;
  @state() private typed = "";
  @state() private problem = "";

  static override styles = [
    baseStyles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      input {
        flex: 0 1 240px;
        min-width: 0;
      }
      ${problemStyles}
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    const before = changed.get("shown") as SavedConversation | undefined;
    if (before === undefined || before.name === this.shown.name) return;
    this.problem = "";
    if (this.shown.name !== "") this.typed = this.shown.name;
  }

  override render() {
    const { problem, isKept, shown } = this;
    const isOther = this.saved.some(({ name }) => name === this.typed.trim());
    return html`<form novalidate @submit=${this.#onSubmit}>
        <input
          type="text"
          aria-label="Name of the conversation"
          aria-invalid=${problem !== ""}
          aria-describedby="problem"
          placeholder="Name"
          maxlength=${LONGEST_NAME}
          autocomplete="off"
          .value=${live(this.typed)}
          @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value)}
        />
        <button type="submit" ?disabled=${this.invalid || (isKept && this.typed.trim() === shown.name)}>
          ${isOther && !(isKept && this.typed.trim() === shown.name) ? "Replace" : "Save"}
        </button>
        ${
          isKept
            ? html`<button type="button" class="quiet" @click=${this.#remove}>
                Remove “${escapeText(shown.name, LONGEST_NAME)}”
              </button>`
            : nothing
        }
      </form>
      <p id="problem" class="problem" role="alert">${problem}</p>`;
  }

  readonly #onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const kept = { ...this.shown, name: this.typed.trim() };
    // Another page may have kept some since.
    const all = withSaved(readSaved(), kept);
    this.problem = "problem" in all ? all.problem : "";
    if ("problem" in all) return;
    this.#tell("gguf-saved-conversations", all);
    this.#tell("gguf-keep", kept);
  };

  readonly #remove = () => {
    this.#tell("gguf-saved-conversations", withoutSaved(readSaved(), this.shown.name));
    this.renderRoot.querySelector("input")?.focus();
  };

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

define("gguf-saved-fields", GgufSavedFields);
