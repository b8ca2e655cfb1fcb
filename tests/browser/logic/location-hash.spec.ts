import { expect, test } from "@playwright/test";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import { METADATA_STATE_FIELDS } from "../../../www/src/metadata/metadata-state.ts";
import { TENSOR_STATE_FIELDS } from "../../../www/src/tensors/tensor-state.ts";

const { parse: parseHash, format: formatHash } = locationHash([
  { name: "metadata", stateFields: METADATA_STATE_FIELDS },
  { name: "tensors", stateFields: TENSOR_STATE_FIELDS },
]);

test("a hash is parsed to the state that it was formatted from", () => {
  for (const state of [
    { url: "https://example.com/a b/x.gguf?sig=%2B&y=1#z", view: "tensors" as const, tensor: "blk.0.a&b=c" },
    { file: "модель 1.gguf" },
    { url: "sample.gguf", key: "a+b%20c" },
    { repo: "owner/name@refs%2Fpr%2F1/Q4 K", "repo.filter": "q4 & x=y", "repo.sort": "-size" },
    { search: "qwen3 & 4b=x/y" },
    {},
  ]) {
    expect(parseHash(formatHash(state))).toEqual(state);
  }
  expect(formatHash({ repo: "owner/name" })).toBe("#repo=owner/name");
  expect(formatHash({ url: "https://example.com/x.gguf" })).toBe("#url=https://example.com/x.gguf");
});

test("a hash contains the state of the tables", () => {
  const state = {
    url: "sample.gguf",
    view: "tensors" as const,
    metadata: { search: "a & b=c", offsets: true },
    tensors: {
      filter: "blk.3 ffn,up",
      types: ["Q4_K", "a,b"],
      sort: { column: "bytes" as const, descending: true },
      grouped: true,
      closed: ["", "blk.0", "odd,name&tensor=.1"],
      slice: [3, 1],
    },
    tensor: "blk.3.a",
  };
  expect(parseHash(formatHash(state))).toEqual(state);
  expect(formatHash({ ...state, tensors: { sort: { column: "name", descending: false } }, metadata: {} })).toBe(
    "#url=sample.gguf&view=tensors&tensors.sort=name&tensor=blk.3.a",
  );
  // Parameters of an address in a hand-written hash are not state of the tables.
  expect(parseHash("#url=https://example.com/x?sort=name&filter=q4&tensors.filter=ffn")).toEqual({
    url: "https://example.com/x?sort=name&filter=q4",
    tensors: { filter: "ffn" },
  });
});

test("invalid values in a hash are ignored", () => {
  for (const hash of [
    "tensors.sort=constructor",
    "tensors.sort=--bytes",
    "tensors.sort=",
    "tensors.slice=1,,2",
    "tensors.slice=-1",
    "tensors.group=everything",
    "tensors.types=,,,",
    "tensors.closed=",
    "metadata.offsets=yes",
    "tensors.__proto__=x",
    "__proto__=x",
    "view=constructor",
    "tensors.filter",
  ])
    expect(parseHash(`#${hash}`), hash).toEqual({});
  expect(parseHash(`#tensors.filter=${"x".repeat(100_000)}`).tensors?.filter).toHaveLength(500);
  expect(
    parseHash(`#tensors.closed=${Array.from({ length: 5000 }, (_, i) => i).join(",")}`).tensors?.closed,
  ).toHaveLength(1000);
  expect(parseHash("#tensors.filter=%E0%A4%A")).toEqual({ tensors: { filter: "%E0%A4%A" } });
  // Texts and lists that are too long for a link are left out.
  expect(formatHash({ metadata: { search: "x".repeat(501) } })).toBe("");
  expect(formatHash({ tensors: { closed: Array.from({ length: 900 }, (_, i) => `blk.${i}`) } })).toBe("");
});

test("a hand-written hash may contain an unencoded address", () => {
  expect(parseHash("#url=https://example.com/x.gguf?a=1&b=2&view=tensors")).toEqual({
    url: "https://example.com/x.gguf?a=1&b=2",
    view: "tensors",
  });
  expect(parseHash("#url=https://example.com/100%.gguf")).toEqual({ url: "https://example.com/100%.gguf" });
  expect(parseHash("#view=nothing&x")).toEqual({});
});
