import type { GgmlTypeInfo, Gguf, GgufSource } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { fetchableAddress, fileName, pageAbout, type View } from "./address.ts";
import { editBarStyles } from "../edit/edit-bar.ts";
import { Editing } from "../edit/editing.ts";
import { wordsFor } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import { counted } from "../ui/numbers.ts";
import { plainEntries, type ShownEntry } from "../gguf/edit-rows.ts";
import { modelName } from "../summary/facts.ts";
import type { MetadataState, TablesState, TensorsState } from "./table-state.ts";
import { visible } from "../ui/text.ts";
import type { FileValues } from "../values/file-values.ts";
import { Opening, type OpeningState, type Reading } from "./opening.ts";
import { filePanels } from "./file-panels.ts";
import { icons } from "../ui/icons.ts";
import { Revealing } from "./revealing.ts";
import { base, tokens } from "../ui/styles.ts";
import { fileTabs, renderTabs } from "./tabs.ts";
import { viewerStyles } from "./viewer-styles.ts";

/** What the panels are headed with, for who hears the page. The summary is headed with the name of the model. */
const HEADINGS: Record<Exclude<View, "summary">, string> = {
  metadata: "Metadata",
  tensors: "Tensors",
  checks: "Checks",
  changes: "Changes",
};

type State =
  | { name: "empty" }
  | { name: "opening"; opening: OpeningState }
  | { name: "open"; gguf: Gguf; entries: readonly ShownEntry[]; values: FileValues; reading: Reading }
  | { name: "failed"; failure: Failure };

/**
 * A GGUF file, shown: `<gguf-viewer src="…">`, or the property `source` for a `File`, bytes, a stream.
 *
 * Events: `gguf-open` (detail: the `Gguf`), `gguf-error` (detail: the failure with its code), `gguf-select` (detail: `{ key }` or
 * `{ tensor }`), `gguf-view` (detail: the view), `gguf-table` (detail: `{ metadata }` or `{ tensors }`, the state of that table), `gguf-edit` (detail: how many changes there are, whether some are
 * unsaved, and what the model will be called), `gguf-saved`
 * (detail: the file that the viewer goes on with, and its handle). Colours and fonts are custom properties, `--gguf-…`; `color-scheme` chooses light or dark.
 * The slot is for what a page wants to offer beside "Try again" when a file cannot be opened; what needs a line of its own goes into the
 * slot `help`.
 */
export class GgufViewer extends LitElement {
  static override properties = {
    src: {},
    source: { attribute: false },
    headers: { attribute: false },
    name: {},
    view: { reflect: true },
    metadataState: { attribute: false },
    tensorsState: { attribute: false },
    editable: { type: Boolean },
    handle: { attribute: false },
    state: { state: true },
    wide: { state: true },
    said: { state: true },
  };

  /** The address of a file; links to pages about a file on known hubs are understood. */
  declare src: string;
  /** Anything else that `Gguf.open` takes; goes before `src`. */
  declare source: GgufSource | undefined;
  /** HTTP headers for the host of `src`: a token. They go nowhere else; another host's `src` forgets them. */
  declare headers: HeadersInit | undefined;
  /** What to call the file where the source does not say. */
  declare name: string;
  /** What is shown beside the summary; where there is no room beside it, the summary unless another is chosen. */
  declare view: View | undefined;
  /** What the metadata table searches for and shows; it tells changes by `gguf-table`. */
  declare metadataState: MetadataState | undefined;
  /** The filter, order and groups of the tensor table; it tells changes by `gguf-table`. */
  declare tensorsState: TensorsState | undefined;
  /** Whether the file can be edited here. */
  declare editable: boolean;
  /** Where an edited `source` can be saved in place. */
  declare handle: FileSystemFileHandle | undefined;
  declare private state: State;
  declare private wide: boolean;
  declare private said: string;

