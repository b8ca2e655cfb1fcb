/** The graph of a model: its boxes, their order, what they take, and where they are. No page is needed. */

import { expect, test } from "@playwright/test";
import { Gguf, tensorRole, type TensorInfo } from "gguf-wasm/full";
import { errorScale } from "../../../www/src/gguf/error-scale.ts";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import { paintOf } from "../../../www/src/graph/colouring.ts";
import { costsOf, usedShare } from "../../../www/src/graph/costs.ts";
import { placesOf } from "../../../www/src/graph/gpu-layers.ts";
import { type Graph, type GraphNode, nodesOf } from "../../../www/src/graph/graph-model.ts";
import { GRAPH_STATE_FIELDS, isOpenIn, tidied, withAll, withOpen } from "../../../www/src/graph/graph-state.ts";
import { layOut, type PlacedNode } from "../../../www/src/graph/layout.ts";
import { modelGraph } from "../../../www/src/graph/model-graph.ts";
import { nextNode } from "../../../www/src/graph/next-node.ts";
import { nodeFigures, tensorGroups } from "../../../www/src/graph/node-words.ts";
import { cyclesOf } from "../../../www/src/graph/repeats.ts";
import { commonUnits, inUnits, unitsOf } from "../../../www/src/graph/units.ts";
import { modelSource } from "../../../www/src/summary/architecture/model-source.ts";
import { json, missing, read } from "../../package/corpus.mjs";

/** Headers of published models, and one model of most architectures. */
const published = missing
  ? []
  : (json("memory/index.json") as { models: { file: string }[] }).models.map(({ file }) => `memory/${file}`);
const others = [
  "arctic-moe",
  "bert",
  "cogvlm",
  "deepseek2-moe",
  "deepseek32-moe",
  "grovemoe-moe",
  "jamba",
  "nemotron_h",
  "plamo2",
  "rwkv6qwen2",
  "t5",
].map((name) => `llama-cpp-2026-08/loader/bases/${name}.gguf`);

interface Opened {
  readonly gguf: Gguf;
  readonly graph: Graph;
  readonly leaves: readonly GraphNode[];
}

/** Runs `look` on the graph of a model of the corpus. */
async function withGraph<Result>(path: string, look: (opened: Opened) => Result): Promise<Result> {
  using gguf = await Gguf.open(read(path));
  const graph = modelGraph(modelSource(gguf), tensorRole);
  const leaves = [...nodesOf(graph)].map(({ node }) => node).filter(({ inner }) => !inner);
  return look({ gguf, graph, leaves });
}

/** A graph in one line: the titles of its boxes from top to bottom, and those that get the input of the graph. */
function outline(graph: Graph): string {
  const titles = new Map(graph.nodes.map(({ id, title }) => [id, title]));
  const edges = graph.edges.map(({ from, to }) => `${titles.get(from)}→${titles.get(to)}`);
  return [...graph.entries.map((id) => `in→${titles.get(id)}`), ...edges].join(" ");
}

const named = (graph: Graph, id: string): GraphNode => {
  const found = [...nodesOf(graph)].find(({ node }) => node.id === id)?.node;
  if (!found) throw new Error(`The graph has no node ${id}.`);
  return found;
};

test("a link has what is open, and the state is the same after a detour", () => {
  const [block, part] = [{ id: "blk.0", isOpen: true }, { id: "blk.0/attention" }];
  expect([block, part].map((node) => isOpenIn({}, node))).toEqual([true, false]);
  const opened = withOpen({ box: "tokens" }, part, true);
  expect(opened).toEqual({ open: ["blk.0/attention"], box: "tokens" });
  expect(withOpen(opened, part, false)).toEqual({ box: "tokens" });
  const folded = withOpen(opened, block, false);
  expect(folded).toEqual({ open: ["blk.0/attention"], folded: ["blk.0"], box: "tokens" });
  expect(withOpen(folded, block, true)).toEqual(opened);
  // All boxes are open, except for one.
  const all = withAll(folded, true);
  expect([block, part].map((node) => isOpenIn(all, node))).toEqual([true, true]);
  expect(isOpenIn(withOpen(all, part, false), part)).toBe(false);
  expect(withAll(all, false)).toEqual({ box: "tokens" });

  const { parse, format } = locationHash([{ name: "graph", stateFields: GRAPH_STATE_FIELDS }]);
  const state = { ...folded, colour: "bits", search: "ffn & up", as: "list", zoom: 87.5 } as const;
  expect(parse(format({ url: "a.gguf", graph: state }))).toEqual({ url: "a.gguf", graph: state });
  expect(format({ graph: all })).toBe("#graph.open=*&graph.box=tokens");
  expect(parse("#graph.colour=red&graph.zoom=5&graph.as=table&graph.box=&graph.open=,")).toEqual({});
  // Equal states are equal as JSON, whatever was changed first.
  expect(JSON.stringify(tidied({ zoom: 50, colour: "part", open: [], box: undefined, search: "a" }))).toBe(
    '{"search":"a","zoom":50}',
  );
});

