/** The machine of the person: one setting, and one rule for what a model may take of it. */

import { expect, test } from "@playwright/test";
import { Gguf } from "gguf-wasm/explain";
import { findFit } from "../../../www/src/memory/fit.ts";
import { largestContext } from "../../../www/src/memory/largest-context.ts";
import {
  type Machine,
  machineWords,
  parseMachine,
  withContext,
  withGiven,
  withShared,
} from "../../../www/src/memory/machine.ts";
import { contextOf, isBeyond, loadState, memoryOptions, modelFacts } from "../../../www/src/memory/settings.ts";
import { findCards } from "../../../www/src/summary/will-it-run/verdict.ts";
import { machineVerdict } from "../../../www/src/summary/will-it-run/machine-words.ts";
import { memoryHere } from "../../../www/src/worker/memory-source.ts";
import { missing, read } from "../../package/corpus.mjs";

const GOES_ON = new AbortController().signal;

async function withModel<Result>(name: string, use: (gguf: Gguf) => Promise<Result>): Promise<Result> {
  const gguf = await Gguf.open(read(`memory/${name}`));
  try {
    return await use(gguf);
  } finally {
    gguf.free();
  }
}

test("a stored machine is read without what is not valid", () => {
  expect(parseMachine('{"cards":[24,11.5],"main":64,"context":32768,"gpuRate":936}')).toEqual({
    cards: [24, 11.5],
    main: 64,
    context: 32_768,
    gpuRate: 936,
  });
  expect(parseMachine('{"cards":[16],"shared":true}')).toEqual({ cards: [16], shared: true });
  for (const text of ["", "null", "[]", "theirs", '{"cards":"12"}', '{"cards":[0]}', '{"cards":[12,12],"shared":true}'])
    expect(parseMachine(text), text).toEqual({});
  expect(parseMachine('{"main":33,"context":-1,"mainRate":1e9,"isBeyond":true}')).toEqual({});
});

test("a machine in words", () => {
  const words = (cards?: readonly number[]) => machineWords(cards === undefined ? {} : { cards, main: 64 });
  expect([words(), words([]), words([12]), words([24, 24]), words([24, 11.5])]).toEqual([
    undefined,
    "64 GB of main memory",
    "12 GB",
    "2 × 24 GB",
    "24 + 11.5 GB",
  ]);
});

test("what a link says counts instead, and a card is kept if memory is shared", () => {
  const own: Machine = { cards: [12], context: 4096 };
  expect(withGiven(own, {})).toBe(own);
  expect(withGiven(own, { card: 24 })).toMatchObject({ cards: [24], context: 4096 });
  expect(withGiven(own, { context: 9000 })).toMatchObject({ cards: [12], context: 9000, isBeyond: "given" });
  expect(withShared({ cards: [16, 8] }, true).cards).toEqual([16]);
  expect(withShared({ cards: [36], shared: true }, false).cards).toEqual([8]);
});

test("a context beyond the trained one counts only if a person has chosen one", () => {
  const facts = { ownContext: 4096 };
  expect(contextOf({}, facts)).toBe(4096);
  expect(contextOf({}, { ownContext: 131_072 })).toBe(8192);
  // The next model was trained for less.
  expect(contextOf(withContext({}, 32_768, 131_072), facts)).toBe(4096);
  const beyond = withContext({}, 5000, 4096);
  expect(contextOf(beyond, facts)).toBe(5000);
  expect(isBeyond(5000, facts)).toBe(true);
  expect(contextOf(withContext(beyond, 2048, 4096), { ownContext: 1024 })).toBe(1024);
});

test.describe("real models", () => {
  test.skip(missing !== false, String(missing));

  test("the same card has the same largest context in the list of cards, in the answer and in the memory panel", async () => {
    for (const name of ["llama-3.1-8b.gguf", "qwen3-30b-a3b.gguf"])
      await withModel(name, async (gguf) => {
        const facts = modelFacts(gguf);
        const source = memoryHere(gguf, GOES_ON);
        const { cards: listed } = await findCards(source, facts, 8192);
        for (const machine of [{ cards: [12] }, { cards: [24] }, { cards: [48] }, { cards: [32], shared: true }]) {
          const { ways: [best] = [] } = (await findFit(source, facts, machine)) ?? {};
          if (best === undefined) throw new Error(`${name} fits nowhere`);
          const options = memoryOptions(loadState(best.state, machine, facts), facts);
          const label = `${name}, ${JSON.stringify(machine)}`;
          expect(await largestContext(gguf, source, options, machine, undefined), label).toBe(best.longest);
          const [card] = machine.cards;
          const words = listed.find((row) => row.card === card)?.words ?? "";
          const most = Math.min(best.longest, facts.ownContext ?? Infinity).toLocaleString("en");
          if (!machine.shared && best.isFree) expect(words, label).toContain(most);
        }
      });
  });

  test("several cards hold the layers of a model that one of them cannot hold", async () => {
    await withModel("qwen3-30b-a3b.gguf", async (gguf) => {
      const facts = modelFacts(gguf);
      const source = memoryHere(gguf, GOES_ON);
      expect((await findFit(source, facts, { cards: [16] }))?.ways[0]?.isFree).toBe(false);
      for (const cards of [
        [16, 16],
        [16, 8],
      ]) {
        const [best] = (await findFit(source, facts, { cards }))?.ways ?? [];
        if (best === undefined) throw new Error("it fits nowhere");
        expect(best).toMatchObject({ isFree: true, title: "Everything on the 2 cards" });
        const machine = { cards };
        const state = loadState(best.state, machine, facts);
        expect(state.split).toHaveLength(2);
        const estimate = gguf.memory(memoryOptions(state, facts));
        for (const [at, size] of cards.entries())
          expect(estimate.devices[at]?.total?.high).toBeLessThanOrEqual((size - 1) * 2 ** 30);
        expect(await largestContext(gguf, source, memoryOptions(state, facts), machine, undefined)).toBe(best.longest);
      }
    });
  });

  test("the line beside the panels names the machine and the longest context", async () => {
    await withModel("llama-3.1-8b.gguf", async (gguf) => {
      const facts = modelFacts(gguf);
      const verdict = async (machine: Machine) =>
        machineVerdict(await findFit(memoryHere(gguf, GOES_ON), facts, machine), machine, facts).text;
      expect(await verdict({ cards: [12] })).toBe("Runs on your 12 GB: 52k context");
      expect(await verdict({ cards: [48] })).toBe("Runs on your 48 GB: 131k context");
      expect(await verdict({ cards: [48], context: 140_000, isBeyond: true })).toMatch(
        /^Runs on your 48 GB: \d+k context, longer than trained$/,
      );
      expect(await verdict({ cards: [4], main: 32 })).toMatch(/^Runs on your 4 GB with changes: /);
      expect(await verdict({ cards: [4], shared: true })).toBe("Does not run on your 4 GB");
    });
  });
});
