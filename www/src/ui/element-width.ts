import type { LitElement, ReactiveController } from "lit";
import { TextUnit } from "./text-unit.ts";

/** Updates an element when its width or the text size changes. Pictures are drawn for the width that they have. */
export class ElementWidth implements ReactiveController {
  readonly #host: LitElement;
  readonly #unit: TextUnit;
  #px = 0;
  readonly #sizes = new ResizeObserver(([entry]) => {
    const px = Math.floor(entry?.contentRect.width ?? 0);
    if (px === this.#px) return;
    this.#px = px;
    this.#host.requestUpdate();
  });

  constructor(host: LitElement) {
    this.#host = host;
    this.#unit = new TextUnit(host);
    host.addController(this);
  }

  /** The width in whole units of the text size. 0 until it is known. */
  get width(): number {
    return Math.floor(this.#px / this.#unit.px);
  }

  /** A unit in px. */
  get unit(): number {
    return this.#unit.px;
  }

  hostConnected(): void {
    this.#sizes.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#sizes.disconnect();
  }
}
