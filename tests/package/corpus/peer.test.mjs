// Compares the package with `@huggingface/gguf`: they must read the same, except for known errors of `@huggingface/gguf`.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gguf as peer } from "@huggingface/gguf";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { json, missing, read } from "../corpus.mjs";
import { check } from "../corpus-dump.mjs";

/** The files that `@huggingface/gguf` does not read correctly, with the reason. */
const READ_WRONGLY = new Map([
  ["keys-bytes.gguf", "of two keys that are not UTF-8 it keeps one"],
  ["nested-arrays-depth8.gguf", "it refuses the fourth array inside an array"],
]);

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function viaPeer(bytes) {
  /** @type {typeof fetch} */
  const serve = async (_, init) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
    return new Response(bytes.slice(Number(start), Number(end) + 1), { status: 206 });
  };
  return await peer("https://example.com/model.gguf", { fetch: serve });
}

/**
 * A value as `@huggingface/gguf` reads it: it drops a byte order mark at the start of a string.
 *
 * @param {import("gguf-wasm/full").MetadataValue | undefined} value
 * @returns {unknown}
 */
function asPeer(value) {
  if (typeof value === "string") return value.replace(/^\ufeff/, "");
  return typeof value === "object" ? value.toArray().map(asPeer) : value;
}

/**
 * @param {Gguf} ours
 * @param {Awaited<ReturnType<typeof viaPeer>>} theirs
 */
function compare(ours, theirs) {
  const { version, tensor_count, kv_count, ...metadata } = theirs.metadata;
  assert.equal(ours.version, version);
  assert.equal(BigInt(ours.tensors.length), tensor_count);
  assert.equal(BigInt(ours.entries.length), kv_count);
  for (const [key, value] of Object.entries(metadata)) assert.deepEqual(asPeer(ours.metadata.get(key)), value, key);
  assert.deepEqual(
    ours.tensors.map(({ name, dimensions, typeId, offset }) => [name, dimensions, typeId, offset]),
    theirs.tensorInfos.map(({ name, shape, dtype, offset }) => [name, shape.map(Number), dtype, Number(offset)]),
  );
}

describe("comparison with @huggingface/gguf", { skip: missing, concurrency: true }, () => {
  const { files = [] } = json("files/index.json");
  for (const { file, expected } of files) {
    const wrong = READ_WRONGLY.get(file);
    test(wrong ? `${file}: ${wrong}` : file, async () => {
      const bytes = read(`files/${file}`);
      const ours = await Gguf.open(bytes);
      if (!wrong) return compare(ours, await viaPeer(bytes));
      await check(ours, bytes, json(`files/${expected}`));
      // The package reads the file correctly, so the difference is an error of `@huggingface/gguf`.
      await assert.rejects(async () => compare(ours, await viaPeer(bytes)));
    });
  }
});

describe("known errors of @huggingface/gguf", () => {
  test("a string of 3,000,000 bytes", async () => {
    const long = "0123456789".repeat(300_000);
    const bytes = ggufBytes([
      ["long", text(long)],
      ["last", uint32(1)],
    ]);
    const sources = [bytes, new Blob([bytes]), new Blob([bytes]).stream()];
    for (const source of sources) {
      const gguf = await Gguf.open(source);
      assert.equal(gguf.metadata.get("long"), long);
      assert.equal(gguf.metadata.get("last"), 1);
    }
  });

  test("a file that ends in the middle of a value", async () => {
    const bytes = ggufBytes([["a.b", text("value")]]);
    for (let length = 0; length < bytes.length; length += 1) {
      const truncated = bytes.subarray(0, length);
      for (const source of [truncated, new Blob([truncated]), new Blob([truncated]).stream()]) {
        await assert.rejects(Gguf.open(source), { name: "GgufError", code: "unexpected-eof" });
      }
    }
  });

  test("keys that are names of object members", async () => {
    const keys = ["__proto__", "constructor", "toString", "hasOwnProperty", "version", "tensor_count", "kv_count", ""];
    const gguf = await Gguf.open(ggufBytes(keys.map((key, index) => [key, uint32(index)])));
    assert.deepEqual(
      [...gguf.metadata],
      keys.map((key, index) => [key, index]),
    );
    assert.equal(gguf.version, 3);
    assert.equal(/** @type {any} */ ({}).polluted, undefined);
  });
});
