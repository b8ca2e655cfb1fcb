/** The entry for pages that show what a model takes: registers `<gguf-memory>`. */

import { html } from "lit";
import { property } from "lit/decorators.js";
import { usesOf } from "../gguf/kind-uses.ts";
import { loadLibrary } from "../gguf/library.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { beginMemory } from "../memory/begin-memory.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import "../memory/memory.ts";
import { ShownMachine } from "../memory/shown-machine.ts";
import { define } from "../ui/define.ts";
import { escapeText } from "../ui/text.ts";
import { endMemory } from "../worker/file-memory.ts";
import type { OpenState } from "../viewer/viewer-file.ts";
import { FileElement } from "./file-element.ts";

/** Shows the memory that llama.cpp takes for a model: `<gguf-memory src="…">`. */
export class GgufMemory extends FileElement {
  /** The name of the file, if the source has none. */
  @property() name = "";
  /** The choices of the person. Changes are reported with the event `gguf-table`; the detail is `{ memory: choices }`. */
  @property({ attribute: false }) choices: MemoryState | undefined;

  readonly #machine = new ShownMachine(
    this,
    () => this.choices,
    (rest, { cards = [], shared, context }) => {
      this.choices = { ...rest, context, shared, ...(cards.length === 1 ? { card: cards[0] } : {}) };
      const detail = { memory: this.choices };
      this.dispatchEvent(new CustomEvent("gguf-table", { detail, bubbles: true, composed: true }));
    },
  );

  constructor() {
    super({
      modules: { loadFirst: loadLibrary, startedMain: startedLibrary, loadMain: loadLibrary },
      endWorkers: ({ gguf }) => endMemory(gguf),
    });
  }

  static override styles = FileElement.fileStyles;

  protected get label(): string {
    return `Memory for ${this.fileName}`;
  }

  protected get givenName(): string {
    return this.name;
  }

  protected override renderFile({ model: { gguf } }: OpenState) {
    const { title } = gguf.classification;
    if (!usesOf(gguf).isLoaded || gguf.tensors.length === 0)
      return html`<p class="note hint">llama.cpp does not load this file as a model: ${title.toLowerCase()}.</p>`;
    // The workers of an element end when it leaves the document.
    if (this.isConnected) beginMemory(gguf);
    return html`<h2 class="sr">${escapeText(this.label, 300)}</h2>
      <gguf-memory-panel
        .gguf=${gguf}
        .fileName=${this.fileName}
        .machine=${this.#machine.of(this.choices)}
        .panelState=${this.choices}
        shown
      ></gguf-memory-panel>`;
  }
}

define("gguf-memory", GgufMemory);
