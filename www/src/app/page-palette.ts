import type { LitElement, ReactiveController } from "lit";
import { listSource, type PaletteItem, type PaletteSource } from "../ui/palette-source.ts";
import { PaletteOpener } from "../viewer/palette-opener.ts";
import type { PaletteRequest } from "../viewer/viewer-palette.ts";

interface Page {
  /** The viewer, if it is shown. */
  readonly viewer: () => HTMLElement | null;
  /** What the page can do, whatever it shows. */
  readonly actions: () => readonly PaletteItem[];
  readonly recent: () => readonly PaletteItem[];
}

/** Gives the keys of the command palette to the whole page. If a viewer is shown, its palette opens, with the actions of the page. */
export class PagePalette implements ReactiveController {
  readonly #page: Page;
  readonly #opener: PaletteOpener;

  constructor(host: LitElement, page: Page) {
    this.#page = page;
    this.#opener = new PaletteOpener(host, () => Promise.resolve(this.#sources()));
    host.addController(this);
  }

  hostConnected(): void {
    // Before the viewer, which would open its palette without the actions of the page.
    document.addEventListener("keydown", this.#onKey, { capture: true });
  }

  hostDisconnected(): void {
    document.removeEventListener("keydown", this.#onKey, { capture: true });
  }

  show(shows: "palette" | "keys"): void {
    const viewer = this.#page.viewer();
    const detail: PaletteRequest = { shows, sources: this.#sources() };
    if (viewer) viewer.dispatchEvent(new CustomEvent("gguf-open-palette", { detail }));
    else void (shows === "keys" ? this.#opener.showKeys() : this.#opener.open());
  }

  #sources(): PaletteSource[] {
    const keys = { title: "Show the keys", keys: "?", run: () => this.show("keys") };
    const actions = [...this.#page.actions(), ...(this.#page.viewer() ? [] : [keys])];
    return [
      listSource("Page", actions, { isListed: true }),
      listSource("Recent files", this.#page.recent(), { isListed: !this.#page.viewer() }),
    ];
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const shows = this.#opener.onKey(event);
    if (!shows) return;
    event.preventDefault();
    this.show(shows);
  };

  render() {
    return this.#opener.render();
  }
}
