import type { Gguf } from "gguf-wasm/explain";
import type { Change } from "gguf-wasm/full";
import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import { errorText } from "../gguf/error-texts.ts";
import { failureOf } from "../gguf/failure.ts";
import type { EditedFile } from "../gguf/shown-file.ts";
import { startDownload } from "../saving/download.ts";
import { announce } from "../ui/announce.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import "../ui/menu.ts";
import type { MenuGroup, MenuItem } from "../ui/menu.ts";
import { formatCount } from "../ui/numbers.ts";
import { baseStyles } from "../ui/styles.ts";
import { escapeText } from "../ui/text.ts";
import { exportGroups, type ExportKind, exportName, MARKDOWN } from "../worker/export-files.ts";
import { writeExport } from "./write-export.ts";

/**
 * The menu of tools: items that the viewer gives, and those that export the header of a file. While the file is being edited, they export
 * the file as it would be saved. A failure is reported with the event `gguf-export-problem` (detail: a text; "" when the next export begins).
 */
export class GgufExportMenu extends LitElement {
  /** The file, or the set of shards as one file. */
  @property({ attribute: false }) gguf!: Gguf;
  @property() fileName = "";
  /** The file after editing. Undefined while the file is not being edited. */
  @property({ attribute: false }) edits: EditedFile | undefined;
  /** The changes of the edit. */
  @property({ attribute: false }) changes: readonly Change[] = [];
  /** The items above those that export. */
  @property({ attribute: false }) tools: MenuGroup = { items: [] };
  /** Whether another menu has the items. The button is then shown only while an export runs, so that it can be cancelled. */
  @property({ type: Boolean, reflect: true }) elsewhere = false;
  @state() private isExporting = false;
  #exporting = new AbortController();

  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
      }
      :host([elsewhere]:not([exporting])) {
        display: none;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
  }

  override updated(): void {
    this.toggleAttribute("exporting", this.isExporting);
  }

  override render() {
    return html`<gguf-menu
      label=${this.isExporting ? "Exporting…" : "Tools"}
      .icon=${this.isExporting ? icons.save : nothing}
      exportparts="button, label"
      .note=${this.isExporting ? this.note : ""}
      .groups=${() => this.groups()}
    ></gguf-menu>`;
  }

  /** Which state of an edited file is exported, or that an export is being written. */
  get note(): string {
    if (this.isExporting) return "The header is large. Writing it takes a while.";
    return this.edits ? `Exports the edited file, with ${formatCount(this.changes.length, "change")}.` : "";
  }

  /** The items, also for another menu that contains them. */
  groups(): MenuGroup[] {
    if (this.isExporting) return [{ items: [{ title: "Cancel", about: "Writes no file", run: this.#cancel }] }];
    const metadata = this.edits?.metadata ?? this.gguf.metadata;
    const item = (kind: ExportKind): MenuItem => ({
      title: escapeText(kind.title, 80),
      ...(kind.about === undefined ? {} : { about: kind.about }),
      run: () => void this.#download(kind),
    });
    const [first, ...others] = exportGroups(metadata).map((kinds) => ({ items: kinds.map(item) }));
    const copy = { title: "Copy as Markdown", run: () => void this.#copy() };
    const exports = { title: this.note || "Export", items: [...(first?.items ?? []), copy] };
    return [this.tools, exports, ...others].filter(({ items }) => items.length > 0);
  }

  async #download(kind: ExportKind): Promise<void> {
    const name = exportName(this.fileName, kind.ending);
    await this.#run(async () => {
      startDownload(await this.#write(kind), name);
      announce(this, `Download of ${escapeText(name, 120)} started`);
    });
  }

  async #copy(): Promise<void> {
    await this.#run(async () => {
      const type = "text/plain";
      const written = this.#write(MARKDOWN);
      // The item gets a promise, because the browser allows copying only during a click.
      await navigator.clipboard.write([
        new ClipboardItem({ [type]: written.then((content) => content.slice(0, content.size, type)) }),
      ]);
      announce(this, "Copied");
    });
  }

  /** Writes the open file, or the file after editing. */
  async #write(kind: ExportKind): Promise<Blob> {
    const { edits, changes, gguf, fileName } = this;
    const { signal } = this.#exporting;
    // The button says that an export runs, before the header is copied.
    await this.updateComplete;
    await nextFrame();
    if (!edits || changes.length === 0) return writeExport(kind, gguf, fileName, signal);
    const edited = await edits.open();
    try {
      return await writeExport(kind, edited.gguf, fileName, signal);
    } finally {
      edited.free();
    }
  }

  readonly #cancel = () => this.#exporting.abort();

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.isExporting) return;
    this.#report("");
    this.isExporting = true;
    this.#exporting = new AbortController();
    try {
      await work();
    } catch (error) {
      if (this.#exporting.signal.aborted) {
        announce(this, "Cancelled");
        return;
      }
      if (error instanceof DOMException && error.name === "NotAllowedError") {
        this.#report("The browser did not allow copying.");
        return;
      }
      const { title, what } = errorText(failureOf(error));
      this.#report(`Nothing was exported. ${title}. ${what}`);
    } finally {
      this.isExporting = false;
    }
  }

  #report(problem: string): void {
    this.dispatchEvent(new CustomEvent("gguf-export-problem", { detail: problem }));
  }
}

/** Waits until the browser has painted. A page in the background does not paint, so the wait has an end. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      // The frame is painted after this function.
      setTimeout(resolve, 0);
    });
  });
}

define("gguf-export-menu", GgufExportMenu);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-export-menu": GgufExportMenu;
  }
}
