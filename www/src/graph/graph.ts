import type { Gguf } from "gguf-wasm/explain";
import { html, LitElement, nothing } from "lit";
import { property, query, state } from "lit/decorators.js";
import { baseName } from "../gguf/base-name.ts";
import { errorScale } from "../gguf/error-scale.ts";
import { knownErrors } from "../gguf/known-errors.ts";
import { architectureInfo, tensorRole } from "../gguf/library.ts";
import { ERROR_TITLE, formatError } from "../gguf/nmse.ts";
import { startDownload } from "../saving/download.ts";
import { type ModelSource, modelSource } from "../summary/architecture/model-source.ts";
import { announce } from "../ui/announce.ts";
import { Answer } from "../ui/answer.ts";
import { define } from "../ui/define.ts";
import { ElementWidth } from "../ui/element-width.ts";
import { icons } from "../ui/icons.ts";
import "../ui/menu.ts";
import { formatCount } from "../ui/numbers.ts";
import { pngFile, svgFile } from "../ui/picture-file.ts";
import { renderText } from "../ui/render-text.ts";
import { renderSearchField, searchStyles } from "../ui/search-field.ts";
import { baseStyles } from "../ui/styles.ts";
import { smallButtonStyles } from "../ui/styles/fields.ts";
import { StateReporter } from "../ui/state-reporter.ts";
import { escapeText } from "../ui/text.ts";
import "./canvas.ts";
import type { GgufGraphCanvas } from "./canvas.ts";
import { errorOf, legendOf, type Paint, type PaintContext, paintOf } from "./colouring.ts";
import { type Costs, costsOf, usedShare } from "./costs.ts";
import { type DevicePlaces, devicePlaces } from "./device-places.ts";
import { type Graph, type GraphNode, nodesOf } from "./graph-model.ts";
import { renderList } from "./graph-list.ts";
import { type Colouring, COLOURINGS, type GraphState, isOpenIn, tidied, withAll, withOpen } from "./graph-state.ts";
import { graphStyles } from "./graph-styles.ts";
import { layOut, type Placement } from "./layout.ts";
import { modelGraph } from "./model-graph.ts";
import { renderDetails } from "./node-details.ts";
import { figuresOf } from "./node-words.ts";
import { commonUnits } from "./units.ts";

/** Below this width, in units of the text size, the details stand below the picture. */
const NARROW = 760;

const HOW_TO =
  "Drag or scroll to move. Ctrl and the wheel zoom, and so do + and −; 0 shows everything. Arrow keys go from box to box, Enter opens and folds.";

/** The model as a graph: what it computes, from the input to the output, with the tensors of each step. */
export class GgufGraph extends LitElement {
  @property({ attribute: false }) gguf!: Gguf;
  @property({ attribute: false }) fileName = "";
  /** Whether the file is edited. The graph is that of the stored file. */
  @property({ type: Boolean }) edited = false;
  @property({ type: Boolean }) shown = false;
  /** The state that a link contains. Changes are reported with the event `gguf-table`. */
  @property({ attribute: false }) panelState: GraphState | undefined;
  @state() private choices: GraphState = {};
  @query("gguf-graph-canvas") private readonly canvas!: GgufGraphCanvas | null;

  readonly #box = new ElementWidth(this);
  readonly #devices = new Answer<DevicePlaces | string>(this);
  readonly #reporter = new StateReporter<GraphState>(this, (state) => ({ graph: state }));
  /** The state of the page that was taken over last. */
  #taken: GraphState | undefined;
  /** The file whose graph is shown. */
  #read: Gguf | undefined;
  #source: ModelSource | undefined;
  #graph: Graph = { nodes: [], edges: [], entries: [], exits: [] };
  /** All nodes by id, with the nodes around them. */
  #nodes: ReadonlyMap<string, { readonly node: GraphNode; readonly around: readonly GraphNode[] }> = new Map();
  #costs = new Map<string, Costs>();
  #paints: ReadonlyMap<string, Paint> = new Map();
  #placement: Placement = { nodes: [], edges: [], width: 0, height: 0 };
  #found: ReadonlySet<string> | undefined;

  static override styles = [baseStyles, searchStyles, smallButtonStyles, graphStyles];

  override shouldUpdate(): boolean {
    return this.isConnected && this.shown;
  }

