import type { LitElement, ReactiveController } from "lit";
import { isCompact } from "./compact.ts";

/** Updates an element when a box in it becomes wide enough for two columns, or as small as a phone. */
export class BoxSize implements ReactiveController {
  /** Whether there is room for a column beside the content. */
  wide = false;
  /** Whether the element is as small as a phone. */
  compact = false;
  readonly #host: LitElement;
  readonly #selector: string;
  #box: Element | null = null;
  readonly #sizes = new ResizeObserver(([entry]) => {
    if (!entry) return;
    if (this.#adopt(entry.contentRect)) this.#host.requestUpdate();
  });

  /** `selector` finds the box in the shadow tree of the host. The host renders it first, and keeps it. */
  constructor(host: LitElement, selector: string) {
    this.#host = host;
    this.#selector = selector;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#box) this.#sizes.observe(this.#box);
    // The box fills the host. Observers tell its size after the first layout: then the first picture would be that of a narrow box.
    else this.#adopt(this.#host.getBoundingClientRect());
  }

  /** Takes a size. Returns whether it makes a difference. */
  #adopt({ width, height }: DOMRectReadOnly): boolean {
    const [wide, compact] = [width >= 900, isCompact(width, height)];
    if (wide === this.wide && compact === this.compact) return false;
    Object.assign(this, { wide, compact });
    return true;
  }

  hostUpdated(): void {
    if (this.#box) return;
    this.#box = this.#host.renderRoot.querySelector(this.#selector);
    if (this.#box) this.#sizes.observe(this.#box);
  }

  hostDisconnected(): void {
    this.#sizes.disconnect();
  }
}
