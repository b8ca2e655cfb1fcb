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
