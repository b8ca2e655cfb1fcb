import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { TestServer } from "./server.ts";

export const DIST = fileURLToPath(new URL("../../../www/dist", import.meta.url));

interface Fixtures {
  /** The page, opened nowhere yet; fails the test if it complains. */
  page: Page;
  /** What the page is expected to complain of. */
  expected: RegExp;
}

interface WorkerFixtures {
  /** The app's own server. */
  app: TestServer;
  /** Another origin, which allows nothing unless a test says so. */
  other: TestServer;
  /** A third, to which others redirect. */
  cdn: TestServer;
}

/** A server for as long as a worker runs. */
const served = (folder: string | undefined): [WorkerFixture<TestServer>, { scope: "worker" }] => [
  // eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs off this pattern
  async ({}, use) => {
    const server = new TestServer(folder);
    await server.start();
    await use(server);
    await server.stop();
  },
  { scope: "worker" },
];

type WorkerFixture<T> = (needs: object, use: (value: T) => Promise<void>) => Promise<void>;

export const test = base.extend<Fixtures, WorkerFixtures>({
  app: served(DIST),
  other: served(undefined),
  cdn: served(undefined),
  expected: [/^$/, { option: true }],
  page: async ({ page, expected }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
      });
    });
    await use(page);
    expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
  },
});

export { expect };

/** The sample model: its header takes more than one request. */
export function sampleBytes(): Promise<Buffer> {
  return readFile(join(DIST, "sample.gguf"));
}

/** A line among the facts of the summary. */
export function factOf(page: Page, label: string): Locator {
  return page
    .locator("gguf-summary dl div", { has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) })
    .locator("dd");
}

/**
 * Waits until the file of this name is open. Its name alone is on the page as soon as it is asked for, and the model's name may be that of
 * the file before.
 */
export async function expectOpen(page: Page, name: string): Promise<void> {
  // Where the model has no name of its own, the file's is the heading.
  await expect(page.locator("gguf-summary").locator("h2, .file").last()).toHaveText(name);
}

/** The page, told to open a file by its address. */
export async function openUrl(page: Page, app: TestServer, url: string, more = ""): Promise<void> {
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}${more}`);
}

/** The page, told to open a file of this device. */
export async function openFile(page: Page, app: TestServer, data: Uint8Array, name = "model.gguf"): Promise<void> {
  await page.goto(app.origin);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(data) });
}

/** The text of a column, top to bottom, of the rows in the document. */
export async function column(page: Page, table: string, selector: string): Promise<string[]> {
  return page.locator(`${table} .row:not(.group):not(.section) ${selector}`).allInnerTexts();
}
