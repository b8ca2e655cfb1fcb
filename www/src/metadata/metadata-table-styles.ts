import { css } from "lit";
import { tracks } from "../ui/styles/tracks.ts";

/** The columns of the metadata table, for two widths, and the details below the rows. */
export const metadataTableStyles = css`
  .columns {
    grid-template-columns: ${tracks(12, [200, "5fr"], [120, "2fr"], "9fr", 24)};
  }
  .dense .columns {
    grid-template-columns: ${tracks(12, [200, "7fr"], [110, "2fr"], "9fr", 24)};
  }
  .with-offsets .columns {
    grid-template-columns: ${tracks(12, [200, "5fr"], [120, "2fr"], "7fr", 90, 90, 24)};
  }
  .row.section,
  .row.section:hover {
    display: flex;
    align-items: flex-end;
    gap: 8px;
    padding-bottom: 8px;
    background: var(--gguf-sunken);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    font-weight: 600;
  }
  .row.section.open {
    border-bottom-color: var(--gguf-line);
  }
  .row.section [role="rowheader"] {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .scroller:focus-visible .row.section.active {
    background: var(--gguf-active);
  }
  .row.section .number {
    font-weight: 400;
    color: var(--gguf-ink-3);
  }
  .key-cell > * {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .key-cell .title {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
  }
  .value-name {
    color: var(--gguf-ink-2);
    font-family: var(--gguf-sans);
  }
  .key {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-dense);
  }
  .key .prefix {
    color: var(--gguf-ink-3);
  }
  .value {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-dense);
  }
  .value bdi {
    white-space: pre;
  }
  .match-count {
    padding: 1px 6px;
    margin-inline-end: 8px;
    border-radius: 9px;
    background: var(--gguf-mark);
    font: 500 var(--gguf-text-tiny)/1.4 var(--gguf-sans);
  }
  .row gguf-copy-button {
    opacity: 0;
  }
  .row:hover gguf-copy-button,
  .scroller:focus-visible .row.active gguf-copy-button,
  .row gguf-copy-button:focus-within {
    opacity: 1;
  }
  .detail-body {
    display: grid;
    gap: 10px;
    padding: 2px 16px 14px 44px;
  }
  .where {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .where gguf-copy-button {
    margin-inline-start: -12px;
  }
  .where .full {
    overflow-wrap: anywhere;
  }

  .narrow .head {
    display: none;
  }
  .narrow .columns {
    grid-template-columns: ${tracks(12, "1fr", "auto")};
    grid-template-rows: auto auto;
    align-content: center;
    align-items: start;
    column-gap: 8px;
    row-gap: 2px;
    padding: 0 12px;
  }
  .narrow .row.section,
  .narrow .row.section:hover {
    padding-block: 0;
    align-items: center;
  }
  .dense .row.section,
  .dense .row.section:hover {
    align-items: center;
    padding-block: 0;
  }
  .dense .key-cell {
    display: flex;
    align-items: baseline;
    gap: 10px;
  }
  .dense .key-cell .title {
    flex: 1 1 0;
    min-width: 0;
  }
  .narrow .row .chevron {
    grid-row: 1 / 3;
  }
  .narrow .row .value {
    grid-column: 2 / 4;
    grid-row: 2;
  }
  .narrow .row .copy,
  .narrow .row .at {
    display: none;
  }
  .narrow .detail-body {
    padding: 2px 12px 14px;
  }
  @media (hover: none) {
    .row gguf-copy-button {
      opacity: 1;
    }
  }
`;
