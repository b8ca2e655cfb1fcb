import { css } from "lit";

/** The start page: what opens a file beside the pictures, or above them in a narrow window. */
export const landingStyles = css`
  :host {
    display: block;
  }
  main {
    width: min(100% - 40px, 1140px);
    margin-inline: auto;
    padding-block: clamp(20px, 7vh, 88px) 48px;
  }
  .hero {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 400px);
    gap: 36px 48px;
    align-items: start;
  }
  /* The place of the pictures while they are loaded. */
  gguf-landing-pictures {
    min-height: 460px;
  }
  @media (max-width: 960px) {
    .hero {
      grid-template-columns: minmax(0, 1fr);
    }
    gguf-landing-pictures {
      min-height: 220px;
    }
  }
  h1 {
    font-size: clamp(30px, 5.4vw, 46px);
    font-weight: 680;
    line-height: 1.08;
    letter-spacing: -0.028em;
    text-wrap: balance;
  }
  .lead {
    margin-top: 14px;
    max-width: 54ch;
    color: var(--gguf-ink-2);
    font-size: clamp(15px, 1.6vw, 17px);
    line-height: 1.5;
    text-wrap: pretty;
  }
  gguf-open-field {
    margin-top: 26px;
  }
  .drop {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: center;
    gap: 8px 10px;
    width: 100%;
    min-height: 92px;
    margin-top: 12px;
    padding: 16px;
    border: 1.5px dashed var(--gguf-line-strong);
    border-radius: var(--gguf-radius);
    color: var(--gguf-ink-2);
    font-size: 14px;
    text-align: center;
  }
  .choose {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
  }
  .drop svg {
    color: var(--gguf-ink-3);
  }
  .first {
    margin-top: 22px;
  }
  .first ul {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .recent {
    margin-top: 34px;
  }
  h2 {
    margin-bottom: 6px;
    color: var(--gguf-ink-2);
    font-size: 13px;
    font-weight: 600;
  }
  .recent li {
    display: flex;
    align-items: center;
    border-top: 1px solid var(--gguf-line);
  }
  .recent a,
  .recent .open {
    flex: 1;
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 16px;
    min-width: 0;
    padding: 7px 0;
    color: var(--gguf-ink);
    font-weight: 500;
    text-decoration: none;
  }
  .recent a:hover span:first-child,
  .recent .open:hover span:first-child {
    text-decoration: underline;
  }
  .recent a span,
  .recent .open span {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .recent a span:first-child,
  .recent .open span:first-child {
    flex: none;
    max-width: 60%;
  }
  @media (max-width: 560px) {
    .recent a span:first-child,
    .recent .open span:first-child {
      max-width: none;
    }
    .recent a,
    .recent .open {
      flex-direction: column;
      align-items: stretch;
    }
  }
  .recent .where {
    color: var(--gguf-ink-3);
    font-size: 12.5px;
    font-weight: 400;
  }
  .recent .open {
    min-height: 0;
    border: 0;
    background: none;
    font: inherit;
    font-weight: 500;
    text-align: start;
  }
  .problem {
    margin-top: 8px;
    color: var(--gguf-danger);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .recent .icon {
    flex: none;
    margin-inline: 8px -8px;
  }
  .missing button {
    margin-inline-start: 6px;
  }
  .missing {
    margin-top: 24px;
    padding: 12px 14px;
    border-radius: 6px;
    background: var(--gguf-warning-soft);
    overflow-wrap: anywhere;
  }

  .promises {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(190px, 1fr));
    gap: 20px 28px;
    margin-top: 44px;
  }
  .promises li {
    color: var(--gguf-ink-2);
    font-size: 13.5px;
    text-wrap: pretty;
  }
  .promises strong {
    display: block;
    margin-bottom: 2px;
    color: var(--gguf-ink);
    font-weight: 600;
  }
  .bookmark {
    margin-top: 36px;
    padding-top: 20px;
    border-top: 1px solid var(--gguf-line);
  }
  .bookmark p {
    max-width: 100ch;
    color: var(--gguf-ink-2);
    font-size: 13.5px;
    line-height: 2.2;
    text-wrap: pretty;
  }
  .bookmark .button {
    min-height: 28px;
    cursor: grab;
  }
  .bookmark gguf-copy-button {
    vertical-align: middle;
  }
`;
