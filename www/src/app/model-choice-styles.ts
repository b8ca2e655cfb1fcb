import { css } from "lit";
import { dialogBoxStyles } from "../ui/styles/dialog.ts";

/** The dialog that asks which model to open. */
export const choiceStyles = css`
  ${dialogBoxStyles}
  dialog {
    width: min(calc(560 * var(--gguf-unit)), calc(100vw - 24px));
  }
  .body {
    padding-top: 10px;
  }
  ul {
    display: grid;
    gap: 6px;
    margin-top: 12px;
  }
  li button {
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 2px 16px;
    width: 100%;
    padding: 8px 12px;
    white-space: normal;
    text-align: start;
  }
  .name {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .size {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-dense);
    font-weight: 400;
  }
  .actions {
    display: flex;
    justify-content: flex-end;
    padding: 12px 20px;
    border-top: 1px solid var(--gguf-line);
  }
`;
