/** A conversion that stops because its model cannot be read continues where it stopped. */

import { file, run } from "../../package/convert/corpus.mjs";
import { missing } from "../../package/corpus.mjs";
import { panel, save, showConvert, storedNames, storedSha256, workers } from "../support/convert-panel.ts";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { replacePickers } from "../support/picked-file.ts";
import { send, sendRange } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

// The servers of these tests refuse requests.
test.use({ expected: /^Failed to load resource/ });

test.skip(missing !== false);

/** A server that stops to send the second half of a model. */
function failing(app: TestServer) {
  const data = file("llama-gqa4-f16.gguf");
  const server = { isDown: false, failures: 0, address: "" };
  server.address = app.on("/models/llama-gqa4-f16.gguf", (request, response) => {
    const end = Number(/-(\d+)$/.exec(request.headers.range ?? "")?.[1] ?? data.length);
    if (server.isDown && end > data.length / 2) {
      server.failures += 1;
      send(response, 403, "expired", "text/plain");
    } else sendRange(request, response, data, "application/octet-stream");
  });
  return server;
}

test("a failure of the network is tried again, and the file is complete", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  const server = failing(app);
  await openUrl(page, app, server.address);
  await showConvert(page);
  server.isDown = true;
  await save(page).click();
  const again = panel(page).getByRole("button", { name: "Try again" });
  await expect(again).toBeFocused();
  await expect(panel(page).getByRole("alert")).toContainText("What is written so far is kept.");
  await expect(panel(page)).toContainText(/Stopped · .* of 1\.02 MB/);
  // It fails once more, and asks again.
  const { failures } = server;
  await again.click();
  await expect.poll(() => server.failures).toBeGreaterThan(failures);
  await expect(again).toBeVisible();
  server.isDown = false;
  await again.click();
  await expect(panel(page)).toContainText("Saved as llama-gqa4-Q4_K_M.gguf");
  const recorded = run("llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M");
  expect(await storedSha256(page, "llama-gqa4-Q4_K_M.gguf")).toBe(recorded.sha256);
});

test("a conversion that has stopped can be cancelled", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  const server = failing(app);
  await openUrl(page, app, server.address);
  await showConvert(page);
  const before = await storedNames(page);
  server.isDown = true;
  await save(page).click();
  await expect(panel(page).getByRole("button", { name: "Try again" })).toBeVisible();
  await panel(page).getByRole("button", { name: "Cancel" }).click();
  await expect(panel(page)).toContainText("Cancelled. No file was written.");
  expect(await storedNames(page)).toEqual(before);
  await expect.poll(() => workers(page).length).toBe(0);
});
