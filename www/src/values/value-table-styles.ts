import { css } from "lit";
import { plainTableStyles } from "../ui/styles/tables.ts";

/** The table of values, and the form for a position. */
export const valueTableStyles = css`
  .bar {
    gap: 8px;
  }
  h4 {
    margin-inline-end: 4px;
  }
  .bar button,
  .bar input {
    min-height: calc(28 * var(--gguf-unit));
    font-size: var(--gguf-text-small);
  }
  .bar .icon {
    width: calc(30 * var(--gguf-unit));
  }
  .moves {
    display: flex;
    gap: 4px;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    margin-inline-start: auto;
  }
  input[type="number"] {
    width: 7.6em;
  }
  .where {
    flex-basis: 100%;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .scroll {
    position: relative;
    overflow-x: auto;
    border: 1px solid var(--gguf-line);
    border-radius: 6px;
    background: var(--gguf-surface);
  }
  ${plainTableStyles}
  table {
    table-layout: fixed;
    font: var(--gguf-text-small)/1.4 var(--gguf-mono);
  }
  th {
    color: var(--gguf-ink-2);
    text-align: end;
    vertical-align: middle;
  }
  thead th {
    padding: 4px 8px;
    background: var(--gguf-sunken);
    border-bottom: 1px solid var(--gguf-line);
  }
  tbody th {
    padding: 0 8px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  th:first-child {
    width: var(--head);
    border-inline-end: 1px solid var(--gguf-line);
  }
  td {
    height: calc(26 * var(--gguf-unit));
    padding: 0 7px 0 4px;
    text-align: end;
    vertical-align: middle;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
    /* The colour of the value in the heat map. */
    box-shadow: inset -3px 0 0 var(--heat, transparent);
  }
  .number {
    display: flex;
    justify-content: end;
  }
  .digits {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  tbody tr + tr > * {
    border-top: 1px solid color-mix(in oklab, var(--gguf-line) 55%, transparent);
  }
  td.highlighted {
    background: var(--gguf-active);
  }
  td.odd {
    color: var(--gguf-warning);
  }
  .reading td {
    color: var(--gguf-ink-3);
  }
  .failed {
    margin-top: 6px;
    color: var(--gguf-danger);
    font-size: var(--gguf-text-dense);
  }
  @media (pointer: coarse) {
    .bar button,
    .bar input {
      min-height: calc(40 * var(--gguf-unit));
    }
    .bar .icon {
      width: calc(40 * var(--gguf-unit));
    }
  }
`;
