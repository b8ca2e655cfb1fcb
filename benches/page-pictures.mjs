// How soon the pictures of a model are painted after the panel Summary is shown, and the tasks of the main thread meanwhile. Run by
// `cargo xtask bench page`, alone with GGUF_PICTURES=only. With GGUF_BEFORE=FOLDER, another built page is measured in turns with this one.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { servePage } from "./page-server.mjs";
import { tasksOf } from "./page-tasks.mjs";
import { median, table, verdict } from "./report.mjs";

/** Milliseconds. */
const SOONEST = 150;
const LONGEST = 100;
const ROUNDS = 5;
const VIEWPORT = { width: 1280, height: 900 };

/** The elements of the pictures, and what is in them once they have their figures. */
const PICTURES = {
  "gguf-will-it-run": "section[aria-busy=false] .answer",
  "gguf-context-curve": "figure > svg [data-row]",
  "gguf-quantization-map": "figure > svg [data-row]",
  "gguf-architecture": "figure > svg [data-row]",
  "gguf-parameters": "figure > svg [data-row]",
};
const NAMES = Object.keys(PICTURES);

/** How the panel is shown. Before the click, the page has done all that it does at the start. */
const WAYS = [
  { name: "the first panel", address: "#url=/model.gguf", isClicked: false },
  { name: "a click on its tab", address: "#url=/model.gguf&view=metadata", isClicked: true },
];

/** What the panel and the last picture are called. */
const [PANEL, LAST, AFTER_PANEL] = ["the panel", "the last picture", "the last picture, after the panel"];

/**
 * Milliseconds: when the panel and each picture are painted, how long the last picture comes after the panel, the processor time until then, and
 * the longest task.
 */
const MEASURES = [
  PANEL,
  ...NAMES,
  LAST,
  AFTER_PANEL,
  "the last picture: processor time of the main thread",
  "longest task: processor time",
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
  let [isSoon, isShort] = [true, true];
  for (const way of WAYS) {
    /** @type {Record<string, number[]>} */
    const figures = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name: page, folder } of pages) {
        const found = { ...(await timesOf(folder, way)), ...(await tasksIn(folder, way)) };
        if (process.env["GGUF_TASKS"]) console.log(way.name, page, found);
        for (const [measure, time] of Object.entries(found)) (figures[`${page} ${measure}`] ??= []).push(time);
      }
    }
    const of = (/** @type {string} */ page, /** @type {string} */ measure) =>
      median(figures[`${page} ${measure}`] ?? []);
    table([
      [`1,025 tensors, ${way.name}`, ...pages.map(({ name }) => name)],
      ...MEASURES.map((measure) => [measure, ...pages.map(({ name }) => `${of(name, measure).toFixed(0)} ms`)]),
    ]);
    console.log();
    isSoon &&= of("this", AFTER_PANEL) <= SOONEST;
    isShort &&= of("this", "longest task: processor time") <= LONGEST;
  }
  console.log(`All pictures within ${SOONEST} ms after the panel: ${verdict(isSoon)}`);
  console.log(`No task longer than ${LONGEST} ms: ${verdict(isShort)}\n`);

  /** When the pictures are painted. @param {string} folder @param {typeof WAYS[number]} way */
  async function timesOf(folder, way) {
    const { page, show, close } = await open(folder, way);
    await show();
    /** @type {Record<string, number>} */
    const times = await page.evaluate(
      (names) => {
        const [start] = performance.getEntriesByName("summary shown").slice(-1);
        const at = (/** @type {string} */ name) =>
          performance.getEntriesByName(`${name} painted`).at(-1)?.startTime ?? NaN;
        return Object.fromEntries(names.map((name) => [name, at(name) - (start?.startTime ?? NaN)]));
      },
      ["gguf-summary", ...NAMES],
    );
    await close();
    const { "gguf-summary": panel = NaN, ...pictures } = times;
    const last = Math.max(...Object.values(pictures));
    return { [PANEL]: panel, ...pictures, [LAST]: last, [AFTER_PANEL]: last - panel };
  }

  /** The tasks until the pictures are painted, in another page, because a trace takes time. @param {string} folder @param {typeof WAYS[number]} way */
  async function tasksIn(folder, way) {
    const { page, show, close } = await open(folder, way);
    const { tasks, between } = await tasksOf(browser, page, show);
    await close();
    return {
      "the last picture: processor time of the main thread": between("summary shown", "all painted"),
      "longest task: processor time": tasks[0] ?? NaN,
    };
  }

  /** Opens a page up to the moment before the panel is shown. @param {string} folder @param {typeof WAYS[number]} way */
  async function open(folder, { address, isClicked }) {
    const server = await servePage(folder, { "/model.gguf": model });
    // A context of its own has an empty cache.
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    await page.addInitScript(markPaints, PICTURES);
    const load = () => page.goto(`${server.origin}/${address}`);
    if (isClicked) {
      await load();
      await page.locator("gguf-metadata-table .row").first().waitFor();
      await page.waitForTimeout(3000);
    }
    const show = async () => {
      if (!isClicked) await load();
      else {
        await page.getByRole("tab", { name: "Summary" }).evaluate((/** @type {HTMLElement} */ tab) => {
          document.dispatchEvent(new Event("summary-shown"));
          tab.click();
        });
      }
      await page.waitForFunction(() => performance.getEntriesByName("all painted").length > 0, undefined, {
        polling: 200,
      });
    };
    const close = async () => {
      await context.close();
      await server.close();
    };
    return { page, show, close };
  }
}

/**
 * Marks in the timeline of the page when the panel is created, or shown by the event `summary-shown`, and when the panel and each picture are
 * painted. Runs in the page before its scripts.
 *
 * @param {Record<string, string>} pictures
 */
function markPaints(pictures) {
  let missing = Object.keys(pictures).length;
  let isInFrame = false;
  /** Looks whether a picture is there. @type {Set<() => void>} */
  const looks = new Set();
  const frames = new MessageChannel();
  frames.port1.onmessage = () => (isInFrame = false);
  const onFrame = () => {
    isInFrame = true;
    // An element that was ready before it is visible does not change any more.
    for (const look of looks) look();
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
  const markPanel = () => {
    performance.mark("summary shown");
    afterPaint(() => performance.mark("gguf-summary painted"));
  };
  document.addEventListener("summary-shown", markPanel);
  const { attachShadow } = Element.prototype;
  /** @this {Element} @param {ShadowRootInit} options */
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    const name = this.localName;
    // Before the main module is started, another element shows what is known of the header. The last one counts.
    if (name === "gguf-summary") markPanel();
    const selector = pictures[name];
    if (selector === undefined) return root;
    const look = () => {
      if (!root.querySelector(selector)) return;
      // After a paint, to ask what is visible takes no layout that the page would not need.
      afterPaint(() => {
        if (!looks.has(look) || !this.checkVisibility()) return;
        looks.delete(look);
        changes.disconnect();
        performance.mark(`${name} painted`);
        missing -= 1;
        if (missing === 0) performance.mark("all painted");
      });
    };
    const changes = new MutationObserver(look);
    looks.add(look);
    changes.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"] });
    return root;
  };
}
