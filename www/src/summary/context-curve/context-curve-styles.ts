import { css } from "lit";
import { partColours } from "../../gguf/memory-colours.ts";
import { chartStyles } from "../chart-styles.ts";

/** The colours of the parts, as in the Memory panel, and the lines of the curves. */
export const contextCurveStyles = css`
  ${chartStyles}
  ${partColours((part) => `.${part}`)}
  .area {
    fill: var(--hue);
  }
  .curve {
    fill: none;
    stroke: var(--gguf-ink);
    stroke-width: 1.75px;
  }
  .curve.Q8_0 {
    stroke-dasharray: 6 3;
  }
  .curve.Q4_0 {
    stroke-dasharray: 2 3;
  }
  .card {
    stroke: var(--gguf-ink-3);
    stroke-width: 1px;
    stroke-opacity: 0.55;
  }
  .card.own {
    stroke: var(--gguf-accent);
    stroke-width: 2px;
    stroke-opacity: 1;
  }
  .end,
  .small.own {
    fill: var(--gguf-ink);
  }
  .small.own {
    font-weight: 650;
  }
  .mark {
    fill: transparent;
    stroke: none;
  }
  .mark:hover {
    fill: color-mix(in srgb, var(--gguf-ink) 8%, transparent);
  }
  .swatch {
    width: calc(11 * var(--gguf-unit));
    height: calc(11 * var(--gguf-unit));
    border-radius: 2px;
    background: var(--hue);
  }
  @media (forced-colors: active) {
    .area {
      stroke: CanvasText;
      fill: Canvas;
    }
    .area.cache {
      fill: color-mix(in srgb, CanvasText 35%, Canvas);
    }
    .area.compute {
      fill: color-mix(in srgb, CanvasText 65%, Canvas);
    }
    .curve,
    .card {
      stroke: CanvasText;
    }
    .swatch {
      border: 1px solid CanvasText;
      forced-color-adjust: none;
      background: Canvas;
    }
    .cache .swatch {
      background: color-mix(in srgb, CanvasText 35%, Canvas);
    }
    .compute .swatch {
      background: color-mix(in srgb, CanvasText 65%, Canvas);
    }
  }
`;
