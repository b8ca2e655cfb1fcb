import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import type { ComparedTensor } from "gguf-wasm/full";
import { amountsFor, firstAmount, SAMPLES } from "../../../www/src/compare/amounts.ts";
import { bytePlaces } from "../../../www/src/compare/byte-places.ts";
import { COMPARE_STATE_FIELDS } from "../../../www/src/compare/compare-state.ts";
import { cosineText } from "../../../www/src/compare/cosine-text.ts";
import { DifferenceList } from "../../../www/src/compare/difference-list.ts";
import {
  changeTitle,
  countWords,
  coverageText,
  dataTitle,
  rangeText,
  tensorWords,
  tokenWords,
} from "../../../www/src/compare/words.ts";
import { exportName, fileNamePart, templateExports } from "../../../www/src/worker/export-files.ts";
import { loadLibrary } from "../../../www/src/gguf/library.ts";
import { giveLibrary } from "../../../www/src/gguf/started-library.ts";
import { locationHash } from "../../../www/src/app/location-hash.ts";

test.beforeAll(async () => {
  const module = await readFile(new URL("../../../pkg/explain/gguf_wasm_explain_bg.wasm", import.meta.url));
  giveLibrary(await WebAssembly.compile(module));
  await loadLibrary();
});

interface Difference {
  name: string;
  size: number | undefined;
}

/** A list that counts what is read of it. */
function listOf(count: number, at: (index: number) => Difference) {
  const read = { calls: 0, rows: 0 };
  const list = new DifferenceList<Difference>(count, (start, end) => {
    read.calls += 1;
    read.rows += end - start;
    return Array.from({ length: end - start }, (_, i) => at(start + i));
  });
  return { list, read };
}

const signal = () => new AbortController().signal;

test("rows are read in pages, and pages are kept", () => {
  const { list, read } = listOf(1_000_000, (index) => ({ name: `t${index}`, size: index }));
  for (let index = 500_000; index < 500_040; index += 1) expect(list.at(index)?.name).toBe(`t${index}`);
  expect(read.calls).toBe(1);
  expect(list.at(999_999)?.name).toBe("t999999");
  expect(list.at(1_000_000)).toBeUndefined();
  // Few pages stay in memory, so a page that was passed long ago is read again.
  for (let index = 0; index < 20_000; index += 256) list.at(index);
  const { calls } = read;
  list.at(500_000);
  expect(read.calls).toBe(calls + 1);
});

test("differences are found and sorted, and those without a key come last in both directions", async () => {
  const sizes = [3, undefined, 1, 2, 3, undefined];
  const { list } = listOf(sizes.length, (index) => ({ name: `n${index % 2}`, size: sizes[index] }));
  const odd = await list.find(({ name }) => name === "n1", signal());
  expect([...odd]).toEqual([1, 3, 5]);
  const bySize = ({ size }: Difference) => size;
  expect([...(await list.sort(undefined, bySize, false, signal()))]).toEqual([2, 3, 0, 4, 1, 5]);
  expect([...(await list.sort(undefined, bySize, true, signal()))]).toEqual([0, 4, 3, 2, 1, 5]);
  expect([...(await list.sort(odd, bySize, true, signal()))]).toEqual([3, 1, 5]);
});

test("a search that is aborted stops reading", async () => {
  const abort = new AbortController();
  const { list, read } = listOf(100_000, (index) => ({ name: String(index), size: index }));
  const found = list.find(() => {
    abort.abort();
    return true;
  }, abort.signal);
  await expect(found).rejects.toThrow();
  expect(read.rows).toBeLessThan(5000);
});

test("local files are read whole, and of downloads a sample", () => {
  const [small = 0, large = 0] = SAMPLES;
  expect(amountsFor(1000)).toEqual(["whole"]);
  expect(amountsFor(large + 1)).toEqual([small, large, "whole"]);
  expect(firstAmount(large * 10, true)).toBe(small);
  expect(firstAmount(small, true)).toBe("whole");
  expect(firstAmount(large * 10, false)).toBe("whole");
});

test("differences in words", () => {
  expect(changeTitle({ change: "changed", isMoved: true })).toBe("Changed, moved");
  expect(changeTitle({ change: "moved", isMoved: true })).toBe("Moved");
  const counts = { equal: 1200, added: 0, removed: 1, changed: 2, retyped: 0, moved: 0 };
  expect(countWords(counts, ["changed", "added", "removed"])).toBe("2 changed, 1 removed, 1,200 equal");
  expect(rangeText(4, 4)).toBe("no elements");
  expect(rangeText(4, 5)).toBe("element 4");
  expect(rangeText(1000, 1002)).toBe("elements 1000–1001");
  expect(tokenWords({ added: 1, removed: 0, renumbered: 2 })).toBe("1 token added, 2 tokens with another id.");
  expect(tokenWords({ added: 0, removed: 0, renumbered: 0 })).toBe("The same tokens with the same ids.");
});

