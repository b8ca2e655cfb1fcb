import type { MetadataValue } from "gguf-wasm/explain";
import { css, html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { renderText } from "../ui/render-text.ts";
import { formatCount, formatId } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { SuggestionList, suggestionStyles } from "../ui/suggestion-list.ts";
import { define } from "../ui/define.ts";
import { EditControl } from "./edit-control.ts";
import { editStyles } from "./edit-styles.ts";
import { editText, type Parsed, type ScalarType } from "./new-values.ts";
import type { TokenChoice, TokenChoices } from "./token-choices.ts";

/** The most tokens that are listed. More letters make the list shorter. */
const MOST_LISTED = 50;

/** A field for the id of a token, which is found by its text or by its id. The text of the token is shown beside it. */
export class GgufEditTokenId extends EditControl {
  @property({ attribute: false }) value!: MetadataValue;
  @property() type!: ScalarType;
  @property({ attribute: false }) choices!: TokenChoices;

  readonly #list = new SuggestionList(this, {
    count: () => this.#listed.length,
    idOf: (at) => `token-${at}`,
    choose: (at) => this.#choose(at),
  });

  protected readonly sourceProperties = ["value", "type"];

  static override styles = [
    baseStyles,
    editStyles,
    suggestionStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 4px;
      }
      .field {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 10px;
      }
      input {
        width: min(100%, calc(320 * var(--gguf-unit)));
      }
      .label {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
      .chosen {
        padding: 2px 6px;
        border-radius: 4px;
        background: var(--gguf-accent-soft);
        color: var(--gguf-accent);
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
      ul {
        width: min(100%, calc(420 * var(--gguf-unit)));
      }
      li {
        display: flex;
        gap: 12px;
        padding: 5px 10px;
        font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
      }
      .id {
        flex: 0 0 7ch;
        color: var(--gguf-ink-2);
        text-align: end;
      }
      .text {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      @media (pointer: coarse) {
        li {
          padding-block: 10px;
        }
      }
    `,
  ];

  protected initialText(): string {
    return editText(this.value, this.type);
  }

  protected parse(text: string): Parsed {
    return this.choices.parse(this.type, text);
  }

  /** The tokens of the list. A text that nobody has typed lists all special tokens. */
  get #listed(): TokenChoice[] {
    return this.choices.matching(this.dirty ? this.text : "").slice(0, MOST_LISTED);
  }

  /** The text of the token that the field names. */
  get #chosen(): string | undefined {
    const { value } = this.parse(this.text);
    return value === undefined ? undefined : this.choices.textOf(Number(value));
  }

  override render() {
    const listed = this.#list.isOpen ? this.#listed : [];
    const isOpen = listed.length > 0;
    // A text that is being typed is no mistake while the list has tokens with it.
    const invalid = this.problem !== "" && !isOpen;
    const chosen = this.#chosen;
    return html`<span class="label" aria-hidden="true">Token</span>
      <div class="field">
        <input
          data-value-field
          type="text"
          class="mono"
          role="combobox"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-label=${this.label}
          aria-autocomplete="list"
          aria-expanded=${isOpen}
          aria-controls="tokens"
          aria-activedescendant=${(isOpen && this.#list.currentId) || nothing}
          aria-invalid=${invalid}
          aria-describedby="chosen hint problem"
          .value=${this.text}
          @input=${this.#onType}
          @click=${this.#list.open}
          @change=${this.onChange}
          @blur=${this.#list.close}
          @keydown=${this.#onListKey}
        />
        <span id="chosen" class="chosen" ?hidden=${chosen === undefined}
          ><span class="sr">Token: </span>${chosen === undefined ? nothing : renderText(chosen, { limit: 200 })}</span
        >
      </div>
      <ul id="tokens" role="listbox" aria-label="Tokens" ?hidden=${!isOpen} @mousedown=${this.#list.keepFocus}>
        ${listed.map(
          ({ id, text }, at) =>
            html`<li
              id="token-${at}"
              role="option"
              aria-selected=${at === this.#list.current}
              @click=${() => this.#choose(at)}
            >
              <span class="id">${formatId(id)}</span><span class="text">${renderText(text, { limit: 200 })}</span>
            </li>`,
        )}
      </ul>
      <p class="sr" role="status">${isOpen ? formatCount(listed.length, "token") : ""}</p>
      <p id="hint" class="hint">
        The id of one of ${formatCount(this.choices.count, "token")}. Type a part of its text, or the id.
      </p>
      <p id="problem" class="problem" role="alert" ?hidden=${!invalid}>${invalid ? this.problem : nothing}</p>`;
  }

  readonly #onType = (event: Event) => {
    this.onInput(event);
    this.#list.openAnew();
  };

  #choose(at: number): void {
    const choice = this.#listed[at];
    if (!choice) return;
    this.setText(String(choice.id));
    this.commit();
    this.#list.close();
  }

  readonly #onListKey = (event: KeyboardEvent) => {
    if (this.#list.onKey(event)) return;
    if (event.key === "Enter") this.#list.close();
    this.onKey(event);
  };
}

define("gguf-edit-token-id", GgufEditTokenId);
