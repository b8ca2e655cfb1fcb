import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Whether an element has a dark background. A canvas needs to know it, because style sheets do not reach into a canvas. */
export class DarkMode implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #system = matchMedia("(prefers-color-scheme: dark)");
  // Pages choose a theme by an attribute of the root element.
  readonly #root = new MutationObserver(() => this.#update());
  #dark = false;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  get isDark(): boolean {
    return this.#dark;
  }

  hostConnected(): void {
    this.#system.addEventListener("change", this.#update);
    this.#root.observe(document.documentElement, { attributes: true });
    this.#update();
  }

  hostUpdated(): void {
    this.#update();
  }

  hostDisconnected(): void {
    this.#system.removeEventListener("change", this.#update);
    this.#root.disconnect();
  }

  readonly #update = () => {
    // Light text means a dark background.
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(this.#host)
        .color.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    const dark = 0.299 * red + 0.587 * green + 0.114 * blue > 128;
    if (dark === this.#dark) return;
    this.#dark = dark;
    this.#host.requestUpdate();
  };
}
