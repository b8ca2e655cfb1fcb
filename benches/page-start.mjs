// How soon the page that a link opens shows the architecture, the context length and the size of the file: with an empty cache, on slow lines. Run by
// `cargo xtask bench page`. With GGUF_BEFORE=FOLDER, another built page is measured in turns with this one.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { listen, range } from "../tests/support/file-server.mjs";
import { median, table } from "./report.mjs";

/** @type {Record<string, string>} */
const TYPES = { "": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Milliseconds and bits per second. A header of 8 MB on the slowest line takes most of a minute. */
const LINES = [
  { name: "50 ms, 50 Mbit/s", latency: 50, bits: 50e6, rounds: 5, model: "/model.gguf" },
  { name: "Slow 4G, small header", latency: 562, bits: 1.44e6, rounds: 3, model: "/small.gguf" },
  { name: "Slow 4G", latency: 562, bits: 1.44e6, rounds: 1, model: "/model.gguf" },
];

/** The facts that are waited for. They are visible as soon as they are known, before the header is complete. */
const FACTS = /** @type {const} */ ([
  [/^Architecture$/, /^\s*llama\s*$/],
  [/^Context length$/, /^\s*[\d,]+\s*$/],
  [/^File size$/, /^\s*[\d.]+ [kMG]B\s*$/],
]);

/**
 * @param {import("@playwright/test").Browser} browser
 * @param {string} dist the folder of the built page
 * @param {string} headers the folder of the headers
 */
export async function measureStart(browser, dist, headers) {
  const before = process.env["GGUF_BEFORE"];
  const pages = [...(before ? [{ name: "before", folder: before }] : []), { name: "this", folder: dist }];
  const model = await readFile(join(headers, "llama3.gguf"));
  const small = await readFile(join(dist, "sample.gguf"));
  const rows = [];
  for (const line of LINES) {
    /** @type {Record<string, number[]>} */
    const times = {};
    for (let round = 0; round < line.rounds; round++) {
      for (const { name, folder } of pages) (times[name] ??= []).push(await timeToFacts(folder, line));
    }
    rows.push([line.name, ...pages.map(({ name }) => `${(median(times[name] ?? []) / 1000).toFixed(2)} s`)]);
  }
  table([["from the navigation to the facts", ...pages.map(({ name }) => name)], ...rows]);

  /** @param {string} folder @param {typeof LINES[number]} line */
  async function timeToFacts(folder, { latency, bits, model: path }) {
    const server = await listen(async (request, response) => {
      const asked = new URL(String(request.url), "http://page").pathname;
      if (asked === "/model.gguf") return void range(request, response, model, 0);
      if (asked === "/small.gguf") return void range(request, response, small, 0);
      const body = await readFile(join(folder, asked === "/" ? "index.html" : asked)).catch(() => undefined);
      response.writeHead(body ? 200 : 404, { "content-type": TYPES[extname(asked)] ?? "text/plain" }).end(body);
    });
    // A context of its own has an empty cache.
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: bits / 8,
      uploadThroughput: bits / 8,
    });
    const start = performance.now();
    await page.goto(`${server.origin}/#url=${server.origin}${path}`, { waitUntil: "commit" });
    for (const [label, value] of FACTS) {
      const row = page.locator(":is(gguf-summary, gguf-identity) dl div", {
        has: page.locator("dt", { hasText: label }),
      });
      await row.locator("dd").filter({ hasText: value }).first().waitFor({ timeout: 180_000 });
    }
    const time = performance.now() - start;
    await context.close();
    await server.close();
    return time;
  }
}
