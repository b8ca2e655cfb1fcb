// The flows of the page, axe and the golden vectors of the package, in each engine. An engine has one browser and one page.

import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temporary-folder.mjs";
import { startApp } from "./app.mjs";
import { violations } from "./axe.mjs";
import { ENGINES } from "./engines.mjs";
import { differences } from "./golden.mjs";
import { Page } from "./page.mjs";

const FOLDER = new URL("flows/", import.meta.url);
/** @type {import("./flow.mjs").Flow[]} */
const FLOWS = await Promise.all(
  (await readdir(FOLDER))
    .filter((file) => file.endsWith(".mjs"))
    .map(async (file) => (await import(new URL(file, FOLDER).href)).default),
);

/** What a person has on the disk: a folder for each engine. */
const DISK = await temporaryFolder();

/** The folder for screenshots: one of the last state of each flow. */
const SCREENSHOTS = fileURLToPath(new URL("../../target/engines/", import.meta.url));

// Each engine waits for its browser most of the time.
describe("the page", { concurrency: ENGINES.length }, () => {
  for (const { name, missing, start } of ENGINES) {
    if (missing && process.env["CI"] === "true") throw new Error(`${missing}: install it to test the page in ${name}`);
    // The tests of an engine share its page.
    describe(`in ${name}`, { concurrency: 1 }, () => {
      /** @type {import("./drivers/driver.mjs").Driver | undefined} */
      let driver;
      /** @type {Page} */
      let page;
      /** @type {import("./app.mjs").App} */
      let app;
      const folder = join(SCREENSHOTS, name);

      before(async () => {
        if (missing) return;
        await mkdir(folder, { recursive: true });
        app = await startApp(join(DISK, name));
        driver = await start(app.downloads);
        page = new Page(driver);
      });
      after(async () => {
        await driver?.close();
        await app?.close();
      });

      for (const flow of FLOWS) {
        test(`${name}: ${flow.name}`, { skip: missing }, async () => {
          page.takeProblems();
          try {
            await flow.run(page, app);
            await page.settled();
            assert.deepEqual(page.takeProblems(), []);
          } finally {
            await page.screenshot(join(folder, `${flow.name.replaceAll(/[^a-z]+/g, "-")}.png`));
          }
          assert.deepEqual(await violations(page), []);
        });
      }

      for (const what of /** @type {const} */ (["kernels", "quantizers"])) {
        test(`${name}: golden vectors of the ${what}`, { skip: missing }, async () => {
          assert.deepEqual(await differences(page, app, what), []);
        });
      }
    });
  }
});
