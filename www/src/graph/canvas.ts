import { html, LitElement, nothing, type PropertyValues, svg } from "lit";
import { property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { define } from "../ui/define.ts";
import { ElementWidth } from "../ui/element-width.ts";
import { baseStyles, drawingStyles } from "../ui/styles.ts";
import { canvasStyles } from "./canvas-styles.ts";
import type { Paint } from "./colouring.ts";
import { ZOOM } from "./graph-state.ts";
import { isJoint, type PlacedEdge, type PlacedNode, type Placement, SPACE } from "./layout.ts";
import { nextNode } from "./next-node.ts";
import { nodeWords } from "./node-words.ts";

/** One step of the zoom. */
const STEP = 1.25;
/** The least zoom of the first view: smaller texts cannot be read. */
const READABLE = 0.7;
/** The room around the graph. */
const MARGIN = 20;

/**
 * A drawn graph that can be zoomed and moved. The event `gguf-node` reports a chosen node (detail: its id), and `gguf-node-toggle` one that
 * should be opened or closed. `gguf-graph-zoom` reports a new zoom.
 */
export class GgufGraphCanvas extends LitElement {
  @property({ attribute: false }) placement!: Placement;
  @property({ attribute: false }) paints: ReadonlyMap<string, Paint> = new Map();
  /** The nodes that a search has found. Undefined without a search. */
  @property({ attribute: false }) found: ReadonlySet<string> | undefined;
  /** The id of the chosen node. */
  @property({ attribute: false }) chosen: string | undefined;
  /** The zoom: 1 is the size of texts of the page. Undefined: as much as fits, if it can be read. */
  @property({ attribute: false }) zoom: number | undefined;
  @query(".paper") private readonly paper!: HTMLElement;

  readonly #box = new ElementWidth(this);
  /** The node that can be reached with Tab. */
  #entry: string | undefined;
  /** The node that gets the focus after the next update. */
  #focusNext: string | undefined;
  /** The node that is scrolled into view once it is drawn. */
  #showNext: string | undefined;

  static override styles = [drawingStyles, baseStyles, canvasStyles];

  /** The zoom at which the width of the graph fits. */
  get #fitting(): number {
    return Math.max(ZOOM.least / 100, Math.min(1, (this.#box.width - 4) / this.#size.width));
  }

  get #zoom(): number {
    return this.zoom ?? Math.max(READABLE, this.#fitting);
  }

  /** The size of the graph, in units of the text size. */
  get #size(): { width: number; height: number } {
    return { width: this.placement.width + 2 * MARGIN, height: this.placement.height + 2 * MARGIN };
  }

  /** The drawing, for saving it. */
  get drawing(): SVGSVGElement | null {
    return this.renderRoot.querySelector("svg");
  }

  /** The size of the drawing without the zoom. */
  get drawnSize(): { width: number; height: number } {
    return this.#size;
  }

  zoomIn(): void {
    this.#zoomTo(this.#zoom * STEP);
  }

  zoomOut(): void {
    this.#zoomTo(this.#zoom / STEP);
  }

  /** Shows the whole width and height. */
  fit(): void {
    const { height } = this.#size;
    this.#zoomTo(Math.min(this.#fitting, (this.paper.clientHeight - 4) / this.#box.unit / height));
  }

  /** Shows a node, and gives it the focus. */
  focusNode(id: string): void {
    this.#focusNext = id;
    this.requestUpdate();
  }

  /** Scrolls to a node, without the focus. */
  showNode(id: string): void {
    this.#showNext = id;
    this.requestUpdate();
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("placement") && this.#entry !== undefined) return;
    const { nodes } = this.placement;
    if (!nodes.some(({ node }) => node.id === this.#entry)) this.#entry = nodes[0]?.node.id;
  }

  override updated(): void {
    this.#scrollToShown();
    const id = this.#focusNext;
    if (id === undefined) return;
    this.#focusNext = undefined;
    const mark = this.#markOf(id);
    if (!mark) return;
    this.#enter(id);
    mark.focus({ preventScroll: true });
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #scrollToShown(): void {
    const mark = this.#showNext === undefined ? undefined : this.#markOf(this.#showNext);
    if (!mark) return;
    this.#showNext = undefined;
    const { paper } = this;
    const [box, around] = [mark.getBoundingClientRect(), paper.getBoundingClientRect()];
    const between = (start: number, length: number, room: number) => start + Math.min(0, (length - room) / 2);
    // Not smoothly: the graph has just been shown.
    paper.scrollBy({
      left: between(box.left - around.left, box.width, around.width),
      top: between(box.top - around.top, box.height, around.height),
      behavior: "instant",
    });
  }

  override render() {
    const { nodes, edges } = this.placement;
    const { width, height } = this.#size;
    const scale = this.#zoom * this.#box.unit;
    const open = nodes.filter(({ isOpen }) => isOpen);
    return html`<div
      class="paper"
      @pointerdown=${this.#onDown}
      @wheel=${{ handleEvent: this.#onWheel, passive: false }}
      @keydown=${this.#onKey}
      @click=${this.#onClick}
      @dblclick=${this.#onDouble}
      @focusin=${this.#onFocus}
    >
      ${
        this.#box.width === 0
          ? nothing
          : html`<svg
              class="drawing"
              width=${Math.round(width * scale)}
              height=${Math.round(height * scale)}
              viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}"
              role="group"
              aria-label="Graph of the model"
            >
              <g transform="translate(${MARGIN} ${MARGIN})">
                <g aria-hidden="true">
                  ${open.map((placed) => this.#drawFrame(placed))} ${edges.map((edge) => this.#drawEdge(edge))}
                </g>
                ${repeat(
                  nodes,
                  ({ node }) => node.id,
                  (placed) => this.#drawNode(placed),
                )}
              </g>
            </svg>`
      }
    </div>`;
  }

  #styleOf(id: string): string {
    const paint = this.paints.get(id);
    if (!paint?.colours) return "";
    const [light, dark] = paint.colours;
    return `--hue: light-dark(${light}, ${dark}); --place: ${paint.place.toFixed(3)}`;
  }

  #drawFrame({ node, x, y, width, height }: PlacedNode) {
    const isBlocks = node.kind === "blocks";
    const stack = isBlocks && node.times > 1 ? [8, 4] : [];
    return svg`${stack.map(
      (by) => svg`<rect class="behind" x=${x + by} y=${y + by} width=${width} height=${height} rx="14"></rect>`,
    )}<rect
      class="frame ${isBlocks ? "" : "deep"}"
      .style=${isBlocks ? "" : this.#styleOf(node.id)}
      x=${x.toFixed(1)}
      y=${y.toFixed(1)}
      width=${width.toFixed(1)}
      height=${height.toFixed(1)}
      rx=${isBlocks ? 14 : 10}
    ></rect>`;
  }

  #drawEdge({ path, x, y, isResidual, arrow, from, to }: PlacedEdge) {
    const fades = this.found !== undefined && !(this.found.has(from) && this.found.has(to));
    return svg`<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" class=${fades ? "fades" : ""}>
      <path class="edge ${isResidual ? "residual" : ""}" d=${path}></path>
      ${arrow === "" ? nothing : svg`<path class="head-of-edge" d=${arrow}></path>`}
    </g>`;
  }

  #drawNode(placed: PlacedNode) {
    const { node, x, y, width, height, isOpen } = placed;
    const hasColour = this.paints.get(node.id)?.colours !== undefined;
    const classes = [
      "mark",
      node.kind,
      hasColour ? "" : "plain",
      node.id === this.chosen ? "chosen" : "",
      this.found !== undefined && !this.found.has(node.id) && !isOpen ? "fades" : "",
    ];
    return svg`<g
      class=${classes.join(" ")}
      role="button"
      tabindex=${node.id === this.#entry ? "0" : "-1"}
      data-node=${node.id}
      aria-label=${this.#label(placed)}
      aria-expanded=${node.inner ? String(isOpen) : nothing}
      aria-current=${node.id === this.chosen ? "true" : nothing}
      .style=${this.#styleOf(node.id)}
      transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"
    >${isOpen ? this.#drawHead(placed) : isJoint(node) ? this.#drawJoint(node.title, width, height) : this.#drawBox(placed)}</g>`;
  }

  #label({ node }: PlacedNode): string {
    const words = this.paints.get(node.id)?.words ?? "";
    return words === "" ? nodeWords(node) : `${nodeWords(node)}; ${words}`;
  }

  /** The first line of an open node, above its graph. */
  #drawHead({ node, width }: PlacedNode) {
    const room = width - 70 - node.title.length * 8.2;
    // Facts that have no room are in the details.
    let words = "";
    for (const line of node.lines) {
      const longer = words === "" ? line : `${words}; ${line}`;
      if (longer.length * 6.6 > room) break;
      words = longer;
    }
    return svg`<rect class="hit box-head" x="1" y="1" width=${width - 2} height=${SPACE.head - 6} rx="12"></rect>
      <g aria-hidden="true">
        <text class="title" x="16" y="21">${node.title}</text>
        <text x=${width - 40} y="21" text-anchor="end">${words}</text>
        ${toggle(width - 20, 16, true)}
      </g>`;
  }

  #drawJoint(sign: string, width: number, height: number) {
    return svg`<circle class="box" cx=${width / 2} cy=${height / 2} r=${width / 2}></circle>
      <text class="sign" aria-hidden="true" x=${width / 2} y=${height / 2 + 6} text-anchor="middle">${sign}</text>`;
  }

  #drawBox({ node, width, height, title, lines }: PlacedNode) {
    const paint = this.paints.get(node.id);
    const isPill = node.kind === "join";
    const radius = isPill ? Math.min(height / 2, 15) : 9;
    const left = SPACE.inner + (isPill ? 2 : SPACE.bar);
    const titleY = (at: number) => SPACE.inner + 10 + at * SPACE.title;
    const lineY = (at: number) => titleY(title.length) - 2 + at * SPACE.line;
    const share = paint?.share;
    return svg`<rect class="box" width=${width} height=${height} rx=${radius}></rect>
      <g aria-hidden="true">
        ${
          isPill || !paint?.colours
            ? nothing
            : svg`<path class="bar" d="M 7 0.5 H ${radius} a ${radius - 0.5} ${radius - 0.5} 0 0 0 -${radius - 0.5} ${radius - 0.5} V ${height - radius} a ${radius - 0.5} ${radius - 0.5} 0 0 0 ${radius - 0.5} ${radius - 0.5} H 7 Z"></path>`
        }
        ${title.map((words, at) => svg`<text class="title" x=${left} y=${titleY(at)}>${words}</text> `)}
        ${lines.map(
          (words, at) =>
            svg`<text class=${paint?.words === words ? "more" : ""} x=${left} y=${lineY(at)}>${words}</text> `,
        )}
        ${
          share === undefined
            ? nothing
            : svg`<rect class="track" x=${left} y=${height - 7} width=${width - left - 10} height="3" rx="1.5"></rect>
              <rect class="bar" x=${left} y=${height - 7} width=${Math.max(2, (width - left - 10) * share).toFixed(1)} height="3" rx="1.5"></rect>`
        }
        ${node.inner ? toggle(width - 18, 20, false) : nothing}
      </g>`;
  }

  #markOf(id: string): SVGGElement | undefined {
    return [...this.renderRoot.querySelectorAll<SVGGElement>("[data-node]")].find(
      (mark) => mark.dataset["node"] === id,
    );
  }

  #enter(id: string): void {
    const before = this.#entry === undefined ? undefined : this.#markOf(this.#entry);
    before?.setAttribute("tabindex", "-1");
    this.#entry = id;
    this.#markOf(id)?.setAttribute("tabindex", "0");
  }

  #send(name: string, id: string): void {
    this.dispatchEvent(new CustomEvent(name, { detail: id }));
  }

  readonly #onFocus = (event: Event) => {
    const id = idOf(event);
    if (id === undefined) return;
    this.#enter(id);
    if (id !== this.chosen) this.#send("gguf-node", id);
  };

  readonly #onClick = (event: MouseEvent) => {
    const id = idOf(event);
    if (id === undefined) return;
    const [target] = event.composedPath();
    if (target instanceof Element && target.closest(".toggle")) this.#send("gguf-node-toggle", id);
    else this.#send("gguf-node", id);
  };

  readonly #onDouble = (event: MouseEvent) => {
    const id = idOf(event);
    const [target] = event.composedPath();
    if (id !== undefined && !(target instanceof Element && target.closest(".toggle")))
      this.#send("gguf-node-toggle", id);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const id = idOf(event);
    if (id === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const { nodes } = this.placement;
    if (event.key === "Enter" || event.key === " ") this.#send("gguf-node-toggle", id);
    else if (event.key === "+" || event.key === "=") this.zoomIn();
    else if (event.key === "-") this.zoomOut();
    else if (event.key === "0") this.fit();
    else if (/^(?:Arrow|Home$|End$)/.test(event.key)) {
      const next = nextNode(nodes, id, event.key);
      if (next !== undefined) this.focusNode(next);
    } else return;
    event.preventDefault();
  };

  /** Zooms around a point of the paper, or around its middle. */
  #zoomTo(zoom: number, point?: { readonly x: number; readonly y: number }): void {
    const before = this.#zoom;
    const after = Math.round(10 * Math.min(ZOOM.most, Math.max(ZOOM.least, 100 * zoom))) / 1000;
    if (after === before) return;
    const { paper } = this;
    const at = point ?? { x: paper.clientWidth / 2, y: paper.clientHeight / 2 };
    const times = after / before;
    const [x, y] = [(paper.scrollLeft + at.x) * times, (paper.scrollTop + at.y) * times];
    this.zoom = after;
    this.dispatchEvent(new CustomEvent("gguf-graph-zoom", { detail: after }));
    void this.updateComplete.then(() => paper.scrollTo({ left: x - at.x, top: y - at.y }));
  }

  /** With Ctrl, the wheel zooms. A pinch on a touchpad is such an event, too. */
  readonly #onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = this.paper.getBoundingClientRect();
    this.#zoomTo(this.#zoom * Math.exp(-event.deltaY / 240), { x: event.clientX - left, y: event.clientY - top });
  };

  /** The mouse moves the paper. Fingers scroll it. */
  readonly #onDown = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || idOf(event) !== undefined) return;
    const { paper } = this;
    // A press on a scroll bar is for the browser.
    if (event.offsetX > paper.clientWidth + paper.scrollLeft || event.offsetY > paper.clientHeight + paper.scrollTop)
      return;
    const start = { x: event.clientX + paper.scrollLeft, y: event.clientY + paper.scrollTop };
    const move = ({ clientX, clientY }: PointerEvent) => paper.scrollTo(start.x - clientX, start.y - clientY);
    const end = () => {
      paper.classList.remove("drags");
      paper.removeEventListener("pointermove", move);
    };
    paper.classList.add("drags");
    paper.setPointerCapture(event.pointerId);
    paper.addEventListener("pointermove", move);
    paper.addEventListener("pointerup", end, { once: true });
    paper.addEventListener("pointercancel", end, { once: true });
  };
}

/** A circle with a plus or a minus. */
function toggle(x: number, y: number, isOpen: boolean) {
  return svg`<g class="toggle" transform="translate(${x} ${y})">
    <circle r="9"></circle>
    <path d=${isOpen ? "M -4 0 H 4" : "M -4 0 H 4 M 0 -4 V 4"}></path>
  </g>`;
}

function idOf(event: Event): string | undefined {
  const [target] = event.composedPath();
  return target instanceof Element ? target.closest<SVGElement>("[data-node]")?.dataset["node"] : undefined;
}

define("gguf-graph-canvas", GgufGraphCanvas);

declare global {
  interface HTMLElementTagNameMap {
    "gguf-graph-canvas": GgufGraphCanvas;
  }
}
