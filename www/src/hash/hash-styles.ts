import { css } from "lit";
import { textareaStyles } from "../ui/styles/fields.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The styles of the hash panel. */
export const hashStyles = css`
  .algorithms {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
  }
  .digest {
    font: var(--gguf-text-small)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
  }
  .whole td {
    width: 100%;
  }
  .whole th {
    white-space: nowrap;
  }
  .whole td:last-child {
    width: auto;
    padding-block: 4px;
  }
  details {
    margin-top: 14px;
  }
  summary {
    min-height: calc(24 * var(--gguf-unit));
    font-size: var(--gguf-text-control);
    font-weight: 500;
    cursor: pointer;
  }
  .tensors {
    max-height: 420px;
  }
  .tensors th[scope="row"] {
    min-width: calc(120 * var(--gguf-unit));
  }
  ${textareaStyles}
  textarea {
    min-height: calc(64 * var(--gguf-unit));
    color: var(--gguf-ink);
  }
  .differing dt {
    margin-top: 8px;
    font: 500 var(--gguf-text-dense)/1.5 var(--gguf-mono);
  }
  .differing dd {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0 10px;
    font-size: var(--gguf-text-dense);
  }
  @media (max-width: ${windowSize(560)}) {
    .differing dd {
      grid-template-columns: minmax(0, 1fr);
    }
    .whole tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .whole th {
      white-space: normal;
    }
    .whole td.digest {
      grid-column: 1;
    }
  }
`;
