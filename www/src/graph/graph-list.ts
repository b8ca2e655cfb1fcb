/** The graph as a list: the same facts as text. */

import { html, nothing } from "lit";
import { formatBytes } from "../ui/numbers.ts";
import { formatBits } from "./colouring.ts";
import type { Costs } from "./costs.ts";
import type { Graph, GraphNode } from "./graph-model.ts";
import { nodeName, nodeWords } from "./node-words.ts";
import { unitsOf } from "./units.ts";

type CostsOf = (node: GraphNode) => Costs;

export function renderList(graph: Graph, costsOf: CostsOf): unknown {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  return html`<ol>
    ${graph.nodes.map((node) => {
      const sources = graph.edges.filter(({ to }) => to === node.id).flatMap(({ from }) => nodes.get(from) ?? []);
      const from = sources.length > 1 ? `from ${joined(sources.map(nodeName))}` : "";
      const figures = [figureWords(node, costsOf), from].filter((words) => words !== "").join(" · ");
      return html`<li>
        <strong>${nodeWords(node)}</strong>
        ${figures === "" ? nothing : html`<span class="figures">${figures}</span>`}
        ${node.inner ? renderList(node.inner, costsOf) : nothing}
      </li>`;
    })}
  </ol>`;
}

function figureWords(node: GraphNode, costsOf: CostsOf): string {
  const { bytes, bits, read } = costsOf(node);
  if (bytes === 0) return "";
  const types = [...new Set(node.tensors.map(({ type }) => type))];
  return [
    formatBytes(bytes),
    bits === undefined ? "" : formatBits(bits),
    types.length <= 3 ? types.join(", ") : "",
    `${formatBytes(Math.round(read))} read for ${unitsOf(node).whole}`,
  ]
    .filter((words) => words !== "")
    .join(" · ");
}

function joined(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
