import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { chooseFiles, removeLocalFiles } from "./local-files.ts";
import { TestServer } from "./server.ts";
import { SharedPage, takeUnused } from "./shared-page.ts";

export const DIST = fileURLToPath(new URL("../../../www/dist", import.meta.url));

interface Fixtures {
  /** The page, without an open file. The test fails if the console shows an unexpected message. */
  page: Page;
  /** The messages that the console may show. */
  expected: RegExp;
}

interface WorkerFixtures {
  /** The server of the app. */
  app: TestServer;
  /** A server of another origin. It has no files and allows nothing unless a test adds them. */
  other: TestServer;
  /** A server of a third origin, the target of redirects. */
  cdn: TestServer;
  sharedPage: SharedPage;
}

/** A server for all tests of one worker process. */
const served = (folder: string | undefined): [WorkerFixture<TestServer>, { scope: "worker" }] => [
  // eslint-disable-next-line no-empty-pattern -- Playwright finds the fixtures that a fixture needs by this pattern
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
  sharedPage: [
    async ({ browser, app }, use) => {
      const shared = new SharedPage(browser, app);
      await use(shared);
      await shared.close();
    },
    { scope: "worker" },
  ],
  page: async ({ sharedPage, expected, viewport, hasTouch, deviceScaleFactor }, use) => {
    const options = { viewport, hasTouch, ...(deviceScaleFactor === undefined ? {} : { deviceScaleFactor }) };
    const page = await sharedPage.take(options);
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(page);
    await sharedPage.giveBack(options);
    await removeLocalFiles();
    expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
  },
  // Tests use the context to open more pages and to grant permissions.
  context: async ({ page }, use) => {
    await use(page.context());
  },
});

export { expect };

/** The sample model. Its header needs more than one request. */
export function sampleBytes(): Promise<Buffer> {
  return readFile(join(DIST, "sample.gguf"));
}

/** A fact in the summary or in the sidebar. */
export function factOf(page: Page, label: string): Locator {
  return page
    .locator(":is(gguf-summary-panel, gguf-identity) dl div", {
      has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }),
    })
    .locator("dd");
}

/**
 * Waits until the file with this name is open. The page shows the name of a file before the file is open, and the name of the model may be
 * the same as that of the previous file.
 */
export async function expectOpen(page: Page, name: string): Promise<void> {
  // If the model has no name, the heading is the name of the file.
  await expect(page.locator("gguf-identity").locator("h2, .file").last()).toHaveText(name);
  // While the header arrives, the name is shown, too.
  await expect(page.locator("gguf-progress")).toHaveCount(0);
}

/** Opens a file by its address. */
export async function openUrl(page: Page, app: TestServer, url: string, more = ""): Promise<void> {
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}${more}`);
}

/** Opens a local file. */
export async function openFile(page: Page, app: TestServer, data: Uint8Array, name = "model.gguf"): Promise<void> {
  if (!takeUnused(page)) await page.goto(app.origin);
  await chooseFiles(page, [{ name, bytes: data }]);
}

/** The texts of a column from top to bottom, for the rows that are in the document. */
export async function column(page: Page, table: string, selector: string): Promise<string[]> {
  return page.locator(`${table} .row:not(.group):not(.section) ${selector}`).allInnerTexts();
}
