import type { LitElement } from "lit";
import type { PaletteItem, PaletteSource } from "../ui/palette-source.ts";
import type { OpenFile, View } from "../panels.ts";
import { keyText } from "../ui/keyboard.ts";
import { loadModule } from "../ui/load-module.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { PaletteOpener } from "./palette-opener.ts";
import type { EditMode } from "./viewer-editing.ts";

const loadSources = loadModule(() => import("../palette/file-sources.ts"));

/** What the page around asks the viewer for, with the event `gguf-open-palette`. */
export interface PaletteRequest {
  readonly shows: "palette" | "keys";
  /** What the page itself can do. */
  readonly sources: readonly PaletteSource[];
  /** The text that is in the palette. */
  readonly query?: string;
}

interface Owner {
  readonly file: () => OpenFile | undefined;
  readonly editMode: () => EditMode | undefined;
  /** The actions of the viewer. The panels of the menu of tools are among them. */
  readonly menu: () => readonly MenuGroup[];
}

/** The command palette of a viewer. It opens with a key while the focus is in the viewer, or when the page around asks for it. */
export class ViewerPalette {
  readonly #host: LitElement;
  readonly #owner: Owner;
  readonly #opener: PaletteOpener;
  /** What the page around gave when the palette was opened. */
  #more: readonly PaletteSource[] = [];
  /** The file whose rows the palette finds. */
  #found: OpenFile["gguf"] | undefined;

  constructor(host: LitElement, owner: Owner) {
    this.#host = host;
    this.#owner = owner;
    this.#opener = new PaletteOpener(host, () => this.#sources());
    host.addEventListener("keydown", (event) => {
      const shows = this.#opener.onKey(event);
      if (!shows) return;
      event.preventDefault();
      void this.#show({ shows, sources: [] });
    });
    host.addEventListener("gguf-open-palette", (event) => {
      void this.#show((event as CustomEvent<PaletteRequest>).detail);
    });
  }

  async #show({ shows, sources, query }: PaletteRequest): Promise<void> {
    if (shows === "keys") {
      await this.#opener.showKeys();
      return;
    }
    this.#more = sources;
    await this.#opener.open(sources, query);
    // The file may have opened while the code was loaded.
    await this.updated();
  }

  /** Called when the viewer has updated. A palette that was opened before the file finds its rows then. */
  async updated(): Promise<void> {
    if (this.#owner.file()?.gguf !== this.#found) await this.#opener.refresh(this.#more);
  }

  async #sources(): Promise<readonly PaletteSource[]> {
    const file = this.#owner.file();
    this.#found = file?.gguf;
    if (!file) return [];
    const { fileSources } = await loadSources();
    const tell = (event: string, detail: unknown) => this.#host.dispatchEvent(new CustomEvent(event, { detail }));
    return fileSources(file, this.#actions(), { tell, show: (view: View) => tell("gguf-show-panel", view) });
  }

  #actions(): PaletteItem[] {
    const mode = this.#owner.editMode();
    const editing = mode?.session
      ? [
          { title: "Save…", keys: keyText("Mod+S"), run: mode.save },
          { title: "Undo", keys: keyText("Mod+Z"), run: () => void mode.session?.undo() },
          { title: "Redo", keys: keyText("Mod+Shift+Z"), run: () => void mode.session?.redo() },
        ]
      : [];
    // The tools are among the panels. The groups behind them export the file.
    const groups = this.#owner.menu();
    const tools = groups.findIndex(({ title }) => title === "Tools");
    const items = groups.flatMap(({ items }, at) =>
      at === tools
        ? []
        : items.map((item) => (at > tools && tools >= 0 ? { ...item, title: `Export: ${item.title}` } : item)),
    );
    const keys = { title: "Show the keys", keys: "?", run: () => void this.#opener.showKeys() };
    return [...editing, ...items, keys];
  }

  render() {
    return this.#opener.render();
  }
}
