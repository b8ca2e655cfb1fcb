/**
 * The operations of the graph against the graph of the memory estimate, whose results are the sizes that llama.cpp allocates. The fixture
 * has what the rules of each architecture compute: products and norms in their order, each after those of its block that it needs. Equal
 * blocks are left out. It was recorded by printing each product and norm in `apply` of `crates/gguf-models/src/memory/compute/script.rs`, with
 * its sources: print them again after a change of the graph of an architecture.
 */

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { Gguf, tensorRole } from "gguf-wasm/full";
import { type Graph, type GraphNode, nodesOf } from "../../../www/src/graph/graph-model.ts";
import { modelGraph } from "../../../www/src/graph/model-graph.ts";
import { modelSource } from "../../../www/src/summary/architecture/model-source.ts";
import { missing, read } from "../../package/corpus.mjs";

/** Boxes whose tensors are used in several places of a block. They are shown as one. */
const SEVERAL_PLACES = /^(?:altup|laurel|post_norm$)/;

/** A product or a norm of the fixture. */
interface Step {
  readonly isNorm: boolean;
  readonly tensor: string;
  readonly after: readonly string[];
}

function stepOf(line: string): Step {
  const [what = "", after] = line.split(" after ");
  const [kind, tensor = ""] = what.split(" ");
  return { isNorm: kind === "norm", tensor, after: after?.split(", ") ?? [] };
}

/** The nodes without nodes in them, each with those whose results it gets. */
function sourcesOf(graph: Graph, inputs: readonly string[] = [], found = new Map<string, readonly string[]>()) {
  const resultsOf = new Map<string, readonly string[]>();
  for (const { id, inner } of graph.nodes) {
    const before = graph.edges.filter(({ to }) => to === id).flatMap(({ from }) => resultsOf.get(from) ?? []);
    const own = [...(graph.entries.includes(id) ? inputs : []), ...before];
    if (inner) resultsOf.set(id, sourcesOf(inner, own, found).results);
    else {
      resultsOf.set(id, [id]);
      found.set(id, own);
    }
  }
  return { found, results: graph.exits.flatMap((id) => resultsOf.get(id) ?? []) };
}

/** Whether a node needs the result of another one. */
function needs(sources: ReadonlyMap<string, readonly string[]>, id: string, other: string): boolean {
  const passed = new Set<string>();
  const left = [id];
  for (let next = left.pop(); next !== undefined; next = left.pop())
    for (const source of sources.get(next) ?? []) {
      if (source === other) return true;
      if (!passed.has(source)) left.push(source);
      passed.add(source);
    }
  return false;
}

/** What differs between the graph of a model and its rules. */
function differences(graph: Graph, steps: readonly Step[]): string[] {
  const { found: sources } = sourcesOf(graph);
  const boxes = new Map<string, GraphNode>();
  for (const { node } of nodesOf(graph))
    if (!node.inner) for (const { name } of node.tensors) boxes.set(name.replace(/\.weight$/, ""), node);
  return steps.flatMap(({ tensor, isNorm, after }) => {
    const box = boxes.get(tensor);
    if (!box) return [`${tensor} has no box`];
    if (/(?:^|\/)rest$|\/other-/.test(box.id)) return [`${tensor}: its use is not known`];
    if (SEVERAL_PLACES.test(tensor.replace(/^.*\d\./, ""))) return [];
    const kind = isNorm === (box.kind === "norm") ? [] : [`${tensor} is in a box of the kind ${box.kind}`];
    const order = after.flatMap((name) => {
      const other = boxes.get(name);
      const isRight = !other || other === box || needs(sources, box.id, other.id);
      return isRight || SEVERAL_PLACES.test(name.replace(/^.*\d\./, "")) ? [] : [`${tensor} does not need ${name}`];
    });
    return [...kind, ...order];
  });
}

test("the operations have the products and norms of the memory estimate, each after those that it needs", async () => {
  test.skip(missing !== false, "the corpus is not there");
  const fixture = new URL("../../fixtures/graph-products.json", import.meta.url);
  const models = Object.entries(JSON.parse(await readFile(fixture, "utf8")) as Record<string, string[]>);
  expect(models.length).toBeGreaterThan(100);
  const found: Record<string, string[]> = {};
  for (const [path, lines] of models) {
    using gguf = await Gguf.open(read(path));
    const own = differences(modelGraph(modelSource(gguf), tensorRole), lines.map(stepOf));
    if (own.length > 0) found[path] = own;
  }
  expect(found).toEqual({});
});
