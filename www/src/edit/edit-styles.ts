import { css } from "lit";
import { problemStyles } from "../ui/styles/notices.ts";
import { dialogBoxStyles } from "../ui/styles/dialog.ts";
import { fieldStyles, smallButtonStyles, textareaStyles } from "../ui/styles/fields.ts";

/** The styles of all controls of edit mode: a field with its label, and its hint and problem below it. */
export const editStyles = css`
  ${textareaStyles}
  textarea {
    min-height: 32px;
  }
  ${fieldStyles}
  label input,
  label select,
  label textarea {
    color: var(--gguf-ink);
  }
  input.mono {
    font-family: var(--gguf-mono);
    font-size: 12.5px;
  }
  .hint {
    color: var(--gguf-ink-2);
    font-size: 12px;
  }
  ${problemStyles}
  .row-of {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 8px;
  }
  ${smallButtonStyles}
  .danger {
    color: var(--gguf-danger);
  }
`;

/** The styles of dialogs. */
export const dialogStyles = css`
  ${dialogBoxStyles}
  dialog {
    font: 400 14px/1.45 var(--gguf-sans);
  }
  dialog form {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  h2 {
    overflow-wrap: anywhere;
  }
  h3 {
    font-size: 13px;
    font-weight: 600;
  }
  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 14px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
    padding: 12px 20px;
    border-top: 1px solid var(--gguf-line);
  }
`;
