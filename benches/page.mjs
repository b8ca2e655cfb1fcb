// Measures the tasks of the page's main thread while a header with 262,144 tokens is opened and its Tokenizer panel shown, and
// while a local file of 0.5 GB is hashed and compared with itself. Run by `cargo xtask bench page`.
//
// A task is what the browser runs at a stretch: nobody can click meanwhile. Its time is processor time of the main thread, so
// that other programs do not count.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { writeRandomTensors } from "./local-file.mjs";
import { measurePictures } from "./page-pictures.mjs";
import { servePage } from "./page-server.mjs";
import { measureStart } from "./page-start.mjs";
import { tasksOf } from "./page-tasks.mjs";
import { machine, median, table, verdict } from "./report.mjs";

const DIST = fileURLToPath(new URL("../www/dist", import.meta.url));
const LONGEST = 100;
/** The goal for work that goes on for seconds. */
const LONGEST_PIECE = 50;
const MIB = 1 << 20;
const ROUNDS = 5;
/** Milliseconds until the page has done all that it does when a panel is shown. */
const SETTLED = 3000;

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: page.mjs FOLDER");
const model = await readFile(join(dir, "gemma.gguf"));
const server = await servePage(DIST, { "/model.gguf": model });
const path = process.env["GGUF_CHROMIUM"];
const browser = await chromium.launch({ args: ["--no-sandbox"], ...(path ? { executablePath: path } : {}) });

const isStartOnly = process.env["GGUF_START"] === "only";
const isPicturesOnly = process.env["GGUF_PICTURES"] === "only";
if (isStartOnly || isPicturesOnly) {
  machine();
  if (isStartOnly) await measureStart(browser, DIST, dir);
  if (isPicturesOnly) await measurePictures(browser, DIST, dir);
  await browser.close();
  await server.close();
  process.exit();
}

/** The times of the tasks of the main thread, in milliseconds, the longest first. @param {() => Promise<unknown>} work */
const longestTasks = async (work) => (await tasksOf(browser, page, work)).tasks;

/** @type {import("@playwright/test").Page} */
let page;
/** @type {{ opening: number[], panel: number[] }} */
const longest = { opening: [], panel: [] };
for (let round = 0; round < ROUNDS; round++) {
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const opening = await longestTasks(async () => {
    await page.goto(`${server.origin}/#url=model.gguf`);
    await page.locator("gguf-answers dl").waitFor();
  });
  const panel = await longestTasks(async () => {
    await page.getByRole("tab", { name: "Tokenizer" }).click();
    await page.locator("gguf-token-table .row").first().waitFor();
  });
  longest.opening.push(opening[0] ?? NaN);
  longest.panel.push(panel[0] ?? NaN);
  if (process.env["GGUF_TASKS"]) console.log(opening.slice(0, 6), panel.slice(0, 6));
  await page.close();
}
/** @type {Record<string, number[]>} */
const pieces = { "SHA-256 of the file": [], "all hashes": [], "comparing the data": [], "comparing the values": [] };
const large = join(dir, "page.gguf");
writeRandomTensors(large, 8, 64 * MIB);
for (let round = 0; round < ROUNDS; round++) {
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(server.origin);
  await page.locator("input[type=file]").setInputFiles(large);
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("menuitem", { name: "Hash", exact: true }).click();
  const choices = page.locator("gguf-hash").getByRole("checkbox");
  await choices.first().waitFor();
  for (const choice of await choices.all()) await choice.uncheck();
  await choices.last().check();
  await measure("SHA-256 of the file", "Compute");
  for (const choice of await choices.all()) await choice.check();
  await measure("all hashes", "Compute");
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.locator("gguf-other-file input[type=file]").setInputFiles(large);
  await measure("comparing the data", "Compare the data");
  await page.locator("gguf-compare").getByRole("combobox").last().selectOption("whole");
  await measure("comparing the values", "Compare the values");
  await page.close();
}
await rm(large);
await measureStart(browser, DIST, dir);
await measurePictures(browser, DIST, dir);
await browser.close();
await server.close();

/** Measures what a button begins, until its progress has ended. @param {string} name @param {string} button */
async function measure(name, button) {
  await page.waitForTimeout(SETTLED);
  const tasks = await longestTasks(async () => {
    await page.getByRole("button", { name: button, exact: true }).click();
    const progress = page.locator("gguf-hash, gguf-compare").getByRole("progressbar").first();
    await progress.waitFor();
    await progress.waitFor({ state: "hidden", timeout: 300_000 });
  });
  if (process.env["GGUF_TASKS"]) console.log(name, tasks.slice(0, 6));
  pieces[name]?.push(tasks[0] ?? NaN);
}

machine();
const row = (/** @type {string} */ name, /** @type {number[]} */ figures) => [
  name,
  `${median(figures).toFixed(0)} ms`,
  `${Math.max(...figures).toFixed(0)} ms`,
];
table([
  ["262,144 tokens: longest task", "median", "most"],
  row("opening, with the checks", longest.opening),
  row("the Tokenizer panel", longest.panel),
]);
const most = Math.max(median(longest.opening), median(longest.panel));
console.log(`\nNo task longer than ${LONGEST} ms: ${verdict(most <= LONGEST)} (${most.toFixed(0)} ms)\n`);
table([["a local file of 0.5 GB: longest task", "median", "most"], ...Object.entries(pieces).map((of) => row(...of))]);
const longestPiece = Math.max(...Object.values(pieces).map(median));
const isReached = verdict(longestPiece <= LONGEST_PIECE);
console.log(`\nNo task longer than ${LONGEST_PIECE} ms: ${isReached} (${longestPiece.toFixed(0)} ms)`);
