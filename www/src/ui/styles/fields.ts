import { css } from "lit";

/** Labels above their fields, and fields with a wrong value. */
export const fieldStyles = css`
  label,
  .label {
    display: grid;
    gap: 4px;
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
  }
  [aria-invalid="true"] {
    border-color: var(--gguf-danger) !important;
  }
`;

/** A button beside a text. */
export const smallButtonStyles = css`
  .small {
    min-height: calc(28 * var(--gguf-unit));
    padding: 0 9px;
    font-size: var(--gguf-text-small);
  }
  @media (pointer: coarse) {
    .small {
      min-height: calc(36 * var(--gguf-unit));
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
    font: var(--gguf-text-dense)/1.5 var(--gguf-mono);
    resize: vertical;
    tab-size: 4;
  }
  @media (pointer: coarse) {
    textarea {
      font-size: var(--gguf-text-lead);
    }
  }
`;

/** A checkbox with its label: `<label class="check"><input type="checkbox" /> … </label>`. */
export const checkStyles = css`
  .check {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: calc(24 * var(--gguf-unit));
    font-size: var(--gguf-text-control);
  }
  .check input {
    width: calc(16 * var(--gguf-unit));
    height: calc(16 * var(--gguf-unit));
    margin: 0;
    accent-color: var(--gguf-accent);
  }
`;
