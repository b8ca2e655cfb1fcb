import { expect, test } from "@playwright/test";
import { fileTypes, Gguf, ggmlTypes, type Repository, type RepositoryFile } from "gguf-wasm/full";
import { unknownParts } from "../../../www/src/memory/devices.ts";
import type { Machine } from "../../../www/src/memory/machine.ts";
import { GIB } from "../../../www/src/memory/room.ts";
import { bitsOf, typeBits } from "../../../www/src/repository/bits.ts";
import { chooseFile, modelName } from "../../../www/src/repository/choice.ts";
import { ALLOWANCE_RULE, CARDS, fits, fitWords, neededBytes, shownCards } from "../../../www/src/repository/fits.ts";
import { fileWords, fittingSibling, isOfFile, otherFiles } from "../../../www/src/repository/siblings.ts";
import { json, missing, read } from "../../package/corpus.mjs";

const BITS = typeBits(fileTypes(), ggmlTypes());
const bits = (file: RepositoryFile) => bitsOf(file, BITS);

function file(encoding: string, gibibytes: number, more: Partial<RepositoryFile> = {}): RepositoryFile {
  const name = `Llama-3.1-8B-${encoding}.gguf`;
  return { name, url: `https://h.example/${name}`, size: gibibytes * GIB, role: "model", encoding, parts: [], ...more };
}

/** Llama 3.1 8B, with the sizes of llama.cpp's table (`tools/quantize/README.md`). */
const LLAMA = [
  file("IQ1_S", 1.87),
  file("Q2_K", 2.95),
  file("IQ4_XS", 4.17),
  file("Q4_K_M", 4.58),
  file("Q5_K_M", 5.33),
  file("Q6_K", 6.14),
  file("Q8_0", 7.95),
  file("F16", 14.96),
];

const machine = (gpu: number, main: number | undefined = 32, shared = false): Machine => ({
  cards: gpu === 0 ? [] : [gpu],
  main,
  shared,
});
const chosen = (files: readonly RepositoryFile[], of: Machine = {}) => chooseFile(files, of, bits)?.file?.encoding;

test("the largest quantization that fits the user's card is the best, and no unquantized file", () => {
  for (const [gpu, encoding] of [
    [4, "IQ1_S"],
    [6, "Q2_K"],
    [8, "Q5_K_M"],
    [10, "Q8_0"],
    [12, "Q8_0"],
    [96, "Q8_0"],
  ] as const)
    expect([gpu, chosen(LLAMA, machine(gpu))]).toEqual([gpu, encoding]);
  expect(chooseFile(LLAMA, machine(8), bits)?.reason).toBe(
    "The largest quantization that fits your 8 GB of GPU memory.",
  );
  // The order of the list does not matter.
  expect(chosen([...LLAMA].reverse(), machine(8))).toBe("Q5_K_M");
});

test("the memory of machines without a card, or with one memory, is named", () => {
  expect(chooseFile(LLAMA, machine(0, 8), bits)).toMatchObject({
    file: { encoding: "Q5_K_M" },
    reason: "The largest quantization that fits your 8 GB of main memory.",
  });
  expect(chooseFile(LLAMA, machine(16, 32, true), bits)?.reason).toBe(
    "The largest quantization that fits your 16 GB of memory.",
  );
});

test("files that are not quantized are chosen if there is nothing else, and the sentence calls them files", () => {
  const files = [file("F16", 14.96), file("BF16", 14.97)];
  expect(chooseFile(files, machine(24), bits)).toMatchObject({
    file: { encoding: "BF16" },
    reason: "The largest file that fits your 24 GB of GPU memory. No file is quantized.",
  });
  expect(chooseFile(files, machine(8), bits)?.reason).toMatch(/^No file fits your 8 GB .* No file is quantized\.$/);
  expect(chooseFile(files, {}, bits)?.reason).toContain("No file is quantized.");
  // It is not known whether a file without a known name is quantized.
  expect(chooseFile([...files, file("own", 10)], machine(24), bits)?.reason).toBe(
    "The largest file that fits your 24 GB of GPU memory.",
  );
});

