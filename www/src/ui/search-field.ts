import { css, html, nothing } from "lit";
import { icons } from "./icons.ts";

/** A search field. `search` is called with the text after each change. The styles are `searchStyles`. */
export function renderSearchField(options: {
  label: string;
  placeholder: string;
  text: string;
  search: (text: string) => void;
  onKey?: (event: KeyboardEvent) => void;
  /** The id of the element that says why the text cannot be searched for. */
  problem?: string | undefined;
  /** Whether the key "/" moves the focus to the field. */
  hasShortcut?: boolean;
}) {
  const { label, placeholder, text, search, onKey, problem, hasShortcut = true } = options;
  return html`<span class="field"
    >${icons.search}<input
      type="search"
      aria-label=${label}
      aria-keyshortcuts=${hasShortcut ? "/" : nothing}
      aria-invalid=${problem === undefined ? nothing : "true"}
      aria-describedby=${problem ?? nothing}
      placeholder=${placeholder}
      autocomplete="off"
      spellcheck="false"
      .value=${text}
      @input=${(event: Event) => search((event.target as HTMLInputElement).value)}
      @keydown=${onKey}
  /></span>`;
}

export const searchStyles = css`
  .field {
    position: relative;
    display: flex;
    flex: 1 1 calc(200 * var(--gguf-unit));
    min-width: 0;
    max-width: calc(420 * var(--gguf-unit));
  }
  .field svg {
    position: absolute;
    left: 9px;
    top: 50%;
    translate: 0 -50%;
    color: var(--gguf-ink-3);
    pointer-events: none;
  }
  .field input {
    flex: 1;
    padding-left: calc(32 * var(--gguf-unit));
  }
`;
