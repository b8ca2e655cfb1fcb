// Pages in Firefox and in WebKitGTK, as Debian packages them (`firefox-esr`, `webkit2gtk-driver` with `xvfb`). Playwright drives
// engines of its own making only, so a page in these tells the test what it found: it posts it to its server.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { listen } from "./file-server.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";
import { ofRun } from "./long.mjs";

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string | false} skip The reason why its tests are skipped: the option `skip` of a test.
 * @property {(url: string) => Promise<() => Promise<void>>} open Opens a page, and gives what closes the browser.
 */

const FIREFOX = isInstalled("firefox-esr") ? "firefox-esr" : "firefox";

/** The engines of a long run. */
export const ENGINES = ofRun(/** @type {Engine[]} */ ([]), [
  { name: "Firefox", skip: missing(FIREFOX), open: openFirefox },
  { name: "WebKitGTK", skip: missing("WebKitWebDriver", "xvfb-run"), open: openWebKit },
]);

/** @param {string[]} programs */
function missing(...programs) {
  const absent = programs.find((program) => !isInstalled(program));
  return absent === undefined ? false : `${absent} is not installed`;
}

/** @param {string} program */
function isInstalled(program) {
  return spawnSync("which", [program]).status === 0;
}

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

/** @param {string} url */
async function openFirefox(url) {
  const profile = await temporaryFolder();
  const stop = start(FIREFOX, ["--headless", "--no-remote", "--profile", profile, url]);
  return stop;
}

/** @param {string} url */
async function openWebKit(url) {
  const port = await freePort();
  const stop = start("xvfb-run", ["--auto-servernum", "WebKitWebDriver", `--port=${port}`]);
  const driver = `http://127.0.0.1:${port}/session`;
  try {
    const { sessionId } = await command(driver, { capabilities: {} });
    await command(`${driver}/${sessionId}/url`, { url });
    return () =>
      fetch(`${driver}/${sessionId}`, { method: "DELETE" })
        .finally(stop)
        .then(() => undefined);
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * A command of WebDriver. It is repeated until the driver listens.
 *
 * @param {string} url
 * @param {object} parameters
 */
async function command(url, parameters) {
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(parameters) });
      const { value } = await response.json();
      if (!response.ok) throw new Error(`${url}: ${value.error}: ${value.message}`);
      return value;
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 600) throw error;
      await new Promise((waited) => setTimeout(waited, 100));
    }
  }
}

async function freePort() {
  const server = await listen(() => {});
  await server.close();
  return new URL(server.origin).port;
}

/**
 * @param {string} program
 * @param {string[]} parameters
 * @returns What stops the program and all that it has started.
 */
function start(program, parameters) {
  const child = spawn(program, parameters, { stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  return async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
}
