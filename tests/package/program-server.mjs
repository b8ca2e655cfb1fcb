// Servers that are programs of their own, such as the development servers of frameworks.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** A port that nobody uses. @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/**
 * Runs a server while `use` runs.
 *
 * @param {string} dir
 * @param {(port: number) => string[]} args of Node.js
 * @param {(origin: string) => Promise<void>} use
 */
export async function withServer(dir, args, use) {
  const port = await freePort();
  const server = spawn(process.execPath, args(port), {
    cwd: dir,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, PORT: String(port) },
  });
  let errors = "";
  server.stderr?.on("data", (text) => (errors += text));
  try {
    const origin = `http://localhost:${port}`;
    while (!(await fetch(origin).catch(() => undefined))) {
      assert.equal(server.exitCode, null, `the server has ended: ${errors}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await use(origin);
  } finally {
    // With the processes that it has started.
    if (server.pid && server.exitCode === null) process.kill(-server.pid);
  }
}
