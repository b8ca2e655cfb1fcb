import { css } from "lit";

/** A remark below a control or a result. */
export const hintStyles = css`
  .hint {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    text-wrap: pretty;
  }
`;

/** What is wrong with an input, below it. */
export const problemStyles = css`
  .problem {
    color: var(--gguf-danger);
    font-size: var(--gguf-text-dense);
    overflow-wrap: anywhere;
  }
`;

/** A problem in a row across the page. */
export const problemRowStyles = css`
  .problem {
    display: flex;
    gap: 10px;
    padding: 8px 16px;
    border-bottom: 1px solid var(--gguf-line);
    background: var(--gguf-warning-soft);
    font-size: var(--gguf-text-dense);
  }
`;

/** What experts want to know about a failure. */
export const technicalStyles = css`
  .technical {
    margin-top: 16px;
    padding: 8px 10px;
    border-radius: 6px;
    background: var(--gguf-sunken);
    color: var(--gguf-ink-2);
    font: var(--gguf-text-small)/1.5 var(--gguf-mono);
    overflow-wrap: anywhere;
    /* Forced colours remove the background, and show the outline. */
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
`;
