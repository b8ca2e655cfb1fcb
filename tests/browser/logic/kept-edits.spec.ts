import { expect, test } from "@playwright/test";
import "gguf-wasm/explain";
import { type Editor, Gguf } from "gguf-wasm/full";
import { keptDrafts, restoredDrafts } from "../../../www/src/edit/kept-drafts.ts";
import { hashOf, type KeptEdits, keepEditsIn, KeptPlace } from "../../../www/src/gguf/kept-edits.ts";
import { MOST_STEP_TEXT, RecordedEditor } from "../../../www/src/edit/recorded-editor.ts";
import { packedText, unpackedValue } from "../../../www/src/edit/step-text.ts";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

const bytes = ggufBytes(
  [
    ["general.name", text("Tiny")],
    ["general.alignment", uint32(32)],
    ["a", text("one")],
    ["b", uint32(7)],
  ],
  [{ name: "x", dimensions: [32], type: 0, bytes: 128 }],
);

const recorded = async () => new RecordedEditor((await Gguf.open(bytes)).edit());

/** The header that an editor would save. */
function headerOf(editor: Editor): number[] {
  const plan = editor.plan();
  const header = [...plan.headerBytes()];
  plan.free();
  return header;
}

/** Another editor that has made the steps of one. */
async function repeated({ steps }: RecordedEditor): Promise<RecordedEditor> {
  const other = await recorded();
  for (const step of steps ?? []) other.repeat(step);
  return other;
}

test("another editor of the same file makes every kind of step again", async () => {
  const first = await recorded();
  const { editor } = first;
  const entry = (key: string) => editor.entries.find((one) => one.key === key) ?? "";
  editor.set(entry("general.name"), "Changed");
  editor.add("bytes", Uint8Array.of(0xff, 0xfe), "STRING");
  editor.add("list", [1, 2, 3], "UINT32[]", 0);
  editor.setElement(entry("list"), 1, 9);
  editor.insertElements(entry("list"), 0, Uint32Array.of(4, 5));
  editor.removeElements(entry("list"), 4);
  editor.add("large", 2n ** 63n, "UINT64");
  editor.add("nan", Number.NaN, "FLOAT64");
  editor.add("copied", editor.metadata.get("list") ?? 0);
  editor.rename(entry("list"), "numbers");
  editor.move(entry("numbers"), 2);
  editor.retype(entry("b"), "UINT64");
  editor.remove(entry("a"));
  editor.renameTensor({ id: 0 }, "y");
  editor.alignment = 64;
  editor.byteOrder = "big-endian";
  const findings = editor.validate();
  for (const { fix } of findings) if (fix) editor.apply(fix);
  const second = await repeated(first);
  expect(headerOf(second.editor)).toEqual(headerOf(editor));
  expect(second.steps).toEqual(first.steps);
});

test("steps that were undone or reverted are not made again, and redone ones are", async () => {
  const first = await recorded();
  const { editor } = first;
  editor.set("a", "two");
  editor.set("b", 8);
  const [change] = editor.changes;
  if (change) first.revert(change);
  editor.remove("general.name");
  first.undo();
  expect(first.steps).toHaveLength(3);
  const second = await repeated(first);
  expect(second.editor.metadata.get("a")).toBe("one");
  expect(second.editor.metadata.get("b")).toBe(8);
  expect(headerOf(second.editor)).toEqual(headerOf(editor));
  first.redo();
  expect((await repeated(first)).editor.metadata.has("general.name")).toBe(false);
  while (first.undo());
  expect(first.steps).toEqual([]);
});

test("a step that is too large is known to be", async () => {
  const first = await recorded();
  first.editor.set("a", "x".repeat(MOST_STEP_TEXT));
  expect(first.steps).toBeUndefined();
  first.undo();
  expect(first.steps).toEqual([]);
  expect(packedText(new Uint8Array(MOST_STEP_TEXT), MOST_STEP_TEXT)).toBeUndefined();
});

