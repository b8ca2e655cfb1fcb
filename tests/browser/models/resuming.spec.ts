/** A conversion that stops because the files cannot be read, and continues. */

import type { Page } from "@playwright/test";
import { missing } from "../../package/corpus.mjs";
import { filesOf, model as modelOf, run } from "../../package/models/corpus.mjs";
import { storedNames, storedSha256 } from "../support/convert-panel.ts";
import { expect, test } from "../support/fixtures.ts";
import { HUB, routeHub } from "../support/hub.ts";
import { model, region, save, type, whenPlanned } from "../support/model-page.ts";
import { replacePickers } from "../support/picked-file.ts";
import type { TestServer } from "../support/server.ts";

test.skip(missing !== false);
test.use({ expected: /40[46]/ });

const NAME = "Tiny-Llama-0.1M-Chat-v1.0";
const PLACE = `owner/${NAME}`;
const TENSORS = `${HUB}/${PLACE}/resolve/main/model.safetensors`;

/** Opens a repository whose tensors are missing from then on. */
async function openAndRemove(page: Page, app: TestServer, name = "F16", ending = name): Promise<void> {
  await routeHub(page, { [PLACE]: { files: filesOf(`models/${NAME}`) } });
  await replacePickers(page, new Uint8Array());
  await page.goto(`${app.origin}/#repo=${PLACE}&repo.as=gguf`);
  await type(page, name).check();
  await expect(region(page, "New file")).toContainText(`${NAME}-${ending}.gguf`);
  await whenPlanned(page);
  await page.route(TENSORS, (route) =>
    route.fulfill({
      status: 404,
      headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*" },
    }),
  );
}

test("it continues where it stopped, and gives the same bytes", async ({ page, app }) => {
  await openAndRemove(page, app);
  await save(page).click();
  const failure = model(page).getByRole("alert");
  await expect(failure).toContainText("What is written so far is kept.");
  await page.unroute(TENSORS);
  await model(page).getByRole("button", { name: "Try again" }).click();
  await expect(model(page)).toContainText("Saved as");
  expect(await storedSha256(page, `${NAME}-F16.gguf`)).toBe(run(modelOf(NAME), "f16").output.sha256);
});

test("it can be given up, and leaves no file", async ({ page, app }) => {
  await openAndRemove(page, app);
  const before = await storedNames(page);
  await save(page).click();
  await expect(model(page).getByRole("alert")).toBeVisible();
  await model(page).getByRole("button", { name: "Cancel" }).click();
  await expect(model(page)).toContainText("Cancelled. No file was written.");
  expect(await storedNames(page)).toEqual(before);
});

test("a plan that could not be made is made again", async ({ page, app }) => {
  await openAndRemove(page, app);
  // Two tensors are compared when a file is planned.
  await type(page, "BF16").check();
  const file = region(page, "New file");
  await expect(file.getByRole("alert")).toContainText("File not found");
  await expect(save(page)).toHaveAttribute("aria-disabled", "true");
  await page.unroute(TENSORS);
  await file.getByRole("button", { name: "Try again" }).click();
  await expect(file).toContainText(`${NAME}-BF16.gguf`);
  await whenPlanned(page);
});

test("a quantized model continues, too", async ({ page, app }) => {
  await openAndRemove(page, app, "Quantized", "Q4_K_M");
  await save(page).click();
  await expect(model(page).getByRole("alert")).toContainText("What is written so far is kept.");
  await page.unroute(TENSORS);
  await model(page).getByRole("button", { name: "Try again" }).click();
  await expect(model(page)).toContainText(`Saved as ${NAME}-Q4_K_M.gguf`);
});
