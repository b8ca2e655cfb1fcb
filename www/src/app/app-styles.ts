import { css } from "lit";

/** The layout of the page: the bar at the top, and the veil while a file is dragged over the window. */
export const appStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100dvh;
    background: var(--gguf-page);
  }
  :host([shows-file]) {
    height: 100dvh;
    overflow: clip;
  }
  header {
    position: relative;
    z-index: 3;
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 8px 12px 8px 16px;
    border-bottom: 1px solid transparent;
  }
  :host([shows-file]) header {
    border-color: var(--gguf-line);
    background: var(--gguf-surface);
  }
  .home {
    display: inline-flex;
    align-items: center;
    gap: 9px;
    margin-inline-end: 12px;
    color: var(--gguf-ink);
    font-size: 14px;
    font-weight: 650;
    letter-spacing: -0.01em;
    text-decoration: none;
    white-space: nowrap;
  }
  .home svg {
    color: var(--gguf-accent);
  }
  gguf-open-field {
    flex: 1;
    max-width: 860px;
  }
  gguf-theme-button {
    margin-inline-start: auto;
  }
  main {
    flex: 1;
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  .problem {
    display: flex;
    gap: 10px;
    padding: 8px 16px;
    border-bottom: 1px solid var(--gguf-line);
    background: var(--gguf-warning-soft);
    font-size: 12.5px;
  }
  gguf-viewer {
    flex: 1;
    min-height: 0;
    height: auto;
  }
  .veil {
    position: fixed;
    inset: 0;
    z-index: 10;
    display: grid;
    place-items: center;
    background: color-mix(in oklab, var(--gguf-page) 82%, transparent);
    pointer-events: none;
  }
  .veil p {
    display: grid;
    justify-items: center;
    gap: 10px;
    padding: 40px 56px;
    border: 2px dashed var(--gguf-accent);
    border-radius: 14px;
    background: var(--gguf-surface);
    color: var(--gguf-accent);
    font-size: 17px;
    font-weight: 600;
  }
  .veil svg {
    width: 28px;
    height: 28px;
  }
  @media (max-width: 640px) {
    .home {
      margin-inline-end: auto;
    }
    gguf-copy-button::part(caption) {
      display: none;
    }
    gguf-theme-button {
      margin-inline-start: 0;
    }
    :host([shows-file]) header {
      flex-wrap: wrap;
      gap: 8px 4px;
      padding-inline: 12px 8px;
    }
    :host([shows-file]) gguf-open-field {
      order: 1;
      flex-basis: 100%;
    }
  }
`;
