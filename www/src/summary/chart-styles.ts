import { css } from "lit";

/** The axes and the legend of a chart. */
export const chartStyles = css`
  .axis-line {
    stroke: var(--gguf-line-strong);
  }
  text.small {
    font-size: 11px;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    margin-top: 4px;
    font-size: 12.5px;
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
