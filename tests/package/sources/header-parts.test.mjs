// The option `onHeader`: the entries and tensors of a header as they arrive.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, MetadataArray } from "gguf-wasm/full";
import { Gguf as ReaderGguf } from "gguf-wasm/reader";
import { fails } from "../../support/expect.mjs";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";
import { misbehave, partial, whole } from "../../support/misbehaving-server.mjs";
import { PUBLISHED_HEADERS } from "../../support/published-headers.mjs";

/** @typedef {import("gguf-wasm/full").HeaderPart} HeaderPart */
/** @typedef {import("gguf-wasm/full").ArrivedEntry} ArrivedEntry */
/** @typedef {import("gguf-wasm/full").TensorInfo} TensorInfo */

/** Collects what `onHeader` is called with. */
function collector() {
  const entries = /** @type {ArrivedEntry[]} */ ([]);
  const tensors = /** @type {TensorInfo[]} */ ([]);
  let calls = 0;
  const onHeader = (/** @type {HeaderPart} */ part) => {
    assert.ok(part.entries.length + part.tensors.length > 0, "a call without news");
    assert.ok(Object.isFrozen(part) && Object.isFrozen(part.entries) && part.entries.every(Object.isFrozen));
    entries.push(...part.entries);
    tensors.push(...part.tensors);
    calls += 1;
  };
  return { entries, tensors, onHeader, calls: () => calls };
}

/** What a part of a header tells of the entries and tensors of a file. @param {Gguf} gguf */
function expected({ entries, tensors }) {
  return {
    entries: entries.map((entry) => {
      const { value, ...rest } = entry;
      return value instanceof MetadataArray ? rest : { ...rest, value };
    }),
    tensors: tensors.map((tensor) => ({ ...tensor, fileOffset: undefined })),
  };
}

/** The same objects without members that are `undefined`. @param {readonly object[]} objects */
const defined = (objects) =>
  objects.map((object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)));

/** Bytes as a stream of chunks. @param {Uint8Array} bytes @param {number} size */
const chunks = (bytes, size) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });

describe("the parts of a header", () => {
  const bytes = smallModel();

  test("are together the entries and tensors of the file, whatever the chunks are", async () => {
    const file = await Gguf.open(bytes);
    const all = expected(file);
    const header = bytes.subarray(0, file.headerSize);
    for (const size of [1, 7, 100, 1000, header.length]) {
      const { entries, tensors, onHeader, calls } = collector();
      await Gguf.open(chunks(header, size), { onHeader });
      // The file offset follows from the end of the header, so the last tensor has one.
      assert.deepEqual(defined(entries), defined(all.entries), `${size}`);
      assert.deepEqual(
        tensors.map(({ name, dimensions, type, offset }) => ({ name, dimensions, type, offset })),
        all.tensors.map(({ name, dimensions, type, offset }) => ({ name, dimensions, type, offset })),
      );
      assert.ok(size < 1000 ? calls() > 3 : calls() >= 1);
    }
  });

  test("of a file that is cut off anywhere are the first ones, and the error is that of the end", async () => {
    const file = await Gguf.open(bytes);
    const { entries: allEntries, tensors: allTensors } = expected(file);
    const ends = file.entries.map(({ offset, byteLength }) => offset + byteLength);
    for (let length = 0; length < file.headerSize; length += length < 400 ? 1 : 61) {
      const { entries, tensors, onHeader } = collector();
      await fails(Gguf.open(bytes.slice(0, length), { onHeader }), { code: "unexpected-eof" });
      assert.equal(entries.length, length < 24 ? 0 : ends.filter((end) => end <= length).length, `${length}`);
      assert.deepEqual(defined(entries), defined(allEntries.slice(0, entries.length)));
      assert.deepEqual(defined(tensors), defined(allTensors.slice(0, tensors.length)));
    }
  });

  test("before something broken are told before the error", async () => {
    const broken = ggufBytes([
      ["general.architecture", text("llama")],
      ["general.name", text("Broken")],
      ["llama.context_length", uint32(8192)],
    ]);
    const { entries } = await Gguf.open(broken);
    const type = (entries[2]?.offset ?? 0) - 4;
    broken.set([99, 0, 0, 0], type);
    const seen = collector();
    await fails(Gguf.open(broken, { onHeader: seen.onHeader }), { code: "unknown-value-type", offset: type });
    assert.deepEqual(
      seen.entries.map(({ key, value }) => [key, value]),
      [
        ["general.architecture", "llama"],
        ["general.name", "Broken"],
      ],
    );
  });

  test("have no value for arrays and for strings of more than 1 MiB", async () => {
    const file = ggufBytes([
      ["short", text("a".repeat(1 << 20))],
      ["long", text("a".repeat((1 << 20) + 1))],
      ["tokens", { type: "strings", count: 3, at: (index) => `${index}` }],
    ]);
    const { entries, onHeader } = collector();
    await Gguf.open(file, { onHeader });
    const [short, long, tokens] = entries;
    assert.equal(String(short?.value).length, 1 << 20);
    assert.deepEqual([long?.type, long?.value, long?.byteLength], ["STRING", undefined, (1 << 20) + 9]);
    assert.deepEqual([tokens?.elementType, tokens?.length, tokens?.value], ["STRING", 3, undefined]);
  });

  test("an error of the function ends the opening", async () => {
    const error = new Error("enough");
    const onHeader = () => {
      throw error;
    };
    await assert.rejects(Gguf.open(bytes, { onHeader }), (thrown) => thrown === error);
  });

  test("an abort in the function ends the opening before the next read", async () => {
    const opened = async (/** @type {Uint8Array | ReadableStream} */ source) => {
      const abort = new AbortController();
      return Gguf.open(source, { signal: abort.signal, onHeader: () => abort.abort() });
    };
    await assert.rejects(opened(chunks(bytes, 100)), { name: "AbortError" });
    // Bytes in memory are read at once.
    assert.equal((await opened(bytes)).tensors.length, expected(await Gguf.open(bytes)).tensors.length);
  });

  test("over HTTP they are there while the server sends nothing more, and each is told once when it starts again", async (t) => {
    const server = await misbehave(t, bytes, [partial({ hang: 600 })]);
    const seen = collector();
    const abort = new AbortController();
    const opening = Gguf.open(server.url, {
      signal: abort.signal,
      onHeader(part) {
        seen.onHeader(part);
        if (seen.entries.length >= 4) abort.abort();
      },
    });
    await assert.rejects(opening, { name: "AbortError" });
    assert.ok(seen.entries.some(({ key, value }) => key === "general.name" && value === "Tiny Test"));

    const cut = await misbehave(t, bytes, [whole({ cut: 600 }), whole()]);
    const again = collector();
    const file = await Gguf.open(cut.url, { onHeader: again.onHeader });
    assert.deepEqual(
      again.entries.map(({ key }) => key),
      file.entries.map(({ key }) => key),
    );
    assert.equal(again.tensors.length, file.tensors.length);
  });

  for (const { fileName, name, architecture, bytes } of PUBLISHED_HEADERS) {
    test(`the first 384 KiB of ${fileName} tell what it is`, async () => {
      for (const entry of [Gguf, ReaderGguf]) {
        const { entries, onHeader } = collector();
        const start = bytes().slice(0, 384 << 10);
        await fails(entry.open(start, { onHeader }), { code: "unexpected-eof" });
        const values = new Map(entries.map(({ key, value }) => [key, value]));
        assert.equal(values.get("general.name"), name);
        assert.equal(values.get("general.architecture"), architecture);
        assert.ok(values.has(`${architecture}.context_length`));
        assert.ok(!values.has("tokenizer.ggml.tokens"));
      }
    });
  }
});
