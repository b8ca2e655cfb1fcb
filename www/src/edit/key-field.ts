import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { define } from "../ui/define.ts";
import { formatCount } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { SuggestionList, suggestionStyles } from "../ui/suggestion-list.ts";
import { escapeText } from "../ui/text.ts";
import { editStyles } from "./edit-styles.ts";
import { type KeySuggestion, matchingSuggestions } from "./key-suggestions.ts";

/** The most suggestions that are listed. More letters make the list shorter. */
const MAX_LISTED = 50;

/**
 * The field for the key of a new entry: a text field with a list of known keys and their meaning. The event `gguf-key` reports each change;
 * its detail is the chosen suggestion, or undefined if the key was typed.
 */
export class GgufKeyField extends LitElement {
  @property({ attribute: false }) suggestions: readonly KeySuggestion[] = [];
  /** Why the key is refused. "" if it is not. */
  @property() problem = "";
  @state() value = "";

  readonly #list = new SuggestionList(this, {
    count: () => this.#listed.length,
    idOf: (at) => `key-${at}`,
    choose: (at) => this.#choose(at),
  });

  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  static override styles = [
    baseStyles,
    editStyles,
    suggestionStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 6px;
      }
      li {
        padding: 6px 10px;
      }
      li + li {
        border-top: 1px solid var(--gguf-line);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 0 10px;
        align-items: baseline;
        font: 500 var(--gguf-text-dense)/1.5 var(--gguf-mono);
        overflow-wrap: anywhere;
      }
      .type {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-tiny);
      }
      .about {
        color: var(--gguf-ink-2);
        font-size: var(--gguf-text-small);
      }
    `,
  ];

  get #listed(): KeySuggestion[] {
    return matchingSuggestions(this.suggestions, this.value).slice(0, MAX_LISTED);
  }

  /** Empties the field. */
  clear(): void {
    this.value = "";
    this.#list.close();
  }

  override render() {
    const listed = this.#list.isOpen ? this.#listed : [];
    const isOpen = listed.length > 0;
    return html`<label
        >Key<input
          type="text"
          class="mono"
          role="combobox"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-autocomplete="list"
          aria-expanded=${isOpen}
          aria-controls="keys"
          aria-activedescendant=${(isOpen && this.#list.currentId) || nothing}
          aria-invalid=${this.problem !== ""}
          aria-describedby="problem"
          .value=${this.value}
          @input=${this.#onInput}
          @focus=${this.#list.open}
          @click=${this.#list.open}
          @blur=${this.#onBlur}
          @keydown=${this.#onKey}
      /></label>
      <p id="problem" class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
      <ul id="keys" role="listbox" aria-label="Suggestions" ?hidden=${!isOpen} @mousedown=${this.#list.keepFocus}>
        ${listed.map(({ key, info }, at) => this.#renderOption(key, info, at))}
      </ul>
      <p class="sr" role="status">${isOpen ? formatCount(listed.length, "known key", "known keys") : ""}</p>`;
  }

  #renderOption(key: string, { title, description, types }: KeySuggestion["info"], at: number) {
    return html`<li
      id="key-${at}"
      role="option"
      aria-selected=${at === this.#list.current}
      @click=${() => this.#choose(at)}
    >
      <span class="line">${escapeText(key)} <span class="type">${types[0]}</span></span>
      <span class="about">${title}: ${description}</span>
    </li>`;
  }

  #report(suggestion: KeySuggestion | undefined): void {
    this.dispatchEvent(new CustomEvent("gguf-key", { detail: suggestion, bubbles: true, composed: true }));
  }

  #choose(at: number): void {
    const suggestion = this.#listed[at];
    if (!suggestion) return;
    this.value = suggestion.key;
    this.#list.close();
    this.#report(suggestion);
  }

  /** The fields below move when the list closes. So it closes after the click that took the focus has reached its target. */
  readonly #onBlur = () => {
    addEventListener("pointerup", () => setTimeout(this.#list.close, 0), { once: true });
  };

  readonly #onInput = (event: Event) => {
    this.value = (event.target as HTMLInputElement).value;
    this.#list.openAnew();
    this.#report(undefined);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key === "Tab") this.#list.close();
    else this.#list.onKey(event);
  };
}

define("gguf-key-field", GgufKeyField);