test("repeated blocks are cycles", () => {
  expect(cyclesOf([0, 0, 0])).toEqual([{ times: 1, runs: [{ kind: 0, count: 3, places: [0, 1, 2] }] }]);
  const gemma = cyclesOf([0, 0, 1, 0, 0, 1, 0]);
  expect(gemma).toEqual([
    {
      times: 2,
      runs: [
        { kind: 0, count: 2, places: [0, 1, 3, 4] },
        { kind: 1, count: 1, places: [2, 5] },
      ],
    },
    { times: 1, runs: [{ kind: 0, count: 1, places: [6] }] },
  ]);
  expect(cyclesOf([])).toEqual([]);
});

test("llama.cpp puts the last layers on the GPU", () => {
  const isOnGpu = placesOf(4, 2, 4);
  const on = (name: string) => isOnGpu({ name } as TensorInfo);
  expect(["blk.2.attn_q.weight", "blk.3.attn_q.weight", "output.weight"].map(on)).toEqual([false, true, false]);
  expect(placesOf(4, 5, 0)({ name: "output.weight" } as TensorInfo)).toBe(true);
  expect(placesOf(4, 5, 0)({ name: "token_embd.weight" } as TensorInfo)).toBe(false);
  expect(on("blk.3.ffn_up_exps.weight")).toBe(false);
});

