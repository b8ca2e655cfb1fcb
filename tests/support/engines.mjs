// Pages in Firefox and in WebKitGTK, for tests of a package that need no driver: the page tells the test what it found, and posts it to
// its server.

import { ENGINES as ALL } from "../engines/engines.mjs";
import { listen } from "./file-server.mjs";
import { ofRun } from "./long.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string | false} skip The reason why its tests are skipped: the option `skip` of a test.
 * @property {(url: string) => Promise<() => Promise<void>>} open Opens a page, and gives what closes the browser.
 */

/** The engines of a long run, without Chromium. @type {Engine[]} */
export const ENGINES = ofRun(
  [],
  ALL.filter(({ name }) => name !== "Chromium").map(({ name, missing, start }) => ({
    name,
    skip: missing,
    async open(/** @type {string} */ url) {
      const driver = await start(await temporaryFolder());
      await driver.go(url);
      return () => driver.close();
    },
  })),
);

/** The first JSON value that a page posts to `/report`. */
export async function reports() {
  /** @type {(value: unknown) => void} */
  let report = () => {};
  const first = new Promise((resolve) => {
    report = resolve;
  });
  const server = await listen(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    const body = await new Response(/** @type {any} */ (request)).text();
    response.end();
    if (request.method === "POST") report(JSON.parse(body));
  });
  return { url: `${server.origin}/report`, first, close: server.close };
}
