import { css } from "lit";
import { chartStyles } from "../../summary/chart-styles.ts";

/** The colours of the kinds of tensors. They differ in lightness too, and the marks differ in shape. */
export const bitsErrorStyles = css`
  ${chartStyles}
  .point {
    fill: var(--kind);
    /* Marks that cover each other stay visible. */
    fill-opacity: 0.7;
  }
  .point.face:focus-visible,
  .point.face:hover {
    fill-opacity: 1;
    stroke: var(--gguf-ink);
    stroke-width: 2px;
  }
  .attention {
    --kind: light-dark(#2a62a8, #7fb2f0);
  }
  .feed-forward {
    --kind: light-dark(#a06a08, #e0ae4c);
  }
  .experts {
    --kind: light-dark(#b03a30, #f08a80);
  }
  .recurrent {
    --kind: light-dark(#6d46a8, #b898ea);
  }
  .other {
    --kind: light-dark(#5f6670, #a4abb3);
  }
  .outer {
    --kind: light-dark(#1f7a48, #6cc492);
  }
  .grid {
    stroke: var(--gguf-line);
  }
  svg text.name {
    fill: var(--gguf-ink);
    font-size: var(--gguf-text-tiny);
    pointer-events: none;
    paint-order: stroke;
    stroke: var(--gguf-surface);
    stroke-width: 3px;
  }
  @media (forced-colors: active) {
    .point {
      fill: Canvas;
      fill-opacity: 1;
      stroke: CanvasText;
      stroke-width: 0.75px;
    }
    .point.face:focus-visible {
      fill: Highlight;
      stroke: CanvasText;
    }
    .grid,
    .axis-line {
      stroke: CanvasText;
    }
    .grid {
      stroke-opacity: 0.35;
    }
    svg text.name {
      stroke: Canvas;
    }
  }
`;
