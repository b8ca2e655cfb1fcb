// How soon the pictures of a model are painted after the panel Summary is shown, and the longest task of the main thread meanwhile. Run by
// `cargo xtask bench page`, alone with GGUF_PICTURES=only. With GGUF_BEFORE=FOLDER, another built page is measured in turns with this one.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { servePage } from "./page-server.mjs";
import { tasksOf } from "./page-tasks.mjs";
import { median, table, verdict } from "./report.mjs";

/** Milliseconds. */
const SOONEST = 150;
const LONGEST = 100;
const ROUNDS = Number(process.env["GGUF_ROUNDS"] ?? 7);
const VIEWPORT = { width: 1280, height: 900 };
/** The elements of the pictures, and what is in them once they have their figures. */
const PICTURES = {
  "gguf-will-it-run": "section[aria-busy=false] .answer",
  "gguf-context-curve": "figure > svg [data-row]",
  "gguf-quantisation-map": "figure > svg [data-row]",
  "gguf-architecture": "figure > svg [data-row]",
  "gguf-parameters": "figure > svg [data-row]",
};

/** How the panel is shown. A page that has shown another panel has done all that it does at the start. */
const WAYS = [
  { name: "the first panel", address: "#url=/model.gguf", isClicked: false },
  { name: "a click on its tab", address: "#url=/model.gguf&view=metadata", isClicked: true },
];

/**
 * @param {import("@playwright/test").Browser} browser
 * @param {string} dist the folder of the built page
 * @param {string} headers the folder of the headers
 */
export async function measurePictures(browser, dist, headers) {
  const before = process.env["GGUF_BEFORE"];
  const pages = [...(before ? [{ name: "before", folder: before }] : []), { name: "this", folder: dist }];
  const model = await readFile(join(headers, "deepseek.gguf"));
  const names = Object.keys(PICTURES);
  let isReached = true;
  for (const way of WAYS) {
    /** @type {Record<string, { shown: Record<string, number[]>, tasks: number[] }>} */
    const figures = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, folder } of pages) {
        const found = (figures[name] ??= { shown: {}, tasks: [] });
        const { shown } = await show(folder, way, false);
        if (process.env["GGUF_TASKS"]) console.log(way.name, name, JSON.stringify(shown));
        for (const picture of names) (found.shown[picture] ??= []).push(shown[picture] ?? NaN);
        (found.shown["all"] ??= []).push(Math.max(...names.map((picture) => shown[picture] ?? NaN)));
        const { tasks } = await show(folder, way, true);
        if (process.env["GGUF_TASKS"]) console.log(way.name, name, tasks.slice(0, 8));
        found.tasks.push(tasks[0] ?? NaN);
      }
    }
    const columns = pages.map(({ name }) => figures[name] ?? { shown: {}, tasks: [] });
    const cell = (/** @type {number[]} */ times) => `${median(times).toFixed(0)} ms`;
    table([
      [`1,025 tensors, ${way.name}`, ...pages.map(({ name }) => name)],
      ...[...names, "all"].map((name) => [name, ...columns.map(({ shown }) => cell(shown[name] ?? []))]),
      ["longest task", ...columns.map(({ tasks }) => cell(tasks))],
    ]);
    console.log();
    const last = columns.at(-1);
    isReached &&= median(last?.shown["all"] ?? []) <= SOONEST && median(last?.tasks ?? []) <= LONGEST;
  }
  console.log(`All pictures within ${SOONEST} ms, and no task longer than ${LONGEST} ms: ${verdict(isReached)}\n`);

  /** @param {string} folder @param {typeof WAYS[number]} way @param {boolean} isTraced */
  async function show(folder, { address, isClicked }, isTraced) {
    const server = await servePage(folder, { "/model.gguf": model });
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    await page.addInitScript(watch, PICTURES);
    /** @type {number[]} */
    let tasks = [];
    const traced = async (/** @type {() => Promise<unknown>} */ work) => {
      if (isTraced) tasks = await tasksOf(browser, page, work);
      else await work();
    };
    const open = () => page.goto(`${server.origin}/${address}`);
    // All of them are drawn at some time. A person scrolls to those that are below.
    const drawn = () => page.waitForFunction(() => globalThis.picturesShown?.isComplete);
    if (isClicked) {
      await open();
      await page.locator("gguf-metadata-table .row").first().waitFor();
      await page.waitForTimeout(3000);
      await traced(async () => {
        await page.getByRole("tab", { name: "Summary" }).evaluate((/** @type {HTMLElement} */ tab) => {
          globalThis.picturesShown.start = performance.now();
          tab.click();
        });
        await drawn();
      });
    } else {
      await traced(async () => {
        await open();
        await drawn();
      });
    }
    const { start, times } = await page.evaluate(() => globalThis.picturesShown);
    await context.close();
    await server.close();
    return { tasks, shown: Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time - start])) };
  }
}

/**
 * Notes in `picturesShown` when the panel was created and when each picture was painted. Runs in the page before its scripts.
 *
 * @param {Record<string, string>} pictures
 */
function watch(pictures) {
  const { attachShadow } = Element.prototype;
  /** @type {{ start: number, times: Record<string, number>, isComplete: boolean }} */
  const seen = { start: 0, times: {}, isComplete: false };
  globalThis.picturesShown = seen;
  let isInFrame = false;
  const frames = new MessageChannel();
  frames.port1.onmessage = () => (isInFrame = false);
  const onFrame = () => {
    isInFrame = true;
    frames.port2.postMessage(undefined);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  /** Calls `done` in the first task after the page is painted. @param {() => void} done */
  const afterPaint = (done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      done();
    };
    const post = () => channel.port2.postMessage(undefined);
    // An element that knows its size in a frame is drawn in the same one.
    if (isInFrame) post();
    else requestAnimationFrame(post);
  };
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    const name = this.localName;
    // Before the main module is started, another element shows what is known of the header.
    if (name === "gguf-summary") seen.start = performance.now();
    const selector = pictures[name];
    if (selector === undefined) return root;
    const changes = new MutationObserver(() => {
      if (!root.querySelector(selector)) return;
      changes.disconnect();
      afterPaint(() => {
        seen.times[name] = performance.now();
        seen.isComplete = Object.keys(seen.times).length === Object.keys(pictures).length;
      });
    });
    changes.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"] });
    return root;
  };
}
