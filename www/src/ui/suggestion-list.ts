import type { LitElement, ReactiveController } from "lit";
import { css } from "lit";

/** The box of a list of suggestions. */
export const suggestionStyles = css`
  ul[role="listbox"] {
    position: relative;
    max-height: calc(236 * var(--gguf-unit));
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    overflow: auto;
  }
  li[role="option"] {
    cursor: pointer;
  }
  li[role="option"]:hover {
    background: var(--gguf-hover);
  }
  li[role="option"][aria-selected="true"] {
    background: var(--gguf-active);
    box-shadow: inset 3px 0 0 var(--gguf-accent);
    /* Forced colours remove the background, and show the outline. */
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
`;

/** What a field with suggestions has. */
interface Suggestions {
  /** The number of suggestions for the text that is typed. */
  readonly count: () => number;
  /** The id of the element of a suggestion. */
  readonly idOf: (at: number) => string;
  readonly choose: (at: number) => void;
}

/**
 * The list of suggestions of a text field, a combobox of WAI-ARIA: the arrow keys move the highlight, Enter chooses, and Escape closes the
 * list. The focus stays in the field.
 */
export class SuggestionList implements ReactiveController {
  readonly #host: LitElement;
  readonly #suggestions: Suggestions;
  #isOpen = false;
  #current = -1;

  constructor(host: LitElement, suggestions: Suggestions) {
    this.#host = host;
    this.#suggestions = suggestions;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.close();
  }

  /** Whether the list is wanted. Without suggestions it is not shown. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The highlighted suggestion; -1 for none. */
  get current(): number {
    return this.#current;
  }

  /** The id of the highlighted suggestion, for `aria-activedescendant`. */
  get currentId(): string | undefined {
    return this.#isOpen && this.#current >= 0 ? this.#suggestions.idOf(this.#current) : undefined;
  }

  readonly open = (): void => this.#set(true, this.#current);

  /** Opens the list for another text: nothing is highlighted. */
  readonly openAnew = (): void => this.#set(true, -1);

  readonly close = (): void => this.#set(false, -1);

  /** A press on the list does not take the focus from the field. */
  readonly keepFocus = (event: MouseEvent): void => event.preventDefault();

  /** Handles a key of the field. Returns whether it was one of the list's. */
  onKey(event: KeyboardEvent): boolean {
    const length = this.#isOpen ? this.#suggestions.count() : 0;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") this.#move(key === "ArrowDown" ? 1 : -1);
    else if (key === "Enter" && length > 0 && this.#current >= 0) this.#suggestions.choose(this.#current);
    // The first Escape closes the list. The next one is for what is around it.
    else if (key === "Escape" && length > 0) this.close();
    else return false;
    event.preventDefault();
    if (key === "Enter" || key === "Escape") event.stopPropagation();
    return true;
  }

  /** Highlights the next suggestion, or the one before. A closed list opens with its first or its last one. */
  #move(by: 1 | -1): void {
    const length = this.#suggestions.count();
    const from = this.#isOpen ? this.#current : -1;
    const next = by > 0 ? from + 1 : Math.max(0, from) - 1 + length;
    this.#set(true, length === 0 ? -1 : next % length);
    void this.#host.updateComplete.then(() => {
      const id = this.currentId;
      if (id !== undefined) this.#host.renderRoot.querySelector(`#${id}`)?.scrollIntoView({ block: "nearest" });
    });
  }

  #set(isOpen: boolean, current: number): void {
    if (isOpen === this.#isOpen && current === this.#current) return;
    this.#isOpen = isOpen;
    this.#current = current;
    this.#host.requestUpdate();
  }
}
