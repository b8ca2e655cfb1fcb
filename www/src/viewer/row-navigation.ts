import type { LitElement } from "lit";
import type { GgufCompare } from "../compare/compare.ts";
import type { OtherSource } from "../compare/sides.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import { PANELS, type PanelStates, type RowPanel, type View } from "../panels.ts";
import type { TokenizerState } from "../tokenizer/tokenizer-state.ts";
import { focusedElement } from "../ui/focused-element.ts";
import { focusSearch, showSearch } from "../ui/search-key.ts";

/** A file that the open one is compared with. */
export type ComparedFile = Exclude<OtherSource, { kind: "original" }>;

/** A row to show: an entry by its key or a tensor by its name. */
export interface RowSelection {
  key?: string | undefined;
  tensor?: string | undefined;
  /** The position in the file, if several rows have the same name. */
  index?: number;
  /** Whether a filter that hides the row stays. Otherwise the filter is cleared. */
  keepFilter?: boolean | undefined;
}

interface NavigationHost extends LitElement {
  view: View | undefined;
  panelStates: PanelStates;
}

/** The panels of the host. */
interface ShownPanels {
  /** The panel that is visible, which depends on the width. */
  view(): View;
  /** Resolves when a panel is loaded or could not be loaded. */
  loaded(view: View): Promise<void>;
}

/**
 * Shows the row that a link, a finding or a change names, and moves the focus to it. Elements ask for a row with the event `gguf-show-row`
 * (detail: a `RowSelection`), for a panel with `gguf-show-panel` (detail: its name), for choices of the memory with `gguf-show-memory`
 * (detail: the choices), for tokens with `gguf-show-tokens` (detail: the state of the table of tokens), and for tensors with `gguf-show-tensors` (detail: the `filter` of the table of tensors).
 */
export class RowNavigation {
  readonly #host: NavigationHost;
  readonly #panels: ShownPanels;
  /** The row to show when the file is open. */
  #pending: RowSelection = {};

  constructor(host: NavigationHost, panels: ShownPanels) {
    this.#host = host;
    this.#panels = panels;
    // The page around the viewer has the key elsewhere.
    host.addController({ hostUpdated: () => this.#followTab() });
    host.addEventListener("keydown", (event) => {
      if (focusSearch(event, host)) void this.#searchWhenLoaded();
    });
    host.addEventListener("gguf-show-row", (event) => {
      event.stopPropagation();
      void this.#showAndFocus((event as CustomEvent<RowSelection>).detail);
    });
    host.addEventListener("gguf-show-panel", (event) => {
      event.stopPropagation();
      void this.#showPanel((event as CustomEvent<View>).detail);
    });
    host.addEventListener("gguf-show-memory", (event) => {
      event.stopPropagation();
      void this.#showPanel("memory", { memory: (event as CustomEvent<MemoryState>).detail });
    });
    host.addEventListener("gguf-show-tokens", (event) => {
      event.stopPropagation();
      void this.#showPanel("tokenizer", { tokenizer: (event as CustomEvent<TokenizerState>).detail });
    });
    host.addEventListener("gguf-compare-with", (event) => {
      event.stopPropagation();
      void this.#compareWith(event as CustomEvent<ComparedFile>);
    });
    host.addEventListener("gguf-show-tensors", (event) => {
      event.stopPropagation();
      void this.#showTensors((event as CustomEvent<{ filter: string }>).detail.filter);
    });
  }

  /** Stores the row to show when the file is open. */
  request({ key, tensor, keepFilter }: RowSelection): void {
    this.#pending = { ...(key ? { key } : {}), ...(tensor ? { tensor } : {}), keepFilter };
  }

  /** Shows the stored row, once. */
  async showRequested(): Promise<void> {
    const pending = this.#pending;
    this.#pending = {};
    await this.#show(pending);
  }

  /** Moves the focus to the shown panel if the element that had the focus is gone. */
  focusIfLost(): void {
    if (focusedElement() !== document.body) return;
    const table = this.#shownTable;
    if (table) table.focusRows();
    else this.#host.renderRoot.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  }

  /** Shows a panel, with a state if one is given, and moves the focus to its tab. */
  async #showPanel(view: View, states?: PanelStates): Promise<void> {
    const host = this.#host;
    this.#setPanel(view, states);
    await host.updateComplete;
    host.renderRoot.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  }

  /** Shows the tensors that match a filter, in the order of the file. */
  async #showTensors(filter: string): Promise<void> {
    const host = this.#host;
    this.#setPanel("tensors", { tensors: { filter } });
    await host.updateComplete;
    await this.#panels.loaded("tensors");
    await host.updateComplete;
    this.#tableOf("tensors")?.focusRows();
  }

  /** Compares with a file that was dropped on the page, or that a panel has just written. */
  async #compareWith({ detail: other }: CustomEvent<ComparedFile>): Promise<void> {
    const host = this.#host;
    this.#setPanel("compare", undefined);
    await host.updateComplete;
    await this.#panels.loaded("compare");
    await host.updateComplete;
    await host.renderRoot.querySelector<GgufCompare>("gguf-compare")?.compareWith(other);
  }

