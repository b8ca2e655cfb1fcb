import { css } from "lit";
import { plainTableStyles } from "../ui/styles/tables.ts";

/** The styles of the summary: the name, the figures, the bar of tensor types, and the lists of facts. */
export const summaryStyles = css`
  :host {
    display: block;
    padding: 20px 20px 28px;
  }
  h2 {
    font-size: 20px;
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
  /* A long name has two lines. A button shows the rest. */
  .short {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
  }
  .file {
    margin-top: 4px;
    color: var(--gguf-ink-2);
    font: 12px/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(120px, 1fr));
    gap: 14px 16px;
    margin-top: 18px;
    padding: 16px 0;
    border-block: 1px solid var(--gguf-line);
  }
  .figures div {
    display: flex;
    flex-direction: column-reverse;
    justify-content: flex-end;
  }
  .figures dt {
    color: var(--gguf-ink-2);
    font-size: 12px;
  }
  /* Words need the whole width. */
  .figures .words {
    grid-column: 1 / -1;
  }
  .figures .words dd {
    font-size: 17px;
  }
  .figures dd {
    font-size: 19px;
    font-weight: 600;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h3 {
    margin: 22px 0 8px;
    color: var(--gguf-ink-2);
    font-size: 12px;
    font-weight: 600;
  }
  .kind {
    display: grid;
    gap: 6px;
    font-size: 12.5px;
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
    min-height: 24px;
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
    font-size: 12px;
  }
  .kind gguf-copy-button {
    vertical-align: middle;
  }
  .bar {
    display: flex;
    gap: 2px;
    height: 12px;
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
    padding: 3px 0;
    text-align: end;
  }
  td {
    padding: 3px 0 3px 10px;
    color: var(--gguf-ink-2);
    text-align: end;
    white-space: nowrap;
  }
  thead th:not(:first-child) {
    color: var(--gguf-ink-3);
    font-size: 11.5px;
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
    min-height: 26px;
    margin: 4px 0 0 -8px;
    padding: 0 8px;
    font-size: 12px;
  }
  .facts {
    display: grid;
    gap: 5px;
  }
  .facts div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    font-size: 13px;
  }
  .facts dt {
    flex: none;
    color: var(--gguf-ink-2);
  }
  .facts dd {
    text-align: end;
    overflow-wrap: anywhere;
    min-width: 0;
  }
  .notice {
    display: flex;
    gap: 10px;
    margin-top: 16px;
    padding: 10px 12px;
    border-radius: 6px;
    background: var(--gguf-warning-soft);
    font-size: 12.5px;
  }
  .notice svg {
    flex: none;
    margin-top: 1px;
    color: var(--gguf-warning);
  }
  .notice strong {
    color: var(--gguf-warning);
  }
  .about {
    display: flex;
    align-items: center;
    gap: 7px;
    margin-bottom: 10px;
    color: var(--gguf-ink-2);
    font-size: 12.5px;
  }
  .about svg {
    flex: none;
    color: var(--gguf-accent);
  }
  .was {
    display: block;
    color: var(--gguf-warning);
    font-size: 12px;
    font-weight: 400;
    letter-spacing: 0;
    overflow-wrap: anywhere;
  }
  .was.added {
    color: var(--gguf-accent);
  }
  .was.removed {
    color: var(--gguf-danger);
  }
`;
