// `keys` and `keyInfo`: the table of metadata keys, and how a key finds its row.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufWriter, architectures, fileTypes, keyInfo, keys } from "gguf-wasm/full";
import { assertDistinct, assertFrozen, HOSTILE_ARGUMENTS, HOSTILE_NAMES } from "./expect.mjs";

/** @import { KeyInfo } from "gguf-wasm/full" */

const TYPES = ["UINT8", "INT8", "UINT16", "INT16", "UINT32", "INT32", "FLOAT32", "BOOL", "STRING", "UINT64", "INT64"];
const TYPE_NAMES = new Set([...TYPES, "FLOAT64"].flatMap((name) => [name, `${name}[]`]));
const SOURCES = ["GGUF specification", "llama.cpp", "gguf-py", "llama.cpp tools", "ComfyUI-GGUF", "GGUF draft"];

/** The row of a key that is in the table. @param {string} key */
function known(key) {
  const info = keyInfo(key);
  assert.ok(info, key);
  return info;
}

describe("keys", () => {
  test("is one frozen list, which is made once", () => {
    assert.equal(keys(), keys());
    assert.ok(keys().length > 390, `${keys().length}`);
    assertFrozen(keys());
  });

  test("has each pattern, title and description once", () => {
    assertDistinct(keys().map(({ pattern }) => pattern));
    assertDistinct(keys().map(({ title }) => title.toLowerCase()));
    assertDistinct(keys().map(({ description }) => description.toLowerCase()));
  });

  test("has members of the documented types", () => {
    for (const info of keys()) {
      const { pattern, types, title, description, unit, values, section, sources, note, deprecatedFor } = info;
      for (const text of [pattern, title, description, section]) assert.match(text, /\S/);
      for (const text of [unit, note, deprecatedFor]) assert.ok(text === undefined || /\S/.test(text), pattern);
      assert.match(description, /^[A-Z].*\.$/, pattern);
      assert.ok(types.length > 0 && types.every((name) => TYPE_NAMES.has(name)), `${pattern}: ${types}`);
      assert.ok(sources.length > 0 && sources.every((name) => SOURCES.includes(name)), `${pattern}: ${sources}`);
      assert.equal(typeof info.isTokenId, "boolean");
      assert.equal(typeof info.isPerToken, "boolean");
      for (const value of values ?? []) {
        assert.equal(typeof value.value, types[0]?.startsWith("STRING") ? "string" : "number", pattern);
        assert.deepEqual(Object.keys(value), ["value", "name", "description"]);
      }
      assert.ok(!Object.values(info).includes(undefined), "members without a value are not present");
    }
    assert.deepEqual(new Set(keys().flatMap(({ sources }) => sources)), new Set(SOURCES));
  });

  test("lists a section without a gap", () => {
    const sections = keys().map(({ section }) => section);
    const changes = sections.filter((section, index) => section !== sections[index - 1]);
    assertDistinct(changes);
    assert.ok(changes.length > 15);
  });
});

