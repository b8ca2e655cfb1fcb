import { expect, test } from "@playwright/test";
// The import starts the module, which knows the names of file types.
import * as library from "gguf-wasm/full";
import type { TensorInfo } from "gguf-wasm/full";
import {
  blockOf,
  filterTensors,
  groupTensors,
  nextMatch,
  sortTensors,
  tensorRows,
  typeCounts,
} from "../../../www/src/tensors/tensor-rows.ts";
import { type Library, libraryHasStarted } from "../../../www/src/gguf/started-library.ts";
import { bitsPerWeight, fileTypeName, typeShares } from "../../../www/src/gguf/tensor-types.ts";

libraryHasStarted(library as unknown as Library);

const tensor = (index: number, name: string, type: string, elementCount: number, byteLength?: number): TensorInfo => ({
  index,
  name,
  dimensions: [elementCount],
  type,
  typeId: 0,
  elementCount,
  offset: index * 32,
  ...(byteLength === undefined ? {} : { byteLength }),
});

const tensors = [
  tensor(0, "token_embd.weight", "Q8_0", 320, 340),
  tensor(1, "blk.10.a.weight", "Q4_K", 256, 144),
  tensor(2, "blk.2.a.weight", "Q4_K", 512, 288),
  tensor(3, "blk.2.b.weight", "unknown(137)", 512),
  tensor(4, "output.weight", "F32", 10, 40),
];

const names = (list: readonly TensorInfo[]) => list.map((item) => item.name);

test("numbers in names are sorted by value, and unknown sizes come last", () => {
  expect(names(sortTensors(tensors, { column: "name", descending: false }))).toEqual([
    "blk.2.a.weight",
    "blk.2.b.weight",
    "blk.10.a.weight",
    "output.weight",
    "token_embd.weight",
  ]);
  for (const descending of [false, true]) {
    expect(sortTensors(tensors, { column: "bytes", descending }).at(-1)?.type).toBe("unknown(137)");
  }
  expect(sortTensors(tensors, { column: "bytes", descending: true })[0]?.name).toBe("token_embd.weight");
});

test("a filter requires all words and one of the types", () => {
  expect(names(filterTensors(tensors, { text: "WEIGHT blk.2", types: new Set() }))).toEqual([
    "blk.2.a.weight",
    "blk.2.b.weight",
  ]);
  expect(filterTensors(tensors, { text: "", types: new Set(["F32", "Q8_0"]) })).toHaveLength(2);
});

test("a filter that begins or ends with a digit does not match a part of a number", () => {
  const blocks = [3, 13, 30, 33].map((block, index) => tensor(index, `blk.${block}.ffn_up.weight`, "F32", 10, 40));
  const found = (text: string) => names(filterTensors(blocks, { text, types: new Set() }));
  expect(found("blk.3")).toEqual(["blk.3.ffn_up.weight"]);
  expect(found("3.ffn")).toEqual(["blk.3.ffn_up.weight"]);
  expect(found("30 ffn")).toEqual(["blk.30.ffn_up.weight"]);
  // Without a digit at its start or end, a word matches any part of a name.
  expect(found("blk.")).toHaveLength(4);
  // If the first match is a part of a number, a later match counts.
  const later = [tensor(0, "blk.30.blk.3.weight", "F32", 10, 40)];
  expect(filterTensors(later, { text: "blk.3", types: new Set() })).toHaveLength(1);
  expect(nextMatch("blk.30.blk.3.weight", "blk.3", 0)).toBe(7);
});

test("types are counted among the tensors that match the filter by name", () => {
  expect(typeCounts(tensors, { text: "blk.2" })).toEqual(
    new Map([
      ["Q4_K", 1],
      ["unknown(137)", 1],
    ]),
  );
  expect(typeCounts(tensors, { text: "" }).get("Q4_K")).toBe(2);
});

test("groups are blocks, with subtotals", () => {
  expect(["blk.3.attn_q.weight", "v.blk.0.ln1", "model.layers.7.x", "output.weight", "a.1", ""].map(blockOf)).toEqual([
    "blk.3",
    "v.blk.0",
    "model.layers.7",
    "",
    "",
    "",
  ]);
  const groups = groupTensors(tensors);
  expect(groups.map(({ name, elements, bytes: size }) => ({ name, elements, size }))).toEqual([
    { name: "", elements: 330, size: 380 },
    { name: "blk.10", elements: 256, size: 144 },
    { name: "blk.2", elements: 1024, size: 288 },
  ]);
  const rows = tensorRows(
    tensors,
    { text: "", types: new Set() },
    { column: "index", descending: false },
    { collapsed: new Set(["blk.2"]) },
  );
  expect(rows.map((row) => (row.kind === "group" ? `[${row.group.name}]` : row.tensor.index))).toEqual([
    "[]",
    0,
    4,
    "[blk.10]",
    1,
    "[blk.2]",
  ]);
});

test("bytes and elements are summed for each type", () => {
  expect(typeShares(tensors).map((share) => [share.type, share.tensors, share.bytes])).toEqual([
    ["Q4_K", 2, 432],
    ["Q8_0", 1, 340],
    ["F32", 1, 40],
    ["unknown(137)", 1, 0],
  ]);
  expect(bitsPerWeight(tensors), "one size is not known").toBeUndefined();
  expect(bitsPerWeight(tensors.filter(({ byteLength }) => byteLength !== undefined))).toBeCloseTo((812 * 8) / 1098);
  expect([15, 1024 + 15, 15n, "Q4_K_M", 999, undefined].map(fileTypeName)).toEqual([
    "Q4_K_M",
    "Q4_K_M",
    "Q4_K_M",
    "Q4_K_M",
    undefined,
    undefined,
  ]);
});