test("main memory that nobody has chosen is called assumed", () => {
  const unknown = (gpu: number): Machine => ({ cards: gpu === 0 ? [] : [gpu] });
  expect(chooseFile(LLAMA, unknown(0), bits)?.reason).toBe(
    "The largest quantization that fits 32 GB of main memory (assumed).",
  );
  expect(chooseFile(LLAMA, unknown(8), bits)?.reason).toBe(
    "The largest quantization that fits your 8 GB of GPU memory.",
  );
  const large = LLAMA.map((one) => ({ ...one, size: one.size * 4 }));
  expect(chooseFile(large, unknown(6), bits)?.reason).toBe(
    "No file fits your 6 GB of GPU memory. This one runs with a part of it in 32 GB of main memory (assumed), which is slower.",
  );
});

test("a model that no card holds runs with a part in main memory, or not at all", () => {
  const large = LLAMA.map((one) => ({ ...one, size: one.size * 10 }));
  const split = chooseFile(large, machine(12, 64), bits);
  expect(split?.file?.encoding).toBe("Q4_K_M");
  expect(split?.reason).toContain(
    "No file fits your 12 GB of GPU memory. This one runs with a part of it in your 64 GB",
  );
  expect(chooseFile(large, machine(8, 8), bits)).toEqual({
    file: undefined,
    reason: "No file fits your 8 GB of GPU memory and your 8 GB of main memory. Look for a smaller model.",
  });
  // One memory is not counted twice.
  expect(chooseFile(large, machine(16, 64, true), bits)?.file).toBeUndefined();
  expect(chooseFile(large, machine(0, 16), bits)?.reason).toContain("No file fits your 16 GB of main memory. Look");
});

test("without a card, the usual quantization is the best, else the closest to it", () => {
  const usual = chooseFile(LLAMA, {}, bits);
  expect(usual?.file?.encoding).toBe("Q4_K_M");
  expect(usual?.reason).toMatch(/^The usual balance of size and quality\. Choose your GPU memory/);
  const others = LLAMA.filter(({ encoding }) => encoding !== "Q4_K_M");
  const closest = chooseFile(others, {}, bits);
  expect(closest?.file?.encoding).toBe("IQ4_XS");
  expect(closest?.reason).toMatch(/^The closest to Q4_K_M, the usual balance of size and quality\./);
  // The bits of the file decide, if the hub tells the number of parameters.
  const exact = others.map((one) => ({ ...one, bitsPerWeight: one.encoding === "Q5_K_M" ? 5 : 8 }));
  expect(chosen(exact)).toBe("Q5_K_M");
  expect(chooseFile([file("x", 1), file("y", 2)], {}, bits)).toBeUndefined();
});

test("there is nothing to choose of one file, of several models, and of other files", () => {
  expect(chooseFile([], machine(8), bits)).toBeUndefined();
  expect(chooseFile([file("Q8_0", 1)], machine(8), bits)).toBeUndefined();
  const other = (encoding: string) => file(encoding, 1, { name: `Other-1B-${encoding}.gguf` });
  expect(chooseFile([...LLAMA.slice(0, 2), other("Q4_0"), other("Q8_0")], machine(8), bits)).toBeUndefined();
  expect(chosen([...LLAMA, other("Q4_0")], machine(8))).toBe("Q5_K_M");
  const projector = file("F16", 0.5, { name: "mmproj-Llama-3.1-8B-F16.gguf", role: "projector" });
  expect(chosen([...LLAMA, projector], machine(8))).toBe("Q5_K_M");
  // A set without all of its shards is no choice.
  const missing = file("Q8_0", 7.95, { shards: { count: 3, present: 2 } });
  const without = LLAMA.filter(({ encoding }) => encoding !== "Q8_0");
  expect(chosen([...without, missing], machine(12))).toBe("Q6_K");
  expect(chosen([...without, { ...missing, shards: { count: 3, present: 3 } }], machine(12))).toBe("Q8_0");
});