test.describe("of the models of the corpus", () => {
  test.skip(missing !== false, "the corpus is not there");

  test("every tensor is in one box, and each box has an id of its own", async () => {
    expect(published.length).toBeGreaterThan(20);
    for (const path of [...published, ...others, "files/mmproj-clip.gguf", "files/tensor-names.gguf"])
      await withGraph(path, ({ gguf, graph, leaves }) => {
        const shown = leaves.flatMap(({ tensors }) => tensors);
        expect(new Set(shown).size, path).toBe(shown.length);
        expect(shown, path).toHaveLength(gguf.tensors.length);
        const ids = [...nodesOf(graph)].map(({ node }) => node.id);
        expect(new Set(ids).size, path).toBe(ids.length);
      });
  });

  test("the weights that are read for a token are those of the memory estimate", async () => {
    for (const path of published)
      await withGraph(path, ({ gguf, leaves }) => {
        const { bytesPerToken, caches = [], state } = gguf.memory();
        // llama.cpp reads the embedding of each layer in another way than a row of a table.
        if (!bytesPerToken || gguf.tensors.some(({ name }) => name.startsWith("per_layer"))) return;
        const kept = caches.reduce((sum, cache) => sum + cache.keyBytes + cache.valueBytes, state?.bytes ?? 0);
        const expected = bytesPerToken.reduce((sum, bytes) => sum + bytes, 0) - kept;
        const shareOf = usedShare(modelSource(gguf));
        const found = leaves.reduce((sum, node) => sum + costsOf(node, shareOf).read, 0);
        expect(Math.abs(found / expected - 1), path).toBeLessThan(0.002);
      });
  });

  test("boxes do not overlap, and stay in the box around them", async () => {
    for (const path of [...published.slice(0, 12), ...others])
      await withGraph(path, ({ graph }) => {
        for (const isOpen of [(node: GraphNode) => node.isOpen ?? false, () => true]) {
          const { nodes, width, height } = layOut(graph, { isOpen });
          const placeOf = new Map(nodes.map((placed) => [placed.node.id, placed]));
          for (const [at, one] of nodes.entries()) {
            const parent = one.around.at(-1);
            const room = (parent && placeOf.get(parent.id)) ?? { x: 0, y: 0, width, height };
            expect(isInside(one, room), `${path}: ${one.node.id}`).toBe(true);
            for (const other of nodes.slice(at + 1))
              if (other.around.at(-1) === parent)
                expect(isApart(one, other), `${path}: ${one.node.id} and ${other.node.id}`).toBe(true);
          }
        }
      });
  });

  test("a dense model: the parts of a block, and the operations of its attention", async () => {
    await withGraph("memory/llama-3.1-8b.gguf", ({ graph }) => {
      expect(outline(graph)).toContain("Rotary factors→32 × block 32 × block→Norm Norm→Output Output→Next token");
      const block = named(graph, "blk.0").inner ?? graph;
      expect(outline(block)).toBe(
        "in→Norm in→+ Norm→Attention Attention→+ +→Norm Norm→Feed-forward Feed-forward→+ +→+",
      );
      expect(block.edges.filter(({ isResidual }) => isResidual)).toHaveLength(1);
      const attention = named(graph, "blk.0/attention");
      expect(attention.lines[0]).toBe("32 heads, 8 for keys and values");
      expect(outline(attention.inner ?? graph)).toBe(
        "in→Query in→Key in→Value Query→Rotary position Key→Rotary position Rotary position→KV cache " +
          "Value→KV cache Rotary position→Scores and softmax KV cache→Scores and softmax Scores and softmax→Attention output",
      );
      expect(tensorGroups(named(graph, "blk.0/attention/v").tensors)).toMatchObject([
        { name: "blk.{n}.attn_v.weight", shapes: "4,096 × 1,024", types: "Q6_K", count: 32 },
      ]);
    });
  });

  test("models whose parts get the same input, mixtures of experts, hybrids, and an encoder with a decoder", async () => {
    const blockOf = (path: string, id: string) =>
      withGraph(path, ({ graph }) => outline(named(graph, id).inner ?? graph));
    expect(await blockOf("memory/command-r-35b.gguf", "blk.0")).toBe(
      "in→Norm in→+ Norm→Attention Norm→Feed-forward Attention→+ Feed-forward→+",
    );
    expect(await blockOf("memory/falcon-h1-0.5b.gguf", "blk.0")).toContain("Norm→State space Norm→Attention");
    expect(await blockOf("memory/bge-small-en.gguf", "blk.0")).toBe(
      "in→Attention in→+ Attention→+ +→Norm Norm→Feed-forward Feed-forward→+ Norm→+ +→Norm",
    );
    expect(await blockOf("memory/deepseek-v2-lite-mla.gguf", "blk.1/experts")).toMatch(
      /Router→Best 6 .*Weighted sum→\+ Shared, down→\+$/,
    );
    expect(await blockOf("llama-cpp-2026-08/loader/bases/t5.gguf", "dec.blk.0")).toContain("Norm→Cross-attention");
    await withGraph("memory/granite-4.0-h-tiny.gguf", ({ graph }) => {
      const cycle = graph.nodes.find(({ kind }) => kind === "blocks");
      expect(cycle?.title).toBe("4 × these 10 blocks");
      expect(cycle?.inner?.nodes.map(({ title }) => title)).toEqual(["5 × block", "Block", "4 × block"]);
    });
    await withGraph("memory/qwen3-next-80b-a3b.gguf", ({ graph }) => {
      expect(named(graph, "blk.0+/blk.0/recurrent").title).toBe("Linear attention");
    });
  });

  test("a projector works on images: its words, its operations, and its names that are exchanged", async () => {
    await withGraph("files/mmproj-clip.gguf", ({ gguf, graph, leaves }) => {
      const shareOf = usedShare(modelSource(gguf));
      const figures = (id: string) => {
        const node = named(graph, id);
        return Object.fromEntries(nodeFigures(node, costsOf(node, shareOf)));
      };
      // The weights of the convolution are a product for each patch, and all positions are used.
      expect(figures("v.blk.Vision encoder")).toMatchObject({
        "Read for an image": "38.1 kB",
        "Operations for a patch": "37.6 K",
      });
      expect(Object.keys(figures("Multimodal projector"))).toContain("Operations for an embedding");
      expect(Object.keys(figures("v.blk.0/attention/scores"))).toEqual(["Operations for each patch that is seen"]);
      expect(commonUnits(leaves)).toEqual({ whole: "an image", each: undefined });
      const { about, lines } = named(graph, "v.blk.0/attention");
      expect(inUnits(about, unitsOf({ id: "v.blk.0/attention", title: "", tensors: [] }))).toBe(
        "Each patch looks at all patches, and takes what it needs from them.",
      );
      expect(lines).toContain("head size 16");
      // "ffn_down" has 32 rows of the input, and "ffn_up" leads back.
      expect(named(graph, "v.blk.0/feed-forward").lines).toEqual(["32 → 64 → 32"]);
      expect(named(graph, "v.blk.0/feed-forward/up").tensors[0]?.name).toBe("v.blk.0.ffn_down.weight");
    });
    const text = await withGraph("memory/llama-3.1-8b.gguf", ({ graph }) => named(graph, "blk.0/attention").about);
    expect(text).toBe("Each token looks at the tokens before it, and takes what it needs from them.");
    const encoder = await withGraph("memory/bge-small-en.gguf", ({ graph }) => named(graph, "blk.0/attention").about);
    expect(encoder).toContain("looks at all tokens");
  });

  test("image and sound have a projector each", async () => {
    const path = "convert-2026-10/expected/gemma-4-E2X-it.mmproj-f16.gguf";
    await withGraph(path, ({ graph }) => {
      expect(outline(graph)).toContain("2 × audio encoder block→Output");
      expect(outline(graph)).toContain("Output→Audio projector");
      expect(outline(graph)).toContain("2 × vision encoder block→Multimodal projector");
      expect(outline(graph)).not.toContain("Audio projector→Multimodal projector");
    });
  });

  test("an architecture that is not known has boxes by block", async () => {
    await withGraph("memory/llama-3.1-8b.gguf", ({ gguf }) => {
      const tensors = gguf.tensors.map((tensor) => ({
        ...tensor,
        name: tensor.name.replace("blk.", "layers.").replace(/attn|ffn/, "part"),
      }));
      const source = { architecture: "lamma", metadata: new Map(), tensors, estimate: undefined };
      const graph = modelGraph(source, tensorRole);
      expect(graph.nodes.find(({ kind }) => kind === "blocks")?.title).toBe("32 × block");
    });
  });

  test("the arrow keys lead to the nearest box, and colours say the bits", async () => {
    await withGraph("memory/llama-3.1-8b.gguf", ({ gguf, graph }) => {
      const { nodes } = layOut(graph, { isOpen: (node) => node.isOpen ?? false });
      const steps = ["tokens", "embedding", "blk.0", "blk.0/norm", "blk.0/attention"];
      for (const [at, id] of steps.entries())
        if (at > 0) expect(nextNode(nodes, steps[at - 1] ?? "", "ArrowDown")).toBe(id);
      expect(nextNode(nodes, "blk.0/attention", "Home")).toBe("tokens");
      const shareOf = usedShare(modelSource(gguf));
      const context = {
        costsOf: (node: GraphNode) => costsOf(node, shareOf),
        largest: 1e9,
        errors: new Map([["output.weight", 0.001]]),
        errorScale: errorScale([0.001]),
        isOnGpu: () => true,
      };
      const words = (id: string, by: "bits" | "error" | "device") => paintOf(named(graph, id), by, context).words;
      expect(words("blk.0/attention/v", "bits")).toBe("6.56 bits");
      expect(words("output", "error")).toBe("error 0.001");
      expect(words("tokens", "bits")).toBe("");
      expect(words("output", "device")).toBe("GPU");
    });
  });
});

type Place = Pick<PlacedNode, "x" | "y" | "width" | "height">;

const isInside = (inner: Place, outer: Place) =>
  inner.x >= outer.x - 0.5 &&
  inner.y >= outer.y - 0.5 &&
  inner.x + inner.width <= outer.x + outer.width + 0.5 &&
  inner.y + inner.height <= outer.y + outer.height + 0.5;

const isApart = (one: Place, other: Place) =>
  one.x + one.width <= other.x + 0.5 ||
  other.x + other.width <= one.x + 0.5 ||
  one.y + one.height <= other.y + 0.5 ||
  other.y + other.height <= one.y + 0.5;
