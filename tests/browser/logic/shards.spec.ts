import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { parseShardName } from "gguf-wasm/full/init";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import { modelsOf } from "../../../www/src/app/local-model.ts";
import { baseName } from "../../../www/src/gguf/base-name.ts";
import { FULL } from "../../../www/src/gguf/full.ts";
import { loadLibrary } from "../../../www/src/gguf/library.ts";
import { giveLibrary } from "../../../www/src/gguf/started-library.ts";
import { shardState, shardTitle, unreadShards } from "../../../www/src/gguf/shard-set.ts";
import { countShards, defaultChoices, splitOptions, tooManyShards } from "../../../www/src/shards/split-choices.ts";
import { modelSource, shardSources } from "../../../www/src/gguf/model-source.ts";

const { parse: parseHash, format: formatHash } = locationHash([]);

test.beforeAll(async () => {
  const compiled = async (name: string) =>
    WebAssembly.compile(await readFile(new URL(`../../../pkg/${name}/gguf_wasm_${name}_bg.wasm`, import.meta.url)));
  giveLibrary(await compiled("explain"));
  FULL.give(await compiled("full"));
  await Promise.all([loadLibrary(), FULL.load()]);
});

test("the name of a model is that of its file without shard and ending", () => {
  expect(baseName("a-00002-of-00003.gguf")).toBe("a");
  expect(baseName("a.GGUF")).toBe("a");
  expect(baseName("a-00004-of-00003.gguf")).toBe("a-00004-of-00003");
});

test("the address of a shard stands for its set, unless it is opened alone", () => {
  const of = (source: Parameters<typeof modelSource>[0], isAlone = false) =>
    modelSource(source, isAlone, "https://page.example/", parseShardName);
  const address = "https://h.example/m/a-00002-of-00003.gguf?x=1";
  expect(of(address)).toEqual({ kind: "set", source: address });
  expect(of(address, true)).toEqual({ kind: "file", source: address });
  expect(of("sample.gguf")).toEqual({ kind: "file", source: "https://page.example/sample.gguf" });
  // The only shard of a set is the whole model.
  const only = "https://h.example/a-00001-of-00001.gguf";
  expect(of(only)).toEqual({ kind: "file", source: only });
  const files = [new Blob(["1"]), new Blob(["2"])];
  expect(of(files)).toEqual({ kind: "set", source: files });
  expect(of(files.slice(0, 1))).toEqual({ kind: "file", source: files[0] });
});

test("a link opens a shard alone", () => {
  const state = { url: "https://h.example/a-00002-of-00003.gguf", alone: "shard" as const };
  expect(formatHash(state)).toBe("#url=https://h.example/a-00002-of-00003.gguf&alone=shard");
  expect(parseHash(formatHash(state))).toEqual(state);
  expect(parseHash("#url=x.gguf&alone=other")).toEqual({ url: "x.gguf" });
});

const file = (name: string, folder = "") => ({ file: new File([name], name), folder });

test("chosen files are grouped into models", async () => {
  const names = async (...files: ReturnType<typeof file>[]) =>
    (await modelsOf(files)).map(({ name, files }) => [name, files.map((one) => one.file.name)]);
  expect(await names(file("notes.txt"))).toEqual([["notes.txt", ["notes.txt"]]]);
  expect(await names(file("notes.txt"), file("README.md"))).toEqual([]);
  expect(await names(file("notes.txt", "folder"))).toEqual([]);
  expect(
    await names(file("a-00002-of-00002.gguf"), file("notes.txt"), file("b.gguf"), file("a-00001-of-00002.gguf")),
  ).toEqual([
    ["a-00001-of-00002.gguf", ["a-00001-of-00002.gguf", "a-00002-of-00002.gguf"]],
    ["b.gguf", ["b.gguf"]],
  ]);
  // The same name in two folders, another count and another name are other models.
  expect(
    await names(
      file("a-00001-of-00002.gguf", "x"),
      file("a-00002-of-00002.gguf", "y"),
      file("a-00001-of-00003.gguf", "x"),
      file("b-00002-of-00002.gguf", "x"),
    ),
  ).toHaveLength(4);
  const counts = async (...names: string[]) =>
    (await modelsOf(names.map((name) => file(name, "folder")))).map(({ shardCount }) => shardCount);
  expect(await counts("a-00002-of-00003.gguf")).toEqual([3]);
  expect(await counts("a-00002-of-00003.gguf", "a-00003-of-00003.gguf", "b.gguf")).toEqual([3, 1]);
});

