/** How `cargo xtask serve` serves the app: ranges of files, and the policy as a header. */

import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { preview } from "vite";

const www = fileURLToPath(new URL("../../../www", import.meta.url));

test("the server of the built app answers ranges, sends the policy, and serves nothing else", async () => {
  const server = await preview({
    root: www,
    configFile: `${www}/vite.config.ts`,
    logLevel: "silent",
    preview: { port: 0 },
  });
  try {
    const [origin = ""] = server.resolvedUrls?.local ?? [];
    const page = await fetch(origin);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'self'; .*; frame-ancestors 'none'$/);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    const icon = await readFile(`${www}/dist/icon.svg`);
    const part = (range: string) => fetch(`${origin}icon.svg`, { headers: { range } });
    for (const [range, start, end] of [
      ["bytes=2-4", 2, 5],
      ["bytes=5-", 5, icon.length],
    ] as const) {
      const answer = await part(range);
      expect([answer.status, answer.headers.get("content-range")]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${icon.length}`,
      ]);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(icon.subarray(start, end));
    }
    const past = await part(`bytes=${icon.length}-`);
    expect([past.status, past.headers.get("content-range")]).toEqual([416, `bytes */${icon.length}`]);
    const { port } = new URL(origin);
    // `fetch` would resolve the dots.
    for (const path of ["/../package.json", "/%2e%2e/vite.config.ts", "/..%2fvite.config.ts", "/missing"]) {
      const status = await new Promise((resolve, reject) => {
        get({ port, path, host: "127.0.0.1" }, (response) => resolve(response.resume().statusCode)).on("error", reject);
      });
      expect(status, path).toBe(404);
    }
  } finally {
    await server.close();
  }
});
