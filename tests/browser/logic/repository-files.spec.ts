import { expect, test } from "@playwright/test";
import type { RepositoryFile } from "gguf-wasm/full";
import { chosenOrder, filesOf, formatOrder, parseOrder, totalSize } from "../../../www/src/repository/file-list.ts";

function file(name: string, more: Partial<RepositoryFile> = {}): RepositoryFile {
  return { name, url: `https://h.example/${name}`, size: 1, role: "model", parts: [], ...more };
}

const FILES = [
  file("m-Q10.gguf", { size: 10, encoding: "Q8_0", bitsPerWeight: 8.5 }),
  file("m-Q2.gguf", { size: 30, encoding: "F16" }),
  file("m-Q1.gguf", { size: 20, bitsPerWeight: 1.5 }),
  file("mmproj.gguf", { size: 5, role: "projector", encoding: "F16" }),
  file("imatrix.gguf", { size: 7, role: "imatrix" }),
];

const names = (filter: string, order: string) => {
  const { models, others } = filesOf(FILES, filter, parseOrder(order));
  return [models.map(({ name }) => name), others.map(({ name }) => name)];
};

test("models and other files are sorted by each column; files without a value are last", () => {
  expect(names("", "name")).toEqual([
    ["m-Q1.gguf", "m-Q2.gguf", "m-Q10.gguf"],
    ["imatrix.gguf", "mmproj.gguf"],
  ]);
  expect(names("", "-name")[0]).toEqual(["m-Q10.gguf", "m-Q2.gguf", "m-Q1.gguf"]);
  expect(names("", "size")[0]).toEqual(["m-Q10.gguf", "m-Q1.gguf", "m-Q2.gguf"]);
  expect(names("", "-size")).toEqual([
    ["m-Q2.gguf", "m-Q1.gguf", "m-Q10.gguf"],
    ["imatrix.gguf", "mmproj.gguf"],
  ]);
  expect(names("", "bits")[0]).toEqual(["m-Q1.gguf", "m-Q10.gguf", "m-Q2.gguf"]);
  expect(names("", "-bits")[0]).toEqual(["m-Q10.gguf", "m-Q1.gguf", "m-Q2.gguf"]);
  expect(names("", "encoding")[0]).toEqual(["m-Q2.gguf", "m-Q10.gguf", "m-Q1.gguf"]);
  expect(names("", "-encoding")[0]).toEqual(["m-Q10.gguf", "m-Q2.gguf", "m-Q1.gguf"]);
  expect(totalSize(FILES)).toBe(72);
});

test("a filter finds words in the name, the encoding and the kind", () => {
  expect(names("q8 M-q", "")).toEqual([["m-Q10.gguf"], []]);
  expect(names("projector", "")).toEqual([[], ["mmproj.gguf"]]);
  expect(names("f16", "")).toEqual([["m-Q2.gguf"], ["mmproj.gguf"]]);
  expect(names("  ", "")[0]).toHaveLength(3);
  expect(names("nothing", "")).toEqual([[], []]);
});

test("an order in a link", () => {
  for (const text of ["", "name", "-name", "-size", "encoding", "-bits"])
    expect(formatOrder(parseOrder(text))).toBe(text);
  for (const text of ["size", "constructor", "--size", "-", "size,name"])
    expect(formatOrder(parseOrder(text))).toBe("");
  const byName = chosenOrder(parseOrder(""), "name");
  expect(formatOrder(byName)).toBe("name");
  expect(formatOrder(chosenOrder(byName, "name"))).toBe("-name");
  expect(formatOrder(chosenOrder(chosenOrder(byName, "name"), "name"))).toBe("name");
});

test("100,000 files are sorted without delay", () => {
  const many = Array.from({ length: 100_000 }, (_, index) =>
    file(`m-${index}.gguf`, { size: (index * 7919) % 100_003 }),
  );
  expect(filesOf(many, "m-9", parseOrder("-size")).models.length).toBe(11_111);
});
