import type { LitElement, ReactiveController } from "lit";

/** Updates an element when its width changes. Pictures are drawn for the width that they have. */
export class ElementWidth implements ReactiveController {
  /** The width in whole px. 0 until it is known. */
  width = 0;
  readonly #host: LitElement;
  readonly #sizes = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === this.width) return;
    this.width = width;
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
