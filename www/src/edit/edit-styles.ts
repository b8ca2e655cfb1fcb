import { css } from "lit";
import { problemStyles } from "../ui/styles/notices.ts";
import { fieldStyles, smallButtonStyles } from "../ui/styles/fields.ts";

/** The styles of all controls of edit mode: a field with its label, and its hint and problem below it. */
export const editStyles = css`
  textarea {
    display: block;
    width: 100%;
    min-width: 0;
    min-height: 32px;
    padding: 6px 10px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    background: var(--gguf-surface);
    color: inherit;
    font: 12.5px/1.5 var(--gguf-mono);
    resize: vertical;
    tab-size: 4;
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
  @media (pointer: coarse) {
    textarea {
      font-size: 16px;
    }
  }
`;

/** The styles of dialogs. */
export const dialogStyles = css`
  dialog {
    width: min(640px, calc(100vw - 24px));
    max-height: calc(100dvh - 24px);
    padding: 0;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 12px;
    background: var(--gguf-surface);
    color: var(--gguf-ink);
    font: 400 14px/1.45 var(--gguf-sans);
    overflow: hidden;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }
  dialog form {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  h2 {
    padding: 18px 20px 0;
    font-size: 17px;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  h3 {
    font-size: 13px;
    font-weight: 600;
  }
  .body {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 14px;
    min-height: 0;
    padding: 12px 20px 16px;
    overflow: auto;
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
