import { css } from "lit";
import { problemStyles } from "../ui/styles/notices.ts";
import { fieldStyles, smallButtonStyles, textareaStyles } from "../ui/styles/fields.ts";

/** The styles of all controls of edit mode: a field with its label, and its hint and problem below it. */
export const editStyles = css`
  ${textareaStyles}
  textarea {
    min-height: calc(32 * var(--gguf-unit));
  }
  ${fieldStyles}
  label input,
  label select,
  label textarea {
    color: var(--gguf-ink);
  }
  input.mono {
    font-family: var(--gguf-mono);
    font-size: var(--gguf-text-dense);
  }
  .hint {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-small);
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
