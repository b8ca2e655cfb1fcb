import { css } from "lit";

/**
 * The marks of tensors with no colour, and the legend of both pictures. With forced colours, a mark with a larger error is closer to the
 * colour of text.
 */
export const errorStyles = css`
  .equal,
  .pending,
  .unmeasured {
    fill: transparent;
    stroke: var(--gguf-line-strong);
    stroke-width: 1px;
  }
  .pending {
    stroke-dasharray: 2 2;
  }
  .legend .sample {
    flex: none;
    overflow: visible;
  }
  @media (forced-colors: active) {
    .equal,
    .pending,
    .unmeasured {
      stroke: CanvasText;
    }
  }
`;
