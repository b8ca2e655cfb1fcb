import { css } from "lit";

/** The styles of the heat map, its axes and its legend. */
export const heatMapStyles = css`
  .bar {
    justify-content: space-between;
  }
  .measures {
    display: flex;
    flex-wrap: wrap;
  }
  .measures button {
    min-height: calc(26 * var(--gguf-unit));
    padding: 0 9px;
    border-radius: 0;
    margin-inline-start: -1px;
    font-size: var(--gguf-text-small);
  }
  .measures button:first-child {
    border-radius: 6px 0 0 6px;
  }
  .measures button:last-child {
    border-radius: 0 6px 6px 0;
  }
  .measures [aria-pressed="true"] {
    z-index: 1;
  }
  .frame {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    column-gap: 5px;
    row-gap: 2px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-tiny);
  }
  .column-axis {
    grid-column: 2;
  }
  .row-axis {
    grid-column: 1;
    display: flex;
    gap: 3px;
  }
  .row-axis .title {
    writing-mode: vertical-rl;
    rotate: 180deg;
    text-align: center;
  }
  .column-axis .title {
    display: block;
    text-align: center;
  }
  .labels {
    position: relative;
    display: block;
    font-variant-numeric: tabular-nums;
  }
  .labels span {
    position: absolute;
    white-space: nowrap;
  }
  .column-axis .labels {
    height: calc(16 * var(--gguf-unit));
  }
  .column-axis .labels span {
    left: var(--at);
    translate: -50% 0;
  }
  .column-axis .labels span:first-child:not(:last-child) {
    left: 0;
    translate: 0 0;
  }
  .column-axis .labels span:last-child:not(:first-child) {
    left: auto;
    right: 0;
    translate: 0 0;
  }
  .row-axis .labels {
    width: var(--width);
  }
  .row-axis .labels span {
    right: 0;
    top: var(--at);
    translate: 0 -50%;
  }
  .map {
    grid-column: 2;
    position: relative;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 3px;
    cursor: crosshair;
    outline-offset: 2px;
    touch-action: manipulation;
    user-select: none;
  }
  canvas {
    display: block;
    width: 100%;
    height: var(--height);
    /* The map, its axes and its legend fit into the visible part of the table. */
    max-height: max(180px, calc(100cqh - var(--beside-map, 290px)));
    border-radius: 2px;
  }
  .outline {
    position: absolute;
    pointer-events: none;
    outline: 2px solid var(--gguf-ink);
    box-shadow: 0 0 0 3px var(--gguf-surface);
  }
  .outline.selected {
    outline-style: dotted;
    outline-width: 1.5px;
    box-shadow: none;
  }
  .tip {
    position: absolute;
    z-index: 2;
    width: max-content;
    max-width: min(calc(240 * var(--gguf-unit)), 52%);
    padding: 5px 8px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    background: var(--gguf-surface);
    color: var(--gguf-ink);
    box-shadow: 0 2px 8px rgb(0 0 0 / 25%);
    font-size: var(--gguf-text-small);
    pointer-events: none;
    translate: var(--tip-x) var(--tip-y);
  }
  .tip .figures {
    display: grid;
  }
  .tip.right-of {
    --tip-x: 12px;
  }
  .tip.left-of {
    --tip-x: calc(-100% - 12px);
  }
  .tip.below {
    --tip-y: 12px;
  }
  .tip.above {
    --tip-y: calc(-100% - 12px);
  }
  .tip.touch {
    --tip-y: calc(-100% - 36px);
  }
  .readout {
    min-height: 3.4em;
    margin-top: 8px;
    font-size: var(--gguf-text-dense);
  }
  .sample {
    margin-top: 6px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  .sample:empty {
    display: none;
  }
  .place {
    color: var(--gguf-ink-2);
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
  }
  .figures b {
    font: 500 var(--gguf-text-dense) var(--gguf-mono);
  }
  .figures .shown {
    text-decoration: underline;
    text-decoration-color: var(--gguf-accent);
    text-underline-offset: 3px;
  }
  .legend {
    margin-top: 8px;
    font-size: var(--gguf-text-tiny);
    color: var(--gguf-ink-2);
  }
  .ramp {
    position: relative;
    height: calc(10 * var(--gguf-unit));
    border-radius: 2px;
    background: var(--ramp);
    outline: 1px solid var(--gguf-line);
  }
  .needle {
    position: absolute;
    top: -3px;
    bottom: -3px;
    left: var(--at);
    width: 2px;
    translate: -1px 0;
    background: var(--gguf-ink);
    box-shadow: 0 0 0 1px var(--gguf-surface);
  }
  .ends {
    display: grid;
    grid-template-columns: 1fr auto 1fr;
    margin-top: 3px;
    font-family: var(--gguf-mono);
  }
  .ends :last-child {
    text-align: end;
  }
  .note {
    margin-top: 2px;
    color: var(--gguf-ink-2);
  }
  .hatch {
    display: inline-block;
    width: calc(10 * var(--gguf-unit));
    height: calc(10 * var(--gguf-unit));
    margin-inline-end: 4px;
    vertical-align: -1px;
    border: 1px solid var(--gguf-line-strong);
    background: repeating-linear-gradient(-45deg, var(--gguf-line-strong) 0 1px, transparent 1px 4px);
  }
  @media (pointer: coarse) {
    .measures button {
      min-height: calc(36 * var(--gguf-unit));
    }
  }
  @media (forced-colors: active) {
    canvas,
    .ramp {
      forced-color-adjust: none;
    }
  }
`;
