// Options that a method does not have are refused, and the nearest name is shown.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, test } from "node:test";
import { Gguf, GgufSet, GgufWriter, compare, listRepository, parseRepository } from "gguf-wasm/full";
import { smallModel } from "../../support/gguf-bytes.mjs";

const TENSOR = "output_norm.weight";
const gguf = await Gguf.open(smallModel());
const set = await GgufSet.open(smallModel());
const comparison = await compare(gguf, gguf);
const tokenizer = (await Gguf.open(vocabulary())).tokenizer();
const plan = gguf.edit().plan();

/** A file with a vocabulary that can be used. */
function vocabulary() {
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  writer.set("tokenizer.ggml.model", "llama");
  writer.set("tokenizer.ggml.tokens", ["<unk>", "<s>", "</s>", "a"]);
  writer.set("tokenizer.ggml.scores", new Float32Array(4));
  writer.set("tokenizer.ggml.token_type", new Int32Array([2, 3, 3, 1]));
  return writer.toBlob();
}

/**
 * A call of each method that takes options.
 *
 * @type {Record<string, (options: any) => unknown>}
 */
const CALLS = {
  "Comparison.toMarkdown": (options) => comparison.toMarkdown(options),
  "EditPlan.applyTo": (options) =>
    plan.applyTo({ getFile: async () => new Blob(), createWritable: async () => new WritableStream() }, options),
  "EditPlan.read": (options) => plan.read(0, 1, options),
  "EditPlan.stream": (options) => plan.stream(options),
  "EditPlan.writeTo": (options) => plan.writeTo("not/written.gguf", options),
  "Editor.validate": (options) => gguf.edit().validate(options),
  "Gguf.chat": (options) => gguf.chat([], options),
  "Gguf.fit": (options) => gguf.fit(options),
  "Gguf.hash": (options) => gguf.hash(options),
  "Gguf.largestContext": (options) => gguf.largestContext(options),
  "Gguf.memory": (options) => gguf.memory(options),
  "Gguf.open": (options) => Gguf.open(smallModel(), options),
  "Gguf.preview": (options) => gguf.preview(TENSOR, options),
  "Gguf.read": (options) => gguf.read(TENSOR, options),
  "Gguf.readBytes": (options) => gguf.readBytes(TENSOR, options),
  "Gguf.split": (options) => gguf.split(options),
  "Gguf.statistics": (options) => gguf.statistics(TENSOR, options),
  "Gguf.tensorsToCsv": (options) => gguf.tensorsToCsv(options),
  "Gguf.toJSON": (options) => gguf.toJSON(options),
  "Gguf.toMarkdown": (options) => gguf.toMarkdown(options),
  "Gguf.toNpy": (options) => gguf.toNpy(TENSOR, options),
  "Gguf.tokensToCsv": (options) => gguf.tokensToCsv(options),
  "Gguf.validate": (options) => gguf.validate(options),
  "GgufSet.merge": (options) => set.merge(options),
  "GgufSet.open": (options) => GgufSet.open(smallModel(), options),
  "GgufSet.validate": (options) => set.validate(options),
  "GgufWriter.new": (options) => new GgufWriter(options),
  "GgufWriter.stream": (options) => new GgufWriter().stream(options),
  "NpyFile.stream": (options) => gguf.toNpy(TENSOR).stream(options),
  "Tokenizer.decode": (options) => tokenizer.decode([1], options),
  "Tokenizer.encode": (options) => tokenizer.encode("a", options),
  "Tokenizer.tokenize": (options) => tokenizer.tokenize("a", options),
  compare: (options) => compare(gguf, gguf, options),
  listRepository: (options) =>
    listRepository("a/b", { fetch: () => Promise.reject(new Error("not asked")), ...options }),
  parseRepository: (options) => parseRepository("a/b", options),
};

/** The methods whose last argument is an object of options of this package, by the types. */
function methodsWithOptions() {
  const path = fileURLToPath(new URL("gguf_wasm_full.d.ts", import.meta.resolve("gguf-wasm/full")));
  // Each declaration on one line.
  const types = readFileSync(path, "utf8").replaceAll(
    /\(\n([^()]*)\n *\)/g,
    (_, list) => `(${list.replaceAll("\n", " ")})`,
  );
  const methods = new Set();
  let owner = "";
  for (const line of types.split("\n")) {
    owner = /^export (?:class|interface) (\w+)/.exec(line)?.[1] ?? (line.startsWith("}") ? "" : owner);
    const [, name, other] =
      /^ *(?:static |export function )?(\w+)(?:<.*>)?\(.*\boptions\??: (\w*Options)?/.exec(line) ?? [];
    if (name && other && other !== "ErrorOptions" && owner !== "Model")
      methods.add(owner ? `${owner}.${name === "constructor" ? "new" : name}` : name);
  }
  return methods;
}

describe("options that are not known", () => {
  test("every method that takes options is tried", () => {
    assert.deepEqual([...methodsWithOptions()].sort(), Object.keys(CALLS).sort());
  });

  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name} refuses them`, async () => {
      const message = /^options\.notAnOption is not known; the options are \w+/;
      await assert.rejects(async () => call({ notAnOption: 1 }), {
        name: "GgufError",
        code: "invalid-argument",
        message,
      });
    });
  }

  test("the nearest name is shown", async () => {
    /** @type {[keyof typeof CALLS, object, string][]} */
    const misspelt = [
      ["Gguf.open", { onprogress() {} }, "options.onprogress is not known; did you mean onProgress?"],
      ["Gguf.open", { header: undefined, singal: undefined }, "options.singal is not known; did you mean signal?"],
      ["Gguf.open", { time_out: 5 }, "options.time_out is not known; did you mean timeout?"],
      ["Gguf.memory", { contextLenght: 1 }, "options.contextLenght is not known; did you mean contextLength?"],
      ["Gguf.read", { As: "float64" }, "options.As is not known; did you mean as?"],
    ];
    for (const [name, options, message] of misspelt) {
      await assert.rejects(async () => CALLS[name]?.(options), { code: "invalid-argument", message });
    }
  });

  test("a long name is shortened", async () => {
    await assert.rejects(
      gguf.readBytes(TENSOR, /** @type {object} */ ({ ["x".repeat(1e6)]: 1 })),
      (/** @type {Error} */ error) => {
        return error.message.length < 200;
      },
    );
  });

  test("known options may be undefined, and inherited members are not options", async () => {
    const inherited = Object.create({ notAnOption: 1 });
    assert.ok(await gguf.readBytes(TENSOR, Object.assign(inherited, { signal: undefined, start: undefined })));
  });
});
