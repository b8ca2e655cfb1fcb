/** The logic of the memory panel that needs no page. */

import { expect, test } from "@playwright/test";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import { serverCommand } from "../../../www/src/memory/command.ts";
import { formatRange, verdictOf } from "../../../www/src/memory/devices.ts";
import { MEMORY_STATE_FIELDS, withoutDefaults } from "../../../www/src/memory/memory-state.ts";
import { contextSteps, stepOf } from "../../../www/src/memory/settings.ts";
import { memoryHere } from "../../../www/src/worker/memory-source.ts";
import { formatBinaryBytes, formatCapacity } from "../../../www/src/ui/numbers.ts";

/** A model whose estimates count themselves, and end the waiting after the second. */
function countedModel(ending: AbortController) {
  const calls: unknown[] = [];
  const count = (options: unknown) => {
    calls.push(options);
    if (calls.length === 2) ending.abort(new Error("nobody waits"));
    return undefined as never;
  };
  return { calls, gguf: { memory: count, fit: count, largestContext: count } };
}

const { parse, format } = locationHash([{ name: "memory", stateFields: MEMORY_STATE_FIELDS }]);
const facts = { ownContext: 131_072, layerCount: 32, hasExperts: false, hasWindow: false, isLoadable: true };

test("choices are read from the hash that they were written to", () => {
  const memory = {
    context: 8192,
    keys: "Q8_0",
    values: "IQ4_NL",
    sequences: 4,
    unified: true,
    layers: 0,
    experts: 3,
    microBatch: 4096,
    noFlash: true,
    fullWindow: true,
    split: [23, 11.5],
    card: 11.5,
    shared: true,
    second: "https://example.com/mmproj model.gguf",
  } as const;
  expect(parse(format({ memory }))).toEqual({ memory });
  expect(format({ memory })).toBe(
    "#memory.context=8192&memory.keys=q8_0&memory.values=iq4_nl&memory.sequences=4&memory.unified=1&memory.layers=0&memory.experts=3&memory.ubatch=4096&memory.flash=off&memory.window=full&memory.split=23-11.5&memory.card=11.5&memory.shared=1&memory.second=https://example.com/mmproj%20model.gguf",
  );
  expect(format({ memory: { keys: "F16", sequences: 1, microBatch: 512, noFlash: false } })).toBe("");
  // The order of the members does not matter.
  expect(JSON.stringify(withoutDefaults({ shared: true, context: 1 }))).toBe('{"context":1,"shared":true}');
});

test("a list of estimates ends when nobody waits for it", async () => {
  for (const name of ["memories", "largestContexts"] as const) {
    const ending = new AbortController();
    const { calls, gguf } = countedModel(ending);
    const asked = [8, 12, 16, 24].map((card) => ({ microBatch: 512, bytes: card * 2 ** 30 }));
    await expect(memoryHere(gguf, ending.signal)[name](asked)).rejects.toThrow("nobody waits");
    expect(calls, name).toEqual(asked.slice(0, 2));
  }
});

test("the slider stops at powers of two, half-way between them, and at the model's own context", () => {
  expect(contextSteps({ ...facts, ownContext: 20_480 })).toEqual([
    512, 1024, 2048, 4096, 6144, 8192, 12_288, 16_384, 20_480,
  ]);
  expect(contextSteps({ ...facts, ownContext: 256 })).toEqual([256]);
  expect(contextSteps({ ...facts, ownContext: undefined }).at(-1)).toBe(131_072);
  // A file may state any length.
  expect(contextSteps({ ...facts, ownContext: 2 ** 63 }).at(-1)).toBe(2 ** 24);
  const steps = contextSteps(facts);
  expect([1, 512, 7000, 8192, 10 ** 9].map((context) => steps[stepOf(steps, context)])).toEqual([
    512, 512, 6144, 8192, 131_072,
  ]);
});

test("the name of the file is one word of the command", () => {
  const nameIn = (name: string) =>
    serverCommand(name, {}, facts)
      .replace(/^llama-server -m /, "")
      .replace(/ -c .*$/, "");
  expect(nameIn("Llama-3.1_8B.Q4_K_M.gguf")).toBe("Llama-3.1_8B.Q4_K_M.gguf");
  expect(nameIn("two words.gguf")).toBe("'two words.gguf'");
  expect(nameIn("$(rm -rf ~);'.gguf")).toBe("'$(rm -rf ~);'\\''.gguf'");
  expect(nameIn("-rf.gguf")).toBe("./-rf.gguf");
  expect(nameIn("модель.gguf")).toBe("'модель.gguf'");
  // A terminal may act on control characters, and a person cannot see characters that reorder the text.
  for (const name of ["", "a\nb.gguf", "a\u001b[201~b.gguf", "a\u202eb.gguf"]) expect(nameIn(name)).toBe("model.gguf");
});

