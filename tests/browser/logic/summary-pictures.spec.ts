/** What the pictures of the summary show, on headers of published models. No page is needed. */

import { expect, test } from "@playwright/test";
import { changesWords } from "../../../www/src/summary/will-it-run/verdict.ts";
import { Gguf, tensorRole } from "gguf-wasm/full";
import { memoryOptions, modelFacts } from "../../../www/src/memory/settings.ts";
import { layOut } from "../../../www/src/summary/architecture/layout.ts";
import { modelStages } from "../../../www/src/summary/architecture/model-parts.ts";
import { modelSource } from "../../../www/src/summary/architecture/model-source.ts";
import { placeFinder } from "../../../www/src/summary/block-roles.ts";
import { CURVE_TYPES, curveContexts, memoryCurve } from "../../../www/src/summary/context-curve/curve.ts";
import { formatRanges, runsOf } from "../../../www/src/summary/number-ranges.ts";
import { largestRoles, parameterTree } from "../../../www/src/summary/parameters/tree.ts";
import { bitsGroups, modelGrids, typeRuns } from "../../../www/src/summary/quantization-map/grid.ts";
import { roleWords, spentWords } from "../../../www/src/summary/quantization-map/words.ts";
import { memoryHere } from "../../../www/src/worker/memory-source.ts";
import { findFit } from "../../../www/src/memory/fit.ts";
import { RESERVE } from "../../../www/src/memory/room.ts";
import { mostTokens } from "../../../www/src/memory/bandwidths.ts";
import { json, missing, read } from "../../package/corpus.mjs";

const GIB = 2 ** 30;
/** A signal that is not aborted. */
const GOES_ON = new AbortController().signal;

/** The headers of the corpus: models of many architectures with the sizes that were published. */
const names = missing
  ? []
  : (json("memory/index.json") as { models: { file: string }[] }).models.map(({ file }) => file);

/** Runs `look` on the header of a model of the corpus. */
async function withModel<Result>(name: string, look: (gguf: Gguf) => Result | Promise<Result>): Promise<Result> {
  using gguf = await Gguf.open(read(`memory/${name}`));
  return await look(gguf);
}

const gridsOf = ({ tensors }: Gguf) => modelGrids(tensors, placeFinder(tensorRole));
const stagesOf = (gguf: Gguf) => modelStages(modelSource(gguf), placeFinder(tensorRole));

test("ranges of numbers", () => {
  expect(runsOf([0, 1, 2, 5, 7, 8])).toEqual([
    [0, 2],
    [5, 5],
    [7, 8],
  ]);
  expect(formatRanges([0, 1, 2, 5, 7, 8])).toBe("0–2, 5, 7, 8");
  expect(formatRanges([])).toBe("");
  expect(formatRanges(Array.from({ length: 20 }, (_, at) => 2 * at))).toMatch(/^0, 2, .*, 22 and more$/);
});

