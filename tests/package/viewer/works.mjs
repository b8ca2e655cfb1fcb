// What a page with the viewer does in every framework.

import assert from "node:assert/strict";

/**
 * The page shows the model, its listener is called, a property is set, and a worker reads values.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {string} address
 * @param {RegExp} [expected] What the console may say.
 */
export async function works(browser, address, expected) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on(
    "response",
    (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
  );
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  await page.locator("h1", { hasText: /^Tiny Test 38;$/ }).waitFor();
  await page.getByRole("button", { name: "Edit" }).waitFor();
  await page.getByRole("button", { name: "File" }).first().click();
  await page.locator("h1", { hasText: /^Tiny Test 38;Tiny Test 38;$/ }).waitFor();
  await page.evaluate(async () => {
    const viewer = /** @type {any} */ (document.querySelector("gguf-viewer"));
    viewer.view = "tensors";
    await viewer.select({ tensor: "token_embd.weight" });
  });
  await page.locator("gguf-heat-map canvas").first().waitFor();
  for (let tries = 0; page.workers().length === 0 && tries < 100; tries++) await page.waitForTimeout(50);
  assert.match(page.workers()[0]?.url() ?? "", /value-worker/);
  assert.deepEqual(
    complaints.filter((text) => !expected?.test(text)),
    [],
  );
  await page.close();
}
