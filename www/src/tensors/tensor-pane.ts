/** The pane of a tensor's details, which stays while a person goes from tensor to tensor. */

import type { TensorInfo } from "gguf-wasm/explain";
import { css, html, type LitElement, type ReactiveController } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { icons } from "../ui/icons.ts";
import { TextUnit } from "../ui/text-unit.ts";
import { escapeText } from "../ui/text.ts";

/** Where the pane stands: beside the list, below it, or over it if there is no room for both. */
export type PanePlace = "beside" | "below" | "over";

/** The least width, in units of the text size, for a list and a pane beside each other. */
const BESIDE_WIDTH = 960;
/** The least size, in units of the text size, for a pane below the list. */
const BELOW = { width: 600, height: 560 };
/** How long a person rests on a row before the pane follows, in ms. While a key is held, no values are read. */
const REST = 70;

export function panePlace(width: number, height: number): PanePlace {
  if (width >= BESIDE_WIDTH) return "beside";
  return width >= BELOW.width && height >= BELOW.height ? "below" : "over";
}

/** Knows which tensor the pane shows, and where it stands. */
export class TensorPane implements ReactiveController {
  readonly #host: LitElement;
  readonly #unit: TextUnit;
  /** The size of the list in px. */
  #size = { width: 0, height: 0 };
  #place: PanePlace = "beside";
  #current: number | undefined;
  #shown: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #sizes = new ResizeObserver(([entry]) => {
    if (!entry) return;
    this.#size = entry.contentRect;
    this.#findPlace();
  });

  constructor(host: LitElement) {
    this.#host = host;
    this.#unit = new TextUnit(host, () => this.#findPlace());
    host.addController(this);
  }

  #findPlace(): void {
    const { px } = this.#unit;
    const [width, height] = [this.#size.width / px, this.#size.height / px];
    // A hidden list has no size.
    if (width === 0) return;
    const place = panePlace(width, height);
    if (place === this.#place) return;
    this.#place = place;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#sizes.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#sizes.disconnect();
    clearTimeout(this.#rest);
  }

  /** The index of the tensor that a person has gone to. Undefined while the pane is closed. */
  get current(): number | undefined {
    return this.#current;
  }

  /** The index of the tensor whose details are there: `current`, a moment later. */
  get shown(): number | undefined {
    return this.#shown;
  }

  /** Where the open pane stands. Undefined while it is closed. */
  get place(): PanePlace | undefined {
    return this.#current === undefined ? undefined : this.#place;
  }

  /** Opens the pane with a tensor, or closes it. */
  show(tensor: number | undefined): void {
    clearTimeout(this.#rest);
    this.#current = this.#shown = tensor;
    this.#host.requestUpdate();
  }

  /** An open pane shows another tensor once the person rests there. */
  follow(tensor: number): void {
    if (this.#current === undefined || this.#current === tensor) return;
    clearTimeout(this.#rest);
    this.#current = tensor;
    this.#rest = setTimeout(() => {
      this.#shown = this.#current;
      this.#host.requestUpdate();
    }, REST);
    this.#host.requestUpdate();
  }
}

/** The pane. `content` gets the buttons that it shows beside the name. `go` moves to the tensor before or after, if there is one. */
export function renderPane({
  tensor,
  place,
  content,
  before,
  after,
  close,
}: {
  tensor: TensorInfo;
  place: PanePlace;
  content: (buttons: unknown) => unknown;
  before: (() => void) | undefined;
  after: (() => void) | undefined;
  close: () => void;
}) {
  const step = (by: 1 | -1, label: string, icon: unknown, go: (() => void) | undefined) =>
    html`<button
      type="button"
      class="quiet icon"
      data-step=${by}
      aria-label=${label}
      title=${label}
      aria-disabled=${go === undefined}
      @click=${() => go?.()}
    >
      ${icon}
    </button>`;
  const closing = place === "over" ? "Back to the list" : "Close the details";
  const buttons = html`<span class="pane-buttons"
    >${step(-1, "Tensor before", icons.up, before)}${step(1, "Next tensor", icons.down, after)}<button
      type="button"
      class="quiet icon close"
      aria-label=${closing}
      title=${closing}
      @click=${close}
    >
      ${place === "over" ? icons.left : icons.close}
    </button></span
  >`;
  return html`<section
    class="pane detail"
    tabindex="0"
    aria-label="Details of ${escapeText(tensor.name, 200)}"
    data-key=${tensor.index}
  >
    ${keyed(tensor.index, html`<div class="pane-body">${content(buttons)}</div>`)}
  </section>`;
}

/** The mark at the end of a row that opens. */
export const opener = html`<span class="opener" aria-hidden="true">${icons.chevron}</span>`;

export const paneStyles = css`
  :host {
    position: relative;
  }
  .panes {
    position: relative;
    flex: 1 1 auto;
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  .panes.beside {
    flex-direction: row;
  }
  /* The pane covers the filters, too. */
  .panes.over {
    position: static;
  }
  .beside .scroller,
  .below .scroller {
    flex: 1 1 40%;
  }
  .pane {
    position: relative;
    flex: 0 0 60%;
    min-width: 0;
    overflow: auto;
    overscroll-behavior: contain;
    outline-offset: -2px;
    border-bottom: 0;
    background: var(--gguf-surface);
    /* The heat map takes its height from the visible part of the pane. */
    container-type: size;
  }
  .beside .pane {
    border-inline-start: 1px solid var(--gguf-line-strong);
  }
  .below .pane {
    border-block-start: 1px solid var(--gguf-line-strong);
  }
  .over .pane {
    position: absolute;
    inset: 0;
    z-index: 4;
  }
  .pane-buttons {
    flex: none;
    display: flex;
    gap: 2px;
    margin-inline-start: auto;
  }
  /* The way back is where people look for it, and the whole name is below the buttons. */
  .over .name-bar {
    flex-wrap: wrap;
  }
  .over .pane-buttons {
    order: -1;
    flex: 1;
    margin-inline-start: 0;
  }
  .over .pane-buttons .close {
    order: -1;
    margin-inline-end: 8px;
  }
  .over .name-bar h3 {
    order: 1;
    flex-basis: 100%;
    overflow-wrap: anywhere;
    white-space: normal;
  }
  .pane-buttons [aria-disabled="true"] {
    opacity: 0.4;
  }
  .row .opener {
    display: inline-flex;
    justify-content: end;
    color: var(--gguf-ink-3);
  }
  .narrow .row .opener {
    grid-row: 1 / span 2;
    grid-column: 3;
    align-self: center;
  }
  .row:hover .opener,
  .row.open .opener {
    color: var(--gguf-accent);
  }
  .row.open:not(.group) {
    background: var(--gguf-active);
    border-bottom-color: var(--gguf-line);
    box-shadow: inset 3px 0 0 var(--gguf-accent);
  }
  @media (forced-colors: active) {
    .row.open:not(.group) {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
