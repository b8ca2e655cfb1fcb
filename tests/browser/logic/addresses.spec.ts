import { expect, test } from "@playwright/test";
import {
  AddressError,
  fetchableAddress,
  fileName,
  formatHash,
  pageAbout,
  parseHash,
} from "../../../www/src/viewer/address.ts";

const BASE = "https://viewer.example/app/";

for (const [typed, fetched] of [
  ["https://huggingface.co/a/b/blob/main/x.gguf", "https://huggingface.co/a/b/resolve/main/x.gguf"],
  [
    "https://hf.co/a/b/blob/main/dir/x.gguf?download=true",
    "https://huggingface.co/a/b/resolve/main/dir/x.gguf?download=true",
  ],
  ["huggingface.co/a/b/blob/refs%2Fpr%2F1/x.gguf", "https://huggingface.co/a/b/resolve/refs%2Fpr%2F1/x.gguf"],
  ["https://huggingface.co/a/b/resolve/main/x.gguf", "https://huggingface.co/a/b/resolve/main/x.gguf"],
  ["https://huggingface.co/gpt2/blob/main/x.gguf", "https://huggingface.co/gpt2/resolve/main/x.gguf"],
  ["https://huggingface.co/datasets/a/b/blob/main/x.gguf", "https://huggingface.co/datasets/a/b/resolve/main/x.gguf"],
  ["https://huggingface.co/a/blob/resolve/main/x.gguf", "https://huggingface.co/a/blob/resolve/main/x.gguf"],
  ["https://huggingface.co/a/b?show_file_info=x.gguf", "https://huggingface.co/a/b/resolve/main/x.gguf"],
  ["https://huggingface.co/a/b/tree/v2/q4?show_file_info=x.gguf", "https://huggingface.co/a/b/resolve/v2/q4/x.gguf"],
  ["https://github.com/a/b/blob/master/models/x.gguf", "https://raw.githubusercontent.com/a/b/master/models/x.gguf"],
  ["https://example.com/blob/x.gguf?a=1&b=%20#part", "https://example.com/blob/x.gguf?a=1&b=%20#part"],
  ["  <https://example.com/x.gguf> ", "https://example.com/x.gguf"],
  ["localhost:8080/x.gguf", "http://localhost:8080/x.gguf"],
  ["sample.gguf", "https://viewer.example/app/sample.gguf"],
] as const) {
  test(`${typed} is fetched from ${fetched}`, () => {
    expect(fetchableAddress(typed, BASE)).toBe(fetched);
  });
}

for (const typed of [
  "",
  "file:///model.gguf",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://user:secret@example.com/x.gguf",
  "https://huggingface.co/a/b",
  "https://huggingface.co/a/b/tree/main",
  "http://",
]) {
  test(`${typed || "nothing"} is refused in words`, () => {
    expect(() => fetchableAddress(typed, BASE)).toThrow(AddressError);
  });
}

test("a file is called by the last part of its path", () => {
  expect(fileName("https://example.com/a/My%20Model.gguf?x=1")).toBe("My Model.gguf");
  expect(fileName("sample.gguf")).toBe("sample.gguf");
  expect(fileName("https://example.com/%E0%A4%A.gguf")).toBe("https://example.com/%E0%A4%A.gguf");
  expect(pageAbout("https://huggingface.co/a/b/resolve/main/x.gguf?download=true")).toBe(
    "https://huggingface.co/a/b/blob/main/x.gguf",
  );
  expect(pageAbout("https://example.com/resolve/x.gguf")).toBeUndefined();
});

test("a hash says what it was made from", () => {
  for (const state of [
    { url: "https://example.com/a b/x.gguf?sig=%2B&y=1#z", view: "tensors" as const, tensor: "blk.0.a&b=c" },
    { file: "модель 1.gguf" },
    { url: "sample.gguf", key: "a+b%20c" },
    {},
  ]) {
    expect(parseHash(formatHash(state))).toEqual(state);
  }
  expect(formatHash({ url: "https://example.com/x.gguf" })).toBe("#url=https://example.com/x.gguf");
});

test("a hash says the state of the tables", () => {
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
  // Parameters of an address that was written by hand are no fields of the tables.
  expect(parseHash("#url=https://example.com/x?sort=name&filter=q4&tensors.filter=ffn")).toEqual({
    url: "https://example.com/x?sort=name&filter=q4",
    tensors: { filter: "ffn" },
  });
});

test("a hash with values that are not valid is read without them", () => {
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
  // A text that is too long for a link is left out of it, and so is a list.
  expect(formatHash({ metadata: { search: "x".repeat(501) } })).toBe("");
  expect(formatHash({ tensors: { closed: Array.from({ length: 900 }, (_, i) => `blk.${i}`) } })).toBe("");
});

test("a hash written by hand may hold an address as it is", () => {
  expect(parseHash("#url=https://example.com/x.gguf?a=1&b=2&view=tensors")).toEqual({
    url: "https://example.com/x.gguf?a=1&b=2",
    view: "tensors",
  });
  expect(parseHash("#url=https://example.com/100%.gguf")).toEqual({ url: "https://example.com/100%.gguf" });
  expect(parseHash("#view=nothing&x")).toEqual({});
});