test("the command names what llama-server would choose itself", () => {
  expect(serverCommand("a.gguf", {}, facts)).toBe("llama-server -m a.gguf -c 131072 -np 1 -ngl 33 -fa on");
  expect(serverCommand("a.gguf", { unified: true, microBatch: 512, keys: "F16" }, facts)).toBe(
    "llama-server -m a.gguf -c 131072 -np 1 -ngl 33 -fa on",
  );
  expect(
    serverCommand(
      "a.gguf",
      {},
      { ownContext: undefined, layerCount: 0, hasExperts: false, hasWindow: false, isLoadable: true },
    ),
  ).toBe("llama-server -m a.gguf -np 1 -fa on");
  // Experts on the CPU exist only in models with experts, and not in one memory.
  const mixture = { ...facts, hasExperts: true };
  expect(serverCommand("a.gguf", { experts: 40, layers: 5 }, mixture)).toContain("-ngl 5 --n-cpu-moe 32 -fa");
  expect(serverCommand("a.gguf", { experts: 40, layers: 5, shared: true }, mixture)).toContain("-ngl 33 -fa");
  expect(serverCommand("a.gguf", { experts: 40 }, facts)).not.toContain("moe");
});

test("sizes in binary units", () => {
  expect([0, 1, 1023, 1024, 1536, 2 ** 20 - 1, 24 * 2 ** 30, 2 ** 60].map((size) => formatBinaryBytes(size))).toEqual([
    "0 bytes",
    "1 byte",
    "1,023 bytes",
    "1.00 KiB",
    "1.50 KiB",
    "1.00 MiB",
    "24.0 GiB",
    "1024 PiB",
  ]);
  // Beside a larger size, a size has its unit: nobody has to convert.
  expect(formatBinaryBytes(314 * 2 ** 20, 5.58 * 2 ** 30)).toBe("0.31 GiB");
  expect(formatBinaryBytes(48.4 * 2 ** 20, 12 * 2 ** 30)).toBe("48.4 MiB");
  expect(formatBinaryBytes(2 ** 30, 2 ** 20)).toBe("1.00 GiB");
  expect([12 * 2 ** 30, 11.5 * 2 ** 30, 100 * 2 ** 30, 16_384].map(formatCapacity)).toEqual([
    "12 GiB",
    "11.5 GiB",
    "100 GiB",
    "16 KiB",
  ]);
  expect(formatRange({ low: 2 ** 20, high: 3 * 2 ** 29 }, 24 * 2 ** 30)).toBe("1.00 MiB to 1.50 GiB");
  expect(formatRange({ low: 2 ** 30, high: 3 * 2 ** 29 })).toBe("1.00 to 1.50 GiB");
  expect(formatRange({ low: 2 ** 20, high: 2 ** 30 })).toBe("1.00 MiB to 1.00 GiB");
  expect(formatRange({ low: 2 ** 30, high: 2 ** 30 + 1 })).toBe("1.00 GiB");
});

test("a verdict says whether the model fits for sure, perhaps, or not", () => {
  const GIB = 2 ** 30;
  const nothing = { low: 0, high: 0 };
  const parts = { weights: nothing, cache: nothing, state: nothing, output: nothing, compute: nothing };
  const verdict = (low: number, high: number, capacity?: number, unknown: readonly "cache"[] = []) =>
    verdictOf(
      { name: "GPU", parts, total: { low: low * GIB, high: high * GIB }, capacity, usable: capacity && capacity - GIB },
      unknown,
    );
  expect(verdict(1, 2, 8 * GIB)).toEqual({
    fit: "fits",
    text: "Fits: takes 1.00 to 2.00 GiB of 8 GiB, and leaves 6.00 GiB free.",
  });
  expect(verdict(1, 7, 8 * GIB).fit).toBe("fits");
  expect(verdict(7, 8, 8 * GIB)).toEqual({
    fit: "tight",
    text: "May not fit: takes 7.00 to 8.00 GiB of 8 GiB, of which 1 GiB is left free.",
  });
  expect(verdict(9, 10, 8 * GIB)).toEqual({
    fit: "over",
    text: "Does not fit: takes 9.00 to 10.0 GiB of 8 GiB, of which 1 GiB is left free: at least 2.00 GiB too much.",
  });
  expect(verdict(9, 9, 8 * GIB).text).toBe(
    "Does not fit: takes 9.00 GiB of 8 GiB, of which 1 GiB is left free: 2.00 GiB too much.",
  );
  expect(verdict(0, 0, 8 * GIB)).toEqual({ fit: "fits", text: "Nothing is on the GPU." });
  expect(verdict(1, 2)).toEqual({ fit: "open", text: "Takes 1.00 to 2.00 GiB of GPU memory." });
  // A part that is not known can only make it more.
  expect(verdict(1, 1, 8 * GIB, ["cache"])).toEqual({
    fit: "open",
    text: "Not known whether it fits: takes at least 1.00 GiB of 8 GiB, without KV cache.",
  });
  expect(verdict(9, 9, 8 * GIB, ["cache"])).toEqual({
    fit: "over",
    text: "Does not fit: takes at least 9.00 GiB of 8 GiB, of which 1 GiB is left free: at least 2.00 GiB too much.",
  });
});