test("tensors are called equal only if their data was compared", () => {
  const none = { equal: 0, added: 0, removed: 0, renamed: 0, changed: 0, moved: 0, unknown: 0, notCompared: 0 };
  const entries = { equal: 0, added: 0, removed: 0, changed: 0, retyped: 0, moved: 0 };
  const words = (dataCoverage: "none" | "sampled" | "whole", tensors: Partial<typeof none>) => {
    const comparison = { dataCoverage, counts: { entries, tensors: { ...none, ...tensors } } };
    return [tensorWords(comparison), coverageText(comparison)];
  };
  expect(words("none", { equal: 3 })).toEqual([
    "3 with the same name, type and dimensions; their data was not compared",
    "Only the headers were compared, not the data of the tensors.",
  ]);
  expect(words("sampled", { equal: 3 })).toEqual([
    "3 without a difference in the sample",
    "A sample of the tensor data was compared.",
  ]);
  expect(words("whole", { equal: 3 })).toEqual(["3 equal", "All tensor data was compared."]);
  expect(words("whole", { equal: 3, removed: 1 })[1]).toBe("The data of the 3 tensors in both files was compared.");
  expect(words("whole", { equal: 3, changed: 1, notCompared: 1 })[1]).toBe(
    "The data of 1 tensor could not be compared: its type or dimensions differ, or the data cannot be read.",
  );
  expect(words("sampled", { equal: 3, changed: 2, notCompared: 2 })[1]).toMatch(
    /^A sample .* The data of 2 tensors could not/,
  );
  expect(words("none", { removed: 1 })[1]).toBe("No tensor is in both files.");
});

test("tensors of other types or shapes are not called not compared: their bytes can only differ", () => {
  const side = (type: string, ...dimensions: number[]) => ({ type, dimensions }) as unknown as ComparedTensor;
  const data = "not-compared" as const;
  expect(dataTitle({ a: side("Q4_K", 256, 2), b: side("Q5_K", 256, 2), data })).toBe("Other type");
  expect(dataTitle({ a: side("Q4_K", 256, 2), b: side("Q4_K", 512), data })).toBe("Other shape");
  expect(dataTitle({ a: side("Q4_K", 256), b: side("Q4_K", 256), data })).toBe("Not compared");
  expect(dataTitle({ a: side("Q4_K", 256), b: side("Q4_K", 256), data: "equal" })).toBe("Equal");
  expect(dataTitle({ a: side("Q4_K", 256), data })).toBeUndefined();
});

test("a link has the address of the second file", () => {
  const { parse, format } = locationHash([{ name: "compare", stateFields: COMPARE_STATE_FIELDS }]);
  const state = {
    url: "https://example.com/a.gguf",
    view: "compare" as const,
    compare: { with: "https://example.com/b.gguf?x=1&y=2#z" },
  };
  expect(parse(format(state))).toEqual(state);
});

test("names of exported files come from the name of the model", () => {
  expect(exportName("Model-Q4_K_M.gguf", ".json")).toBe("Model-Q4_K_M.json");
  expect(exportName("model-00002-of-00005.gguf", ".md")).toBe("model.md");
  expect(exportName("", ".md")).toBe("model.md");
  expect(fileNamePart("../tool use/\u202e:x")).toBe(".._tool_use_x");
});

test("each chat template that is a text is an export", () => {
  const found = templateExports(
    new Map<string, string | number>([
      ["tokenizer.chat_template", "a"],
      ["tokenizer.chat_template.tool_use", "b"],
      ["tokenizer.chat_template.number", 1],
      ["tokenizer.chat_templates", "c"],
    ]),
  );
  expect(found.map(({ ending }) => ending)).toEqual([".jinja", ".tool_use.jinja"]);
});

test("places where bytes differ are listed in hexadecimal", () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  expect(bytePlaces(bytes(0x61, 0xff, 0x62), bytes(0x61, 0xfe, 0x62))).toEqual({
    places: [{ start: 1, a: "61 ff 62", b: "61 fe 62" }],
    isCut: false,
  });
  expect(bytePlaces(bytes(0x61, 0xff), bytes(0x61, 0xff, 0xff)).places).toEqual([
    { start: 2, a: "61 ff", b: "61 ff ff" },
  ]);
  const [long, other] = [new Uint8Array(4000), new Uint8Array(4000)];
  other.forEach((_, at) => (other[at] = at % 20 === 10 ? 0xff : 0));
  const { places, isCut } = bytePlaces(long, other);
  expect([places.length, isCut]).toEqual([20, true]);
  expect(places[1]).toEqual({ start: 30, a: "… 00 00 00 00 00 00 00 00 00 …", b: "… 00 00 00 00 ff 00 00 00 00 …" });
});

test("a cosine shows how far it is from 1", () => {
  const texts = [0.5, 0.9998, 1 - 2.3e-7, 1 - 2 ** -53, -1 + 4e-9].map((cosine) => cosineText({ cosine, nmse: 1 }));
  expect(texts).toEqual(["0.500000", "0.999800", "1 − 2.3e-7", "1 − 1.1e-16", "-1 + 4.0e-9"]);
  expect(cosineText({ cosine: 1, nmse: 1e-20 })).toBe("≈ 1");
  expect(cosineText({ cosine: 1.0000000000000002, nmse: 0 })).toBe("1");
  expect(cosineText({ nmse: 0 })).toBeUndefined();
});
