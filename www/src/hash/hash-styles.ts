import { css } from "lit";
import { textareaStyles } from "../ui/styles/fields.ts";

/** The styles of the hash panel. */
export const hashStyles = css`
  .algorithms {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
  }
  .digest {
    font: 12px/1.5 var(--gguf-mono);
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
    min-height: 24px;
    font-size: 13px;
    font-weight: 500;
    cursor: pointer;
  }
  .tensors {
    max-height: 420px;
  }
  .tensors th[scope="row"] {
    min-width: 120px;
  }
  ${textareaStyles}
  textarea {
    min-height: 64px;
    color: var(--gguf-ink);
  }
  .differing dt {
    margin-top: 8px;
    font: 500 12.5px/1.5 var(--gguf-mono);
  }
  .differing dd {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0 10px;
    font-size: 12.5px;
  }
  @media (max-width: 560px) {
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
