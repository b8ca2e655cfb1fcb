import { css } from "lit";
import { rowPadding } from "../ui/styles/tables.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

export const migrateStyles = css`
  section + section {
    margin-top: 24px;
  }
  .obstacles h3 {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .obstacles ul {
    margin: 8px 0 12px;
    padding-left: 20px;
    list-style: disc;
  }
  .obstacles h3 svg,
  .finding.warning svg {
    color: var(--gguf-warning);
  }
  .finding.error svg {
    color: var(--gguf-danger);
  }
  .questions {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(320 * var(--gguf-unit))), 1fr));
    gap: 16px 24px;
    margin-top: 12px;
  }
  .question {
    min-width: 0;
  }
  .question label {
    display: block;
    font-weight: 600;
    margin-bottom: 4px;
  }
  .answer {
    display: flex;
    gap: 8px;
  }
  .answer input,
  .answer select {
    flex: 1;
    min-width: 0;
  }
  .question .hint {
    margin: 4px 0 0;
  }
  .check {
    display: flex;
    gap: 8px;
    align-items: baseline;
  }
  .scroll {
    position: relative;
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
  }
  th,
  td {
    padding: ${rowPadding(4)} 16px ${rowPadding(4)} 0;
    text-align: right;
    white-space: nowrap;
    font-weight: 400;
  }
  thead th {
    font-weight: 600;
  }
  th:first-child {
    padding-left: 12px;
  }
  th:first-child,
  th:nth-child(2),
  td.mono,
  th:nth-child(4),
  td.words {
    text-align: left;
  }
  @media (max-width: ${windowSize(640)}) {
    /* Each row becomes a list. The roles of the table are written out, because this display removes them. */
    table,
    tbody,
    tr {
      display: block;
    }
    thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    tbody tr {
      padding: 8px 12px;
      border-top: 1px solid var(--gguf-line);
    }
    tbody th,
    td {
      display: flex;
      justify-content: space-between;
      gap: 12px;
      padding: 2px 0;
      white-space: normal;
    }
    tbody th:first-child {
      padding-left: 0;
      font-weight: 600;
    }
    td::before {
      content: attr(data-title);
      color: var(--gguf-ink-2);
      font-family: var(--gguf-sans);
      text-align: left;
    }
  }
  .finding {
    display: flex;
    gap: 8px;
    align-items: flex-start;
    margin: 8px 0;
  }
  .finding svg {
    flex: none;
    margin-top: 2px;
  }
`;
