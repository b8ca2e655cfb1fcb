import { css } from "lit";
import { fieldStyles, smallButtonStyles } from "./styles/fields.ts";
import { rowPadding, ruledTableStyles } from "./styles/tables.ts";
import { windowSize } from "./styles/breakpoints.ts";

/** The box of a panel that scrolls as a whole: its region scrolls. */
export const panelBoxStyles = css`
  :host {
    display: block;
    padding: 16px;
  }
  @media (max-width: ${windowSize(560)}) {
    :host {
      padding: 12px;
    }
  }
`;

/** The styles of a notice: an icon, and what happened. Its class says how good that is. */
export const noticeStyles = css`
  .notice {
    display: flex;
    gap: 10px;
    margin-top: 12px;
    padding: 10px 12px;
    border-radius: 6px;
    background: var(--gguf-sunken);
    font-size: var(--gguf-text-control);
    overflow-wrap: anywhere;
    /* Forced colours remove the background, and show the outline. */
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
  .notice > svg {
    flex: none;
    margin-top: 1px;
  }
  .notice > div {
    min-width: 0;
  }
  .notice.good {
    background: var(--gguf-accent-soft);
  }
  .notice.good > svg {
    color: var(--gguf-accent);
  }
  .notice.warning {
    background: var(--gguf-warning-soft);
  }
  .notice.warning > svg {
    color: var(--gguf-warning);
  }
  .notice.bad {
    background: var(--gguf-danger-soft);
  }
  .notice.bad > svg {
    color: var(--gguf-danger);
  }
  .notice ul {
    margin-top: 4px;
    padding-inline-start: 1.2em;
    list-style: disc;
  }
`;

/** The styles of sections with forms, tables and notices. */
export const sectionStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  section + section {
    margin-top: 24px;
    padding-top: 20px;
    border-top: 1px solid var(--gguf-line);
  }
  h3 {
    margin-bottom: 6px;
    font-size: var(--gguf-text-body);
    font-weight: 650;
  }
  h4 {
    margin: 14px 0 4px;
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
  .hint {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    max-width: 76ch;
  }
  .about {
    display: flex;
    gap: 8px;
    margin-bottom: 14px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .about svg {
    flex: none;
    margin-top: 1px;
  }
  .fields {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 10px 14px;
    margin: 10px 0;
  }
  ${fieldStyles}
  .hint + label {
    margin-top: 10px;
  }
  label input,
  label select {
    color: var(--gguf-ink);
  }
  label.check {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: calc(32 * var(--gguf-unit));
    color: var(--gguf-ink);
    font-size: var(--gguf-text-control);
  }
  .check input {
    flex: none;
    width: calc(18 * var(--gguf-unit));
    height: calc(18 * var(--gguf-unit));
    margin: 0;
    accent-color: var(--gguf-accent);
  }
  .check span {
    min-width: 0;
  }
  fieldset {
    min-width: 0;
    margin: 10px 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    margin-top: 12px;
  }
  /* A button that is wider than the page has several lines. */
  .buttons :is(button, .button) {
    white-space: normal;
  }
  .problem {
    margin-top: 8px;
    color: var(--gguf-danger);
    font-size: var(--gguf-text-dense);
    overflow-wrap: anywhere;
  }
  ${noticeStyles}
  .scroll {
    position: relative;
    margin-top: 10px;
    overflow: auto;
    border: 1px solid var(--gguf-line);
    border-radius: var(--gguf-radius);
  }
  ${ruledTableStyles}
  table {
    font-size: var(--gguf-text-control);
  }
  th,
  td {
    padding: ${rowPadding(7)} 12px;
    overflow-wrap: anywhere;
  }
  thead th {
    font-weight: 500;
    white-space: nowrap;
  }
  .number {
    width: 1%;
    text-align: end;
    white-space: nowrap;
  }
  ${smallButtonStyles}
  @media (max-width: ${windowSize(560)}) {
    th,
    td {
      padding: ${rowPadding(6)} 6px;
      font-size: var(--gguf-text-dense);
    }
  }
`;