test.describe("of the models of the corpus", () => {
  test.skip(missing !== false, "the corpus is not there");

  test("every tensor of a block is in one cell, and its block has the bytes of its tensors", async () => {
    expect(names.length).toBeGreaterThan(20);
    for (const name of names)
      await withModel(name, (gguf) => {
        const { grids, outer } = gridsOf(gguf);
        const shown = [...grids.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)), ...outer].flatMap((found) =>
          found === undefined ? [] : "tensors" in found ? found.tensors : [found.tensor],
        );
        expect(new Set(shown).size, name).toBe(shown.length);
        expect(shown, name).toHaveLength(gguf.tensors.length);
        for (const { whole, rows } of grids)
          for (const [at, cell] of whole.cells.entries()) {
            const count = rows.reduce((sum, { cells }) => sum + (cells[at]?.tensors.length ?? 0), 0);
            expect(cell?.tensors, name).toHaveLength(count);
          }
      });
  });

  test("a model with mixed types shows where it has more bits", async () => {
    await withModel("llama-3.1-8b.gguf", (gguf) => {
      const [grid] = gridsOf(gguf).grids;
      if (!grid) throw new Error("The model has no blocks.");
      expect(grid.blocks).toHaveLength(32);
      expect(grid.rows.map(({ title }) => title)).toEqual([
        "Query",
        "Key",
        "Value",
        "Attention output",
        "Gate",
        "Up",
        "Down",
        "Norms",
      ]);
      const down = grid.rows.find(({ name }) => name === "down");
      if (!down) throw new Error("The model has no down projections.");
      // The words agree with the header.
      for (const { types, blocks } of typeRuns(down))
        for (const block of blocks) expect(gguf.tensor(`blk.${block}.ffn_down.weight`)?.type).toBe(types[0]);
      expect(typeRuns(down).flatMap(({ blocks }) => blocks)).toHaveLength(32);
      expect(roleWords(down)[0]).toMatch(/^Q\d_K in blocks [\d–, ]+( and more)?: \d\.\d\d bits per weight$/);
      expect(roleWords({ ...down, cells: down.cells.slice(0, 1) })).toHaveLength(1);
      const groups = bitsGroups(grid);
      expect(groups.length).toBeGreaterThan(1);
      expect(spentWords(grid)).toContain(`The fewest bits per weight: ${groups[0]?.bits} in block`);
      expect(spentWords(grid)).toContain(`The most: ${groups.at(-1)?.bits} in block`);
    });
  });

  test("equal blocks are folded, and each block is in one fold", async () => {
    for (const name of names)
      await withModel(name, (gguf) => {
        const folds = stagesOf(gguf).flatMap((stage) => ("folds" in stage ? stage.folds : []));
        const blocks = folds.flatMap(({ blocks: own }) => own);
        expect(new Set(blocks).size, name).toBe(blocks.length);
        const numbers = gguf.tensors.flatMap((tensor) => /\bblk\.(\d+)\./.exec(tensor.name)?.[1] ?? []);
        expect(blocks.length, name).toBe(new Set(numbers).size);
        expect(folds.length, name).toBeLessThanOrEqual(8);
        for (const { boxes } of folds) expect(boxes.length, name).toBeGreaterThan(0);
      });
  });

  test("the boxes of models with experts, of hybrids and of models with windows", async () => {
    const boxesOf = (name: string) =>
      withModel(name, (gguf) =>
        stagesOf(gguf).flatMap((stage) =>
          "boxes" in stage
            ? []
            : stage.folds.map(
                ({ title, boxes }) =>
                  `${title}: ${boxes.map((box) => [box.title, ...box.lines].join(", ")).join("; ")}`,
              ),
        ),
      );
    expect(await boxesOf("qwen3-30b-a3b.gguf")).toEqual([
      "48 × block: Attention, 32 heads, 4 for keys and values, head size 128; Experts, 128 experts, 8 used for each token, each 2,048 → 768",
    ]);
    const granite = await boxesOf("granite-4.0-h-tiny.gguf");
    expect(granite.map((words) => words.replace(/:.*?: /, ": ").slice(0, 26))).toEqual([
      "36 × block: State space, i",
      "4 × block: Attention, 12 h",
    ]);
    const gemma = await boxesOf("gemma-2-9b.gguf");
    expect(gemma).toHaveLength(2);
    expect(gemma.filter((words) => words.includes("window of 4,096 tokens"))).toHaveLength(1);
  });

  test("boxes that compute one after the other stand below each other, and others side by side", async () => {
    const placesOf = (name: string) =>
      withModel(name, (gguf) => {
        const { boxes } = layOut(stagesOf(gguf), 560);
        return boxes
          .filter(({ box }) => ["attention", "feed-forward"].includes(box.kind))
          .map(({ y, row }) => ({ y, row }));
      });
    const [attention, forward] = await placesOf("llama-3.1-8b.gguf");
    expect(forward?.y).toBeGreaterThan(attention?.y ?? Infinity);
    expect(forward?.row).toBe((attention?.row ?? 0) + 1);
    const [first, second] = await placesOf("command-r-35b.gguf");
    expect(first).toEqual(second);
  });

  test("boxes do not overlap, and stay within the picture", async () => {
    for (const width of [320, 460, 900])
      for (const name of names.slice(0, 12))
        await withModel(name, (gguf) => {
          const { boxes, height } = layOut(stagesOf(gguf), width);
          for (const [at, box] of boxes.entries()) {
            expect(box.x + box.width, name).toBeLessThanOrEqual(width + 0.01);
            expect(box.y + box.height, name).toBeLessThanOrEqual(height);
            for (const other of boxes.slice(at + 1)) {
              const isApart = other.x >= box.x + box.width || other.y >= box.y + box.height;
              expect(isApart, `${name}: ${box.title} and ${other.title}`).toBe(true);
            }
          }
        });
  });

  test("the areas of the treemap are all parameters of the model", async () => {
    for (const name of names)
      await withModel(name, (gguf) => {
        const roles = parameterTree(gguf.tensors, placeFinder(tensorRole));
        expect(
          roles.reduce((sum, { elements }) => sum + elements, 0),
          name,
        ).toBe(gguf.parameterCount);
        for (const { elements, children } of roles)
          if (children.length > 0)
            expect(
              children.reduce((sum, child) => sum + child.elements, 0),
              name,
            ).toBe(elements);
      });
  });

  test("roles with equally many parameters are named together", async () => {
    const titles = (name: string) =>
      withModel(name, (gguf) => {
        const largest = largestRoles(parameterTree(gguf.tensors, placeFinder(tensorRole)));
        expect(largest.map(({ title }) => title).sort(), name).toEqual(
          name.startsWith("llama") ? ["Down", "Gate", "Up"] : ["Experts, down", "Experts, gate", "Experts, up"],
        );
      });
    await titles("llama-3.1-8b.gguf");
    await titles("qwen3-30b-a3b.gguf");
    expect(largestRoles([])).toEqual([]);
  });

  test("the curve has the figures of memory()", async () => {
    expect(curveContexts(4096)).toEqual([256, 512, 1024, 2048, 4096]);
    expect(curveContexts(40_960).at(-1)).toBe(40_960);
    expect(curveContexts(512)).toEqual([256, 512]);
    for (const name of names)
      await withModel(name, async (gguf) => {
        const points = await memoryCurve(memoryHere(gguf, GOES_ON), curveContexts(modelFacts(gguf).ownContext));
        for (const { context, weights, cache, compute, totals } of points ?? []) {
          const { devices } = gguf.memory({ contextLength: context });
          const [gpu] = devices;
          expect(totals.F16, name).toBe(gpu.total?.high);
          expect(totals.F16, name).toBe(weights + cache + compute + (gpu.output ?? NaN));
          for (const type of CURVE_TYPES) {
            if (totals[type] === undefined) continue;
            const [narrow] = gguf.memory({ contextLength: context, keyType: type, valueType: type }).devices;
            expect(totals[type], name).toBe(narrow.total?.high);
          }
        }
      });
  });

  test("each way fits beside what is left free, and one layer more would not", async () => {
    for (const name of ["llama-3.1-8b.gguf", "qwen3-30b-a3b.gguf", "granite-4.0-h-tiny.gguf"])
      for (const gpu of [0, 4, 8, 12, 24])
        await withModel(name, async (gguf) => {
          const facts = modelFacts(gguf);
          const room = { cards: gpu === 0 ? [] : [gpu], main: 64, context: 8192 };
          const { ways = [], missing } = (await findFit(memoryHere(gguf, GOES_ON), facts, room)) ?? {};
          expect(missing, name).toBeUndefined();
          expect(ways[0]?.hasContext, `${name} on ${gpu} GB`).toBe(true);
          expect(new Set(ways.map(({ title }) => title)).size, name).toBe(ways.length);
          for (const { state } of ways) {
            const takes = (change: object) =>
              gguf.memory({ ...memoryOptions(state, facts), ...change }).devices.map(({ total }) => total?.high);
            const [onGpu = 0, onCpu = 0] = takes({});
            const most = Math.max(0, gpu - RESERVE) * GIB;
            expect(onGpu, name).toBeLessThanOrEqual(most);
            expect(onCpu, name).toBeLessThanOrEqual(64 * GIB);
            const { layers, experts = 0 } = state;
            if (layers !== undefined) expect(takes({ gpuLayers: layers + 1 })[0], name).toBeGreaterThan(most);
            if (experts > 0) expect(takes({ cpuExperts: experts - 1 })[0], name).toBeGreaterThan(most);
          }
        });
  });

  test("one memory for GPU and CPU holds everything, or the model does not fit", async () => {
    await withModel("llama-3.1-8b.gguf", async (gguf) => {
      const facts = modelFacts(gguf);
      const fitIn = (gpu: number, context: number) =>
        findFit(memoryHere(gguf, GOES_ON), facts, { cards: [gpu], main: 32, shared: true, context });
      const whole = await fitIn(16, 8192);
      expect(whole?.ways[0]).toMatchObject({ title: "Everything in the memory", cost: "nothing", isFree: true });
      expect(whole?.ways[0]?.devices[0]?.total.high).toBeLessThanOrEqual((16 - RESERVE) * GIB);
      const little = await fitIn(8, 131_072);
      expect(little?.missing).toBeGreaterThan(0);
      expect(little?.ways.map(({ hasContext }) => hasContext)).toEqual([false]);
      expect(little?.ways[0]?.title).toMatch(/^Everything in the memory, a context of [\d,]+ tokens$/);
      expect(little?.ways[0]?.state.context).toBe(little?.ways[0]?.longest);
      expect((await fitIn(4, 8192))?.ways).toEqual([]);
    });
  });

  test("a shorter context is offered if it leaves nothing to the CPU", async () => {
    await withModel("llama-3.1-8b.gguf", async (gguf) => {
      const facts = modelFacts(gguf);
      const room = { cards: [8], main: 32, context: 131_072 };
      const { ways = [] } = (await findFit(memoryHere(gguf, GOES_ON), facts, room)) ?? {};
      expect(ways.map(({ hasContext }) => hasContext)).toEqual([true, true, false]);
      expect(ways.at(-1)).toMatchObject({ cost: "a shorter context" });
      expect(ways.at(-1)?.title).toMatch(/^Everything on the GPU, a context of /);
      // It is as long as it can be.
      expect(ways.at(-1)?.state.context).toBe(ways.at(-1)?.longest);
    });
    await withModel("qwen3-30b-a3b.gguf", async (gguf) => {
      const room = { cards: [12], main: 32, context: 8192 };
      const { ways = [] } = (await findFit(memoryHere(gguf, GOES_ON), modelFacts(gguf), room)) ?? {};
      expect(ways.map(({ hasContext }) => hasContext)).toEqual([true, true]);
    });
  });
});

test("the most tokens in a second are those of both devices, one after the other", () => {
  expect(mostTokens([5e9, 0], [1000, undefined])).toBe(200);
  expect(mostTokens([0, 5e9], [undefined, 50])).toBe(10);
  expect(mostTokens([5e9, 5e9], [1000, 50])).toBeCloseTo(1 / 0.105, 10);
  expect(mostTokens([5e9, 1], [1000, undefined])).toBeUndefined();
  expect(mostTokens([0, 0], [1000, 50])).toBeUndefined();
});

test("a verdict that a model fits with changes has a comma before the context only", () => {
  const context = " with a context of 8,192 tokens";
  expect(changesWords({ isFree: true }, context)).toBe("");
  expect(changesWords({ isFree: false }, context)).toBe(", with changes,");
  expect(changesWords({ isFree: false }, "")).toBe(", with changes");
});
