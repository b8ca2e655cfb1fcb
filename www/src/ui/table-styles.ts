import { css } from "lit";
import { searchStyles } from "./search-field.ts";
import { windowSize } from "./styles/breakpoints.ts";

/** The styles that all tables share. */
export const tableStyles = css`
  ${searchStyles}
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
  }
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 10px 16px;
    border-bottom: 1px solid var(--gguf-line);
  }
  @media (max-width: ${windowSize(640)}), (max-height: ${windowSize(480)}) {
    .toolbar {
      padding: 6px 12px;
    }
  }
  .count {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    white-space: nowrap;
  }
  /* The buttons of a filter. */
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .choices button {
    gap: 6px;
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 9px;
    font-size: var(--gguf-text-small);
    font-weight: 400;
  }
  .choices .quiet[aria-pressed="false"] {
    border-color: var(--gguf-line);
  }
  .choices .many {
    color: var(--gguf-ink-2);
  }
  .choices [aria-pressed="true"] .many {
    color: inherit;
  }
  .wrap {
    display: contents;
  }
  .scroller {
    position: relative;
    flex: 1 1 auto;
    min-height: 0;
    overflow: auto;
    overflow-anchor: none;
    overscroll-behavior: contain;
    /* The sticky head covers the start of the view. */
    scroll-padding-block-start: calc(36 * var(--gguf-unit));
    outline-offset: -2px;
    background: var(--gguf-surface);
  }
  .head {
    position: sticky;
    top: 0;
    z-index: 2;
    background: var(--gguf-surface);
    border-bottom: 1px solid var(--gguf-line-strong);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    font-weight: 500;
  }
  .head .columns {
    height: calc(34 * var(--gguf-unit));
  }
  .track {
    position: relative;
  }
  .shown {
    position: absolute;
    inset: 0 0 auto 0;
  }
  .columns {
    display: grid;
    align-items: center;
    column-gap: 16px;
    padding: 0 16px;
  }
  .row {
    position: relative;
    height: var(--row);
    border-bottom: 1px solid var(--gguf-line);
    font-size: var(--gguf-text-control);
    overflow: hidden;
  }
  .row > * {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .row.opens {
    cursor: pointer;
  }
  .row:hover {
    background: var(--gguf-hover);
  }
  .row.open {
    background: var(--gguf-hover);
    border-bottom-color: transparent;
  }
  .scroller:focus-visible .row.active {
    background: var(--gguf-active);
    box-shadow: inset 3px 0 0 var(--gguf-accent);
  }
  .row .chevron {
    display: inline-flex;
    color: var(--gguf-ink-3);
    transition: rotate 120ms;
  }
  .row.open .chevron {
    rotate: 90deg;
  }
  .number {
    text-align: end;
  }
  .dim {
    color: var(--gguf-ink-3);
  }
  .type {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-tiny);
    color: var(--gguf-ink-2);
  }
  .detail {
    border-bottom: 1px solid var(--gguf-line);
    background: var(--gguf-hover);
    cursor: auto;
  }
  .detail-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    padding: 6px 16px 16px;
  }
  dt {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  dd {
    font-size: var(--gguf-text-control);
    overflow-wrap: anywhere;
  }
  .empty {
    padding: 40px 16px;
    color: var(--gguf-ink-2);
    text-align: center;
  }
  .value-string {
    color: var(--gguf-string);
  }
  .value-number {
    color: var(--gguf-number);
  }
  .value-boolean {
    color: var(--gguf-boolean);
  }
  /* The changed rows of a file that is being edited. */
  .row.added {
    box-shadow: inset 3px 0 0 var(--gguf-accent);
  }
  .row.changed {
    box-shadow: inset 3px 0 0 var(--gguf-warning);
  }
  .row.removed {
    box-shadow: inset 3px 0 0 var(--gguf-danger);
  }
  .row.removed .key,
  .row.removed .name bdi,
  .row.removed .value > :not(.mark) {
    text-decoration: line-through;
  }
  .mark {
    padding: 1px 6px;
    margin-inline-end: 8px;
    border-radius: 9px;
    font: 500 var(--gguf-text-tiny)/1.4 var(--gguf-sans);
  }
  .added .mark {
    background: var(--gguf-accent-soft);
    color: var(--gguf-accent);
  }
  .changed .mark {
    background: var(--gguf-warning-soft);
    color: var(--gguf-warning);
  }
  .removed .mark {
    background: var(--gguf-danger-soft);
    color: var(--gguf-danger);
  }
  @media (forced-colors: active) {
    .scroller:focus-visible .row.active {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
