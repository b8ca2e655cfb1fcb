import { css } from "lit";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** The warnings about a file above its facts. */
export const noticeStyles = css`
  .notice {
    display: flex;
    gap: 10px;
    margin-bottom: 16px;
    padding: 10px 12px;
    border-radius: 6px;
    background: var(--gguf-warning-soft);
    font-size: var(--gguf-text-dense);
    /* Forced colours remove the background, and show the outline. */
    outline: 1px solid transparent;
    outline-offset: -1px;
  }
  .notice svg {
    flex: none;
    margin-top: 1px;
    color: var(--gguf-warning);
  }
  .notice strong {
    color: var(--gguf-warning);
  }
`;

/** The styles of the summary: the notices, and the places of its parts. */
export const summaryStyles = css`
  :host {
    display: block;
    container: summary / inline-size;
    padding: 18px 22px 32px;
  }
  gguf-identity {
    margin: -18px -22px 16px;
    border-bottom: 1px solid var(--gguf-line);
  }
  .parts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 34px 36px;
  }
  .place {
    min-height: var(--narrow);
  }
  @container summary (min-width: ${boxWidth(760)}) {
    .parts {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .wide {
      grid-column: 1 / -1;
    }
    .place {
      min-height: var(--wide);
    }
  }
  ${noticeStyles}
`;
