// The engines: Chromium, and Firefox and WebKitGTK as Debian packages them (`firefox-esr`, `webkit2gtk-driver` with `xvfb`).

import { spawnSync } from "node:child_process";
import { startChromium, startFirefox } from "./drivers/playwright.mjs";
import { startWebKit } from "./drivers/webdriver.mjs";

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string | false} missing The reason why it cannot be started.
 * @property {(downloads: string) => Promise<import("./drivers/driver.mjs").Driver>} start Takes the folder for downloaded files.
 */

const FIREFOX = ["firefox-esr", "firefox"].find(isInstalled) ?? "firefox-esr";

/** @type {readonly Engine[]} */
export const ENGINES = [
  { name: "Chromium", missing: false, start: (downloads) => startChromium(process.env["GGUF_CHROMIUM"], downloads) },
  { name: "Firefox", missing: missing(FIREFOX), start: (downloads) => startFirefox(pathOf(FIREFOX), downloads) },
  { name: "WebKitGTK", missing: missing("WebKitWebDriver", "xvfb-run"), start: startWebKit },
];

/** @param {...string} programs */
function missing(...programs) {
  const absent = programs.find((program) => !isInstalled(program));
  return absent === undefined ? false : `${absent} is not installed`;
}

/** @param {string} program */
function isInstalled(program) {
  return pathOf(program) !== "";
}

/** @param {string} program */
function pathOf(program) {
  return spawnSync("which", [program], { encoding: "utf8" }).stdout.trim();
}
