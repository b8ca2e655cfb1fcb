// Serves a built page for benchmarks, with models beside it.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { listen, range } from "../tests/support/file-server.mjs";

/** @type {Record<string, string>} */
const TYPES = { "": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/**
 * @param {string} folder the folder of the built page
 * @param {Record<string, Uint8Array>} models by their paths, such as `/model.gguf`
 */
export function servePage(folder, models) {
  return listen(async (request, response) => {
    const path = new URL(String(request.url), "http://page").pathname;
    const model = models[path];
    if (model) return void range(request, response, model, 0);
    const body = await readFile(join(folder, path === "/" ? "index.html" : path)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(body);
  });
}
