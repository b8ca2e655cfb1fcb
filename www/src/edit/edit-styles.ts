import { css } from "lit";
import { problemStyles } from "../ui/styles/notices.ts";
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
