import { css } from "lit";
import { tracks } from "../ui/styles/tracks.ts";
import { windowSize } from "../ui/styles/breakpoints.ts";

/** The start page: what opens a file beside the pictures, or above them in a narrow window. */
export const landingStyles = css`
  :host {
    display: block;
  }
  main {
    width: min(100% - 40px, calc(1140 * var(--gguf-unit)));
    margin-inline: auto;
    padding-block: clamp(20px, 7vh, 88px) 48px;
  }
  .hero {
    display: grid;
    grid-template-columns: ${tracks("1fr", [0, 400])};
    gap: 36px 48px;
    align-items: start;
  }
  /* The place of the pictures while they are loaded. */
  gguf-landing-pictures {
    min-height: calc(460 * var(--gguf-unit));
  }
  @media (max-width: ${windowSize(960)}) {
    .hero {
      grid-template-columns: minmax(0, 1fr);
    }
    gguf-landing-pictures {
      min-height: calc(220 * var(--gguf-unit));
    }
  }
  h1 {
    font-size: clamp(calc(30 * var(--gguf-unit)), 5.4vw, calc(46 * var(--gguf-unit)));
    font-weight: 680;
    line-height: 1.08;
    letter-spacing: -0.028em;
    text-wrap: balance;
  }
  .lead {
    margin-top: 14px;
    max-width: 54ch;
    color: var(--gguf-ink-2);
    font-size: clamp(calc(15 * var(--gguf-unit)), 1.6vw, calc(17 * var(--gguf-unit)));
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
    min-height: calc(92 * var(--gguf-unit));
    margin-top: 12px;
    padding: 16px;
    border: 1.5px dashed var(--gguf-line-strong);
    border-radius: var(--gguf-radius);
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-body);
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
    font-size: var(--gguf-text-control);
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
  @media (max-width: ${windowSize(560)}) {
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
    font-size: var(--gguf-text-dense);
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
    font-size: var(--gguf-text-control);
    overflow-wrap: anywhere;
  }
  .recent .icon {
    flex: none;
    margin-inline: 8px -8px;
  }
  li .button {
    white-space: normal;
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
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(190 * var(--gguf-unit))), 1fr));
    gap: 20px 28px;
    margin-top: 44px;
  }
  .promises li {
    color: var(--gguf-ink-2);
    font-size: var(--gguf-text-body);
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
    font-size: var(--gguf-text-body);
    line-height: 2.2;
    text-wrap: pretty;
  }
  .bookmark .button {
    min-height: calc(28 * var(--gguf-unit));
    cursor: grab;
  }
  .bookmark gguf-copy-button {
    vertical-align: middle;
  }
`;
