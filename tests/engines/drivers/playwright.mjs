// Drives Chromium by its own protocol, and the Firefox of a distribution by WebDriver BiDi.

import { join } from "node:path";
import { chromium, firefox } from "@playwright/test";

/** @typedef {import("./driver.mjs").Driver} Driver */

/**
 * @param {string | undefined} executablePath Without it, the browser that Playwright has installed.
 * @param {string} downloads The folder for downloaded files.
 * @returns {Promise<Driver>}
 */
export async function startChromium(executablePath, downloads) {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
  const path = executablePath === undefined ? {} : { executablePath };
  const { driver, page } = await drive(await chromium.launch({ ...path, args }));
  page.on("download", (download) => void download.saveAs(join(downloads, download.suggestedFilename())));
  return driver;
}

/**
 * @param {string} executablePath
 * @param {string} downloads
 * @returns {Promise<Driver>}
 */
export async function startFirefox(executablePath, downloads) {
  // Channels with this prefix are driven by WebDriver BiDi: Playwright's own protocol needs a patched Firefox.
  const options = { channel: "moz-firefox", executablePath, downloadsPath: downloads };
  return (await drive(await firefox.launch(options))).driver;
}

/** @param {import("@playwright/test").Browser} browser */
async function drive(browser) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    // A service worker would fetch all files of the app beside the flows.
    serviceWorkers: "block",
  });
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  /** @type {Driver} */
  const driver = {
    problems,
    go: async (url) => void (await page.goto(url)),
    run: (source, argument) => page.evaluate(`(${source})(${JSON.stringify(argument)})`),
    click: (x, y) => page.mouse.click(x, y),
    move: (x, y) => page.mouse.move(x, y),
    press: (keys) => page.keyboard.press(keys.join("+")),
    type: (text) => page.keyboard.type(text),
    async choose(source, argument, paths) {
      const input = await page.evaluateHandle(`(${source})(${JSON.stringify(argument)})`);
      await input.asElement()?.setInputFiles([...paths]);
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: async (path) => void (await page.screenshot({ path })),
    forceColours: async (isOn) => {
      await page.emulateMedia({ forcedColors: isOn ? "active" : "none" });
    },
    close: () => browser.close(),
  };
  return { driver, page };
}
