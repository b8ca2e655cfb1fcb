import type { Finding, Gguf } from "gguf-wasm/explain";
import type { LegacyFamily } from "gguf-wasm/convert";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { pageOf } from "../gguf/address.ts";
import { errorText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import type { ViewerSource } from "../gguf/model-source.ts";
import { hubFileOf } from "../gguf/repository-place.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { type EditTarget, isGgufModel, type OpenedModel } from "../gguf/opened-model.ts";
import { type OpenFile, panelNamed, PANELS, type View } from "../panels.ts";
import { ShownMachine } from "../memory/shown-machine.ts";
import { modelName } from "../summary/facts.ts";
import { chatTemplates } from "../template/template-list.ts";
import { BoxSize } from "../ui/box-size.ts";
import { define } from "../ui/define.ts";
import { RowSpace } from "../ui/density.ts";
import type { MenuGroup } from "../ui/menu.ts";
import { formatCount } from "../ui/numbers.ts";
import { PartLoader, partStyles, preload, preloadAll } from "../ui/part-loader.ts";
import { baseStyles, themeStyles } from "../ui/styles.ts";
import { tabStyles } from "../ui/tab-styles.ts";
import { escapeText } from "../ui/text.ts";
import "./error-panel.ts";
import { FileChecks } from "./file-checks.ts";
import { addressOf, editTargetOf, nameOfFile } from "./file-facts.ts";
import type { EarlyHeader } from "./arrived-header.ts";
import { renderKnownHeader } from "./known-header.ts";
import type { OpeningState } from "./opening.ts";
import { openWrittenFiles } from "./open-written.ts";
import "./progress.ts";
import { type NamedPanel, panelsWithTab, renderOpenFile } from "./render-open-file.ts";
import { reportView, RowNavigation } from "./row-navigation.ts";
import { openRequestedShards } from "./shard-requests.ts";
import { type ActionPlace, toolMenuItems } from "./tab-bar.ts";
import { VIEWER_CARE } from "./viewer-care.ts";
import { ViewerEditing } from "./viewer-editing.ts";
import { ViewerFile } from "./viewer-file.ts";
import { StopNotice } from "./stop-notice.ts";
import { ViewerPalette } from "./viewer-palette.ts";
import { ViewerProperties } from "./viewer-properties.ts";
import { ViewerSiblings } from "./viewer-siblings.ts";
import { viewerStyles } from "./viewer-styles.ts";
import { WorkGuard } from "../ui/work-guard.ts";

/** The event `gguf-select`: the row that is selected. */
interface Selection {
  key?: string | undefined;
  tensor?: string | undefined;
}

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
 * - `gguf-shard`: a shard should be opened alone or with its set, or another file of the repository should be opened; the detail is
 *   `{ source, isAlone }`. The viewer does it unless the event is cancelled.
 * - `gguf-open-files`: files that the page has written should be opened; the detail is a list of `{ file, handle }`. The viewer does it
 *   unless the event is cancelled.
 *
 * Slots: the default slot stands beside "Try again" when a file cannot be opened; the slot `help` stands above it. The slot `empty` is shown
 * without a source.
 *
 * Parts: `sidebar`, `main`, `tabs` and `panel` of an open file; `progress` and `error`.
 *
 * Colours and fonts are custom properties that begin with `--gguf-`. `color-scheme` chooses light or dark.
 */
export class GgufViewer extends ViewerProperties {
  /** The text that screen readers announce. */
  @state() private announcement = "";
  /** Why nothing could be exported. */
  @state() private exportProblem = "";

  readonly #checks = new FileChecks(this);
  readonly #work = new WorkGuard(this);
  readonly #file: ViewerFile = new ViewerFile(this, {
    ...VIEWER_CARE,
    approach: (header) => {
      const panel = panelNamed(this.view ?? this.#shownView);
      // More would take the connection from a header that is being read.
      if (!header) preload(panel);
      else {
        preloadAll(panel);
        panel.expect?.(header);
      }
    },
  });
  readonly #editing: ViewerEditing = new ViewerEditing(this, this.#checks);
  #selected: Selection = {};
  /** The tools that were shown for the open file. Their tabs stay. */
  readonly #chosenTools = new Set<View>();
  /** The family that a person has chosen for a legacy model that several families fit. */
  #family: { source: ViewerSource; family: LegacyFamily } | undefined;
  readonly #loader = new PartLoader(this);
  readonly #navigation: RowNavigation = new RowNavigation(this, {
    view: () => this.#shownView,
    loaded: (view) => this.#loader.show(panelNamed(view)),
  });
  /** The person's machine. What a link says instead counts until the person chooses another one. */
  readonly #machine = new ShownMachine(
    this,
    () => this.panelStates.memory,
    (memory) => this.#navigation.setStates({ memory }),
  );
  readonly #stops = new StopNotice(this, {
    isOpen: () => this.model !== undefined,
    restart: async () => {
      await this.#editing.restart(() => this.reload());
      await this.updateComplete;
      this.focusIfLost();
    },
  });
  readonly #palette = new ViewerPalette(this, {
    file: () => this.#openFile,
    editMode: () => this.#editing.mode,
    menu: () => this.menu(),
  });
  readonly #siblings = new ViewerSiblings(this, () => this.#openFile?.hubFile);
  readonly #size: BoxSize = new BoxSize(this, ".layout");

  constructor() {
    super();
    this.addController(new RowSpace(this));
    this.addEventListener("gguf-announce", (event) => {
      this.announcement = (event as CustomEvent<string>).detail;
    });
    this.addEventListener("gguf-fix", (event) => {
      event.stopPropagation();
      // The detail of an event is never undefined.
      void this.#editing.fix((event as CustomEvent<Pick<Finding, "fix"> | null>).detail ?? undefined);
    });
    this.addEventListener("gguf-legacy-family", (event) => {
      event.stopPropagation();
      this.#family = { source: this.source ?? this.src, family: (event as CustomEvent<LegacyFamily>).detail };
      void this.reload();
    });
    openRequestedShards(this);
    openWrittenFiles(this);
    this.addEventListener("gguf-select", (event) => {
      this.#selected = (event as CustomEvent<Selection>).detail;
    });
  }

  static override styles = [themeStyles, baseStyles, partStyles, tabStyles, viewerStyles];

  /** The open file, or the open set of shards as one file. */
  get gguf(): Gguf | undefined {
    return this.model?.gguf;
  }

  /** The open model. */
  get model(): OpenedModel | undefined {
    return this.#file.open?.model;
  }

  /** Why the file could not be opened. */
  get failure(): Failure | undefined {
    return this.#file.failure;
  }

  /** The row that was selected last. */
  get selected(): Selection {
    return this.#selected;
  }

  /** Whether there are changes that have not been saved. */
  get unsaved(): boolean {
    return this.#editing.mode?.unsaved ?? false;
  }

  /** Whether there are unsaved changes, or work that would end, so that `mayLeave` asks. */
  get asksBeforeLeaving(): boolean {
    return this.unsaved || this.#work.isRunning;
  }

  /** Whether another file may be opened. Asks the person if unsaved changes would be lost, or if work such as a conversion would end. */
  async mayLeave(): Promise<boolean> {
    return ((await this.#editing.mode?.mayLeave()) ?? true) && this.mayEndWork();
  }

  /** Whether work such as a conversion may end. Asks the person if some runs. */
  mayEndWork(): Promise<boolean> {
    return this.#work.mayEnd();
  }

  /** Begins to edit the open file. The summary has nothing to edit, so the metadata is shown in its place. */
  async edit(): Promise<void> {
    await this.#editing.begin();
    await this.#showEdited();
  }

  async #showEdited(): Promise<void> {
    if (!this.#editing.mode?.edits || this.#shownView !== "summary") return;
    // No step of the history: a person who goes back leaves the file, as in every panel.
    this.view = "metadata";
    await this.#loader.show(panelNamed("metadata"));
    await this.updateComplete;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    // Only tools need a tab because they are shown. All other panels have one.
    if (this.view !== undefined) this.#chosenTools.add(this.view);
    if (!this.model) return;
    const panel = panelNamed(this.#shownView);
    void this.#loader.show(panel);
    // The workers of a viewer end when it leaves the document.
    if (this.isConnected) panel.begin?.(this.model.gguf);
  }

  override updated(): void {
    void this.#palette.updated();
    const file = this.#openFile;
    if (!file) return;
    this.#checks.reviewTemplates({ ...file, header: file.edits?.header ?? file.gguf });
    // Checks shows buttons that fix what it finds.
    if (this.view === "checks" && file.isEditable) void this.#checks.addFixes();
  }

  /** Opens the source again. */
  async reload(): Promise<void> {
    this.#editing.close();
    this.exportProblem = "";
    this.#chosenTools.clear();
    this.#checks.stop();
    if (this.source === undefined && this.src === "") {
      this.#file.close();
      return;
    }
    const headers = this.source === undefined ? this.headers : undefined;
    const source = this.source ?? this.src;
    const family = this.#family?.source === source ? this.#family.family : undefined;
    const opened = await this.#file.load({
      source,
      fileName: this.#nameOf(undefined),
      isAlone: this.alone,
      headers,
      family,
    });
    if (!opened) return;
    if (!("model" in opened)) {
      this.announcement = errorText(opened).title;
      this.dispatchEvent(new CustomEvent("gguf-error", { detail: opened, bubbles: true, composed: true }));
      return;
    }
    const { model } = opened;
    const { gguf } = model;
    if (isGgufModel(model)) this.#checks.start(model, this.fileName, this.view === "checks" && this.editable);
    this.#editing.lookForKept();
    const isResumed = await this.#editing.resume();
    this.announcement = `${modelName(gguf, this.fileName)} opened: ${formatCount(gguf.entries.length, "metadata entry", "metadata entries")}, ${formatCount(gguf.tensors.length, "tensor")}`;
    this.dispatchEvent(new CustomEvent("gguf-open", { detail: gguf, bubbles: true, composed: true }));
    await this.#navigation.showRequested();
    if (isResumed) this.#navigation.focusIfLost();
  }

  /** Cancels opening. */
  cancel(): void {
    this.#file.cancel();
  }

  /** Pauses the download of the header. */
  pause(): void {
    this.#file.pause();
    this.announcement = "Paused";
  }

  /** Resumes the download of the header. */
  resume(): void {
    this.#file.resume();
    this.announcement = "Resumed";
  }

  /**
   * Shows an entry or a tensor, now or when the file is open. A filter that hides the row is cleared. With `keepFilter` the filter stays,
   * and the row is opened as soon as the filter shows it.
   */
  async select(selection: Selection, { keepFilter = false }: { keepFilter?: boolean } = {}): Promise<void> {
    this.#navigation.request({ ...selection, keepFilter });
    if (this.model) await this.#navigation.showRequested();
  }

  /** The name of the file, or of the first shard of a set; "" if it is not known. */
  get fileName(): string {
    return this.#nameOf(this.model);
  }

  #nameOf(model: OpenedModel | undefined): string {
    const { name, source, src } = this;
    return nameOfFile({ model, name, source, src });
  }

  /** The file that editing changes: the open file, or the first shard of the open set. Undefined if there is none. */
  get editTarget(): EditTarget | undefined {
    return this.model && editTargetOf(this.model);
  }

  override render() {
    return html`<div class="layout">
      <div class="body ${this.#size.wide ? "wide" : ""}" @gguf-retry=${this.reload} @gguf-cancel=${this.cancel}>
        ${this.#renderState()}
      </div>
      ${this.#editing.mode?.renderDialogs(this.#openFile?.checks) ?? nothing} ${this.#work.renderQuestion()}
      ${this.#palette.render()} ${this.#siblings.render()}
      <div class="sr" role="status">${escapeText(this.announcement, 300)}</div>
    </div>`;
  }

  #renderState() {
    const { state } = this.#file;
    switch (state.name) {
      case "empty":
        return html`<slot name="empty"></slot>`;
      case "opening":
        return this.#renderHeader(state.opening.header, this.#renderProgress(state.opening), true);
      case "failed":
        return this.#renderHeader(state.header, this.#renderFailure(state.failure), false);
      case "open":
        return this.#openFile && this.#renderOpen(this.#openFile);
    }
  }

  /** `above` says how opening goes on. The part of the header that has arrived is shown below it. */
  #renderHeader(header: EarlyHeader | undefined, above: TemplateResult, isArriving: boolean) {
    const { fileName } = this;
    return header ? renderKnownHeader(header, { fileName, isWide: this.#size.wide, isArriving, above }) : above;
  }

  #renderProgress(opening: OpeningState) {
    return html`<gguf-progress
      part="progress"
      .opening=${opening}
      name=${this.fileName || "the file"}
      @gguf-pause=${this.pause}
      @gguf-resume=${this.resume}
    ></gguf-progress>`;
  }

  #renderFailure(failure: Failure) {
    return html`<gguf-error-panel
      part="error"
      .failure=${failure}
      name=${this.source === undefined ? this.src : this.fileName}
      ?retryable=${failure.code !== "address"}
      ><slot name="help" slot="help"></slot><slot></slot
    ></gguf-error-panel>`;
  }

  /** The open file as the panels show it. */
  get #openFile(): OpenFile | undefined {
    const { open } = this.#file;
    if (!open) return undefined;
    const { model, types, entries, cost } = open;
    const address = addressOf(this);
    const shown = model.set?.shards[0]?.url ?? address;
    const target = this.editTarget;
    const { mode: editMode } = this.#editing;
    const edits = editMode?.edits;
    const templates = chatTemplates(edits?.rows ?? entries);
    return {
      gguf: (edits && target?.gguf) ?? model.gguf,
      model,
      fileName: this.fileName,
      address,
      headers: this.source === undefined ? this.headers : undefined,
      hubFile: hubFileOf(address, this.headers, startedLibrary()?.parseRepository),
      page: shown === undefined ? undefined : (pageOf(shown) ?? shown),
      cost,
      entries,
      types,
      checks: this.#checks.withReview(editMode?.checks ?? this.#checks.stored, templates.length),
      checksTask: this.#checks.task,
      templates,
      templateReview: this.#checks.review,
      edits,
      isEditable: (this.editable && target !== undefined) || edits !== undefined,
      rowLink: this.rowLink,
      suggestions: this.suggestions,
      states: this.panelStates,
      machine: this.#machine.of(this.panelStates.memory),
      hasSidebar: this.#size.wide,
    };
  }

  #tabsOf(file: OpenFile | undefined): NamedPanel[] {
    return panelsWithTab(file, this.#chosenTools);
  }

  /** The panel that is visible under the tabs. */
  get #shownView(): View {
    const tabs = this.#tabsOf(this.#openFile);
    return (tabs.find(({ name }) => name === this.view) ?? tabs[0] ?? PANELS[0]).name;
  }

  #renderOpen(file: OpenFile) {
    const parts = {
      tabs: this.#tabsOf(file),
      view: this.#shownView,
      isCompact: this.#isCompact,
      actions: this.#actionPlace,
      editMode: this.#editing.mode,
      editProblem: this.#editing.problem,
      kept: this.#editing.kept,
      stop: this.#stops.render(),
      exportProblem: this.exportProblem,
      loader: this.#loader,
      root: this.renderRoot,
    };
    return renderOpenFile(file, parts, {
      menu: () => this.menu(),
      showSiblings: () => void this.#siblings.show(),
      show: this.#show,
      edit: () => void this.#editByHand(),
      stopEditing: this.#editing.stop,
      keptActions: { restore: this.#restore, discard: () => void this.#editing.discardKept() },
      onExportProblem: (problem) => (this.exportProblem = problem),
    });
  }

  get #isCompact(): boolean {
    return this.#size.compact || this.menuOutside;
  }

  /** While a file is edited, the edit bar of a small viewer has the menu. */
  get #actionPlace(): ActionPlace {
    if (!this.#isCompact) return "buttons";
    return this.menuOutside || this.#editing.mode?.edits ? "outside" : "menu";
  }

  /** The actions that have no place of their own in a small viewer, for a menu. A page with `menu-outside` has its own Edit button. */
  menu(): MenuGroup[] {
    const edit = { title: "Edit", run: () => void this.#editByHand() };
    const items = [...(this.canEdit && !this.menuOutside ? [edit] : []), ...this.#siblings.items()];
    return [...(items.length > 0 ? [{ items }] : []), ...toolMenuItems(this.renderRoot)];
  }

  /** Whether the open file can be edited and is not being edited. */
  get canEdit(): boolean {
    return this.editable && this.editTarget !== undefined && !this.#editing.mode?.edits;
  }

  /** Begins to edit, and moves the focus if the button that began it is gone. */
  async #editByHand(): Promise<void> {
    await this.edit();
    await this.updateComplete;
    this.focusIfLost();
  }

  /** Makes the edits again that were kept when the page was closed. */
  readonly #restore = async (): Promise<void> => {
    if (await this.#editing.restore()) await this.#showEdited();
    await this.updateComplete;
    this.focusIfLost();
  };

  /** Moves the focus to the shown panel if the element that had the focus is gone. */
  focusIfLost(): void {
    this.#navigation.focusIfLost();
  }

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
