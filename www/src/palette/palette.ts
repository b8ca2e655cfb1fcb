import { html, nothing } from "lit";
import { state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { define } from "../ui/define.ts";
import { Dialog } from "../ui/dialog.ts";
import { icons } from "../ui/icons.ts";
import { formatCount } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { dialogStyles } from "../ui/styles/dialog.ts";
import { splitText } from "../ui/text.ts";
import { findItems, type FoundGroup, type FoundItem, listedGroups } from "./find-items.ts";
import { paletteStyles } from "./palette-styles.ts";
import type { PaletteSource } from "../ui/palette-source.ts";

/** How many options Page up and Page down pass. */
const PAGE = 8;

/**
 * The command palette: a field that finds panels, keys, tensors, tokens and actions, as the ARIA pattern of a combobox with a list describes it.
 * The focus stays in the field, and the arrow keys choose an option.
 */
export class GgufPalette extends Dialog {
  @state() private query = "";
  @state() private groups: readonly FoundGroup[] = [];
  @state() private active = 0;
  @state() private isSearching = false;

  #sources: readonly PaletteSource[] = [];
  #search = new AbortController();

  static override styles = [baseStyles, dialogStyles, paletteStyles];

  /** Shows the palette, with the results for a text. */
  async open(sources: readonly PaletteSource[], query = ""): Promise<void> {
    this.#sources = sources;
    this.#find(query);
    await this.show();
    this.renderRoot.querySelector("input")?.focus();
  }

  /** The text that was typed into the palette. Undefined while it is not shown. */
  get typed(): string | undefined {
    return this.shown ? this.query : undefined;
  }

  /** Finds the items of other sources for the text that is typed. */
  become(sources: readonly PaletteSource[]): void {
    if (!this.shown) return;
    this.#sources = sources;
    this.#find(this.query);
  }

  /** Closes the palette. */
  close(): void {
    this.hide();
  }

  get #items(): readonly FoundItem[] {
    return this.groups.flatMap(({ items }) => items);
  }

  /** Finds the items for a query. The previous ones stay until the new ones are found. */
  #find(query: string): void {
    this.#search.abort();
    this.#search = new AbortController();
    const { signal } = this.#search;
    this.query = query;
    if (query.trim() === "") {
      this.#become(listedGroups(this.#sources));
      return;
    }
    this.isSearching = true;
    findItems(this.#sources, query, signal).then(
      (groups) => this.#become(groups),
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }

  #become(groups: readonly FoundGroup[]): void {
    this.groups = groups;
    this.active = 0;
    this.isSearching = false;
  }

  protected override updated(): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  protected renderBox() {
    const items = this.#items;
    return html`<dialog aria-label="Go to" @close=${this.#onClose} @click=${this.#onBackdrop}>
      <div class="field">
        ${icons.search}
        <input
          type="text"
          role="combobox"
          aria-label="Panel, key, tensor, token or action"
          aria-expanded="true"
          aria-controls="list"
          aria-autocomplete="list"
          aria-activedescendant=${items.length > 0 ? `option-${this.active}` : nothing}
          placeholder="Panel, key, tensor, token or action"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${live(this.query)}
          @input=${(event: Event) => this.#find((event.target as HTMLInputElement).value)}
          @keydown=${this.#onKey}
        />
      </div>
      <div id="list" role="listbox" aria-label="Results" aria-busy=${this.isSearching}>${this.#renderGroups()}</div>
      ${
        items.length === 0
          ? html`<p class="none">${this.isSearching ? "Searching…" : "Nothing found. Try fewer letters."}</p>`
          : nothing
      }
      <p class="hint" aria-hidden="true">↑ ↓ choose · Enter goes there · Esc closes</p>
      <p class="sr" role="status">${this.isSearching ? "" : formatCount(items.length, "result")}</p>
    </dialog>`;
  }

  #renderGroups() {
    let at = -1;
    return this.groups.map(
      ({ title, items }, group) =>
        html`<div class="group" role="group" aria-labelledby="group-${group}">
          <div class="title" id="group-${group}">${title}</div>
          ${items.map((item) => this.#renderItem(item, (at += 1)))}
        </div>`,
    );
  }

  #renderItem(item: FoundItem, at: number) {
    return html`<div
      id="option-${at}"
      role="option"
      aria-selected=${at === this.active}
      @pointermove=${() => (this.active = at)}
      @click=${() => this.#run(item)}
    >
      <span class="name">${renderMarked(item.title, item.marks)}</span>
      ${item.about ? html`<span class="about">${renderMarked(item.about, [])}</span>` : nothing}
      ${item.keys ? html`<kbd>${item.keys}</kbd>` : nothing}
    </div>`;
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const count = this.#items.length;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
    switch (event.key) {
      case "ArrowDown":
        this.active = (this.active + 1) % count;
        break;
      case "ArrowUp":
        this.active = (this.active + count - 1) % count;
        break;
      case "PageDown":
        this.active = Math.min(this.active + PAGE, count - 1);
        break;
      case "PageUp":
        this.active = Math.max(this.active - PAGE, 0);
        break;
      case "Enter": {
        const item = this.#items[this.active];
        // The items of an earlier text are not what the person means.
        if (item && !this.isSearching) this.#run(item);
        break;
      }
      default:
        return;
    }
    event.preventDefault();
  };

  /** Closes the palette first, so that the focus is back where it was before the item moves it. */
  #run(item: FoundItem): void {
    this.hide();
    item.run();
  }

  readonly #onClose = (event: Event) => {
    // The browser tells late that a box was closed. The palette may have been opened again.
    if (event.target !== this.dialog) return;
    this.#search.abort();
    this.#sources = [];
    this.hide();
  };

  /** A click beside the box closes it. */
  readonly #onBackdrop = (event: MouseEvent) => {
    if (event.target === this.dialog) this.hide();
  };
}

define("gguf-palette", GgufPalette);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-palette": GgufPalette;
  }
}

/** A text of the file or of the page, with its matching letters marked. Letters that cannot be seen are written as escapes. */
function renderMarked(text: string, marks: readonly number[]) {
  const marked = new Set(marks);
  let at = 0;
  const parts = splitText(text, true).map((segment) => {
    if (segment.escape !== undefined) {
      at += 1;
      return html`<span class="escape" title=${segment.escape}>${segment.text}</span>`;
    }
    const runs: { text: string; isMarked: boolean }[] = [];
    for (const letter of segment.text.split("")) {
      const isMarked = marked.has(at);
      at += 1;
      const last = runs.at(-1);
      if (last?.isMarked === isMarked) last.text += letter;
      else runs.push({ text: letter, isMarked });
    }
    return runs.map((run) => (run.isMarked ? html`<mark>${run.text}</mark>` : run.text));
  });
  return html`<bdi>${parts}</bdi>`;
}
