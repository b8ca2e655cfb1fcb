import type { LitElement, ReactiveController } from "lit";
import { isCompact } from "./compact.ts";
import { TextUnit } from "./text-unit.ts";

/** Updates an element when a box in it becomes wide enough for two columns, or as small as a phone. */
export class BoxSize implements ReactiveController {
  /** Whether there is room for a column beside the content. */
  wide = false;
  /** Whether the element is as small as a phone. */
  compact = false;
  readonly #host: LitElement;
  readonly #selector: string;
  readonly #unit: TextUnit;
  #box: Element | null = null;
  readonly #sizes = new ResizeObserver(([entry]) => {
    if (!entry) return;
    this.#size = entry.contentRect;
    this.#adopt();
  });
  /** The size of the box in px. Undefined until it is known. */
  #size: { readonly width: number; readonly height: number } | undefined;

  /** `selector` finds the box in the shadow tree of the host. The host renders it first, and keeps it. */
  constructor(host: LitElement, selector: string) {
    this.#host = host;
    this.#selector = selector;
    this.#unit = new TextUnit(host, () => this.#adopt());
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#box) this.#sizes.observe(this.#box);
    // The box fills the host. Observers tell its size after the first layout: then the first picture would be that of a narrow box.
    else {
      this.#size = this.#host.getBoundingClientRect();
      this.#adopt();
    }
  }

  /** Updates the host if the size makes a difference. */
  #adopt(): void {
    if (!this.#size) return;
    const { px } = this.#unit;
    const [width, height] = [this.#size.width / px, this.#size.height / px];
    const [wide, compact] = [width >= 900, isCompact(width, height)];
    if (wide === this.wide && compact === this.compact) return;
    Object.assign(this, { wide, compact });
    this.#host.requestUpdate();
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
