import { css } from "lit";

/** The padding above and below the text of a cell, in pixels. `RowSpace` adds room in the comfortable form. */
export function rowPadding(pixels: number) {
  return css`calc(${pixels}px + var(--gguf-row-space, 0px))`;
}

/** The `<table>`s of the page: texts start at the top left, and heads are smaller and lighter than cells. */
export const plainTableStyles = css`
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--gguf-text-dense);
  }
  th,
  td {
    font-weight: 400;
    text-align: start;
    vertical-align: top;
  }
  thead th {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
`;

/** Tables with a line above each row. The head has no line of its own, and a first row has one only below a head or a caption. */
export const ruledTableStyles = css`
  ${plainTableStyles}
  tbody tr {
    border-top: 1px solid var(--gguf-line);
  }
  tbody:first-child tr:first-child {
    border-top: 0;
  }
`;