  #setPanel(view: View, states: PanelStates | undefined): void {
    const host = this.#host;
    host.view = view;
    // The entry of the panel that is left keeps its states, so the page hears of the panel first.
    reportView(host, view);
    if (states) this.setStates(states);
  }

  /** Sets the states of panels, and tells the page. */
  setStates(states: PanelStates): void {
    const host = this.#host;
    host.panelStates = { ...host.panelStates, ...states };
    host.dispatchEvent(new CustomEvent("gguf-table", { detail: states, bubbles: true, composed: true }));
  }

  /** Keeps the focus on the selected tab if it was on the tab before: the history may have selected another one. */
  #followTab(): void {
    const { activeElement } = this.#host.shadowRoot ?? {};
    if (activeElement?.matches('[role=tab][aria-selected="false"]'))
      this.#host.renderRoot.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  }

  /** Moves the focus to the search of a panel that is still being loaded, unless the person goes on meanwhile. */
  async #searchWhenLoaded(): Promise<void> {
    const [view, focused] = [this.#panels.view(), focusedElement()];
    await this.#panels.loaded(view);
    await new Promise(requestAnimationFrame);
    if (this.#panels.view() === view && focusedElement() === focused) showSearch(this.#host);
  }

  async #showAndFocus(selection: RowSelection): Promise<void> {
    await this.#show(selection, true);
    this.#shownTable?.focusRows();
  }

  /** `isStep`: a person goes to the row. Otherwise a link or the history names it. */
  async #show(selection: RowSelection, isStep = false): Promise<void> {
    const host = this.#host;
    for (const panel of PANELS) {
      if (!("rows" in panel)) continue;
      const name = selection[panel.rows.selectedBy];
      if (name === undefined) continue;
      const before = this.#panels.view();
      host.view = panel.name;
      if (isStep && before !== panel.name) reportView(host, panel.name);
      await host.updateComplete;
      await this.#panels.loaded(panel.name);
      await host.updateComplete;
      const { index, keepFilter } = selection;
      await this.#tableOf(panel.name)?.showRow(name, { position: index, keepFilter });
      return;
    }
  }

  get #shownTable(): RowPanel | null {
    return this.#tableOf(this.#panels.view());
  }

  /** The panel of a file that was closed meanwhile has no content, and takes no focus. */
  #tableOf(view: View): RowPanel | null {
    if (!this.#host.isConnected) return null;
    const panel = PANELS.find(({ name }) => name === view);
    if (!panel || !("rows" in panel)) return null;
    return this.#host.renderRoot.querySelector<LitElement & RowPanel>(panel.rows.element);
  }
}

/** Reports to the page around the viewer that a person has gone to another panel. */
export function reportView(host: HTMLElement, view: View): void {
  host.dispatchEvent(new CustomEvent("gguf-view", { detail: view, bubbles: true, composed: true }));
}
