import { html, type LitElement, nothing } from "lit";
import type { GgufKeys } from "../palette/keys-dialog.ts";
import type { GgufPalette } from "../palette/palette.ts";
import type { PaletteSource } from "../ui/palette-source.ts";
import { isMac } from "../ui/keyboard.ts";
import { loadModule } from "../ui/load-module.ts";
import { takesText } from "../ui/search-key.ts";

const loadPalette = loadModule(async () => {
  const [palette] = await Promise.all([import("../palette/palette.ts"), import("../palette/keys-dialog.ts")]);
  return palette;
});

/** Whether a press of a key asks for the palette: ⌘K on a Mac, where Ctrl+K deletes text, and Ctrl+K elsewhere. */
function asksForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== "k" || altKey || shiftKey) return false;
  return isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}

/** Shows the command palette and the list of keys in an element. Their code is loaded when they are first shown. */
export class PaletteOpener {
  readonly #host: LitElement;
  readonly #sources: () => Promise<readonly PaletteSource[]>;
  #isLoaded = false;

  constructor(host: LitElement, sources: () => Promise<readonly PaletteSource[]>) {
    this.#host = host;
    this.#sources = sources;
  }

  /** What a key asks for. Undefined for other keys, and while a dialog is open. */
  onKey(event: KeyboardEvent): "palette" | "keys" | undefined {
    if (event.defaultPrevented || event.isComposing) return undefined;
    const path = event.composedPath();
    if (path.some((node) => node instanceof HTMLDialogElement)) return undefined;
    if (asksForPalette(event)) return "palette";
    const isQuestion = event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey;
    return isQuestion && !takesText(path[0]) ? "keys" : undefined;
  }

  /** Shows the palette, with the sources of the page around after those of the element, and the results for a text. */
  async open(more: readonly PaletteSource[] = [], query = ""): Promise<void> {
    const sources = await this.#prepare(this.#sources());
    if (sources) await this.#palette?.open([...sources, ...more], query);
  }

  /** Shows the present sources in the palette, if it is open. Its text stays. */
  async refresh(more: readonly PaletteSource[]): Promise<void> {
    if (this.#palette?.typed === undefined) return;
    const sources = await this.#sources().catch(() => undefined);
    if (sources) this.#palette?.become([...sources, ...more]);
  }

  /** Closes the palette. Gives the text that was typed, or undefined if it was not open. */
  close(): string | undefined {
    const typed = this.#palette?.typed;
    if (typed !== undefined) this.#palette?.close();
    return typed;
  }

  get #palette(): GgufPalette | null {
    return this.#host.renderRoot.querySelector("gguf-palette");
  }

  async showKeys(): Promise<void> {
    await this.#prepare();
    await this.#host.renderRoot.querySelector<GgufKeys>("gguf-keys")?.open();
  }

  /** Loads the code. Without it, the person can do everything in another way. */
  async #prepare<T>(value?: Promise<T>): Promise<T | undefined> {
    try {
      const [prepared] = await Promise.all([value, loadPalette()]);
      this.#isLoaded = true;
      this.#host.requestUpdate();
      await this.#host.updateComplete;
      return prepared;
    } catch {
      return undefined;
    }
  }

  render() {
    return this.#isLoaded ? html`<gguf-palette></gguf-palette><gguf-keys></gguf-keys>` : nothing;
  }
}
