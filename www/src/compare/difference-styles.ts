import { css } from "lit";
import { hintStyles, problemStyles } from "../ui/styles/notices.ts";
import { smallButtonStyles } from "../ui/styles/fields.ts";
import { tracks } from "../ui/styles/tracks.ts";

/** The columns of the tables of differences, for three widths, and the details of their rows. */
export const differenceStyles = css`
  .entries .columns {
    grid-template-columns: ${tracks(116, "1.1fr", "1fr", "1fr")};
  }
  .tensors .columns {
    grid-template-columns: ${tracks(96, "1.8fr", "1fr", "1fr")};
  }
  .tensors.with-data .columns {
    grid-template-columns: ${tracks(96, "1.8fr", "1fr", "1fr", 96)};
  }
  .tensors.with-values .columns {
    gap: 8px;
    grid-template-columns: ${tracks(88, "2fr", "1fr", "1fr", 80, 76, 72, 88)};
  }
  .medium .tensors.with-values .columns {
    grid-template-columns: ${tracks(88, "1.6fr", "1fr", "1fr", 76)};
  }
  .medium .tensors.with-data .columns {
    grid-template-columns: ${tracks(88, "1.6fr", "1fr", "1fr", 84)};
  }
  .entries,
  .tensors {
    display: contents;
  }
  .narrow .entries .columns,
  .narrow .tensors .columns {
    grid-template-columns: minmax(0, 1fr) auto;
    grid-template-rows: auto auto;
    align-content: center;
    gap: 2px 10px;
    padding: 0 12px;
  }
  .narrow .head .columns {
    position: relative;
    display: flex;
    gap: 14px;
    overflow-x: auto;
  }
  /* A row has two lines, so only the buttons that sort stay above them. The other titles are for screen readers. */
  .narrow .head [role="columnheader"]:not(:has(button)) {
    position: absolute;
    clip-path: inset(50%);
  }
  .narrow .row .both {
    grid-column: 1 / -1;
  }
  .name {
    font: var(--gguf-text-dense) var(--gguf-mono);
  }
  .side {
    font: var(--gguf-text-dense) var(--gguf-mono);
  }
  /* Values can differ in their spaces. */
  .side bdi,
  .name bdi {
    white-space: pre;
  }
  .data {
    font-size: var(--gguf-text-small);
  }
  .type {
    margin-inline-end: 6px;
  }
  .absent {
    color: var(--gguf-ink-3);
    font-family: var(--gguf-sans);
  }
  /* The tables show files side by side, not one file after an edit: removed rows are not crossed out. */
  .row.removed .name bdi {
    text-decoration: none;
  }
  .row.unknown,
  .row.retyped {
    box-shadow: inset 3px 0 0 var(--gguf-warning);
  }
  /* A flex container would be cut off without an ellipsis. */
  .change {
    font-size: var(--gguf-text-dense);
  }
  .change::before {
    content: "";
    display: inline-block;
    margin-inline-end: 7px;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--gguf-ink-3);
  }
  .added .change::before {
    background: var(--gguf-accent);
  }
  .removed .change::before {
    background: var(--gguf-danger);
  }
  .unknown .change::before,
  .changed .change::before,
  .retyped .change::before {
    background: var(--gguf-warning);
  }
  .head [role="columnheader"] {
    white-space: nowrap;
  }
  .detail-body {
    gap: 12px;
  }
  .narrow .detail-body {
    padding-inline: 12px;
  }
  .detail h3 {
    font: 600 var(--gguf-text-control)/1.45 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .detail .sides {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(calc(260 * var(--gguf-unit)), 100%), 1fr));
    gap: 10px 24px;
  }
  .detail h4 {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    font-weight: 500;
    overflow-wrap: anywhere;
  }
  .detail .value {
    position: relative;
    max-height: 240px;
    overflow: auto;
    font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .detail .value bdi {
    white-space: pre-wrap;
  }
  .detail dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(200 * var(--gguf-unit))), 1fr));
    gap: 8px 24px;
  }
  .places {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  ${smallButtonStyles}
  ${hintStyles}
  ${problemStyles}
`;
