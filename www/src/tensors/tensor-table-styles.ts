import { css } from "lit";
import { nameBarStyles } from "./name-bar.ts";
import { tracks } from "../ui/styles/tracks.ts";
import { boxWidth, windowSize } from "../ui/styles/breakpoints.ts";

/** The columns of the tensor table, for three widths, its groups and its filters. */
export const tensorTableStyles = css`
  .columns {
    grid-template-columns: ${tracks(44, "1fr", 84, [120, 170], 76, 132, 100, 16)};
  }
  .medium .columns {
    grid-template-columns: ${tracks(40, "1fr", 84, [104, 130], 128, 16)};
  }
  .slim .columns {
    grid-template-columns: ${tracks("1fr", 84, 76, 16)};
    column-gap: 12px;
  }
  .narrow .columns {
    grid-template-columns: minmax(0, 1fr) auto auto;
    grid-template-rows: auto auto;
    align-content: center;
    align-items: start;
    column-gap: 10px;
    row-gap: 2px;
    padding: 0 12px;
  }
  .narrow .head .columns {
    position: relative;
    display: flex;
    gap: 14px;
    overflow-x: auto;
  }
  .narrow .row .dims {
    grid-row: 2;
    grid-column: 1;
  }
  .narrow .row .kind {
    grid-row: 1;
    grid-column: 2;
    justify-self: end;
  }
  .narrow dl {
    grid-template-columns: 1fr 1fr;
  }
  .narrow .detail-body {
    padding-inline: 12px;
  }
  .narrow .row .size {
    grid-row: 2;
    grid-column: 1 / span 2;
    justify-self: end;
    min-width: calc(128 * var(--gguf-unit));
  }
  .name-cell > * {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .role {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
  }
  .dense .name-cell {
    display: flex;
    align-items: baseline;
    gap: 10px;
  }
  .dense .role {
    flex: 1 1 0;
    min-width: 0;
  }
  .name {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-dense);
  }
  .in-group .name-cell {
    padding-inline-start: 18px;
  }
  .kind {
    display: flex;
    align-items: center;
    gap: 7px;
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-small);
  }
  /* A flex container does not cut off its text with an ellipsis. */
  .kind span:last-child {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .dims,
  .offset {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-small);
    color: var(--gguf-ink-2);
  }
  .times {
    color: var(--gguf-ink-3);
    padding: 0 0.3em;
  }
  /* The bar before a size is the share in the bytes of the block. The line below it is the whole block. */
  .size {
    --bar: 56px;
    position: relative;
    padding-inline-start: calc(var(--bar) + 8px);
  }
  .shared::before,
  .shared::after {
    content: "";
    position: absolute;
    inset-inline-start: 0;
    top: calc(50% - 3px);
    height: 6px;
    border-radius: 2px;
  }
  .shared::before {
    width: var(--bar);
    background: var(--gguf-line);
  }
  .shared::after {
    width: max(2px, var(--part) * var(--bar));
    background: var(--hue);
  }
  @media (forced-colors: active) {
    .shared::before,
    .shared::after {
      forced-color-adjust: none;
      background: CanvasText;
    }
    .shared::before {
      top: 50%;
      height: 1px;
    }
  }
  .narrow .scroller {
    container-type: inline-size;
  }
  /* With large text on a phone, there is room for the texts of a row only. */
  @container (max-width: ${boxWidth(280)}) {
    .narrow .row .size {
      min-width: 0;
      padding-inline-start: 0;
    }
    .narrow .shared::before,
    .narrow .shared::after {
      content: none;
    }
  }
  /* The pane shows what is left out. */
  .slim .dense .role {
    display: none;
  }
  .slim .size {
    padding-inline-start: 0;
  }
  .slim .shared::before,
  .slim .shared::after {
    content: none;
  }
  .row.group {
    display: flex;
    align-items: center;
    gap: 8px;
    background: var(--gguf-sunken);
    font-weight: 500;
  }
  .row.group.open {
    border-bottom-color: var(--gguf-line);
  }
  .row.group .totals {
    margin-inline-start: auto;
    color: var(--gguf-ink-2);
    font-weight: 400;
    font-size: var(--gguf-text-small);
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .narrow.toolbar gguf-scroll-row {
    flex: 1 0 100%;
  }
  .narrow .filters,
  .narrow .choices {
    flex-wrap: nowrap;
    white-space: nowrap;
  }
  .row.group [role="rowheader"] {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .within {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .choices .many {
    color: var(--gguf-ink-3);
  }
  /* The rows have most of a low window. */
  @media (max-height: ${windowSize(480)}) {
    .toolbar:not(.narrow) {
      flex-wrap: nowrap;
    }
    .toolbar:not(.narrow) gguf-scroll-row {
      flex: 2 1 0;
    }
    .filters,
    .choices {
      flex-wrap: nowrap;
      white-space: nowrap;
    }
  }
  @media (pointer: coarse) {
    .choices button {
      min-height: calc(40 * var(--gguf-unit));
    }
  }
  .detail-body {
    gap: 18px;
    padding: 0 16px 18px;
  }
  /* The bar stays while the details are scrolled. */
  ${nameBarStyles}
  .name-bar {
    position: sticky;
    top: 0;
    z-index: 1;
    margin-inline: -16px;
    padding: 4px 16px;
    background: var(--gguf-surface);
  }
  .narrow .name-bar {
    margin-inline: -12px;
    padding-inline: 12px;
  }
  .narrow .name-bar .shape {
    display: none;
  }
  dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(236 * var(--gguf-unit))), 1fr));
    gap: 8px 24px;
  }
  .whole {
    grid-column: 1 / -1;
    font: inherit;
    display: flex;
    align-items: center;
    gap: 8px;
    overflow-wrap: anywhere;
  }
  .layout,
  .whole.name {
    flex-direction: column;
    align-items: start;
    gap: 0;
  }
  .layout dd {
    max-width: 90ch;
  }
`;