  #opening: Opening | undefined;
  /** Whether an opening came to its end because the viewer left the document. */
  #interrupted = false;
  #types: readonly GgmlTypeInfo[] = [];
  readonly #editing = new Editing(this);
  readonly #revealing: Revealing = new Revealing(this, () => this.#shownView);
  readonly #widths = new ResizeObserver(([entry]) => {
    if (entry) this.wide = entry.contentRect.width >= 900;
  });

  constructor() {
    super();
    this.src = "";
    this.source = undefined;
    this.headers = undefined;
    this.name = "";
    this.view = undefined;
    this.metadataState = undefined;
    this.tensorsState = undefined;
    this.editable = false;
    this.handle = undefined;
    this.state = { name: "empty" };
    this.wide = false;
    this.said = "";
    this.addEventListener("gguf-announce", (event) => {
      this.said = (event as CustomEvent<string>).detail;
    });
  }

  static override styles = [tokens, base, viewerStyles, editBarStyles];

  /** The open file, if there is one. */
  get gguf(): Gguf | undefined {
    return this.state.name === "open" ? this.state.gguf : undefined;
  }

  /** Whether there are changes that have been saved nowhere. */
  get unsaved(): boolean {
    return this.#editing.unsaved;
  }

  /** Whether another file may take the place of this one: asks where changes would be lost. */
  mayLeave(): Promise<boolean> {
    return this.#editing.mayLeave();
  }

  /** Begins to edit the open file. */
  edit(): void {
    this.#editing.start();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#widths.observe(this);
    if (this.#interrupted) void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#widths.disconnect();
    // What is only moved is back at once, and goes on; a stream could not even be opened again.
    queueMicrotask(() => {
      if (this.isConnected) return;
      if (this.state.name === "open") this.state.values.stop();
      if (this.state.name !== "opening") return;
      this.#interrupted = true;
      this.#drop();
    });
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("src") && !changed.has("headers") && this.headers !== undefined) {
      const before = changed.get("src") as string | undefined;
      if (before === undefined || origin(before) !== origin(this.src)) this.headers = undefined;
    }
    if (changed.has("src") || changed.has("source") || (changed.has("headers") && this.source === undefined))
      void this.reload();
  }

  /** Ends an opening of which nobody wants to know any more. */
  #drop(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.cancel();
  }

  /** Opens the source again. */
  async reload(): Promise<void> {
    this.#drop();
    this.#interrupted = false;
    this.#editing.closed();
    if (this.state.name === "open") {
      this.state.values.stop();
      void this.#release(this.state.gguf);
    }
    if (this.source === undefined && this.src === "") {
      this.state = { name: "empty" };
      return;
    }
    const opening = new Opening(this.source ?? this.src, this.source === undefined ? this.headers : undefined, () => {
      if (this.#opening === opening && this.state.name === "opening")
        this.state = { name: "opening", opening: opening.state };
    });
    this.#opening = opening;
    this.state = { name: "opening", opening: opening.state };
    const opened = await opening.run();
    if (this.#opening !== opening) {
      // Another file has been asked for since.
      opened.gguf?.free();
      return;
    }
    this.#opening = undefined;
    if (opened.failure) {
      this.state = { name: "failed", failure: opened.failure };
      this.said = wordsFor(opened.failure).title;
      this.dispatchEvent(new CustomEvent("gguf-error", { detail: opened.failure, bubbles: true, composed: true }));
      return;
    }
    const { gguf, values, types, reading } = opened;
    this.#types = types;
    this.state = { name: "open", gguf, entries: plainEntries(gguf.entries), values, reading };
    const goesOn = this.#editing.opened(gguf);
    this.said = `${modelName(gguf, this.fileName)} opened: ${counted(gguf.entries.length, "metadata entry", "metadata entries")}, ${counted(gguf.tensors.length, "tensor")}`;
    this.dispatchEvent(new CustomEvent("gguf-open", { detail: gguf, bubbles: true, composed: true }));
    await this.#revealing.showWanted();
    if (goesOn) this.#revealing.focusShown();
  }

  /** Frees a file's memory once nothing on the page looks at it any more. */
  async #release(gguf: Gguf): Promise<void> {
    await this.updateComplete;
    setTimeout(() => gguf.free(), 0);
  }

  /** Gives up opening. */
  cancel(): void {
    this.#opening?.cancel();
  }

  /** Stops the opening of an address for a while. */
  pause(): void {
    this.#opening?.pause();
    this.said = "Paused";
  }

  /** Goes on with it. */
  resume(): void {
    this.#opening?.resume();
    this.said = "Going on";
  }

  /**
   * Shows an entry or a tensor, now or when the file is open. A filter that hides the tensor is cleared; with `keepFilter` it stays, and
   * the tensor is open as soon as the filter shows it.
   */
  async select(
    wanted: { key?: string | undefined; tensor?: string | undefined },
    { keepFilter = false }: { keepFilter?: boolean } = {},
  ): Promise<void> {
    this.#revealing.want({ ...wanted, keepFilter });
    if (this.state.name === "open") await this.#revealing.showWanted();
  }

  /** What the file is called, as far as that is known. */
  get fileName(): string {
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
      ${this.#editing.renderDialogs()}
      <div class="sr" role="status">${visible(this.said, 300)}</div>`;
  }

  #renderState() {
    const { state } = this;
    switch (state.name) {
      case "empty":
        return html`<slot name="empty"></slot>`;
      case "opening":
        return html`<gguf-progress
          .opening=${state.opening}
          name=${this.fileName || "the file"}
          @gguf-pause=${this.pause}
          @gguf-resume=${this.resume}
          @gguf-cancel=${this.cancel}
        ></gguf-progress>`;
      case "failed":
        return html`<gguf-error-panel
          .failure=${state.failure}
          name=${this.source === undefined ? this.src : this.fileName}
          ?retryable=${state.failure.code !== "address"}
          @gguf-retry=${() => this.reload()}
          ><slot name="help" slot="help"></slot><slot></slot
        ></gguf-error-panel>`;
      case "open":
        return this.#renderOpen(state);
    }
  }

  #renderOpen({ gguf, entries, values, reading }: Extract<State, { name: "open" }>) {
    const address = this.#address;
    const { session, findings } = this.#editing;
    const summary = html`<gguf-summary
      role=${this.wide ? "region" : nothing}
      aria-label=${this.wide ? "Summary" : nothing}
      tabindex=${this.wide ? "0" : nothing}
      .gguf=${gguf}
      .edited=${session?.described}
      .changes=${session?.changes.length ?? 0}
      .fileName=${this.fileName}
      .reading=${reading}
      .page=${address === undefined ? undefined : (pageAbout(address) ?? address)}
    ></gguf-summary>`;
    const view = this.#shownView;
    const tabs = fileTabs(gguf, session, findings, this.wide);
    return html`${this.wide ? summary : nothing}
      <div class="main ${session ? "editing" : ""}">
        ${this.#editing.renderBar(this.#stopEditing)}
        <div class="tabs">
          ${renderTabs(tabs, view, this.#show)}
          ${
            this.editable && !session
              ? html`<button type="button" class="edit" @click=${this.#edit}>${icons.pen}<span>Edit</span></button>`
              : nothing
          }
        </div>
        <div role="tabpanel" id="panel" aria-labelledby="tab-${view}">
          ${
            this.wide
              ? nothing
              : html`<div class="summary" role="region" aria-label="Summary" tabindex="0" ?hidden=${view !== "summary"}>
                  ${summary}
                </div>`
          }
          ${view === "summary" ? nothing : html`<h2 class="sr">${HEADINGS[view]}</h2>`}
          ${filePanels({ gguf, entries, values, types: this.#types, session, findings, view, tables: this.#tables })}
        </div>
      </div>`;
  }

  readonly #edit = async () => {
    this.edit();
    await this.updateComplete;
    this.#revealing.focusShown();
  };

  readonly #stopEditing = async () => {
    if (!(await this.#editing.stop())) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".edit")?.focus();
  };

  get #tables(): TablesState {
    const { metadataState: metadata, tensorsState: tensors } = this;
    return { ...(metadata ? { metadata } : {}), ...(tensors ? { tensors } : {}) };
  }

  get #shownView(): View {
    const view = this.view === "changes" && !this.#editing.session ? undefined : this.view;
    if (!this.wide) return view ?? "summary";
    return view === undefined || view === "summary" ? "metadata" : view;
  }

  readonly #show = (view: View): void => {
    if (view === this.#shownView) return;
    this.view = view;
    this.dispatchEvent(new CustomEvent("gguf-view", { detail: view, bubbles: true, composed: true }));
  };
}

/** Whom an address asks; undefined where it is none. */
function origin(address: string): string | undefined {
  try {
    return new URL(fetchableAddress(address, document.baseURI)).origin;
  } catch {
    return undefined;
  }
}
