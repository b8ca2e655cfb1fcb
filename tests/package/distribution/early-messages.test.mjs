// A worker that imports `gguf-wasm/init`, as the README says, gets the messages that come before the module has started.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ENGINES, reports } from "../../support/engines.mjs";
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
  if (answers.length < ${COUNT}) return;
  answers.sort(([a], [b]) => a - b);
  fetch(new URLSearchParams(location.search).get("report"), { method: "POST", body: JSON.stringify(answers) });
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

/** @type {import("../../support/engines.mjs").Engine} */
const CHROMIUM = {
  name: "Chromium",
  skip: false,
  async open(url) {
    const page = await browser.newPage();
    await page.goto(url);
    return () => page.close();
  },
};

for (const { name, skip, open } of [CHROMIUM, ...ENGINES]) {
  test(`all of ${COUNT} messages are answered in ${name}`, { skip }, async () => {
    const { url, first, close } = await reports();
    const closePage = await open(`${server.origin}/early.html?report=${url}`);
    try {
      assert.deepEqual(
        await first,
        Array.from({ length: COUNT }, (_, number) => [number, "llama"]),
      );
    } finally {
      await closePage();
      await close();
    }
  });
}
