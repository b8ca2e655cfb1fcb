// The memory that a conversion takes, measured in a process of its own.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MIB = 1 << 20;

/** @typedef {{ readonly size: number, stream(): AsyncIterable<Uint8Array> }} Plan */

/**
 * Converts, and prints as JSON the size of the new file, the bytes that were streamed, and the memory of the process before and at the most.
 *
 * @param {Plan} plan
 * @param {number} originalSize
 */
export async function measureConversion(plan, originalSize) {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  let streamed = 0;
  for await (const chunk of plan.stream()) streamed += chunk.length;
  // In KiB. It includes the threads of the workers.
  const most = process.resourceUsage().maxRSS * 1024;
  const megabytesPerSecond = Math.round(originalSize / 1000 / (performance.now() - start));
  console.log(JSON.stringify({ size: plan.size, streamed, before, most, megabytesPerSecond }));
}

/**
 * Runs a script that calls `measureConversion`. The conversion must take less memory than `limit`, in bytes.
 *
 * @param {import("node:test").TestContext} t
 * @param {number} limit
 * @param {URL} script
 * @param {readonly string[]} args
 */
export async function assertConversionMemory(t, limit, script, args) {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script), ...args]);
  t.diagnostic(stdout.trim());
  const { size, streamed, before, most } = JSON.parse(stdout);
  assert.equal(streamed, size);
  assert.ok(most - before < limit, `${Math.round((most - before) / MIB)} MiB`);
}
