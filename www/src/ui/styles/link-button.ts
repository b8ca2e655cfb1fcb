import { css } from "lit";

/** A button of the class `link` that stands in a text, as a link does. */
export const linkButtonStyles = css`
  .link {
    display: inline;
    /* A finger needs 24 px, which is more than a line has. */
    min-height: calc(24 * var(--gguf-unit));
    margin-block: -3px;
    padding: 0 2px;
    border: 0;
    background: none;
    color: var(--gguf-accent);
    font-size: inherit;
    text-decoration: underline;
    text-underline-offset: 2px;
  }
`;
