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
    if (this.#page.viewer()) this.#ask({ shows, sources: this.#sources() });
    else void (shows === "keys" ? this.#opener.showKeys() : this.#opener.open());
  }

  /** Called when a file has opened. A palette that is open becomes that of the file, with the text that is typed. */
  fileOpened(): void {
    const query = this.#opener.close();
    if (query !== undefined) this.#ask({ shows: "palette", sources: this.#sources(), query });
  }

  #ask(detail: PaletteRequest): void {
    this.#page.viewer()?.dispatchEvent(new CustomEvent("gguf-open-palette", { detail }));
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
