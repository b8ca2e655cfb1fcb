import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { css, html, nothing, type PropertyValues, svg } from "lit";
import { tensorRole } from "../../gguf/library.ts";
import { columnHeads } from "../../ui/column-heads.ts";
import { define } from "../../ui/define.ts";
import { formatBytes, formatCount, formatInteger, formatParameters, formatPercent } from "../../ui/numbers.ts";
import { placeFinder } from "../block-roles.ts";
import { Picture } from "../picture.ts";
import { largestRoles, type ParameterNode, parameterTree } from "./tree.ts";

/** The height of the treemap, and the room for the name of a role, in px. */
const SIZES = { height: 340, narrowHeight: 420, head: 20 };
/** The width of a letter, on average, in px. */
const LETTER = 7.5;
/** The least width and height of a rectangle that is drawn, in px. */
const LEAST = 0.4;

/** The parameters of a model by role and block, as a treemap. */
export class GgufParameters extends Picture {
  protected readonly heading = "Parameters";
  protected readonly saveName = "parameters";
  protected override readonly hint = "The area is the number of parameters. Choose a role to see its tensors.";
  #roles: readonly ParameterNode[] = [];

  static override styles = [
    ...Picture.styles,
    css`
      :host {
        --attention: light-dark(#c3d6ef, #2d4a6e);
        --feed-forward: light-dark(#f0d6a3, #68501f);
        --experts: light-dark(#efc0bb, #713a36);
        --recurrent: light-dark(#d7c7ec, #4f3f70);
        --other: light-dark(#dcdcd6, #3d4348);
        --outer: light-dark(#c9e0cf, #2f5640);
      }
      .attention {
        --kind: var(--attention);
      }
      .feed-forward {
        --kind: var(--feed-forward);
      }
      .experts {
        --kind: var(--experts);
      }
      .recurrent {
        --kind: var(--recurrent);
      }
      .other {
        --kind: var(--other);
      }
      .outer {
        --kind: var(--outer);
      }
      .role {
        fill: var(--kind);
        stroke: var(--gguf-surface);
      }
      .block {
        fill: none;
        stroke: color-mix(in srgb, var(--gguf-ink) 22%, transparent);
        stroke-width: 0.6px;
      }
      text {
        pointer-events: none;
      }
      svg text.name {
        fill: var(--gguf-ink);
        font-weight: 600;
      }
      svg text.size {
        fill: var(--gguf-ink);
        font-size: var(--gguf-text-tiny);
      }
      @media (forced-colors: active) {
        .role {
          fill: Canvas;
          stroke: CanvasText;
        }
        .block {
          stroke: CanvasText;
          stroke-opacity: 0.45;
        }
        svg text.name,
        svg text.size {
          fill: CanvasText;
        }
      }
    `,
  ];

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("gguf")) this.#roles = parameterTree(this.gguf.tensors, placeFinder(tensorRole));
  }

  get #total(): number {
    return this.#roles.reduce((sum, { elements }) => sum + elements, 0);
  }

  protected override intro() {
    const largest = largestRoles(this.#roles);
    if (largest.length === 0) return nothing;
    const shares = largest.map(
      ({ title, elements }) => `${title.toLowerCase()} (${formatPercent(elements, this.#total)})`,
    );
    return html`<p class="intro">
      <strong>${formatParameters(this.#total)}</strong> parameters. The most are in
      ${new Intl.ListFormat("en", { type: "conjunction" }).format(shares)}.
    </p>`;
  }

  protected draw(width: number) {
    const height = width < 480 ? SIZES.narrowHeight : SIZES.height;
    const root = hierarchy<Partial<ParameterNode>>({ children: this.#roles }, ({ children }) => children).sum(
      ({ elements = 0, children = [] }) => (children.length > 0 ? 0 : elements),
    );
    const placed = treemap<Partial<ParameterNode>>()
      .tile(treemapSquarify)
      .size([width, height])
      .paddingTop((node) => (node.depth === 1 && node.children && hasHead(node) ? SIZES.head : 0))
      .round(false)(root);
    const roles = placed.children ?? [];
    return html`<svg width=${width} height=${height} role="group" aria-labelledby="title">
      ${roles.map(({ data, x0, y0, x1, y1, children = [] }, at) => {
        const [wide, tall] = [x1 - x0, y1 - y0];
        if (wide < LEAST || tall < LEAST) return nothing;
        return svg`<g
          class=${data.kind ?? "other"}
          role="link"
          tabindex="-1"
          data-row="0"
          data-column=${at}
          data-filter=${data.filter ?? ""}
          aria-label=${nodeWords(data, this.#total)}
        >
          <rect
            class="role face"
            x=${x0.toFixed(1)}
            y=${y0.toFixed(1)}
            width=${wide.toFixed(1)}
            height=${tall.toFixed(1)}
          ></rect>
          <path class="block" d=${children.map(outline).join("")}></path>
        </g>`;
      })}
      <g aria-hidden="true">${roles.map(drawName)}</g>
    </svg>`;
  }

  protected facts() {
    const total = this.#total;
    return html`<table>
      ${columnHeads("Role", ["Parameters", "number"], ["Share", "number"], ["Size", "number"], ["Blocks", "number"])}
      <tbody>
        ${this.#roles.slice(0, 100).map(
          ({ title, elements, bytes, children }) =>
            html`<tr>
              <th scope="row">${title}</th>
              <td class="number">${formatInteger(elements)}</td>
              <td class="number">${formatPercent(elements, total)}</td>
              <td class="number">${formatBytes(bytes)}</td>
              <td class="number">${children.length === 0 ? "" : formatInteger(children.length)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

interface Area {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

function outline({ x0, y0, x1, y1 }: Area): string {
  const at = (value: number) => value.toFixed(1);
  return `M${at(x0)} ${at(y0)}H${at(x1)}V${at(y1)}H${at(x0)}Z`;
}

/** The name of a role in its rectangle, and the number of its parameters if there is room. */
function drawName(node: Area & { readonly data: Partial<ParameterNode>; readonly children?: unknown }) {
  const { data, x0, y0, x1, y1, children } = node;
  const [wide, tall] = [x1 - x0, y1 - y0];
  if (children !== undefined && !hasHead(node)) return nothing;
  const hasSize = children === undefined && tall > 42 && wide > 60;
  return svg`${nameOf(data.title ?? "", wide, tall, x0, y0)}${
    hasSize ? svg`<text class="size" x=${x0 + 6} y=${y0 + 31}>${formatParameters(data.elements ?? 0)}</text>` : nothing
  }`;
}

/** Whether a rectangle with parts has room for its name above them. */
function hasHead({ x0, y0, x1, y1 }: Area): boolean {
  return y1 - y0 > 2 * SIZES.head && x1 - x0 > 3 * LETTER;
}

/** The name of a role in its rectangle, if it fits. The mark of a shortened name is as wide as two letters. */
function nameOf(title: string, wide: number, tall: number, x0: number, y0: number) {
  const room = Math.floor((wide - 10) / LETTER);
  if (tall < 18 || room < 3) return nothing;
  // "Query" says more than "Vision en…".
  const name = title.length <= room ? title : shortTitle(title);
  const shown = name.length <= room ? name : room < 6 ? "" : `${name.slice(0, room - 2)}…`;
  return svg`<text class="name" x=${x0 + 6} y=${y0 + 15}>${shown}</text>`;
}

/** The title of a role without the part of the model that it is in: "Query" for "Vision encoder: query". */
function shortTitle(title: string): string {
  const role = title.slice(title.indexOf(": ") + 2);
  return title.includes(": ") ? `${role.charAt(0).toUpperCase()}${role.slice(1)}` : title;
}

function nodeWords(
  { title = "", elements = 0, bytes = 0, children = [] }: Partial<ParameterNode>,
  total: number,
): string {
  const blocks = children.length > 0 ? ` in ${formatCount(children.length, "block")}` : "";
  return `${title}: ${formatParameters(elements)} parameters${blocks}, ${formatPercent(elements, total)} of the model, ${formatBytes(bytes)}`;
}

define("gguf-parameters", GgufParameters);
