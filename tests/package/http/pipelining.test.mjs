// The requests of a long header: consecutive ranges, at most two in flight.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { now, useClock } from "../../support/clock.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { misbehave, partial } from "../../support/misbehaving-server.mjs";

// The pieces of slow answers come when nothing else happens.
useClock();

/** The length of the first range, before anything is known about the header. */
const FIRST = 384 << 10;

// 128,256 tokens and 280,147 merges as in Llama 3: a header of 7.8 MB.
const LETTERS = "etaoinshrdlucmfw";
/** @param {number} index @param {number} most */
const word = (index, most) =>
  Array.from({ length: 1 + ((index * 7919) % most) }, (_, at) => LETTERS[(index * 31 + at * 17) % 16]).join("");
const LLAMA = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["llama.block_count", uint32(32)],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 128_256, at: (index) => word(index, 12) }],
    ["tokenizer.ggml.token_type", { type: "int32s", count: 128_256, at: () => 1 }],
    [
      "tokenizer.ggml.merges",
      { type: "strings", count: 280_147, at: (index) => `Ġ${word(index, 7)} ${word(index + 1, 6)}` },
    ],
    ["tokenizer.ggml.bos_token_id", uint32(128_000)],
    ["tokenizer.chat_template", text("{{ message }}".repeat(100))],
  ],
  Array.from({ length: 291 }, (_, index) => ({
    name: `blk.${index % 32}.ffn_${index}.weight`,
    dimensions: [4096, 2],
    type: 0,
    bytes: 32_768,
  })),
);
const { headerSize } = await Gguf.open(LLAMA);

describe("a header of 7.8 MB", () => {
  test("takes at most 8 requests, two in flight, in order, with almost no extra bytes", async (t) => {
    assert.ok(headerSize > 7_500_000 && headerSize < 8_500_000, `${headerSize}`);
    const server = await misbehave(t, LLAMA);
    const gguf = await Gguf.open(server.url);
    assert.equal(gguf.tensors.length, 291);
    assert.equal(gguf.headerSize, headerSize);
    assert.ok(server.requests.length <= 8, server.ranges().join(" "));
    assert.ok(server.mostAtOnce <= 2);
    let end = 0;
    for (const request of server.requests) {
      assert.equal(request.start, end, server.ranges().join(" "));
      end = request.end;
    }
    assert.ok(end - headerSize < 100_000, `${end - headerSize} bytes too many`);
    assert.equal(server.requests[0]?.end, FIRST);
  });

  test("the next range is requested before the current response has arrived", async (t) => {
    const at = /** @type {number[]} */ ([]);
    const server = await misbehave(t, LLAMA, async (asked) => {
      await partial({ drip: { bytes: 65_536, every: 5 } })(asked);
      at[asked.number] = now();
    });
    await Gguf.open(server.url);
    for (const [index, next] of server.requests.slice(1).entries()) {
      assert.ok(next.at < (at[index] ?? Infinity), `request ${index + 1} came after answer ${index} had ended`);
    }
    assert.equal(server.mostAtOnce, 2);
  });

  test("of a file that ends in it: at most one unnecessary request", async (t) => {
    for (const length of [FIRST, 2_000_000, headerSize - 1]) {
      const server = await misbehave(t, LLAMA.subarray(0, length));
      await assert.rejects(Gguf.open(server.url), { name: "GgufError", code: "unexpected-eof" });
      assert.ok(server.sent() <= length, `${server.sent()} bytes`);
      assert.ok(server.requests.every(({ start }) => start < length));
      assert.ok(server.mostAtOnce <= 2);
    }
  });

  test("that claims to be far longer is not requested beyond the limits", async (t) => {
    const claims = LLAMA.slice();
    // The number of tokens follows their key, the value type and the element type.
    const at = Buffer.from(claims.buffer).indexOf("tokenizer.ggml.tokens") + "tokenizer.ggml.tokens".length + 8;
    new DataView(claims.buffer).setBigUint64(at, 1n << 40n, true);
    const server = await misbehave(t, claims);
    await assert.rejects(Gguf.open(server.url), { code: "limit-exceeded" });
    assert.equal(server.requests.length, 1);
    const unlimited = await misbehave(t, claims);
    await assert.rejects(Gguf.open(unlimited.url, { limits: { arrayLength: Infinity, headerBytes: Infinity } }), {
      name: "GgufError",
    });
    assert.ok(unlimited.requests.length < 10);
  });
});