describe("keyInfo", () => {
  test("finds each row by its pattern and by keys of files", () => {
    for (const info of keys()) {
      assert.equal(keyInfo(info.pattern), info);
      const key = info.pattern.replace("{arch}", "command-r").replace("{id}", "17").replace("{name}", "tool use");
      assert.equal(keyInfo(key), info, key);
    }
  });

  test("gives undefined for keys that are not known", () => {
    const unknown = ["", ".", "general", "general.", "general.my_key", "llama.", "block_count", "llama.BLOCK_COUNT"];
    for (const key of [...unknown, "constructor", "__proto__", "toString", ...HOSTILE_NAMES]) {
      assert.equal(keyInfo(key), undefined, key.slice(0, 40));
    }
    assert.equal(keyInfo(`${"x".repeat(70_000)}.block_count`), undefined);
    assert.equal(keyInfo(`${"x".repeat(60_000)}.block_count`), known("llama.block_count"));
  });

  test("refuses arguments that are not strings", () => {
    for (const argument of HOSTILE_ARGUMENTS) {
      const call = () => keyInfo(/** @type {any} */ (argument));
      assert.throws(call, { name: "GgufError", code: "invalid-argument", message: /^the argument key is .*string$/ });
    }
    assert.throws(/** @type {any} */ (keyInfo), { code: "invalid-argument" });
    assert.equal(known("general.name").title, "Name");
  });

  test("explains types, units, values, notes and replaced keys", () => {
    const heads = known("llama.attention.head_count");
    assert.deepEqual(heads.types, ["UINT32", "INT32[]", "UINT32[]"]);
    assert.deepEqual([heads.title, heads.unit, heads.section], ["Attention heads", "heads", "Attention"]);
    assert.match(heads.note ?? "", /uint64/);
    assert.ok(known("tokenizer.ggml.bos_token_id").isTokenId);
    assert.ok(known("tokenizer.ggml.scores").isPerToken);
    assert.equal(known("mpt.attention.clip_kqv").deprecatedFor, "{arch}.attention.clamp_kqv");
    const mean = { value: 1, name: "Mean", description: "The average of all vectors stands for the text." };
    assert.deepEqual(
      known("bert.pooling_type").values?.find(({ value }) => value === 1),
      mean,
    );
    assert.equal(known("tokenizer.ggml.model").values?.find(({ value }) => value === "gpt2")?.name, "Byte-level BPE");
    assert.equal("values" in known("general.name"), false);
  });

  test("gives the file types as the values of general.file_type", () => {
    const expected = fileTypes().map(({ id, name, description }) => ({ value: id, name, description }));
    assert.deepEqual(known("general.file_type").values, expected);
  });

  test("names types that an editor takes", async () => {
    const writer = new GgufWriter();
    /** @type {Record<string, any>} */
    const examples = { STRING: "text", BOOL: true, UINT64: 1n, INT64: 1n };
    /** @type {(readonly [string, KeyInfo["types"][number]])[]} */
    const written = keys().flatMap(({ types }, row) =>
      types.map((type, index) => /** @type {const} */ ([`k.${row}.${index}`, type])),
    );
    for (const [key, type] of written) {
      const element = examples[type.replace("[]", "")] ?? 1;
      writer.set(key, type.endsWith("[]") ? [element] : element, type);
    }
    const { entries } = await Gguf.open(writer.headerBytes());
    const types = new Map(
      entries.map((entry) => [entry.key, entry.elementType ? `${entry.elementType}[]` : entry.type]),
    );
    for (const [key, type] of written) assert.equal(types.get(key), type);
  });
});

describe("requiredBy", () => {
  test("names architectures of the table, each once", () => {
    const names = new Set(architectures().map(({ name }) => name));
    for (const { pattern, requiredBy } of keys()) {
      if (!requiredBy) continue;
      const { specification, llamaCpp, llamaCppConditional } = requiredBy;
      for (const name of [...specification, ...llamaCpp, ...llamaCppConditional]) assert.ok(names.has(name), name);
      assertDistinct(specification);
      assertDistinct([...llamaCpp, ...llamaCppConditional]);
      assert.ok(specification.length + llamaCpp.length + llamaCppConditional.length > 0, pattern);
    }
  });

  test("separates the specification, llama.cpp, and conditions of llama.cpp", () => {
    const { requiredBy } = known("llama.block_count");
    assert.ok(requiredBy?.specification.includes("llama") && requiredBy.llamaCpp.includes("llama"));
    const experts = known("llama.expert_count").requiredBy;
    assert.ok(experts?.llamaCppConditional.includes("llama") && !experts.llamaCpp.includes("llama"));
    const length = known("llama.feed_forward_length").requiredBy;
    assert.ok(length?.llamaCpp.includes("llama"));
    assert.ok(length?.llamaCpp.includes("smollm3"), "smollm3 has no blocks with experts");
    const oldName = known("mpt.attention.clip_kqv").requiredBy;
    assert.deepEqual([oldName?.specification, oldName?.llamaCpp], [["mpt"], []]);
    assert.equal(known("general.name").requiredBy, undefined);
  });
});