  override willUpdate(): void {
    // The file and the state may have changed while another panel was shown.
    const isOther = this.gguf !== this.#read;
    if (isOther) this.#readGraph();
    this.#takeState(isOther);
    if (this.#colouring === "device") this.#devices.ask([this.gguf], (signal) => devicePlaces(this.gguf, signal));
    const context = this.#context();
    this.#paints = new Map(
      [...this.#nodes.values()].map(({ node }) => [node.id, paintOf(node, this.#colouring, context)] as const),
    );
    this.#found = this.#find();
    this.#placement = layOut(this.#graph, {
      isOpen: (node) => this.#isOpen(node),
      moreOf: ({ id }) => this.#paints.get(id)?.words ?? "",
    });
  }

  #readGraph(): void {
    this.#read = this.gguf;
    const source = modelSource(this.gguf);
    this.#source = source;
    this.#graph = modelGraph(source, tensorRole);
    this.#nodes = new Map([...nodesOf(this.#graph)].map((found) => [found.node.id, found]));
    const shareOf = usedShare(source);
    this.#costs = new Map([...this.#nodes.values()].map(({ node }) => [node.id, costsOf(node, shareOf)]));
  }

  /** Takes the state of the page over. */
  #takeState(isOtherFile: boolean): void {
    if (!isOtherFile && this.panelState === this.#taken) return;
    this.#taken = this.panelState;
    const state = tidied(this.panelState ?? {});
    if (!this.#reporter.adopts(state) && !isOtherFile) return;
    this.choices = state;
    const { box } = state;
    if (box === undefined || !this.#nodes.has(box)) return;
    this.#reveal(box);
    void this.updateComplete.then(() => this.canvas?.showNode(box));
  }

  override updated(): void {
    this.#reporter.report(this.choices);
  }

  #change(choices: GraphState): void {
    this.choices = tidied({ ...this.choices, ...choices });
  }

  get #colouring(): Colouring {
    return this.choices.colour ?? "part";
  }

  get #search(): string {
    return this.choices.search ?? "";
  }

  get #isList(): boolean {
    return this.choices.as === "list";
  }

  readonly #costsOf = ({ id }: GraphNode): Costs =>
    this.#costs.get(id) ?? { elements: 0, bytes: 0, bits: undefined, read: 0, operations: 0 };

  #context(): PaintContext {
    const places = this.#devices.found?.value;
    const leaves = [...this.#nodes.values()].filter(({ node }) => node.kind !== "blocks");
    const errors = knownErrors(this.gguf);
    return {
      costsOf: this.#costsOf,
      largest: Math.max(0, ...leaves.map(({ node }) => this.#costsOf(node).bytes)),
      errors,
      errorScale: errors && errorScale(errors.values()),
      isOnGpu: typeof places === "object" ? places.isOnGpu : undefined,
    };
  }

  #isOpen(node: GraphNode): boolean {
    return isOpenIn(this.choices, node);
  }

  /** The nodes whose title, facts or tensors have the words of the search. */
  #find(): ReadonlySet<string> | undefined {
    const words = this.#search.trim().toLowerCase();
    if (words === "") return undefined;
    const found = [...this.#nodes.values()].filter(
      ({ node }) =>
        [node.title, ...node.lines].some((line) => line.toLowerCase().includes(words)) ||
        (node.kind !== "blocks" && node.tensors.some(({ name }) => name.toLowerCase().includes(words))),
    );
    return new Set(found.map(({ node }) => node.id));
  }

  override render() {
    const { width } = this.#box;
    return html`<div class="whole ${width > 0 && width < NARROW ? "narrow" : ""}">
      ${this.#renderBar()} ${this.#renderNote()}
      <div class="body">
        ${this.#isList ? this.#renderList() : this.#renderPicture()}
        <aside aria-label="Details" tabindex="0">${this.#renderDetails()}</aside>
      </div>
    </div>`;
  }

  #renderBar() {
    const canvasButton = (words: string, sign: string, run: () => void) =>
      html`<button type="button" aria-label=${words} title=${words} @click=${run} ?disabled=${this.#isList}>
        ${sign}
      </button>`;
    return html`<div class="bar">
      ${renderSearchField({
        label: "Search the graph",
        placeholder: "Search boxes and tensors",
        text: this.#search,
        search: (search) => this.#change({ search }),
        onKey: this.#onSearchKey,
      })}
      ${this.#found ? html`<span class="found" role="status">${formatCount(this.#found.size, "box", "boxes")}</span>` : nothing}
      <label class="colour">
        <span>Colour</span>
        <select aria-label="Colour" @change=${this.#onColour}>
          ${COLOURINGS.filter(({ name }) => name !== "error" || knownErrors(this.gguf)).map(
            ({ name, title }) => html`<option value=${name} .selected=${name === this.#colouring}>${title}</option>`,
          )}
        </select>
      </label>
      <span class="spacer"></span>
      <span class="group">
        ${canvasButton("Zoom out", "−", () => this.canvas?.zoomOut())}
        ${canvasButton("Zoom in", "+", () => this.canvas?.zoomIn())}
        ${canvasButton("Fit", "Fit", () => this.canvas?.fit())}
      </span>
      <span class="group all">
        <button type="button" @click=${() => this.#toggleAll(true)} ?disabled=${this.#isList}>Open all</button>
        <button type="button" @click=${() => this.#toggleAll(false)} ?disabled=${this.#isList}>Fold</button>
      </span>
      <span class="group" role="group" aria-label="View">
        ${[false, true].map(
          (isList) =>
            html`<button
              type="button"
              aria-pressed=${this.#isList === isList}
              @click=${() => this.#change({ as: isList ? "list" : undefined })}
            >
              ${isList ? "List" : "Graph"}
            </button>`,
        )}
      </span>
      <gguf-menu brief label="Save the graph" .icon=${icons.save} .groups=${this.#saveItems}></gguf-menu>
    </div>`;
  }

  /** What the picture does not say itself. */
  #renderNote() {
    const name = this.#source?.architecture ?? "";
    const isKnown = architectureInfo(name)?.llamaCppTensors !== undefined;
    const places = this.#devices.found?.value;
    const notes = [
      isKnown || name === "clip"
        ? nothing
        : html`How
          ${name === "" ? "this file" : html`the architecture <strong>${renderText(name, { limit: 60 })}</strong>`} is
          computed is not known. The graph follows from the names of the tensors. `,
      this.edited ? html`The graph shows the stored file, without your changes. ` : nothing,
      this.#colouring === "device" && places !== undefined
        ? html`${typeof places === "string" ? places : places.words}${typeof places === "string" ? "" : "."} `
        : nothing,
    ].filter((note) => note !== nothing);
    return notes.length === 0 ? nothing : html`<p class="note">${notes}</p>`;
  }

  #renderPicture() {
    const context = this.#context();
    const shown = this.#placement.nodes.map(({ node }) => node);
    const { box, zoom } = this.choices;
    return html`<div class="picture">
      <gguf-graph-canvas
        .placement=${this.#placement}
        .paints=${this.#paints}
        .found=${this.#found}
        .chosen=${box}
        .zoom=${zoom === undefined ? undefined : zoom / 100}
        @gguf-node=${({ detail: box }: CustomEvent<string>) => this.#change({ box })}
        @gguf-graph-zoom=${({ detail }: CustomEvent<number>) => this.#change({ zoom: Math.round(1000 * detail) / 10 })}
        @gguf-node-toggle=${({ detail }: CustomEvent<string>) => this.#toggle(detail)}
      ></gguf-graph-canvas>
      <ul class="legend" aria-label="Legend">
        ${legendOf(this.#colouring, shown, context).map(
          ({ colours, words }) =>
            html`<li>
              <span class="swatch" .style=${colours ? `--hue: light-dark(${colours[0]}, ${colours[1]})` : ""}></span
              >${words}
            </li>`,
        )}
        ${
          this.#placement.edges.some(({ isResidual }) => isResidual)
            ? html`<li><span class="residual"></span>Residual connection</li>`
            : nothing
        }
      </ul>
    </div>`;
  }

  #renderList() {
    return html`<div class="list" role="region" aria-label="The graph as a list" tabindex="0">
      ${renderList(this.#graph, this.#costsOf)}
    </div>`;
  }

  #renderDetails() {
    const found = this.choices.box === undefined ? undefined : this.#nodes.get(this.choices.box);
    if (!found) return this.#renderModel();
    const { node, around } = found;
    return renderDetails({
      node,
      around,
      costs: this.#costsOf(node),
      paint: this.#paintFigure(node),
      isOpen: this.#isOpen(node),
      toggle: () => this.#toggle(node.id),
      showTensors: (filter) =>
        this.dispatchEvent(new CustomEvent("gguf-show-tensors", { detail: { filter }, bubbles: true, composed: true })),
    });
  }

  /** What the colour says, if the details do not say it anyway. */
  #paintFigure(node: GraphNode): readonly [name: string, value: string] | undefined {
    const words = this.#paints.get(node.id)?.words ?? "";
    if (this.#colouring === "device" && words !== "") return ["Device", words];
    const error = this.#colouring === "error" ? errorOf(node, knownErrors(this.gguf)) : undefined;
    return error === undefined ? undefined : [ERROR_TITLE, formatError(error)];
  }

  /** The whole model, while no box is chosen. */
  #renderModel() {
    const name = this.#source?.architecture ?? "";
    const title = architectureInfo(name)?.title ?? (name === "" ? "Model" : name);
    const all = this.#wholeCosts();
    return html`<h3>${renderText(title, { limit: 80 })}</h3>
      <dl>
        ${all.map(
          ([figure, value]) =>
            html`<dt>${figure}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      <p>Choose a box to see its tensors, what is read, and how much it computes.</p>
      <p class="keys">${HOW_TO}</p>`;
  }

  /** The figures of the whole model: those of all boxes without boxes in them. */
  #wholeCosts() {
    const nodes = [...this.#nodes.values()].flatMap(({ node }) => (node.inner ? [] : [node]));
    const leaves = nodes.map(this.#costsOf);
    const sum = (figure: "elements" | "bytes" | "read" | "operations") =>
      leaves.reduce((total, costs) => total + costs[figure], 0);
    const [elements, bytes] = [sum("elements"), sum("bytes")];
    const bits = elements > 0 && bytes > 0 ? (8 * bytes) / elements : undefined;
    return figuresOf(
      this.gguf.tensors,
      { elements, bytes, bits, read: sum("read"), operations: sum("operations") },
      commonUnits(nodes),
    );
  }

  readonly #onColour = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    this.#change({ colour: COLOURINGS.find(({ name }) => name === value)?.name });
  };

  /** Enter leads to the found nodes, one after the other. */
  readonly #onSearchKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !this.#found || this.#isList) return;
    event.preventDefault();
    const ids = [...this.#found];
    const next = ids[(ids.indexOf(this.choices.box ?? "") + (event.shiftKey ? ids.length - 1 : 1)) % ids.length];
    if (next === undefined) return;
    this.#reveal(next);
    this.canvas?.focusNode(next);
  };

  /** Opens the nodes around a node, and chooses it. */
  #reveal(id: string): void {
    const around = this.#nodes.get(id)?.around ?? [];
    const opened = around.reduce<GraphState>((state, node) => withOpen(state, node, true), this.choices);
    this.choices = tidied({ ...opened, box: id });
  }

  #toggle(id: string): void {
    const node = this.#nodes.get(id)?.node;
    if (!node?.inner) return;
    const isOpen = !this.#isOpen(node);
    this.choices = tidied({ ...withOpen(this.choices, node, isOpen), box: id });
    announce(this, isOpen ? "Opened" : "Folded");
    this.canvas?.focusNode(id);
  }

  #toggleAll(isOpen: boolean): void {
    this.choices = withAll(this.choices, isOpen);
  }

  readonly #saveItems = () => [
    {
      items: [
        { title: "Save as SVG", run: () => void this.#save("svg") },
        { title: "Save as PNG", run: () => void this.#save("png") },
      ],
    },
  ];

  async #save(format: "svg" | "png"): Promise<void> {
    if (this.#isList) {
      this.#change({ as: undefined });
      await this.updateComplete;
    }
    await this.canvas?.updateComplete;
    const [drawing, size] = [this.canvas?.drawing, this.canvas?.drawnSize];
    if (!drawing || !size) return;
    const name = `${baseName(this.fileName) || "model"}-graph.${format}`;
    const zoomed = [drawing.getAttribute("width"), drawing.getAttribute("height")] as const;
    try {
      // The file has the size without the zoom.
      drawing.setAttribute("width", String(Math.ceil(size.width)));
      drawing.setAttribute("height", String(Math.ceil(size.height)));
      const title = `Graph of ${this.fileName}`;
      startDownload(format === "svg" ? svgFile(drawing, title) : await pngFile(drawing, title), name);
      announce(this, `Download of ${escapeText(name, 120)} started`);
    } catch {
      announce(this, "The browser could not write the picture. Save it as SVG.");
    } finally {
      drawing.setAttribute("width", zoomed[0] ?? "");
      drawing.setAttribute("height", zoomed[1] ?? "");
    }
  }
}

define("gguf-graph", GgufGraph);