test("values keep their types as texts", () => {
  const values = [1, -0, Number.NaN, -Infinity, 5n, "é\u0000", true, Int8Array.of(-1), BigInt64Array.of(-5n), [[1n]]];
  expect(unpackedValue(packedText(values, 1000) ?? "")).toEqual(values);
  expect(unpackedValue(packedText({ bigint: "no bigint", typed: [null] }, 1000) ?? "")).toEqual({
    bigint: "no bigint",
    typed: [null],
  });
});

test("typed texts find their fields again", () => {
  const drafts = new Map([
    ["1", "text"],
    ["12[3] hex", "ff"],
    ["13", "gone"],
    ["token 4", "x"],
  ]);
  const kept = keptDrafts(drafts, 10, [{ id: 12, key: "added" }]);
  expect(restoredDrafts(kept, [{ id: 30, key: "added" }])).toEqual([
    ["1", "text"],
    ["30[3] hex", "ff"],
    ["token 4", "x"],
  ]);
  expect(restoredDrafts(kept, [])).toHaveLength(2);
});

/** A storage of a page. */
function storageOf(setItem?: () => void): Storage {
  const values: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => values[name] ?? null,
    setItem: setItem ?? ((name: string, value: string) => void (values[name] = value)),
    removeItem: (name: string) => delete values[name],
  };
  // As in a real storage, only the stored names are enumerable.
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(values, name, { value });
  return values as unknown as Storage;
}

test("edits are kept for files with the same header and size", () => {
  const storage = storageOf();
  keepEditsIn(() => storage);
  const file = (header: number[], fileSize: number) => ({
    fileSize,
    headerSize: header.length,
    headerBytes: () => Uint8Array.from(header),
  });
  const edits: KeptEdits = { steps: ["a"], drafts: [], count: 1 };
  const place = new KeptPlace(file([1, 2, 3], 10));
  expect(place.read()).toBeUndefined();
  expect(place.write(edits)).toBe(true);
  expect(new KeptPlace(file([1, 2, 3], 10)).read()).toEqual(edits);
  expect(new KeptPlace(file([1, 2, 4], 10)).read()).toBeUndefined();
  expect(new KeptPlace(file([1, 2, 3], 11)).read()).toBeUndefined();
  place.write(undefined);
  expect(Object.keys(storage)).toEqual([]);
  expect(hashOf(Uint8Array.of(1, 2))).not.toBe(hashOf(Uint8Array.of(2, 1)));
});

test("a storage that is full or forbidden ends nothing", () => {
  const file = { fileSize: 1, headerSize: 1, headerBytes: () => Uint8Array.of(1) };
  const edits: KeptEdits = { steps: [], drafts: [], count: 0 };
  const fail = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const full = storageOf(fail);
  keepEditsIn(() => full);
  expect(new KeptPlace(file).write(edits)).toBe(false);
  keepEditsIn(fail);
  expect(new KeptPlace(file).write(edits)).toBe(true);
  expect(new KeptPlace(file).read()).toBeUndefined();
});

test("kept edits that another program wrote are none", () => {
  const storage = storageOf();
  keepEditsIn(() => storage);
  const place = new KeptPlace({ fileSize: 1, headerSize: 1, headerBytes: () => Uint8Array.of(1) });
  const good = {
    steps: ["a"],
    drafts: [
      { field: "1", text: "x" },
      { key: "k", field: "", text: "" },
    ],
    count: 2,
  };
  place.write(good);
  expect(place.read()).toEqual(good);
  const [name = ""] = Object.keys(storage);
  for (const part of [
    { steps: "a" },
    { steps: [5] },
    { drafts: [null] },
    { drafts: [{ field: "1", text: 5 }] },
    { drafts: [{ key: 5, field: "1", text: "x" }] },
    { count: -3 },
    { count: 1.5 },
    { count: 1e308 },
  ]) {
    storage.setItem(name, JSON.stringify({ ...good, ...part }));
    expect(place.read(), JSON.stringify(part)).toBeUndefined();
  }
});

test("a step that sets what the editor does not let a person set is refused", async () => {
  const kept = await recorded();
  for (const member of ["__proto__", "constructor", "plan"]) {
    const step = packedText({ member, value: { a: 1 } }, 1000) ?? "";
    expect(() => kept.repeat(step), member).toThrow();
  }
  expect(headerOf(kept.editor)).toEqual(headerOf((await recorded()).editor));
});