test("the name of a model in the names of its files", () => {
  const name = (path: string, encoding?: string) =>
    modelName({ name: path, ...(encoding === undefined ? {} : { encoding }) });
  expect(name("Q8_0/Llama-3.1-8B-Q8_0-00001-of-00002.gguf", "Q8_0")).toBe("llama-3-1-8b");
  expect(name("Llama-3.1-8B.i1-Q4_K_M.gguf", "Q4_K_M")).toBe("llama-3-1-8b");
  expect(name("llama-3.1-8b-UD-Q4_K_XL.gguf", "Q4_K_XL")).toBe("llama-3-1-8b");
  expect(name("llama-3.1-8b-q4_k_m.gguf", "Q4_K_M")).toBe("llama-3-1-8b");
  expect(name("model.gguf")).toBe("model");
});

test("what fits a card: the file, a tenth of it, at least a gibibyte, and a gibibyte", () => {
  expect(neededBytes(GIB)).toBe(2 * GIB);
  expect(neededBytes(10 * GIB)).toBe(11 * GIB);
  expect(neededBytes(20 * GIB)).toBe(22 * GIB);
  expect(fits(6 * GIB, machine(8))).toBe(true);
  expect(fits(6 * GIB + 1, machine(8))).toBe(false);
  // 1 GiB of each card is left free.
  expect(fits(12 * GIB, { cards: [8, 8] })).toBe(true);
  expect(fits(13 * GIB, { cards: [8, 8] })).toBe(false);
  expect(ALLOWANCE_RULE.replaceAll("\u00a0", " ")).toContain(
    "10% of it, at least 1 GiB, must fit. 1 GiB of each card, and of the main memory, is left free",
  );
  expect(fitWords(6 * GIB, CARDS)).toBe("Fits 8, 12, 16, and 24 GB");
  expect(fitWords(12 * GIB, CARDS)).toBe("Fits 16 and 24 GB");
  expect(fitWords(100 * GIB, CARDS)).toBe("Fits none of 8, 12, 16, and 24 GB");
  expect(shownCards(undefined)).toEqual([[8], [12], [16], [24]]);
  expect(shownCards([])).toEqual([[8], [12], [16], [24]]);
  expect(shownCards([16])).toEqual([[8], [12], [16], [24]]);
  expect(shownCards([10])).toEqual([[8], [10], [12], [16], [24]]);
  expect(shownCards([24, 12])).toEqual([[8], [12], [16], [24], [24, 12]]);
  expect(fitWords(20 * GIB, shownCards([24, 12]))).toBe("Fits 24 and 36 GB");
});

/**
 * Headers of published models of which 4,096 tokens take more than the allowance: models without grouped-query attention have large caches, and
 * those with 256,000 tokens large compute buffers.
 */
const EXCEEDING: readonly string[] = [
  "bloom-7b1",
  "cohere-command-r7b",
  "command-r-35b",
  "deepseek-v3-old",
  "gemma-2-27b",
  "gemma-2-9b",
  "gemma-3-12b",
  "llama-2-7b",
  "minicpm3-4b",
  "minicpm3-4b-b",
  "olmo-3-7b",
  "phi-2",
  "phi-3-mini-4k",
];

