import type { LitElement, ReactiveController } from "lit";
import { isCompact } from "./compact.ts";

/** Updates an element when it becomes wide enough for two columns, or as small as a phone. */
export class BoxSize implements ReactiveController {
  /** Whether there is room for a column beside the content. */
  wide = false;
  /** Whether the element is as small as a phone. */
  compact = false;
  readonly #host: LitElement;
  readonly #sizes = new ResizeObserver(([entry]) => {
    if (!entry) return;
    const { width, height } = entry.contentRect;
    const [wide, compact] = [width >= 900, isCompact(width, height)];
    if (wide === this.wide && compact === this.compact) return;
    Object.assign(this, { wide, compact });
    this.#host.requestUpdate();
  });

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#sizes.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#sizes.disconnect();
  }
}
