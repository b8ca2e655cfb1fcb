import { css } from "lit";

export const qualityCurveStyles = css`
  .slider {
    display: flex;
    align-items: center;
    gap: 10px;
    max-width: calc(560 * var(--gguf-unit));
    margin: 4px 0 10px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .slider input {
    flex: 1;
    min-width: 0;
    min-height: calc(28 * var(--gguf-unit));
    accent-color: var(--gguf-accent);
  }
  .grid {
    stroke: var(--gguf-line);
  }
  .axis-line {
    stroke: var(--gguf-line-strong);
  }
  svg text.small {
    font-size: var(--gguf-text-tiny);
  }
  .curve {
    fill: none;
    stroke: var(--gguf-accent);
    stroke-width: 1.5;
    opacity: 0.7;
  }
  .target {
    fill: transparent;
  }
  [role="button"] {
    cursor: pointer;
  }
  .point {
    fill: var(--gguf-surface);
    stroke: var(--gguf-ink-3);
    stroke-width: 1.5;
  }
  .point.best {
    fill: var(--gguf-accent);
    stroke: var(--gguf-surface);
  }
  .point.chosen {
    stroke: var(--gguf-ink);
    stroke-width: 2;
  }
  .own,
  .diamond {
    fill: var(--gguf-warning);
    background: var(--gguf-warning);
  }
  .over {
    fill: var(--gguf-warning-soft);
    opacity: 0.5;
  }
  line.limit {
    stroke: var(--gguf-warning);
    stroke-dasharray: 4 3;
  }
  svg text.limit {
    fill: var(--gguf-warning);
    /* The lines of other limits pass behind it. */
    stroke: var(--gguf-surface);
    stroke-width: 4px;
    paint-order: stroke;
  }
  svg text.name.chosen {
    fill: var(--gguf-ink);
    font-weight: 650;
    /* Its name is always shown, even over other points. */
    stroke: var(--gguf-surface);
    stroke-width: 4px;
    paint-order: stroke;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
    margin-top: 4px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .dot {
    width: calc(9 * var(--gguf-unit));
    height: calc(9 * var(--gguf-unit));
    border: 1.5px solid var(--gguf-ink-3);
    border-radius: 50%;
  }
  .dot.best {
    border-color: var(--gguf-accent);
    background: var(--gguf-accent);
  }
  .diamond {
    width: calc(9 * var(--gguf-unit));
    height: calc(9 * var(--gguf-unit));
    transform: rotate(45deg);
  }
  .bar {
    width: calc(14 * var(--gguf-unit));
    border-top: 2px dashed var(--gguf-warning);
  }
  @media (forced-colors: active) {
    .point.best,
    .own {
      fill: CanvasText;
    }
    .point.chosen {
      stroke: Highlight;
      stroke-width: 3;
    }
    .curve,
    .axis-line,
    line.limit {
      stroke: CanvasText;
    }
    .over {
      fill: none;
    }
    .dot.best,
    .diamond {
      forced-color-adjust: none;
      background: CanvasText;
      border-color: CanvasText;
    }
  }
`;