test("the allowance holds the compute buffer and 4,096 tokens of most published models", async () => {
  test.skip(missing !== false, "the corpus is not there");
  const folder = "llama-cpp-2026-08/memory";
  const { models } = json(`${folder}/index.json`) as { models: { file: string }[] };
  const [exceeding, held]: [string[], string[]] = [[], []];
  for (const { file: name } of models) {
    using gguf = await Gguf.open(read(`${folder}/${name}`));
    const size = gguf.tensors.reduce((sum, { byteLength = 0 }) => sum + byteLength, 0);
    const estimate = gguf.memory({ contextLength: 4096, gpuLayers: 10_000 });
    const [gpu] = estimate.devices;
    if (!gpu || unknownParts(estimate).length > 0 || (gguf.parameterCount ?? 0) < 4e8) continue;
    const isHeld = gpu.known.high <= neededBytes(size);
    (isHeld ? held : exceeding).push(name.replace(/\.gguf$/, ""));
  }
  expect(exceeding.sort()).toEqual(EXCEEDING);
  expect(held.length).toBeGreaterThan(3 * exceeding.length);
});

test("bits per weight from the size, else from the type in the name", () => {
  expect(bits(file("Q4_K_M", 1, { bitsPerWeight: 4.89 }))).toEqual({ value: 4.89, ofType: undefined });
  // A block of 256 weights in Q4_K has 144 bytes.
  expect(bits(file("Q4_K_M", 1))).toEqual({ value: 4.5, ofType: "Q4_K" });
  expect(bits(file("Q4_K_XL", 1))).toEqual({ value: 4.5, ofType: "Q4_K" });
  expect(bits(file("Q8_0", 1))).toEqual({ value: 8.5, ofType: "Q8_0" });
  expect(bits(file("BF16", 1))).toEqual({ value: 16, ofType: "BF16" });
  expect(bits(file("MXFP4", 1))).toEqual({ value: 4.25, ofType: "MXFP4" });
  expect(bits(file("Sample", 1))).toBeUndefined();
  expect(bits({ ...file("Q8_0", 1), encoding: undefined } as unknown as RepositoryFile)).toBeUndefined();
});

test("the other files of a repository: models and what belongs to them, and the largest smaller one that fits", () => {
  const withParts = (one: RepositoryFile): RepositoryFile => ({
    ...one,
    parts: [{ name: one.name, size: one.size, url: one.url }] as unknown as RepositoryFile["parts"],
  });
  const shards = { count: 3, present: 3 };
  const projector = { ...file("F16", 0.8, { role: "projector" }), name: "mmproj-F16.gguf", url: "https://h.example/p" };
  const split = {
    ...file("BF16", 15, { shards } as Partial<RepositoryFile>),
    parts: [1, 2, 3].map((part) => ({ name: "", size: 1, url: `https://h.example/b-${part}.gguf` })),
  } as unknown as RepositoryFile;
  const files = [...LLAMA.map(withParts), withParts(projector), split];
  const repository = { files } as unknown as Repository;
  const urlOf = (encoding: string) => files.find((one) => one.encoding === encoding)?.url ?? "";

  const [models = [], others = []] = otherFiles(repository, `${urlOf("Q8_0")}?download=true`);
  expect(models.map(({ encoding }) => encoding)).toEqual([
    ...["IQ1_S", "Q2_K", "IQ4_XS", "Q4_K_M", "Q5_K_M", "Q6_K", "F16", "BF16"],
  ]);
  expect(others.map(fileWords)).toEqual(["Multimodal projector, F16, 859 MB"]);
  // A file in shards is one file, whichever shard is open.
  expect(fileWords(split)).toBe("BF16, 16.1 GB, 3 shards");
  expect(isOfFile(split, "https://h.example/b-2.gguf")).toBe(true);
  expect(otherFiles(repository, "https://h.example/b-2.gguf")[0]).not.toContain(split);

  const fitting = (address: string, gpu: number) => fittingSibling(repository, address, machine(gpu))?.encoding;
  expect(fitting(urlOf("Q8_0"), 8)).toBe("Q5_K_M");
  expect(fitting(urlOf("Q4_K_M"), 8)).toBe("IQ4_XS");
  expect(fitting(urlOf("IQ1_S"), 8)).toBeUndefined();
  expect(fitting(urlOf("Q8_0"), 2)).toBeUndefined();
  expect(fitting("https://h.example/other.gguf", 24)).toBeUndefined();
});