test("the first shard has the handle, and a set keeps its list of files", async () => {
  const handle = {} as FileSystemFileHandle;
  const [set] = await modelsOf([file("a-00003-of-00003.gguf"), { ...file("a-00001-of-00003.gguf"), handle }]);
  expect(set?.handle).toBe(handle);
  expect(set?.name).toBe("a-00001-of-00003.gguf");
  expect(set?.source).toEqual(set?.files.map((one) => one.file));
  const [rest] = await modelsOf([file("a-00003-of-00003.gguf"), { ...file("a-00002-of-00003.gguf"), handle }]);
  expect(rest?.handle).toBeUndefined();
  expect(rest?.name).toBe("a-00001-of-00003.gguf");
});

const failed = (code: string, status?: number) => ({ code, status }) as unknown as Error & { code: "http" };

test("the state and the source of each shard", () => {
  const gguf = {} as never;
  const shards = [
    { number: 1, name: "a-00001-of-00003.gguf", gguf },
    { number: 2, name: "a-00002-of-00003.gguf", error: failed("http", 404) },
    { number: 3, name: "a-00003-of-00003.gguf", error: failed("bad-magic") },
  ] as never as Parameters<typeof shardSources>[0];
  expect(shards.map(shardState)).toEqual(["there", "missing", "failed"]);
  expect(shardState({})).toBe("missing");
  // As in the findings of the package, only these two answers say that the file does not exist.
  const answers = [404, 410, 401, 403, 429, 500].map((status) =>
    shardState({ error: failed("http", status) } as never),
  );
  expect(answers).toEqual(["missing", "missing", "failed", "failed", "failed", "failed"]);
  expect(unreadShards({ shards })).toEqual(shards.slice(1));
  const [first, other] = [new File(["1"], "a-00001-of-00003.gguf"), new File(["3"], "a-00003-of-00003.gguf")];
  expect(shardSources(shards, [other, first])).toEqual([first, undefined, undefined]);
  // Two files with the name of a shard: it is not known which of them was opened.
  expect(shardSources(shards, [first, new File(["x"], first.name)])).toEqual([undefined, undefined, undefined]);
  expect(shardTitle({ number: 1, name: "a%20b.gguf", url: "https://h.example/a%20b.gguf" })).toBe("a b.gguf");
  expect(shardTitle({ number: 4, name: "" })).toBe("shard 4");
});

test("the choices of a split", () => {
  const choices = defaultChoices("model");
  // People think in gigabytes, as hosts of models do.
  expect(splitOptions(choices)).toEqual({ name: "model", maxBytes: 2_000_000_000, tensorsInFirst: true });
  const byTensors = { ...choices, limit: "tensors" as const };
  expect(splitOptions(byTensors)).toEqual({ name: "model", maxTensors: 128, tensorsInFirst: true });
  expect(splitOptions({ ...choices, size: "1.5", unit: "MB", emptyFirst: true })).toEqual({
    name: "model",
    maxBytes: 1_500_000,
    tensorsInFirst: false,
  });
  for (const change of [
    { tensors: "0" },
    { tensors: "1.5" },
    { tensors: "" },
    { limit: "size" as const, size: "0" },
    { limit: "size" as const, size: "-1" },
  ])
    expect(splitOptions({ ...byTensors, ...change }), JSON.stringify(change)).toMatchObject({ field: "number" });
  for (const name of ["", " ", "a/b", "a\nb", "x".repeat(201)])
    expect(splitOptions({ ...choices, name }), name).toMatchObject({ field: "name" });
});

test("the shards of a split are counted before they are planned", () => {
  const file = (...sizes: number[]) => ({
    tensors: sizes.map((byteLength) => ({ byteLength })) as never,
    alignment: 32,
  });
  const five = file(10, 32, 33, 64, 500);
  expect(countShards(five, { maxTensors: 2 })).toBe(3);
  expect(countShards(five, { maxTensors: 2, tensorsInFirst: false })).toBe(4);
  expect(countShards(five, { maxTensors: 128 })).toBe(1);
  // With padding, the tensors have 32, 32, 64, 64 and 512 bytes.
  expect(countShards(five, { maxBytes: 64 })).toBe(4);
  expect(countShards(five, { maxBytes: 128 })).toBe(3);
  expect(countShards(five, { maxBytes: 1 })).toBe(5);
  expect(countShards(five, { maxBytes: 1e9, tensorsInFirst: false })).toBe(2);
  expect(countShards(file(), { maxTensors: 1, tensorsInFirst: false })).toBe(1);
  const many = file(...Array<number>(16_000).fill(32));
  expect(tooManyShards(many, { maxTensors: 1 })).toBe("This gives 16,000 shards. Choose a larger limit.");
  expect(tooManyShards(many, { maxBytes: 32 })).toBe("This gives 16,000 shards. Choose a larger limit.");
  expect(tooManyShards(many, { maxTensors: 16 })).toBeUndefined();
});
