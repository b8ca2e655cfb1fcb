import { css, html, nothing } from "lit";
import { icons } from "./icons.ts";

/** The direction of a sorted column. Undefined for a column that the table is not sorted by. */
export type SortDirection = "ascending" | "descending" | undefined;

/** The head of a column with a button that sorts the table. The styles are `sortStyles`. */
export function renderSortHead(options: {
  title: unknown;
  direction: SortDirection;
  sort: () => void;
  name?: string;
  hint?: string;
}) {
  const { title, direction, sort, name = "", hint = "" } = options;
  return html`<span role="columnheader" class=${name} aria-sort=${direction ?? nothing}
    ><button type="button" class="quiet" title=${hint || nothing} @click=${sort}>
      ${title}${direction === "descending" ? icons.down : icons.up}
    </button></span
  >`;
}

export const sortStyles = css`
  .head [role="columnheader"] {
    display: flex;
    min-width: 0;
  }
  .head .number {
    justify-content: flex-end;
  }
  .head .number button {
    flex-direction: row-reverse;
  }
  .head button {
    gap: 3px;
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 4px;
    margin: 0 -4px;
    font-size: var(--gguf-text-small);
    color: inherit;
  }
  .head button svg {
    width: calc(12 * var(--gguf-unit));
    height: calc(12 * var(--gguf-unit));
    visibility: hidden;
  }
  .head [aria-sort] button {
    color: var(--gguf-ink);
    font-weight: 600;
  }
  .head [aria-sort] svg {
    visibility: visible;
  }
`;
