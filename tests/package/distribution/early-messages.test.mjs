// A worker that imports `gguf-wasm/init`, as the README says, gets the messages that come before the module has started.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serveFolder } from "../../support/file-server.mjs";
import { createProject } from "../project.mjs";

const COUNT = 20;

const WORKER = `
import { Gguf, init } from "./node_modules/gguf-wasm/init.js";

const started = init();
addEventListener("message", async ({ data }) => {
  await started;
  const gguf = await Gguf.open(data.url);
  postMessage([data.number, gguf.architecture]);
});
`;

const PAGE = `<!doctype html><link rel="icon" href="data:,"><title></title><script type="module">
const worker = new Worker("./early.js", { type: "module" });
const answers = [];
worker.onmessage = ({ data }) => {
  answers.push(data);
  if (answers.length === ${COUNT}) document.title = JSON.stringify(answers.sort(([a], [b]) => a - b));
};
for (let number = 0; number < ${COUNT}; number++) worker.postMessage({ number, url: new URL("sample.gguf", location.href).href });
</script>`;

/** @type {import("../project.mjs").Project} */
let project;
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
/** @type {import("@playwright/test").Browser} */
let browser;

before(async () => {
  [project, browser] = await Promise.all([
    createProject(),
    chromium.launch({ executablePath: process.env.GGUF_CHROMIUM || undefined }),
  ]);
  await writeFile(join(project.dir, "early.js"), WORKER);
  await writeFile(join(project.dir, "early.html"), PAGE);
  server = await serveFolder(project.dir);
});
after(async () => {
  await browser?.close();
  await server?.close();
  await project?.remove();
});

test(`all of ${COUNT} messages are answered`, async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${server.origin}/early.html`);
  await page.waitForFunction(() => document.title !== "");
  const answers = JSON.parse(await page.title());
  assert.deepEqual(
    answers,
    Array.from({ length: COUNT }, (_, number) => [number, "llama"]),
  );
});
