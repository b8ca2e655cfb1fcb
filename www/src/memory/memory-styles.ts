import { css } from "lit";
import { partColours } from "../gguf/memory-colours.ts";
import { hintStyles } from "../ui/styles/notices.ts";
import { rowPadding, ruledTableStyles } from "../ui/styles/tables.ts";
import { tracks } from "../ui/styles/tracks.ts";
import { boxWidth, windowSize } from "../ui/styles/breakpoints.ts";

const coloursOfParts = partColours((part) => `[data-part="${part}"]`);

/** The layout of the memory panel: the settings beside the results if there is room. */
export const memoryStyles = css`
  :host {
    display: block;
    container: memory / inline-size;
    /* A field that gets the focus is not hidden by the bars. */
    --gguf-field-margin: 150px 16px;
  }
  .panel {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 20px 32px;
    padding: 0 16px 16px;
  }
  .overview {
    display: grid;
    gap: 12px;
    padding-top: 16px;
  }
  /* In a lower window the bars would take the room of the settings. */
  @media (min-height: ${windowSize(700)}) {
    @container memory (max-width: ${boxWidth(819)}) {
      /* The bars stay visible while a person moves a slider. */
      .overview {
        position: var(--gguf-bars, sticky);
        z-index: 1;
        /* The heading scrolls away. */
        top: -40px;
        padding-bottom: 12px;
        border-bottom: 1px solid var(--gguf-line);
        background: var(--gguf-surface);
      }
    }
  }
  @container memory (min-width: ${boxWidth(820)}) {
    .panel {
      grid-template-columns: ${tracks([250, 320], "1fr")};
      grid-template-rows: auto 1fr;
    }
    .overview {
      grid-column: 2;
    }
    .settings {
      grid-column: 1;
      grid-row: 1 / 3;
      padding-top: 16px;
    }
  }
  .results {
    display: grid;
    align-content: start;
    gap: 20px;
    min-width: 0;
  }
  h3 {
    font-size: var(--gguf-text-body);
    font-weight: 650;
  }
  section:not(.overview) > h3 {
    margin-bottom: 10px;
  }
  h4 {
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
  ${hintStyles}
  .about,
  .note {
    display: flex;
    gap: 8px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    overflow-wrap: anywhere;
  }
  .about svg,
  .note svg {
    flex: none;
    margin-top: 1px;
    color: var(--gguf-accent);
  }
  .note {
    margin-bottom: 10px;
  }
  .device {
    display: grid;
    grid-template-columns: minmax(0, auto) minmax(0, 1fr);
    gap: 6px 12px;
    align-items: baseline;
  }
  .verdict {
    font-size: var(--gguf-text-control);
  }
  .verdict svg {
    display: inline;
    margin-inline-end: 6px;
    vertical-align: -3px;
  }
  .fits .verdict svg {
    color: var(--gguf-accent);
  }
  .tight .verdict {
    color: var(--gguf-warning);
  }
  .over .verdict {
    color: var(--gguf-danger);
    font-weight: 600;
  }
  .bar {
    position: relative;
    grid-column: 1 / -1;
    display: flex;
    gap: 1px;
    width: calc(var(--length) * 100%);
    min-width: min-content;
    height: calc(22 * var(--gguf-unit));
    padding: 2px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 5px;
    background: var(--gguf-surface);
  }
  .over .bar,
  .tight .bar {
    border-color: var(--gguf-danger);
  }
  ${coloursOfParts}
  .segment {
    min-width: 2px;
    flex: var(--share) 1 0;
    background: var(--hue);
  }
  .segment.open {
    background: repeating-linear-gradient(135deg, var(--hue) 0 2px, transparent 2px 5px);
  }
  .free {
    flex: var(--share) 1 0;
    background: var(--gguf-sunken);
  }
  /* The end of the memory, in a bar that is longer. */
  .end {
    position: absolute;
    inset-block: -5px;
    inset-inline-start: calc(var(--at) * 100%);
    width: 2px;
    background: var(--gguf-danger);
    outline: 1px solid var(--gguf-surface);
  }
  .scale {
    position: relative;
    grid-column: 1 / -1;
    height: calc(20 * var(--gguf-unit));
    margin-top: -5px;
    border-top: 1px solid var(--gguf-line-strong);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
    line-height: calc(15 * var(--gguf-unit));
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  /* A mark has no width, so its label is centred on it in both directions of writing. */
  .tick {
    position: absolute;
    inset-inline-start: calc(var(--at) * 100%);
    display: flex;
    justify-content: center;
    width: 0;
    padding-top: 4px;
  }
  .tick::before {
    content: "";
    position: absolute;
    top: 0;
    inset-inline-start: 0;
    height: 4px;
    border-inline-start: 1px solid var(--gguf-line-strong);
  }
  .tick.first {
    justify-content: start;
  }
  .tick.last {
    justify-content: end;
  }
  @container memory (max-width: ${boxWidth(280)}) {
    .tick:nth-child(even) span {
      display: none;
    }
  }
  ${ruledTableStyles}
  table {
    font-size: var(--gguf-text-control);
  }
  .parts {
    margin-bottom: 8px;
  }
  th,
  td {
    padding: ${rowPadding(5)} 0 ${rowPadding(5)} 12px;
    text-align: end;
  }
  th:first-child {
    padding-inline-start: 0;
    text-align: start;
  }
  .total th,
  .total td {
    border-top: 1px solid var(--gguf-line-strong);
    font-weight: 600;
  }
  small {
    display: block;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
    font-weight: 400;
  }
  @container memory (max-width: ${boxWidth(280)}) {
    small {
      overflow-wrap: anywhere;
    }
  }
  .unknown {
    color: var(--gguf-ink-2);
    font-style: italic;
  }
  .short {
    color: var(--gguf-danger);
  }
  .part {
    display: flex;
    gap: 7px;
  }
  .swatch {
    flex: none;
    width: calc(10 * var(--gguf-unit));
    height: calc(10 * var(--gguf-unit));
    margin-top: 5px;
    border-radius: 2px;
    background: var(--hue);
  }
  .swatch.free {
    border: 1px solid var(--gguf-line-strong);
    background: var(--gguf-sunken);
  }
  .largest {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    font-size: var(--gguf-text-control);
  }
  .command {
    display: flex;
    align-items: start;
    gap: 8px;
    margin-bottom: 6px;
    padding: 8px 10px;
    border-radius: 6px;
    background: var(--gguf-sunken);
  }
  code {
    font: var(--gguf-text-small)/1.6 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .command code {
    flex: 1;
    min-width: 0;
  }
  .more {
    display: grid;
    gap: 8px;
    min-width: 0;
  }
  details {
    min-width: 0;
    font-size: var(--gguf-text-control);
  }
  summary {
    width: fit-content;
    min-height: calc(24 * var(--gguf-unit));
    color: var(--gguf-accent);
    cursor: pointer;
  }
  .scroller {
    position: relative;
    overflow-x: auto;
  }
  .layers {
    width: auto;
    min-width: min(100%, calc(520 * var(--gguf-unit)));
    font-size: var(--gguf-text-dense);
  }
  .layers td {
    white-space: nowrap;
  }
  .formulas {
    display: grid;
    gap: 8px;
    margin-top: 6px;
  }
  .formulas dt {
    font-weight: 600;
    font-size: var(--gguf-text-dense);
  }
  .formulas dd {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    overflow-wrap: anywhere;
  }
  .equals {
    color: var(--gguf-ink);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .segment,
    .swatch,
    .end {
      forced-color-adjust: none;
    }
  }
`;
