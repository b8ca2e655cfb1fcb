import { css } from "lit";

/** The styles of the drawn graph. */
export const canvasStyles = css`
  :host {
    display: block;
    min-width: 0;
    min-height: 0;
  }
  .paper {
    position: relative;
    height: 100%;
    overflow: auto;
    background-color: var(--gguf-page);
    background-image: radial-gradient(
      circle,
      color-mix(in srgb, var(--gguf-line-strong) 55%, transparent) 1px,
      transparent 1.2px
    );
    background-size: 22px 22px;
    background-attachment: local;
    cursor: grab;
    overscroll-behavior: contain;
  }
  .paper.drags {
    cursor: grabbing;
    user-select: none;
  }
  svg {
    margin: 0 auto;
    font-family: var(--gguf-sans);
  }
  text {
    fill: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    pointer-events: none;
  }
  text.title {
    fill: var(--gguf-ink);
    font-size: var(--gguf-text-control);
    font-weight: 600;
  }
  text.sign {
    fill: var(--gguf-ink);
    font-size: var(--gguf-text-title);
    font-weight: 500;
  }
  text.more {
    fill: var(--gguf-ink);
    font-weight: 500;
  }
  .frame {
    fill: color-mix(in srgb, var(--gguf-surface) 82%, var(--gguf-page));
    stroke: var(--gguf-line-strong);
  }
  .frame.deep {
    fill: color-mix(in srgb, var(--hue, var(--gguf-line)) 7%, var(--gguf-surface));
    stroke: color-mix(in srgb, var(--hue, var(--gguf-line-strong)) 55%, var(--gguf-line-strong));
  }
  .behind {
    fill: var(--gguf-surface);
    stroke: var(--gguf-line-strong);
    stroke-opacity: 0.7;
  }
  .edge {
    fill: none;
    stroke: var(--gguf-ink-3);
    stroke-width: 1.5px;
  }
  .edge.residual {
    stroke: var(--gguf-accent);
    stroke-opacity: 0.75;
  }
  .head-of-edge {
    fill: var(--gguf-ink-3);
    stroke: none;
  }
  .box {
    fill: color-mix(in srgb, var(--hue, var(--gguf-line-strong)) 10%, var(--gguf-surface));
    stroke: color-mix(in srgb, var(--hue, var(--gguf-line-strong)) 45%, var(--gguf-line-strong));
    stroke-width: 1px;
  }
  .plain .box {
    fill: var(--gguf-surface);
    stroke: var(--gguf-line-strong);
  }
  .state .box {
    stroke-dasharray: 5 3;
  }
  .bar {
    fill: var(--hue, var(--gguf-line-strong));
    pointer-events: none;
  }
  .track {
    fill: color-mix(in srgb, var(--hue, var(--gguf-line)) 22%, var(--gguf-surface));
    pointer-events: none;
  }
  .hit {
    fill: transparent;
  }
  .mark {
    outline: none;
    cursor: pointer;
  }
  .mark:hover .box,
  .mark:hover .hit {
    stroke: var(--gguf-ink-2);
  }
  .mark.chosen .box,
  .mark.chosen .hit {
    stroke: var(--gguf-accent);
    stroke-width: 2px;
  }
  .mark:focus-visible .box,
  .mark:focus-visible .hit {
    stroke: var(--gguf-ink);
    stroke-width: 2.5px;
    stroke-dasharray: none;
  }
  .fades {
    opacity: 0.28;
  }
  .toggle circle {
    fill: var(--gguf-surface);
    stroke: var(--gguf-line-strong);
  }
  .toggle path {
    fill: none;
    stroke: var(--gguf-ink-2);
    stroke-width: 1.6px;
  }
  .toggle:hover circle {
    stroke: var(--gguf-ink);
  }
  @media (forced-colors: active) {
    .paper {
      background-image: none;
    }
    text,
    text.title,
    text.sign,
    text.more {
      fill: CanvasText;
    }
    .frame,
    .frame.deep,
    .behind,
    .box,
    .plain .box {
      fill: Canvas;
      stroke: CanvasText;
    }
    .bar {
      fill: color-mix(in srgb, CanvasText calc(var(--place, 0) * 85% + 10%), Canvas);
      stroke: CanvasText;
    }
    .track {
      fill: Canvas;
    }
    .edge,
    .edge.residual {
      stroke: CanvasText;
    }
    .head-of-edge {
      fill: CanvasText;
    }
    .mark.chosen .box,
    .mark.chosen .hit,
    .mark:focus-visible .box,
    .mark:focus-visible .hit {
      stroke: Highlight;
      stroke-width: 3px;
    }
    .toggle circle {
      fill: Canvas;
      stroke: CanvasText;
    }
    .toggle path {
      stroke: CanvasText;
    }
  }
`;
