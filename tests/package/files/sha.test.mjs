// `gguf-wasm/sha`: the hash functions of the module, with those of `node:crypto` as the reference; and when it is loaded.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash as createReference } from "node:crypto";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createHash, Hash } from "gguf-wasm/sha";
import { init } from "gguf-wasm/sha/init";
import { generator } from "../../support/chance.mjs";

/** @type {readonly ("sha1" | "sha256")[]} */
const ALGORITHMS = ["sha1", "sha256"];

for (const algorithm of ALGORITHMS) {
  describe(algorithm, () => {
    test("is that of node:crypto, however the bytes are divided", () => {
      const random = generator(3);
      const bytes = Uint8Array.from({ length: 300_000 }, () => random() * 256);
      for (const most of [1, 63, 64, 65, 5000, 1 << 16, (1 << 16) + 1, bytes.length]) {
        const used = most < 100 ? bytes.subarray(0, 1000) : bytes;
        const [hash, reference] = [createHash(algorithm), createReference(algorithm).update(used).digest()];
        for (let at = 0; at < used.length; at += most) hash.update(used.subarray(at, at + most));
        assert.deepEqual(hash.digest(), new Uint8Array(reference), `${most}`);
      }
    });

    test("of nothing", () => {
      assert.deepEqual(createHash(algorithm).digest(), new Uint8Array(createReference(algorithm).digest()));
    });

    test("several at the same time", () => {
      const hashes = Array.from({ length: 50 }, () => createHash(algorithm));
      for (const [at, hash] of hashes.entries()) hash.update(new Uint8Array(at));
      for (const [at, hash] of hashes.entries()) {
        const expected = createReference(algorithm).update(new Uint8Array(at)).digest();
        assert.deepEqual(hash.digest(), new Uint8Array(expected));
      }
    });
  });
}

test("bytes can be of any kind", () => {
  const bytes = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]);
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  shared.set(bytes);
  const expected = new Uint8Array(createReference("sha1").update(bytes).digest());
  const kinds = [bytes.buffer, Buffer.from(bytes), new DataView(bytes.buffer), new Float64Array(bytes.buffer), shared];
  for (const given of [...kinds, shared.buffer]) {
    const hash = createHash("sha1");
    hash.update(given);
    assert.deepEqual(hash.digest(), expected, String(given));
  }
});

test("wrong arguments are refused, and the hash goes on", () => {
  const refused = { name: "GgufError", code: "invalid-argument" };
  for (const given of ["md5", "uuid", "xxh64", "SHA1", 1, undefined, null, {}])
    assert.throws(() => createHash(/** @type {any} */ (given)), {
      ...refused,
      message: /expected "sha1" or "sha256"$/,
    });
  const hash = createHash("sha256");
  const detached = new Uint8Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });
  for (const given of ["text", 1, undefined, null, [1, 2], {}])
    assert.throws(() => hash.update(/** @type {any} */ (given)), refused, String(given));
  assert.throws(() => new /** @type {any} */ (Hash)(), refused);
  hash.update(new Uint8Array(0));
  assert.deepEqual(hash.digest(), new Uint8Array(createReference("sha256").digest()));
});

test("digest() and free() end a hash", () => {
  const freed = { name: "GgufError", code: "freed" };
  const hash = createHash("sha1");
  hash.digest();
  assert.throws(() => hash.digest(), freed);
  assert.throws(() => hash.update(new Uint8Array(1)), freed);
  hash.free();
  const other = createHash("sha1");
  other.free();
  assert.throws(() => other.digest(), freed);
});

test("many hashes take no more memory than one", async () => {
  const { memory } = await init();
  const bytes = new Uint8Array(1 << 20);
  let before = 0;
  for (let round = 0; round < 2000; round += 1) {
    const hash = createHash("sha256");
    if (round % 100 === 0) hash.update(bytes);
    hash.digest();
    if (round === 10) before = memory.buffer.byteLength;
  }
  assert.equal(memory.buffer.byteLength, before);
});

/** What a program on a host without `node:crypto` sees. @param {string[]} args */
async function withoutCrypto(...args) {
  const path = fileURLToPath(new URL("without-crypto.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return JSON.parse(stdout);
}

test("a host without node:crypto loads the module once, for the first SHA", async () => {
  assert.deepEqual(await withoutCrypto(), { ofXxh64: 0, ofSha: ["", 1], ofMore: 1 });
});

test("a module that cannot be loaded is an error with the code network, before anything is read", async () => {
  const message = "the module of SHA-1 and SHA-256 could not be loaded: no connection";
  assert.deepEqual(await withoutCrypto("offline"), {
    ofXxh64: 0,
    ofSha: [`GgufError network ${message}`, 0],
    ofMore: 0,
  });
});
