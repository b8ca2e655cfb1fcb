import type { Finding, GgmlTypeInfo, Gguf, GgufSource } from "gguf-wasm";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { RowLink } from "../compare/difference-table.ts";
import { errorText, refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import type { EditTarget, OpenedModel } from "../gguf/opened-model.ts";
import { shardTitle } from "../gguf/shard-set.ts";
import { type OpenCost, plainEntries, type ShownEntry } from "../gguf/shown-file.ts";
import { type OpenFile, type Panel, panelNamed, PANELS, type PanelStates, type View } from "../panels.ts";
import { modelName } from "../summary/facts.ts";
import { chatTemplates } from "../template/template-list.ts";
import { BoxSize } from "../ui/box-size.ts";
import { define } from "../ui/define.ts";
import { icons } from "../ui/icons.ts";
import { loadModule } from "../ui/load-module.ts";
import { formatCount } from "../ui/numbers.ts";
import { PartLoader, partStyles, preload } from "../ui/part-loader.ts";
import { baseStyles, themeStyles } from "../ui/styles.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { tabStyles } from "../ui/tab-styles.ts";
import { escapeText } from "../ui/text.ts";
import { fetchableAddress, fileName, originOf, pageOf } from "../gguf/address.ts";
import "./error-panel.ts";
import { FileChecks } from "./file-checks.ts";
import { isSourceList, type ViewerSource } from "../gguf/model-source.ts";
import { Opening, type OpeningState } from "./opening.ts";
import { renderPanel, renderRegion } from "./panel-region.ts";
import { renderKnownHeader } from "./known-header.ts";
import "./progress.ts";
import { reportView, RowNavigation } from "./row-navigation.ts";
import { renderSetNotice } from "./set-notice.ts";
import { type ActionPlace, exportItems, renderTabBar } from "./tab-bar.ts";
import { viewerStyles } from "./viewer-styles.ts";
import { allowTokenizers, endTokenizers } from "../worker/file-tokenizer.ts";
import { openWrittenFiles } from "./open-written.ts";

/** Edit mode. Its module is loaded when editing begins. */
type EditMode = InstanceType<typeof import("../edit/edit-mode.ts").EditMode>;

const loadEditMode = loadModule(() => import("../edit/edit-mode.ts"));

/** The event `gguf-select`: the row that is selected. */
interface Selection {
  key?: string | undefined;
  tensor?: string | undefined;
}

/** The event `gguf-shard`: a request to open one shard alone, or the whole set of a shard. */
export interface ShardRequest {
  readonly source: GgufSource;
  readonly isAlone: boolean;
}

type State =
  | { name: "empty" }
  | { name: "opening"; opening: OpeningState }
  | { name: "open"; model: OpenedModel; entries: readonly ShownEntry[]; cost: OpenCost }
  | { name: "failed"; failure: Failure };

/**
 * Shows a GGUF file: `<gguf-viewer src="…">`, or the property `source` for a `File`, bytes or a stream.
 *
 * Events:
 * - `gguf-open`: the file is open; the detail is the `Gguf`.
 * - `gguf-error`: the file could not be opened; the detail is the failure with its `code`.
 * - `gguf-select`: a row was selected; the detail is `{ key }` or `{ tensor }`.
 * - `gguf-view`: the person has gone to another panel; the detail is its name.
 * - `gguf-table`: the state of a panel changed; the detail is its name with the state, such as `{ tensors: { filter: "norm" } }`.
 * - `gguf-edit`: the number of changes, or whether they are saved, changed; the detail is an `EditStatus`.
 * - `gguf-saved`: the edited file was saved and is open now; the detail is `{ file, handle, source }`.
 * - `gguf-shard`: a shard should be opened alone, or with its set; the detail is `{ source, isAlone }`. The viewer does it unless the
 *   event is cancelled.
 * - `gguf-open-files`: files that the page has written should be opened; the detail is a list of `{ file, handle }`. The viewer does it
 *   unless the event is cancelled.
 *
 * Slots: the default slot stands beside "Try again" when a file cannot be opened; the slot `help` stands above it.
 *
 * Colours and fonts are custom properties that begin with `--gguf-`. `color-scheme` chooses light or dark.
 */
export class GgufViewer extends LitElement {
  static override properties = {
    src: {},
    alone: { type: Boolean },
    source: { attribute: false },
    headers: { attribute: false },
    name: {},
    view: { reflect: true },
    panelStates: { attribute: false },
    rowLink: { attribute: false },
    editable: { type: Boolean },
    handle: { attribute: false },
    state: { state: true },
    menuOutside: { type: Boolean, attribute: "menu-outside" },
    announcement: { state: true },
    editProblem: { state: true },
    exportProblem: { state: true },
  };

  /** The address of a file. A link to a page about a file on huggingface.co or github.com becomes a link to the file. */
  declare src: string;
  /** Whether the address of a shard opens this file only. Otherwise it opens all shards of the model. */
  declare alone: boolean;
  /** Anything else that `Gguf.open` takes, or a list of the shards of a model. It has priority over `src`. */
  declare source: ViewerSource | undefined;
  /** HTTP headers for the origin of `src`, for example an access token. They are dropped when `src` changes to another origin. */
  declare headers: HeadersInit | undefined;
  /** The name of the file, if the source has none. */
  declare name: string;
  /** The panel that is shown. Absent: the metadata in a wide viewer, the summary in a narrow one. */
  declare view: View | undefined;
  /** The states of the panels. A panel reports changes of its state with the event `gguf-table`. */
  declare panelStates: PanelStates;
  /**
   * Makes the address of a link to an entry or a tensor of another file: `(address, { key })` or `(address, { tensor })`. Absent: the
   * viewer has no such links.
   */
  declare rowLink: RowLink | undefined;
  /** Whether there is an Edit button. */
  declare editable: boolean;
  /** The file handle of `source`, or of the first shard, for saving in place. */
  declare handle: FileSystemFileHandle | undefined;
  /** Whether the page around the viewer shows the items of `menu()`. The tabs then have the room of the buttons. */
  declare menuOutside: boolean;
  declare private state: State;
  /** The text that screen readers announce. */
  declare private announcement: string;
  /** Why editing could not begin, or why a fix was refused. */
  declare private editProblem: string;
  /** Why nothing could be exported. */
  declare private exportProblem: string;

  #opening: Opening | undefined;
  /** Whether an opening ended because the viewer left the document. */
  #interrupted = false;
  readonly #checks = new FileChecks(this);
  #types: readonly GgmlTypeInfo[] = [];
  #editMode: EditMode | undefined;
  #selected: Selection = {};
  readonly #loader = new PartLoader(this);
  readonly #navigation: RowNavigation = new RowNavigation(this, {
    view: () => this.#shownView,
    loaded: (view) => this.#loader.show(panelNamed(view)),
  });
  readonly #size: BoxSize = new BoxSize(this);

  constructor() {
    super();
    this.src = "";
    this.alone = false;
    this.source = undefined;
    this.headers = undefined;
    this.name = "";
    this.view = undefined;
    this.panelStates = {};
    this.rowLink = undefined;
    this.editable = false;
    this.handle = undefined;
    this.state = { name: "empty" };
    this.menuOutside = false;
    this.announcement = "";
    this.editProblem = "";
    this.exportProblem = "";
    this.addEventListener("gguf-announce", (event) => {
      this.announcement = (event as CustomEvent<string>).detail;
    });
    this.addEventListener("gguf-fix", (event) => {
      event.stopPropagation();
      // The detail of an event is never undefined.
      void this.#fix((event as CustomEvent<Pick<Finding, "fix"> | null>).detail ?? undefined);
    });
    this.addEventListener("gguf-open-shard", (event) => {
      event.stopPropagation();
      this.#openShard((event as CustomEvent<ShardRequest>).detail);
    });
    openWrittenFiles(this);
    this.addEventListener("gguf-select", (event) => {
      this.#selected = (event as CustomEvent<Selection>).detail;
    });
  }

  static override styles = [themeStyles, baseStyles, partStyles, tabStyles, viewerStyles];

  /** The open file, or the open set of shards as one file. */
  get gguf(): Gguf | undefined {
    return this.state.name === "open" ? this.state.model.gguf : undefined;
  }

  /** The open model. */
  get model(): OpenedModel | undefined {
    return this.state.name === "open" ? this.state.model : undefined;
  }

  /** The row that was selected last. */
  get selected(): Selection {
    return this.#selected;
  }

  /** Whether there are changes that have not been saved. */
  get unsaved(): boolean {
    return this.#editMode?.unsaved ?? false;
  }

  /** Whether another file may be opened. Asks the person if unsaved changes would be lost. */
  mayLeave(): Promise<boolean> {
    return this.#editMode?.mayLeave() ?? Promise.resolve(true);
  }

  /** Begins to edit the open file. */
  async edit(): Promise<void> {
    const { gguf } = this;
    if (!gguf || this.#editMode?.edits) return;
    this.editProblem = "";
    try {
      const { EditMode } = await loadEditMode();
      this.#editMode ??= new EditMode(this);
    } catch {
      this.editProblem =
        "The editor could not be loaded. Check the connection, and choose Edit again. If that does not help, reload the page.";
      return;
    }
    // Another file may have been opened while the module was loaded.
    if (this.gguf === gguf) this.#editMode.start(this.model?.set ? undefined : this.#checks.stored);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.model) allowTokenizers(this.model);
    if (this.#interrupted) void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved is connected again at once. Its opening continues, because a stream cannot be opened twice.
    queueMicrotask(() => {
      if (this.isConnected) return;
      if (this.model) endTokenizers(this.model);
      if (this.state.name !== "opening") return;
      this.#interrupted = true;
      this.#cancelOpening();
    });
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("src") && !changed.has("headers") && this.headers !== undefined) {
      const before = changed.get("src") as string | undefined;
      if (before === undefined || originOf(before, document.baseURI) !== originOf(this.src, document.baseURI))
        this.headers = undefined;
    }
    if (
      changed.has("src") ||
      changed.has("alone") ||
      changed.has("source") ||
      (changed.has("headers") && this.source === undefined)
    )
      void this.reload();
    if (this.state.name === "open") void this.#loader.show(panelNamed(this.#shownView));
  }

  override updated(): void {
    const file = this.#openFile;
    if (file) this.#checks.reviewTemplates({ ...file, header: file.edits?.header ?? file.gguf });
  }

  #cancelOpening(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.cancel();
  }

  /** Opens the source again. */
  async reload(): Promise<void> {
    this.#cancelOpening();
    this.#interrupted = false;
    this.editProblem = "";
    this.exportProblem = "";
    this.#checks.stop();
    this.#editMode?.close();
    if (this.state.name === "open") void this.#free(this.state.model);
    if (this.source === undefined && this.src === "") {
      this.state = { name: "empty" };
      return;
    }
    const headers = this.source === undefined ? this.headers : undefined;
    const opening = new Opening(this.source ?? this.src, this.alone, headers, () => {
      if (this.#opening !== opening || this.state.name !== "opening") return;
      this.state = { name: "opening", opening: opening.state };
      // Its panel is loaded beside the main module. At the start, the width of the viewer may not be known.
      if (opening.state.header) preload(panelNamed(this.view ?? this.#shownView));
    });
    this.#opening = opening;
    this.state = { name: "opening", opening: opening.state };
    preload(panelNamed(this.view ?? this.#shownView));
    const opened = await opening.run();
    if (this.#opening !== opening) {
      // Another file has been requested since.
      opened.model?.free();
      return;
    }
    this.#opening = undefined;
    if (opened.failure) {
      this.state = { name: "failed", failure: opened.failure };
      this.announcement = errorText(opened.failure).title;
      this.dispatchEvent(new CustomEvent("gguf-error", { detail: opened.failure, bubbles: true, composed: true }));
      return;
    }
    const { model, types, cost } = opened;
    const { gguf } = model;
    this.#types = types;
    this.state = { name: "open", model, entries: plainEntries(gguf.entries), cost };
    this.#checks.start(model, this.fileName);
    const isResumed = this.#editMode?.resume() ?? false;
    this.announcement = `${modelName(gguf, this.fileName)} opened: ${formatCount(gguf.entries.length, "metadata entry", "metadata entries")}, ${formatCount(gguf.tensors.length, "tensor")}`;
    this.dispatchEvent(new CustomEvent("gguf-open", { detail: gguf, bubbles: true, composed: true }));
    await this.#navigation.showRequested();
    if (isResumed) this.#navigation.focusIfLost();
  }

  #openShard(request: ShardRequest): void {
    const event = new CustomEvent("gguf-shard", { detail: request, bubbles: true, composed: true, cancelable: true });
    if (!this.dispatchEvent(event)) return;
    const { source, isAlone } = request;
    if (typeof source === "string") Object.assign(this, { src: source, source: undefined, alone: isAlone });
    else Object.assign(this, { source, handle: undefined });
  }

  /** Frees the memory of a model after the page has stopped showing it. */
  async #free(model: OpenedModel): Promise<void> {
    await this.updateComplete;
    setTimeout(() => {
      endTokenizers(model);
      model.free();
    }, 0);
  }

  /** Cancels opening. */
  cancel(): void {
    this.#opening?.cancel();
  }

  /** Pauses the download of the header. */
  pause(): void {
    this.#opening?.pause();
    this.announcement = "Paused";
  }

  /** Resumes the download of the header. */
  resume(): void {
    this.#opening?.resume();
    this.announcement = "Resumed";
  }

  /**
   * Shows an entry or a tensor, now or when the file is open. A filter that hides the row is cleared. With `keepFilter` the filter stays,
   * and the row is opened as soon as the filter shows it.
   */
  async select(selection: Selection, { keepFilter = false }: { keepFilter?: boolean } = {}): Promise<void> {
    this.#navigation.request({ ...selection, keepFilter });
    if (this.state.name === "open") await this.#navigation.showRequested();
  }

  /** The name of the file, or of the first shard of a set; "" if it is not known. */
  get fileName(): string {
    const set = this.model?.set;
    const [first] = set?.shards ?? [];
    if (first) return shardTitle(first);
    if (this.name !== "") return this.name;
    const { source } = this;
    const [file] = isSourceList(source) ? source : [source];
    if (file instanceof File) return file.name;
    return source === undefined && this.src !== "" ? fileName(this.src) : "";
  }

  /** The file that editing changes: the open file, or the first shard of the open set. Undefined if there is none. */
  get editTarget(): EditTarget | undefined {
    const { model } = this;
    if (!model) return undefined;
    const [first] = model.set?.shards ?? [];
    const gguf = model.set ? first?.gguf : model.gguf;
    return gguf && { gguf, source: model.sources[0], shardCount: model.set?.shards.length };
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
    return html`<div
        class="body ${this.#size.wide ? "wide" : ""}"
        @gguf-retry=${this.reload}
        @gguf-cancel=${this.cancel}
      >
        ${this.#renderState()}
      </div>
      ${this.#editMode?.renderDialogs() ?? nothing}
      <div class="sr" role="status">${escapeText(this.announcement, 300)}</div>`;
  }

  #renderState() {
    const { state } = this;
    switch (state.name) {
      case "empty":
        return html`<slot name="empty"></slot>`;
      case "opening":
        if (state.opening.header) return renderKnownHeader(state.opening.header, this.fileName, this.#size.wide);
        return html`<gguf-progress
          .opening=${state.opening}
          name=${this.fileName || "the file"}
          @gguf-pause=${this.pause}
          @gguf-resume=${this.resume}
        ></gguf-progress>`;
      case "failed":
        return html`<gguf-error-panel
          .failure=${state.failure}
          name=${this.source === undefined ? this.src : this.fileName}
          ?retryable=${state.failure.code !== "address"}
          ><slot name="help" slot="help"></slot><slot></slot
        ></gguf-error-panel>`;
      case "open":
        return this.#openFile && this.#renderOpen(this.#openFile);
    }
  }

  /** The open file as the panels show it. */
  get #openFile(): OpenFile | undefined {
    if (this.state.name !== "open") return undefined;
    const { model, entries, cost } = this.state;
    const address = this.#address;
    const shown = model.set?.shards[0]?.url ?? address;
    const target = this.editTarget;
    const edits = this.#editMode?.edits;
    const templates = chatTemplates(edits?.rows ?? entries);
    return {
      gguf: (edits && target?.gguf) ?? model.gguf,
      model,
      fileName: this.fileName,
      address,
      headers: this.source === undefined ? this.headers : undefined,
      page: shown === undefined ? undefined : (pageOf(shown) ?? shown),
      cost,
      entries,
      types: this.#types,
      findings: this.#checks.withReview(this.#editMode?.findings ?? this.#checks.stored, templates.length),
      checksTask: this.#checks.task,
      templates,
      templateReview: this.#checks.review,
      edits,
      isEditable: (this.editable && target !== undefined) || edits !== undefined,
      rowLink: this.rowLink,
      states: this.panelStates,
    };
  }

  /** The panels that have a tab. In a wide viewer, some panels stand beside the tabs instead. */
  #tabsOf(file: OpenFile | undefined): (Panel & { name: View })[] {
    const panels: readonly (Panel & { name: View })[] = PANELS;
    return panels.filter(
      ({ place, isShown }) =>
        !(this.#size.wide && place === "beside") && (!isShown || (file !== undefined && isShown(file))),
    );
  }

  /** The panel that is visible under the tabs. */
  get #shownView(): View {
    const tabs = this.#tabsOf(this.#openFile);
    return (tabs.find(({ name }) => name === this.view) ?? tabs[0] ?? PANELS[0]).name;
  }

  #renderOpen(file: OpenFile) {
    const editMode = this.#editMode;
    const tabs = this.#tabsOf(file);
    const beside = this.#size.wide ? PANELS.filter(({ place }) => place === "beside") : [];
    const view = this.#shownView;
    return html`${beside.map((panel) => renderRegion(panel, file, false))}
      <div class="main">
        ${editMode?.renderBar({ stop: this.#stopEditing, isCompact: this.#isCompact, more: () => exportItems(this.renderRoot) }) ?? nothing}
        ${file.model.set ? (renderSetNotice(file.model.set, () => this.#show("shards")) ?? nothing) : nothing}
        ${this.editProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}${this.editProblem}</p>`}
        ${this.exportProblem === "" ? nothing : html`<p class="problem" role="alert">${icons.warning}<span>${escapeText(this.exportProblem, 600)}</span></p>`}
        ${renderTabBar({
          file,
          tabs,
          view,
          actions: this.#actionPlace,
          menu: () => this.menu(),
          show: this.#show,
          approach: (name) => preload(panelNamed(name)),
          edit: () => void this.#edit(),
          onExportProblem: (problem) => (this.exportProblem = problem),
        })}
        <div role="tabpanel" id="panel" aria-labelledby="tab-${view}">
          ${repeat(
            tabs,
            ({ name }) => name,
            (panel) => renderPanel(panel, file, panel.name !== view, this.#loader),
          )}
        </div>
      </div>`;
  }

  get #isCompact(): boolean {
    return this.#size.compact || this.menuOutside;
  }

  /** While a file is edited, the edit bar of a small viewer has the menu. */
  get #actionPlace(): ActionPlace {
    if (!this.#isCompact) return "buttons";
    return this.menuOutside || this.#editMode?.edits ? "outside" : "menu";
  }

  /** The actions that have no place of their own in a small viewer, for a menu. A page with `menu-outside` has its own Edit button. */
  menu(): MenuGroup[] {
    const edit = { title: "Edit", run: () => void this.#edit() };
    return [...(this.canEdit && !this.menuOutside ? [{ items: [edit] }] : []), ...exportItems(this.renderRoot)];
  }

  /** Whether the open file can be edited and is not being edited. */
  get canEdit(): boolean {
    return this.editable && this.editTarget !== undefined && !this.#editMode?.edits;
  }

  /** Moves the focus to the shown panel if the element that had the focus is gone. */
  focusIfLost(): void {
    this.#navigation.focusIfLost();
  }

  readonly #edit = async () => {
    await this.edit();
    await this.updateComplete;
    this.#navigation.focusIfLost();
  };

  /** Makes the fix of a finding, or all fixes that need no decision if there is none. Begins to edit the file if necessary. */
  async #fix(finding: Pick<Finding, "fix"> | undefined): Promise<void> {
    await this.edit();
    const failure = this.#editMode?.fix(finding);
    if (failure) this.editProblem = `The fix was refused. ${refusalText(failure)}`;
    else if (this.#editMode?.edits) this.editProblem = "";
    await this.updateComplete;
    this.#navigation.focusIfLost();
  }

  readonly #stopEditing = async () => {
    if (!(await this.#editMode?.stop())) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".edit")?.focus();
  };

  readonly #show = (view: View): void => {
    if (view === this.#shownView) return;
    this.view = view;
    reportView(this, view);
  };
}

define("gguf-viewer", GgufViewer);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-viewer": GgufViewer;
  }
}
