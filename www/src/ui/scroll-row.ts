import { css, html, LitElement, type PropertyValues } from "lit";
import { property, state } from "lit/decorators.js";
import { define } from "./define.ts";
import { icons } from "./icons.ts";
import { baseStyles } from "./styles.ts";

/** The part of the row, in px, that the button at an end covers. */
const END = 36;

/** The sides with hidden parts. They are physical, because `scrollBy` is. */
type Side = "left" | "right";

/**
 * A row that scrolls sideways if its content is too wide. An end with hidden content fades out and has a button that scrolls. The keyboard
 * needs no such buttons: the browser scrolls to the control that gets the focus.
 */
export class GgufScrollRow extends LitElement {
  /** Identifies the selected part. When it changes, the row scrolls to the element with `aria-selected`. */
  @property({ attribute: false }) shown: unknown;
  @state() private sides: readonly Side[] = [];

  /** Whether a person has scrolled the row since the selection changed. The row then stays where it is when a part changes its size. */
  #isPlaced = false;
  readonly #sizes = new ResizeObserver(() => {
    if (!this.#isPlaced) this.#reveal();
    this.#measure();
  });

  static override styles = [
    baseStyles,
    css`
      :host {
        display: flex;
        min-width: 0;
        overflow: clip;
      }
      .view {
        position: relative;
        flex: 1;
        display: flex;
        min-width: 0;
        overflow: auto hidden;
        overscroll-behavior-x: contain;
        scrollbar-width: none;
        scroll-padding-inline: ${END}px;
      }
      .view::-webkit-scrollbar {
        display: none;
      }
      ::slotted(*) {
        flex: 1 0 auto;
      }
      button {
        position: absolute;
        z-index: 1;
        inset-block: 0;
        width: ${END}px;
        min-height: 0;
        padding: 0 2px;
        border: 0;
        border-radius: 0;
        color: var(--gguf-ink-2);
      }
      button,
      button:hover:where(:enabled:not([aria-disabled="true"])) {
        background: linear-gradient(to var(--to), transparent, var(--gguf-surface) 60%);
      }
      .left {
        --to: left;
        left: 0;
        justify-content: start;
      }
      .right {
        --to: right;
        right: 0;
        justify-content: end;
      }
      .left svg {
        rotate: 180deg;
      }
      @media (forced-colors: active) {
        button {
          background: Canvas;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  override updated(changed: PropertyValues): void {
    // At first, the observer of the sizes does it when the row has its place. To ask for the place takes the time of a layout.
    if (changed.get("shown") === undefined) return;
    this.#isPlaced = false;
    this.#reveal();
  }

  override render() {
    return html`<div class="view" @scroll=${this.#measure} @wheel=${this.#onWheel} @touchmove=${this.#onTouch}>
        <slot @slotchange=${this.#onSlot}></slot>
      </div>
      ${this.sides.map((side) => this.#renderEnd(side))}`;
  }

  #renderEnd(side: Side) {
    return html`<button type="button" class=${side} tabindex="-1" aria-hidden="true" @click=${() => this.#scroll(side)}>
      ${icons.chevron}
    </button>`;
  }

  get #row(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".view");
  }

  get #content(): Element[] {
    return this.renderRoot.querySelector("slot")?.assignedElements() ?? [];
  }

  readonly #onSlot = () => {
    for (const element of this.#content) this.#sizes.observe(element);
  };

  readonly #measure = () => {
    const row = this.#row;
    if (!row || row.clientWidth === 0) return;
    const hidden = row.scrollWidth - row.clientWidth;
    // In text from right to left, the position is negative.
    const left = getComputedStyle(row).direction === "rtl" ? hidden + row.scrollLeft : row.scrollLeft;
    const sides: readonly Side[] = [
      ...(left > 1 ? ["left" as const] : []),
      ...(left < hidden - 1 ? ["right" as const] : []),
    ];
    if (sides.join() !== this.sides.join()) this.sides = sides;
  };

  /** Scrolls the row, and nothing else, to the selected part. */
  #reveal(): void {
    const row = this.#row;
    const selected = this.#content.map((element) => element.querySelector("[aria-selected=true]")).find(Boolean);
    if (!row || !selected) return;
    const [box, own] = [row.getBoundingClientRect(), selected.getBoundingClientRect()];
    const before = own.left - box.left - END;
    const after = own.right - box.right + END;
    if (before < 0) row.scrollLeft += before;
    else if (after > 0) row.scrollLeft += Math.min(after, before);
  }

  readonly #onTouch = () => {
    this.#isPlaced = true;
  };

  #scroll(side: Side): void {
    this.#isPlaced = true;
    const row = this.#row;
    const distance = (row?.clientWidth ?? 0) * 0.7;
    const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    row?.scrollBy({ left: side === "left" ? -distance : distance, behavior: isReduced ? "instant" : "smooth" });
  }

  /** A wheel that turns in one direction only scrolls the row, unless the row is at its end. */
  readonly #onWheel = (event: WheelEvent) => {
    const row = this.#row;
    if (!row || event.deltaX !== 0 || event.ctrlKey || event.shiftKey) return;
    const before = row.scrollLeft;
    row.scrollLeft += event.deltaY;
    if (row.scrollLeft === before) return;
    this.#isPlaced = true;
    event.preventDefault();
  };
}

define("gguf-scroll-row", GgufScrollRow);
