/** What a node of the graph is, and what it takes. */

import { html, nothing } from "lit";
import { formatBytes, formatCount } from "../ui/numbers.ts";
import { formatBits } from "./colouring.ts";
import type { Costs } from "./costs.ts";
import type { GraphNode } from "./graph-model.ts";
import { inUnits, unitsOf } from "./units.ts";
import { nodeFigures, nodeName, tensorGroups } from "./node-words.ts";

/** The most groups of tensors that are listed. */
const MOST_TENSORS = 40;

export interface Details {
  readonly node: GraphNode;
  readonly around: readonly GraphNode[];
  readonly costs: Costs;
  /** What the colour says, with its name: `["Device", "GPU"]`. */
  readonly paint: readonly [name: string, value: string] | undefined;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly showTensors: (filter: string) => void;
}

export function renderDetails({ node, around, costs, paint, isOpen, toggle, showTensors }: Details) {
  const groups = tensorGroups(node.tensors);
  const figures = [...nodeFigures(node, costs), ...(paint ? [paint] : [])];
  return html`${around.length > 0 ? html`<div class="path">${around.map(nodeName).join(" › ")}</div>` : nothing}
    <h3>${nodeName(node)}</h3>
    ${node.about === "" ? nothing : html`<p>${inUnits(node.about, unitsOf(node))}</p>`}
    ${node.lines.length > 0 ? html`<p>${node.lines.join(" · ")}</p>` : nothing}
    ${
      figures.length > 0
        ? html`<dl>
            ${figures.map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>`
        : nothing
    }
    ${
      node.inner
        ? html`<div class="actions">
            <button type="button" class="small" @click=${toggle}>
              ${isOpen ? "Fold" : node.kind === "blocks" ? "Show the block" : "Show the operations"}
            </button>
          </div>`
        : nothing
    }
    ${
      groups.length > 0
        ? html`<h4>${formatCount(node.tensors.length, "tensor")}</h4>
            <ul class="tensors">
              ${groups.slice(0, MOST_TENSORS).map(
                ({ name, shapes, types, bits, bytes, filter }) =>
                  html`<li>
                    <button type="button" title="Show in Tensors" @click=${() => showTensors(filter)}>${name}</button>
                    <div><span>${shapes}</span><span>${formatBytes(bytes)}</span></div>
                    <div>
                      <span class="type">${types}</span><span>${bits === undefined ? "" : formatBits(bits)}</span>
                    </div>
                  </li>`,
              )}
            </ul>
            ${groups.length > MOST_TENSORS ? html`<p>And ${formatCount(groups.length - MOST_TENSORS, "more name")}.</p>` : nothing}`
        : nothing
    }`;
}
