import { css } from "lit";
import { plainTableStyles, rowPadding } from "../ui/styles/tables.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** The sections of facts, beside each other if there is room, and the bar of tensor types. */
export const detailsStyles = css`
  :host {
    display: block;
    container: details / inline-size;
  }
  .details {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0 36px;
    border-top: 1px solid var(--gguf-line);
  }
  @container details (min-width: ${boxWidth(760)}) {
    .details {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @container details (min-width: ${boxWidth(900)}) {
    .details {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
  }
  h3 {
    margin: 22px 0 8px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    font-weight: 600;
  }
  .kind {
    display: grid;
    gap: 6px;
    font-size: var(--gguf-text-dense);
    overflow-wrap: anywhere;
  }
  .kind p svg {
    display: inline;
    margin-inline-end: 6px;
    color: var(--gguf-accent);
    vertical-align: -2px;
  }
  .kind summary {
    width: fit-content;
    min-height: calc(24 * var(--gguf-unit));
    color: var(--gguf-accent);
    cursor: pointer;
  }
  .kind ul {
    display: grid;
    gap: 4px;
    padding-inline-start: 14px;
    color: var(--gguf-ink-2);
    list-style: disc;
  }
  .kind .mono {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-small);
  }
  .kind gguf-copy-button {
    vertical-align: middle;
  }
  .bar {
    display: flex;
    gap: 2px;
    height: calc(12 * var(--gguf-unit));
    border-radius: 4px;
    overflow: hidden;
  }
  .segment {
    min-width: 3px;
    flex: var(--share) 1 0;
    background: var(--hue);
  }
  ${plainTableStyles}
  table {
    margin-top: 8px;
  }
  th {
    padding: ${rowPadding(3)} 0;
    text-align: end;
  }
  td {
    padding: ${rowPadding(3)} 0 ${rowPadding(3)} 10px;
    color: var(--gguf-ink-2);
    text-align: end;
    white-space: nowrap;
  }
  thead th:not(:first-child) {
    color: var(--gguf-ink-3);
    font-size: var(--gguf-text-tiny);
    padding-inline-start: 10px;
  }
  /* The first column takes the remaining width. A long type name is cut off. */
  th:first-child {
    width: 100%;
    max-width: 0;
    padding-inline-start: 0;
    overflow: hidden;
    text-align: start;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  th .swatch {
    margin-inline-end: 7px;
  }
  td.share {
    color: var(--gguf-ink);
  }
  .more {
    min-height: calc(26 * var(--gguf-unit));
    margin: 4px 0 0 -8px;
    padding: 0 8px;
    font-size: var(--gguf-text-small);
  }
`;
