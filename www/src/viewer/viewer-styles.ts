import { css } from "lit";
import { linkButtonStyles } from "../ui/styles/link-button.ts";
import { problemRowStyles } from "../ui/styles/notices.ts";
import { boxWidth } from "../ui/styles/breakpoints.ts";

/** The layout of the viewer: the summary beside the tabs, and the panel under them. */
export const viewerStyles = css`
  :host {
    display: block;
    height: min(760px, 100dvh);
    min-width: 0;
    overflow: clip;
    background: var(--gguf-page);
  }
  /*
   * The styles of a page win over those of the host, so the layout stands on an element inside it. It fills the viewer, whatever the
   * display of the viewer is. Its own content gives it no size: without a definite height of the viewer, it has the usual one.
   */
  .layout {
    position: relative;
    contain: size;
    contain-intrinsic-size: min(1100px, 100vw) min(760px, 100dvh);
    width: 100%;
    min-width: 0;
    height: 100%;
    min-height: 0;
    overflow: clip;
  }
  .body {
    position: absolute;
    inset: 0;
    display: flex;
  }
  .body > gguf-progress,
  .body > gguf-error-panel {
    flex: 1;
    overflow: auto;
  }
  /* What happens to a header stands above the part that has arrived. */
  .main > gguf-progress {
    flex: none;
  }
  .main > gguf-error-panel {
    flex: 0 1 auto;
    max-height: 60%;
    overflow: auto;
    border-bottom: 1px solid var(--gguf-line);
  }
  .main > .region {
    flex: 1;
    min-height: 0;
  }
  .main > .region > gguf-summary-panel {
    flex: none;
  }
  .wide > .region {
    flex: 0 0 clamp(calc(220 * var(--gguf-unit)), 19%, calc(280 * var(--gguf-unit)));
    border-inline-end: 1px solid var(--gguf-line);
  }
  /* What is below the figures follows them directly. */
  .wide > .region > * {
    flex: none;
  }
  .siblings {
    justify-content: start;
    min-height: calc(36 * var(--gguf-unit));
    margin: -6px 18px 16px;
    padding: 7px 10px;
    font-size: var(--gguf-text-control);
    text-align: start;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .main {
    container: main / inline-size;
    flex: 1;
    display: flex;
    flex-direction: column;
    min-width: 0;
    background: var(--gguf-surface);
  }
  .tabs {
    display: flex;
    align-items: center;
    border-bottom: 1px solid var(--gguf-line);
  }
  .tabs > gguf-scroll-row {
    flex: 1;
  }
  .tabs > .edit {
    flex: none;
    min-height: calc(30 * var(--gguf-unit));
    margin-inline-end: 12px;
  }
  .tabs > gguf-export-menu {
    flex: none;
    margin-inline-end: 8px;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 3px;
    padding: 0 6px 0 4px;
    border-radius: 9px;
    font: 600 var(--gguf-text-tiny)/calc(18 * var(--gguf-unit)) var(--gguf-sans);
  }
  .badge svg {
    width: calc(13 * var(--gguf-unit));
    height: calc(13 * var(--gguf-unit));
  }
  .badge.error {
    background: var(--gguf-danger-soft);
    color: var(--gguf-danger);
  }
  .badge.warning {
    background: var(--gguf-warning-soft);
    color: var(--gguf-warning);
  }
  .badge.info {
    background: var(--gguf-sunken);
    color: var(--gguf-ink-2);
  }
  [role="tabpanel"] {
    flex: 1;
    display: flex;
    min-height: 0;
    outline-offset: -2px;
  }
  [role="tabpanel"] > * {
    flex: 1;
    min-width: 0;
  }
  .region {
    position: relative;
    display: flex;
    flex-direction: column;
    overflow: auto;
    outline-offset: -2px;
  }
  .region > * {
    flex: 1 0 auto;
  }
  ${problemRowStyles} ${linkButtonStyles}
  .problem svg {
    flex: none;
    margin-top: 1px;
    color: var(--gguf-warning);
  }
  .problem p {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  @container main (max-width: ${boxWidth(1240)}) {
    [role="tablist"] {
      gap: 0;
    }
    [role="tab"] {
      padding: 0 8px;
    }
  }
  @container main (max-width: ${boxWidth(960)}) {
    [role="tablist"] {
      padding: 0 8px;
    }
    [role="tab"] {
      gap: 5px;
      padding: 0 6px;
      font-size: var(--gguf-text-control);
    }
  }
  @container main (max-width: ${boxWidth(640)}) {
    [role="tablist"] {
      padding: 0 4px;
    }
    [role="tab"] {
      padding: 0 9px;
      font-size: var(--gguf-text-body);
    }
  }
`;
