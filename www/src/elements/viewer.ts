import type { GgmlTypeInfo, Gguf, GgufSource } from "gguf-wasm";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { fetchableAddress, fileName, pageAbout, type View } from "../logic/address.ts";
import { type Failure, failureOf, lookalike, wordsFor } from "../logic/errors.ts";
import { counted, grouped } from "../logic/format.ts";
import type { Progress } from "../logic/progress.ts";
import { modelName } from "../logic/summary.ts";
import { visible } from "../logic/text.ts";
import type { GgufMetadataTable } from "./metadata-table.ts";
import { base, tokens } from "./styles.ts";
import type { GgufTensorTable } from "./tensor-table.ts";

type Engine = typeof import("gguf-wasm");

type State =
  | { name: "empty" }
  | { name: "opening"; progress: Progress | undefined }
  | { name: "open"; gguf: Gguf }
  | { name: "failed"; failure: Failure };

/** The reader is fetched while the page is already there to be used, and fetched again if that failed. */
let engine: Promise<Engine> | undefined;
export function loadEngine(): Promise<Engine> {
  engine ??= import("gguf-wasm").catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

/**
 * A GGUF file, shown: `<gguf-viewer src="…">`, or the property `source` for a `File`, bytes, a stream.
 *
 * Events: `gguf-open` (detail: the `Gguf`), `gguf-error` (detail: the failure with its code), `gguf-select` (detail: `{ key }` or
 * `{ tensor }`), `gguf-view` (detail: the view). Colours and fonts are custom properties, `--gguf-…`; `color-scheme` chooses light or dark.
 * The slot is for what a page wants to offer beside "Try again" when a file cannot be opened.
 */
export class GgufViewer extends LitElement {
  static override properties = {
    src: {},
    source: { attribute: false },
    name: {},
    view: { reflect: true },
    state: { state: true },
    wide: { state: true },
    said: { state: true },
  };

  /** The address of a file; links to pages about a file on known hubs are understood. */
  declare src: string;
  /** Anything else that `Gguf.open` takes; goes before `src`. */
  declare source: GgufSource | undefined;
  /** What to call the file where the source does not say. */
  declare name: string;
  /** What is shown beside the summary; where there is no room beside it, the summary unless another is chosen. */
  declare view: View | undefined;
  declare private state: State;
  declare private wide: boolean;
  declare private said: string;

  #opening: AbortController | undefined;
  #types: readonly GgmlTypeInfo[] = [];
  #wanted: { key?: string; tensor?: string } = {};
  readonly #widths = new ResizeObserver(([entry]) => {
    if (entry) this.wide = entry.contentRect.width >= 900;
  });

  constructor() {
    super();
    this.src = "";
    this.source = undefined;
    this.name = "";
    this.view = undefined;
    this.state = { name: "empty" };
    this.wide = false;
    this.said = "";
    this.addEventListener("gguf-announce", (event) => {
      this.said = (event as CustomEvent<string>).detail;
    });
    this.addEventListener("keydown", this.#onKey);
  }

  static override styles = [
    tokens,
    base,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: min(760px, 100dvh);
        min-width: 0;
        overflow: hidden;
        background: var(--gguf-page);
      }
      .body {
        flex: 1;
        display: flex;
        min-height: 0;
      }
      .body > gguf-progress,
      .body > gguf-error-panel {
        flex: 1;
        overflow: auto;
      }
      .wide gguf-summary {
        flex: 0 0 clamp(300px, 25%, 360px);
        border-inline-end: 1px solid var(--gguf-line);
      }
      .main {
        flex: 1;
        display: flex;
        flex-direction: column;
        min-width: 0;
        background: var(--gguf-surface);
      }
      [role="tablist"] {
        display: flex;
        gap: 4px;
        padding: 0 12px;
        border-bottom: 1px solid var(--gguf-line);
        overflow-x: auto;
      }
      [role="tab"] {
        position: relative;
        min-height: 42px;
        padding: 0 10px;
        border: 0;
        border-radius: 6px 6px 0 0;
        background: none;
        color: var(--gguf-ink-2);
        font-size: 13.5px;
      }
      [role="tab"]:hover {
        color: var(--gguf-ink);
      }
      [role="tab"]:focus-visible {
        outline-offset: -3px;
      }
      [role="tab"][aria-selected="true"] {
        color: var(--gguf-ink);
        font-weight: 600;
      }
      [role="tab"][aria-selected="true"]::after {
        content: "";
        position: absolute;
        inset: auto 8px 0;
        height: 2px;
        border-radius: 1px 1px 0 0;
        background: var(--gguf-accent);
      }
      [role="tab"] .many {
        color: var(--gguf-ink-3);
        font-weight: 400;
        font-size: 12px;
      }
      [role="tabpanel"] {
        flex: 1;
        display: flex;
        min-height: 0;
        outline-offset: -2px;
      }
      [role="tabpanel"] > * {
        flex: 1;
        min-width: 0;
      }
      .summary {
        overflow: auto;
      }
    `,
  ];

  /** The open file, if there is one. */
  get gguf(): Gguf | undefined {
    return this.state.name === "open" ? this.state.gguf : undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#widths.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#widths.disconnect();
    this.#opening?.abort();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("src") || changed.has("source")) void this.reload();
  }

  /** Opens the source again. */
  async reload(): Promise<void> {
    this.#opening?.abort();
    void this.#release(this.gguf);
    if (this.source === undefined && this.src === "") {
      this.state = { name: "empty" };
      return;
    }
    const opening = new AbortController();
    this.#opening = opening;
    const { signal } = opening;
    this.state = { name: "opening", progress: undefined };
    let progress: Progress | undefined;
    try {
      const source = this.source ?? fetchableAddress(this.src, document.baseURI);
      const library = await loadEngine().catch((cause: unknown) => {
        throw Object.assign(new Error("the WebAssembly module did not load", { cause }), {
          name: "GgufError",
          code: "engine",
        });
      });
      const gguf = await library.Gguf.open(source, {
        signal,
        onProgress: (seen) => {
          progress = { ...seen };
          if (this.#opening === opening && this.state.name === "opening") this.state = { name: "opening", progress };
        },
      });
      // Another file may have been asked for since.
      if (signal.aborted) {
        gguf.free();
        return;
      }
      this.#types = library.ggmlTypes();
      this.state = { name: "open", gguf };
      this.said = `${modelName(gguf, this.#fileName)} opened: ${counted(gguf.entries.length, "metadata entry", "metadata entries")}, ${counted(gguf.tensors.length, "tensor")}`;
      this.dispatchEvent(new CustomEvent("gguf-open", { detail: gguf, bubbles: true, composed: true }));
      await this.#showWanted();
    } catch (error) {
      if (this.#opening !== opening) return;
      const failure = failureOf(error);
      if (progress) failure.bytesRead = progress.bytesRead;
      const size = this.source instanceof Blob ? this.source.size : progress?.fileSize;
      if (size !== undefined) failure.fileSize = size;
      if (failure.code === "bad-magic" || failure.code === "unexpected-eof") {
        const looksLike = await this.#firstBytes(signal).then(lookalike, () => undefined);
        if (this.#opening !== opening) return;
        // What is shorter than a magic number ends before it could be wrong.
        if (looksLike !== undefined) Object.assign(failure, { code: "bad-magic", looksLike });
      }
      this.state = { name: "failed", failure };
      this.said = wordsFor(failure).title;
      this.dispatchEvent(new CustomEvent("gguf-error", { detail: failure, bubbles: true, composed: true }));
    }
  }

  /** Frees a file's memory once nothing on the page looks at it any more. */
  async #release(gguf: Gguf | undefined): Promise<void> {
    if (!gguf) return;
    await this.updateComplete;
    setTimeout(() => gguf.free(), 0);
  }

  /** Gives up opening. */
  cancel(): void {
    this.#opening?.abort();
  }

  /** Shows an entry or a tensor, now or when the file is open. */
  async select(wanted: { key?: string | undefined; tensor?: string | undefined }): Promise<void> {
    this.#wanted = { ...(wanted.key ? { key: wanted.key } : {}), ...(wanted.tensor ? { tensor: wanted.tensor } : {}) };
    if (this.state.name === "open") await this.#showWanted();
  }

  async #showWanted(): Promise<void> {
    const { key, tensor } = this.#wanted;
    this.#wanted = {};
    if (tensor !== undefined) this.view = "tensors";
    else if (key !== undefined) this.view = "metadata";
    await this.updateComplete;
    if (tensor !== undefined)
      await this.renderRoot.querySelector<GgufTensorTable>("gguf-tensor-table")?.showTensor(tensor);
    else if (key !== undefined)
      await this.renderRoot.querySelector<GgufMetadataTable>("gguf-metadata-table")?.showKey(key);
  }

  /** The first bytes of what turned out not to be GGUF, to say what it is. */
  async #firstBytes(signal: AbortSignal): Promise<Uint8Array> {
    if (this.source instanceof Blob) return new Uint8Array(await this.source.slice(0, 512).arrayBuffer());
    if (this.source instanceof Uint8Array) return this.source.subarray(0, 512);
    if (this.source instanceof ArrayBuffer) return new Uint8Array(this.source).subarray(0, 512);
    if (this.source !== undefined && typeof this.source !== "string" && !(this.source instanceof URL))
      throw new TypeError("cannot be read twice");
    const address = this.source ?? fetchableAddress(this.src, document.baseURI);
    const done = new AbortController();
    try {
      const response = await fetch(address, {
        headers: { Range: "bytes=0-511" },
        signal: AbortSignal.any([signal, done.signal, AbortSignal.timeout(5000)]),
      });
      const read = await response.body?.getReader().read();
      return (read?.value ?? new Uint8Array()).subarray(0, 512);
    } finally {
      // A server that ignores the range would send all of it.
      done.abort();
    }
  }

  get #fileName(): string {
    if (this.name !== "") return this.name;
    if (this.source instanceof File) return this.source.name;
    return this.source === undefined && this.src !== "" ? fileName(this.src) : "";
  }

  get #address(): string | undefined {
    if (this.source !== undefined) return undefined;
    try {
      return fetchableAddress(this.src, document.baseURI);
    } catch {
      return undefined;
    }
  }

  override render() {
    return html`<div class="body ${this.wide ? "wide" : ""}">${this.#renderState()}</div>
      <div class="sr" role="status">${visible(this.said, 300)}</div>`;
  }

  #renderState() {
    const { state } = this;
    switch (state.name) {
      case "empty":
        return html`<slot name="empty"></slot>`;
      case "opening":
        return html`<gguf-progress
          .progress=${state.progress}
          name=${this.#fileName || "the file"}
          @gguf-cancel=${this.cancel}
        ></gguf-progress>`;
      case "failed":
        return html`<gguf-error-panel
          .failure=${state.failure}
          name=${this.source === undefined ? this.src : this.#fileName}
          ?retryable=${state.failure.code !== "address"}
          @gguf-retry=${() => this.reload()}
          ><slot></slot
        ></gguf-error-panel>`;
      case "open":
        return this.#renderOpen(state.gguf);
    }
  }

  #renderOpen(gguf: Gguf) {
    const address = this.#address;
    const summary = html`<gguf-summary
      .gguf=${gguf}
      .fileName=${this.#fileName}
      .page=${address === undefined ? undefined : (pageAbout(address) ?? address)}
    ></gguf-summary>`;
    const view = this.#shownView;
    const tabs: { view: View; title: string; count?: number }[] = [
      { view: "metadata", title: "Metadata", count: gguf.entries.length },
      { view: "tensors", title: "Tensors", count: gguf.tensors.length },
    ];
    if (!this.wide) tabs.unshift({ view: "summary", title: "Summary" });
    return html`${this.wide ? summary : nothing}
      <div class="main">
        <div role="tablist" aria-label="Parts of the file" @keydown=${this.#onTabKey}>
          ${tabs.map(
            (tab) =>
              html`<button
                type="button"
                role="tab"
                id="tab-${tab.view}"
                aria-selected=${tab.view === view}
                aria-controls="panel"
                tabindex=${tab.view === view ? 0 : -1}
                @click=${() => this.#show(tab.view)}
              >
                ${tab.title}${tab.count === undefined ? nothing : html`<span class="many">${grouped(tab.count)}</span>`}
              </button>`,
          )}
        </div>
        <div role="tabpanel" id="panel" aria-labelledby="tab-${view}">
          ${this.wide ? nothing : html`<div class="summary" ?hidden=${view !== "summary"}>${summary}</div>`}
          <gguf-metadata-table .gguf=${gguf} ?hidden=${view !== "metadata"}></gguf-metadata-table>
          <gguf-tensor-table .gguf=${gguf} .typeInfos=${this.#types} ?hidden=${view !== "tensors"}></gguf-tensor-table>
        </div>
      </div>`;
  }

  get #shownView(): View {
    if (!this.wide) return this.view ?? "summary";
    return this.view === "tensors" ? "tensors" : "metadata";
  }

  #show(view: View): void {
    if (view === this.#shownView) return;
    this.view = view;
    this.dispatchEvent(new CustomEvent("gguf-view", { detail: view, bubbles: true, composed: true }));
  }

  readonly #onTabKey = (event: KeyboardEvent) => {
    const tabs = [...this.renderRoot.querySelectorAll<HTMLElement>("[role=tab]")];
    const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    tab.click();
    tab.focus();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    if (
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement
    )
      return;
    const table = this.renderRoot.querySelector<GgufMetadataTable | GgufTensorTable>(
      this.#shownView === "tensors" ? "gguf-tensor-table" : "gguf-metadata-table",
    );
    if (!table) return;
    event.preventDefault();
    table.focusSearch();
  };
}
