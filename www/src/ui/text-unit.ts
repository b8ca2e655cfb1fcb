import type { LitElement, ReactiveController } from "lit";

/** The units that the measured box is wide: browsers round a width to 1/64 px. */
const PROBE = 16;

/** The unit that was measured last. An element that has not measured it yet most likely has the same. */
let latest = 1;

/**
 * Knows the unit of the text sizes in an element, `--gguf-unit`, in px: 1 if nobody has changed the text size. Sizes that TypeScript computes
 * are multiples of it, as those of the style sheets are. Calls `changed` when it is another one.
 */
export class TextUnit implements ReactiveController {
  readonly #host: LitElement;
  readonly #changed: () => void;
  #px = latest;
  #probe: HTMLElement | undefined;
  readonly #sizes = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    // In a hidden element the box has no width.
    if (width === 0) return;
    latest = width / PROBE;
    if (latest === this.#px) return;
    this.#px = latest;
    this.#changed();
  });

  constructor(host: LitElement, changed: () => void = () => host.requestUpdate()) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  get px(): number {
    return this.#px;
  }

  hostConnected(): void {
    this.#probe ??= addProbe(this.#host.renderRoot);
    this.#sizes.observe(this.#probe);
  }

  hostDisconnected(): void {
    this.#sizes.disconnect();
  }
}

/** Adds an invisible box, whose width follows the unit. */
function addProbe(root: HTMLElement | DocumentFragment): HTMLElement {
  const probe = document.createElement("div");
  probe.style.cssText = `position:absolute;visibility:hidden;width:calc(${PROBE} * var(--gguf-unit));height:0`;
  root.append(probe);
  return probe;
}
