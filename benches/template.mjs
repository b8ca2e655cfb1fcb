// Measures how long chat templates take: the longest real template with a conversation of 40 messages, in Node.js, and the first rendering of a
// page in Chromium, with the loading of the module. Run by `cargo xtask bench template`. The templates are those of the corpus.

import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { chatTemplateCapabilities, renderChatTemplate } from "gguf-wasm/template";
import { json, missing, pathOf } from "../tests/package/corpus.mjs";
import { listen } from "../tests/support/file-server.mjs";
import { machine, median, table, verdict } from "./report.mjs";

const [ROUNDS, LOADS, MESSAGES] = [100, 9, 40];
/** Milliseconds. */
const GOALS = { rendering: 5, first: 100 };

if (missing) {
  console.log(`chat templates are not measured: ${missing}`);
  process.exit();
}
/** @type {{ now: number, expected: Record<string, unknown> }} */
const { now, expected } = json("templates/expected.json");
/** @type {Record<string, string>} */
const contexts = json("templates/contexts.json");

/** The conversation with results of tools, its turns repeated. */
const conversation = JSON.parse(contexts["results"] ?? "");
const [first, ...turns] = conversation.messages;
const repeated = Array.from({ length: MESSAGES - 1 }, (_, index) => turns[index % turns.length]);
const context = JSON.stringify({ ...conversation, messages: [first, ...repeated] });
const options = { now: new Date(now * 1000) };

/** The longest real template that renders this conversation. */
const template = Object.keys(expected)
  .filter((name) => name.startsWith("r-"))
  .map((name) => readFileSync(pathOf(`templates/templates/${name}.jinja`), "utf8"))
  .sort((a, b) => b.length - a.length)
  .find((source) => {
    try {
      return renderChatTemplate(source, context, options).text !== "";
    } catch {
      return false;
    }
  });
if (template === undefined) throw new Error("no template renders the conversation");

/** @param {() => unknown} run */
function time(run) {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return median(times);
}

machine();
const { length } = renderChatTemplate(template, context, options).text;
const rendering = time(() => renderChatTemplate(template, context, options));
const server = time(() => renderChatTemplate(template, context, { ...options, server: true }));
const capabilities = time(() => chatTemplateCapabilities(template));
const ms = (/** @type {number} */ time) => `${time.toFixed(2)} ms`;
table([
  [
    `a template of ${(template.length / 1000).toFixed(1)} kB, ${MESSAGES} messages, a text of ${(length / 1000).toFixed(1)} kB`,
    "time",
  ],
  ["parsed and rendered", ms(rendering)],
  ["prepared as llama-server does it, and rendered", ms(server)],
  ["what the template can do", ms(capabilities)],
]);
console.log(`\nAt most ${GOALS.rendering} ms: ${verdict(rendering <= GOALS.rendering)}\n`);

const loads = await firstRenderings();
table([
  ["a page in Chromium, from the import to the first text", "median", "most"],
  ["the module from a server on this machine", ms(median(loads)), ms(Math.max(...loads))],
]);
console.log(`\nAt most ${GOALS.first} ms: ${verdict(median(loads) <= GOALS.first)}`);

/** How long the first rendering of a page takes, with an empty cache. */
async function firstRenderings() {
  const folder = fileURLToPath(new URL("../pkg/", import.meta.url));
  const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
  const pages = await listen((request, response) => {
    const { pathname } = new URL(String(request.url), "http://page");
    if (pathname === "/") return void response.setHeader("content-type", "text/html").end("<!doctype html>");
    const type = /** @type {Record<string, string>} */ (types)[extname(pathname)];
    response.writeHead(type ? 200 : 404, { "content-type": type ?? "text/plain" });
    response.end(type && readFileSync(folder + pathname));
  });
  const browser = await chromium.launch({ executablePath: process.env["GGUF_CHROMIUM"] });
  try {
    const times = [];
    for (let load = 0; load < LOADS; load++) {
      const own = await browser.newContext();
      const page = await own.newPage();
      await page.goto(pages.origin);
      times.push(
        await page.evaluate(
          async ([template, context]) => {
            const start = performance.now();
            const path = "/template/index.js";
            const { renderChatTemplate } = await import(path);
            renderChatTemplate(template, context);
            return performance.now() - start;
          },
          [template, context],
        ),
      );
      await own.close();
    }
    return times;
  } finally {
    await browser.close();
    await pages.close();
  }
}
