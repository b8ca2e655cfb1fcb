// What the tables of the package have in common, and arguments that no table knows.

import assert from "node:assert/strict";

/** Asserts that an object, and all objects in it, are frozen. @param {unknown} value */
export function assertFrozen(value) {
  if (typeof value !== "object" || value === null) return;
  assert.ok(Object.isFrozen(value), JSON.stringify(value).slice(0, 200));
  for (const member of Object.values(value)) assertFrozen(member);
}

/** @param {readonly string[]} texts */
export function assertDistinct(texts) {
  const repeated = texts.filter((text, index) => texts.indexOf(text) !== index);
  assert.deepEqual(repeated, []);
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** Values that are not strings. */
export const HOSTILE_ARGUMENTS = [
  undefined,
  null,
  0,
  NaN,
  1n,
  true,
  Symbol("key"),
  [],
  ["general.name"],
  {},
  new String("general.name"),
  { toString: () => "general.name" },
  () => "general.name",
  new Uint8Array(4),
  revoked.proxy,
];

/** Names that no table has. */
export const HOSTILE_NAMES = [
  "\0",
  "\ud800",
  "\u{1f600}.block",
  "blk.",
  "blk..",
  "{n}.{n}",
  "9".repeat(100_000),
  ".".repeat(1 << 20),
  "{arch}".repeat(1 << 16),
  "blk.0.".repeat(1 << 16),
  "x".repeat(1 << 24),
];
