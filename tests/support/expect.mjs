// Expectations and waiting, for tests of the package.

import assert from "node:assert/strict";

// An unhandled rejection fails the test file, also after its last test.
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** Expects a promise to be rejected with a GgufError that has these members. @param {Promise<unknown>} promise @param {object} expected */
export const fails = (promise, expected) => assert.rejects(promise, { name: "GgufError", ...expected });

/** Waits until a condition holds, up to about five seconds. @param {() => unknown} condition */
export async function until(condition) {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 1000, `never: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A signal that is aborted after 20 ms. The timer keeps the process alive until then. */
export function abortSoon() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  return controller.signal;
}
