// `parseShardName` and `shardName`: the names of shards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseShardName, shardName } from "gguf-wasm/full";
import * as reader from "gguf-wasm/reader";
import { HOSTILE_ARGUMENTS } from "../know/expect.mjs";

test("the name of a shard has a prefix, a number and a count", () => {
  for (const parse of [parseShardName, reader.parseShardName]) {
    assert.deepEqual(parse("a-b-00002-of-00003.gguf"), { prefix: "a-b", number: 2, count: 3 });
    assert.deepEqual(parse("folder/-00001-of-00001.gguf"), { prefix: "folder/", number: 1, count: 1 });
    assert.deepEqual(parse("ü\n-00001-of-65535.gguf"), { prefix: "ü\n", number: 1, count: 65_535 });
    assert.ok(Object.isFrozen(parse("a-00001-of-00002.gguf")));
  }
});

test("other names are not those of shards", () => {
  const others = ["", "a.gguf", "a-1-of-3.gguf", "a-00001-of-00003", "a-00001-of-00003.txt", "a-00001-of-00003.GGUF"];
  const impossible = ["a-00000-of-00003.gguf", "a-00004-of-00003.gguf", "00001-of-00003.gguf", "a-00001-of-65536.gguf"];
  for (const name of [...others, ...impossible, `${"x".repeat(70_000)}-00001-of-00003.gguf`]) {
    assert.equal(parseShardName(name), undefined, name.slice(0, 40));
  }
});

test("a shard has the name that llama.cpp gives it", () => {
  assert.equal(shardName("a-b", 2, 3), "a-b-00002-of-00003.gguf");
  assert.equal(shardName("folder/a", 12, 345), "folder/a-00012-of-00345.gguf");
  assert.equal(shardName("", 65_535, 65_535), "-65535-of-65535.gguf");
});

test("there is no shard outside of its set", () => {
  for (const [number, count] of /** @type {const} */ ([
    [0, 3],
    [4, 3],
    [-1, 3],
    [1.5, 3],
    [1, 3.5],
    [NaN, 3],
    [1, NaN],
    [1, 65_536],
    [1, Infinity],
  ])) {
    assert.throws(() => shardName("a", number, count), {
      name: "GgufError",
      code: "invalid-argument",
      message: `there is no shard ${number} of ${count}: shards have numbers from 1 to their count, at most 65535`,
    });
  }
});

test("arguments of another type are refused", () => {
  const refused = (/** @type {string} */ name) => ({
    name: "GgufError",
    code: "invalid-argument",
    message: new RegExp(`^the argument ${name} is .*expected a`),
  });
  for (const argument of /** @type {any[]} */ (HOSTILE_ARGUMENTS)) {
    assert.throws(() => parseShardName(argument), refused("name"));
    assert.throws(() => shardName(argument, 1, 2), refused("prefix"));
    if (typeof argument === "number") continue;
    assert.throws(() => shardName("a", argument, 2), refused("number"));
    assert.throws(() => shardName("a", 1, argument), refused("count"));
  }
});
