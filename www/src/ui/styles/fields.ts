import { css } from "lit";

/** Labels above their fields, and fields with a wrong value. */
export const fieldStyles = css`
  label,
  .label {
    display: grid;
    gap: 4px;
    color: var(--gguf-ink-2);
    font-size: 12px;
  }
  [aria-invalid="true"] {
    border-color: var(--gguf-danger) !important;
  }
`;

/** A button beside a text. */
export const smallButtonStyles = css`
  .small {
    min-height: 28px;
    padding: 0 9px;
    font-size: 12px;
  }
  @media (pointer: coarse) {
    .small {
      min-height: 36px;
    }
  }
`;

/** A field for texts of several lines. */
export const textareaStyles = css`
  textarea {
    display: block;
    width: 100%;
    min-width: 0;
    padding: 6px 10px;
    border: 1px solid var(--gguf-line-strong);
    border-radius: 6px;
    background: var(--gguf-surface);
    color: inherit;
    font: 12.5px/1.5 var(--gguf-mono);
    resize: vertical;
    tab-size: 4;
  }
  @media (pointer: coarse) {
    textarea {
      font-size: 16px;
    }
  }
`;

/** A checkbox with its label: `<label class="check"><input type="checkbox" /> … </label>`. */
export const checkStyles = css`
  .check {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: 24px;
    font-size: 13px;
  }
  .check input {
    width: 16px;
    height: 16px;
    margin: 0;
    accent-color: var(--gguf-accent);
  }
`;
