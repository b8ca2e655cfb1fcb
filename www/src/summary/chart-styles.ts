import { css } from "lit";

/** The axes and the legend of a chart. */
export const chartStyles = css`
  .axis-line {
    stroke: var(--gguf-line-strong);
  }
  text.small {
    font-size: var(--gguf-text-tiny);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    margin-top: 4px;
    font-size: var(--gguf-text-dense);
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .legend svg {
    flex: none;
  }
`;
