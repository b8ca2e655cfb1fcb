import { css } from "lit";

/** How the tables of tokens and of merges show ids and texts. */
export const tokenStyles = css`
  .id {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .token {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-dense);
    white-space: pre;
  }
  .space {
    color: var(--gguf-ink-3);
  }
  .none,
  .hex {
    color: var(--gguf-ink-2);
  }
  .none {
    font-style: italic;
  }
`;
