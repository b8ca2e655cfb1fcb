import type { LitElement } from "lit";
import type { View } from "./address.ts";
import { deepActive } from "../ui/deep-active.ts";
import type { GgufMetadataTable } from "../metadata/metadata-table.ts";
import type { GgufTensorTable } from "../tensors/tensor-table.ts";

/** A row of one of the tables: by key or name, and by its place where several have one. */
export interface Row {
  key?: string | undefined;
  tensor?: string | undefined;
  index?: number;
  /** Whether a filter of the tensors stays if it hides the row; otherwise it is cleared. */
  keepFilter?: boolean | undefined;
}

/** What showing a row needs of the viewer. */
interface RevealHost extends LitElement {
  view: View | undefined;
}

/** Brings a viewer to what a link, a finding or a key speaks of, and the focus with it. */
export class Revealing {
  readonly #host: RevealHost;
  /** What is in fact shown, whatever was asked for. */
  readonly #shown: () => View;
  /** What is to be shown when the file is open. */
  #wanted: Row = {};

  constructor(host: RevealHost, shown: () => View) {
    this.#host = host;
    this.#shown = shown;
    host.addEventListener("keydown", this.#onKey);
    host.addEventListener("gguf-lead", (event) => {
      event.stopPropagation();
      void this.#lead((event as CustomEvent<Row>).detail);
    });
  }

  /** Takes note of what is to be shown. */
  want({ key, tensor, keepFilter }: Row): void {
    this.#wanted = { ...(key ? { key } : {}), ...(tensor ? { tensor } : {}), keepFilter };
  }

  /** Shows that, once. */
  async showWanted(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = {};
    await this.#reveal(wanted);
  }

  /** Gives the focus to what is shown, where what had it is gone. */
  focusShown(): void {
    if (deepActive() !== document.body) return;
    const view = this.#shown();
    if (view === "metadata" || view === "tensors") this.#table?.focusRows();
    else this.#find<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  }

  /** Shows what something speaks of, and gives it the focus. */
  async #lead(wanted: Row): Promise<void> {
    await this.#reveal(wanted);
    this.#table?.focusRows();
  }

  async #reveal({ key, tensor, index, keepFilter }: Row): Promise<void> {
    const host = this.#host;
    if (tensor !== undefined) host.view = "tensors";
    else if (key !== undefined) host.view = "metadata";
    await host.updateComplete;
    if (tensor !== undefined) {
      const table = this.#find<GgufTensorTable>("gguf-tensor-table");
      await table?.showTensor(tensor, { position: index, keepFilter });
    } else if (key !== undefined) await this.#find<GgufMetadataTable>("gguf-metadata-table")?.showKey(key, index);
  }

  get #table(): GgufMetadataTable | GgufTensorTable | null {
    return this.#find(this.#shown() === "tensors" ? "gguf-tensor-table" : "gguf-metadata-table");
  }

  #find<T extends Element>(selector: string): T | null {
    return this.#host.renderRoot.querySelector<T>(selector);
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    if (
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement
    )
      return;
    const table = this.#table;
    if (!table) return;
    event.preventDefault();
    table.focusSearch();
  };
}
