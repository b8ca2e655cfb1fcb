// Where the second file comes from, what is refused, and cancelling.

import type { Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import {
  address,
  alert,
  compareWith,
  entriesWith,
  firstModel,
  panel,
  rowOf,
  secondModel,
  showCompare,
  summary,
  tensorsWith,
} from "../support/compare-panel.ts";
import { imageProjector } from "../support/file-kinds.ts";
import { smallMixture } from "../support/memory-panel.ts";
import { fileWith } from "../support/tensor-files.ts";
import { routeHub } from "../support/hub.ts";
import { sendRange } from "../support/server.ts";
import { openFiles, serve, shardsOf, wholeModel } from "../support/shard-files.ts";

/** Drops files on the box of the panel. */
async function drop(page: Page, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (files) => {
      const data = new DataTransfer();
      for (const { name, bytes } of files) data.items.add(new File([Uint8Array.from(bytes)], name));
      return data;
    },
    files.map(({ name, bytes }) => ({ name, bytes: [...bytes] })),
  );
  await panel(page).locator("gguf-other-file .drop-box").dispatchEvent("drop", { dataTransfer: transfer });
}

test("a model in shards is compared as a whole, by the address of any shard", async ({ page, app }) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showCompare(page);
  await compareWith(page, serve(app, shardsOf(), "/compare")[1] ?? "");
  await expect(panel(page)).toContainText("tiny (the other file, 3 shards)");
  await expect(summary(page)).toHaveText("The models are equal.");
  await expect(panel(page)).toContainText("Tensors: 6 equal.");
});

test("a projector and a model say whether they belong together", async ({ page, app }) => {
  await openFile(page, app, smallMixture(), "mixture.gguf");
  await showCompare(page);
  const verdict = panel(page).locator(".projector-fit");
  await compareWith(page, app.file("/compare/mmproj.gguf", imageProjector(64)));
  await expect(verdict).toContainText("The projector fits the model");
  await panel(page).getByRole("button", { name: "Swap sides" }).click();
  await expect(panel(page)).toContainText("mmproj.gguf (the other file)");
  await expect(verdict).toContainText("The projector fits the model");
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await compareWith(page, app.file("/compare/mmproj-128.gguf", imageProjector(128)));
  await expect(verdict).toContainText("The projector does not fit the model");
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await compareWith(page, app.file("/compare/model.gguf", smallMixture()));
  await expect(panel(page)).toContainText("model.gguf (the other file)");
  await expect(verdict).toHaveCount(0);
});

test("dropped shards are compared with the open file, which stays open", async ({ page, app }) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showCompare(page);
  await drop(page, shardsOf());
  await expect(panel(page)).toContainText("tiny (the other file, 3 shards)");
  await expect(panel(page)).toContainText("Tensors: 6 equal.");
  await expect(panel(page)).toContainText("whole.gguf (this file)");
});

test("missing shards are named above the result", async ({ page, app }) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showCompare(page);
  await drop(page, shardsOf().slice(0, 2));
  await expect(panel(page)).toContainText("tiny (the other file, 2 of 3 shards)");
  const notice = panel(page).locator(".notice.shards");
  await expect(notice).toHaveText(
    /Of B, 2 of 3 shards could be opened\.\s*Missing:\s*tiny-00003-of-00003\.gguf\.\s*Tensors of the other shards are listed as\s+removed\./,
  );
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await drop(page, shardsOf().slice(0, 1));
  await expect(notice).toContainText("B is one of 3 shards of a model.");
});

test("a file is chosen from the list of a repository, and the link has its address", async ({ page, app }) => {
  const { asked } = await routeHub(page, {
    "owner/name": { files: { "second-Q8_0.gguf": secondModel(), "first-Q8_0.gguf": firstModel() } },
  });
  await openFile(page, app, firstModel(), "first.gguf");
  await showCompare(page);
  expect(asked).toEqual([]);
  await compareWith(page, "owner/name");
  await panel(page).getByRole("link", { name: "second-Q8_0.gguf" }).click();
  await expect(panel(page)).toContainText("second-Q8_0.gguf (the other file)");
  await expect(rowOf(page, "general.license")).toContainText("Added");
  // The open file stays.
  await expect(panel(page)).toContainText("first.gguf (this file)");
  const address = "https://huggingface.co/owner/name/resolve/main/second-Q8_0.gguf";
  await expect(page).toHaveURL(new RegExp(`compare\\.with=${address.replaceAll(".", "\\.")}$`));
});

test("the other files of the repository are suggested, once they have been listed", async ({ page, app }) => {
  const { asked } = await routeHub(page, {
    "owner/name": {
      files: { "first-Q8_0.gguf": firstModel(), "second-Q8_0.gguf": secondModel(), "mmproj-F16.gguf": firstModel() },
    },
  });
  const hub = "https://huggingface.co/owner/name/resolve/main";
  await page.goto(`${app.origin}/#url=${encodeURIComponent(`${hub}/first-Q8_0.gguf`)}&view=compare`);
  const suggested = panel(page).locator("gguf-suggested-files");
  const list = suggested.getByRole("button", { name: "List the other files of owner/name" });
  await expect(list).toBeVisible();
  expect(asked.some(({ path }) => path.startsWith("/api/"))).toBe(false);
  await list.click();
  const files = suggested.locator("section").filter({ hasText: "Other files of owner/name" }).getByRole("button");
  await expect(files).toHaveText(/second-Q8_0\.gguf\s*Q8_0, /);
  await expect(files).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("second-Q8_0.gguf (the other file)");
  await expect(page).toHaveURL(
    /compare\.with=https:\/\/huggingface\.co\/owner\/name\/resolve\/main\/second-Q8_0\.gguf$/,
  );
  // The list is known, so it is not asked for again.
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await expect(files).toBeVisible();
  expect(asked.filter(({ path }) => path.startsWith("/api/models/owner/name/tree")).length).toBe(1);
});

test("files that were opened before are suggested, without the open one", async ({ page, app }) => {
  await openUrl(page, app, app.file("/compare/earlier.gguf", secondModel()));
  await expect.poll(() => page.evaluate(() => localStorage.getItem("recent") ?? "")).toContain("earlier.gguf");
  await openUrl(page, app, app.file("/compare/later.gguf", firstModel()), "&view=compare");
  const before = panel(page).locator("gguf-suggested-files section").filter({ hasText: "Opened before" });
  await expect(before.getByRole("button", { name: /later\.gguf/ })).toHaveCount(0);
  await before.getByRole("button", { name: /earlier\.gguf/ }).click();
  await expect(panel(page)).toContainText("earlier.gguf (the other file)");
  await expect(page).toHaveURL(/compare\.with=http.*earlier\.gguf$/);
});

test("files that were chosen together with the open one are suggested", async ({ page, app }) => {
  await openFiles(page, app, [
    { name: "one.gguf", bytes: firstModel() },
    { name: "two.gguf", bytes: secondModel() },
  ]);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /one\.gguf/ })
    .click();
  await showCompare(page);
  const together = panel(page).locator("gguf-suggested-files section").filter({ hasText: "Chosen together" });
  await expect(together.getByRole("button")).toHaveText(/two\.gguf/);
  await together.getByRole("button").click();
  await expect(panel(page)).toContainText("two.gguf (the other file)");
});

test.describe("files that cannot be compared", () => {
  test.use({ expected: /404/ });

  test("are explained, and another can be chosen", async ({ page, app }) => {
    await openFile(page, app, firstModel(), "first.gguf");
    await showCompare(page);
    await compareWith(page, `${app.origin}/compare/no-such-file.gguf`);
    await expect(alert(page)).toContainText("File not found.");
    await expect(address(page)).toBeFocused();
    await expect(address(page)).toHaveValue(`${app.origin}/compare/no-such-file.gguf`);
    await compareWith(page, "");
    await expect(alert(page)).toHaveText("Type or paste the address of a .gguf file.");
    await compareWith(page, app.file("/compare/cut.gguf", firstModel().slice(0, 100)));
    await expect(alert(page)).toContainText("The file is cut off.");
    await drop(page, [{ name: "short.gguf", bytes: Uint8Array.of(1, 2) }]);
    await expect(alert(page)).toContainText("This is not a GGUF file. The file has fewer than four bytes.");
    await drop(page, [{ name: "page.gguf", bytes: new TextEncoder().encode("<html></html>") }]);
    await expect(alert(page)).toContainText("This is not a GGUF file.");
    await expect(page).not.toHaveURL(/compare\.with/);
    await compareWith(page, app.file("/compare/good.gguf", secondModel()));
    await expect(summary(page)).toBeVisible();
    await expect(alert(page)).toHaveCount(0);
  });

  test("a link with a wrong address says so, and keeps the open file", async ({ page, app }) => {
    const own = app.file("/compare/own.gguf", firstModel());
    await page.goto(`${app.origin}/#url=${encodeURIComponent(own)}&view=compare&compare.with=missing.gguf`);
    await expect(alert(page)).toContainText("File not found.");
    await expect(address(page)).toHaveValue("missing.gguf");
  });
});

test("opening is cancelled", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first.gguf");
  await showCompare(page);
  const start = firstModel().subarray(0, 60);
  const url = app.on("/compare/endless.gguf", (_request, response) => {
    response.writeHead(200, { "content-length": "40000000" });
    response.write(start);
  });
  await compareWith(page, url);
  await expect(panel(page)).toContainText("Comparing with endless.gguf");
  await expect(panel(page).getByRole("button", { name: "Cancel" })).toBeFocused();
  await panel(page).getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(address(page)).toBeFocused();
  await expect(alert(page)).toHaveCount(0);
});

test("comparing the data is cancelled, and the result before stays", async ({ page, app }) => {
  const bytes = fileWith(entriesWith(), tensorsWith(1));
  // The data of this file never arrives.
  let isHeld = false;
  const url = app.on("/compare/held.gguf", (request, response) => {
    if (!isHeld) sendRange(request, response, bytes, "application/octet-stream");
  });
  await openFile(page, app, firstModel(), "first.gguf");
  await showCompare(page);
  await compareWith(page, url);
  await expect(panel(page)).toContainText("All tensor data was compared.");
  const before = await summary(page).innerText();
  isHeld = true;
  await page.route(url, () => new Promise(() => undefined));
  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  await panel(page).getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(panel(page)).toContainText("Cancelled. The result above is unchanged.");
  await expect(summary(page)).toHaveText(before);
});

test("an edited file is compared with its original, and again after another change", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first.gguf");
  await page.getByRole("tab", { name: /^Metadata/ }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const change = async (value: string) => {
    await page
      .getByRole("tab", { name: /^Metadata/ })
      .first()
      .click();
    const field = page.getByRole("textbox", { name: "Value of general.name" });
    if (!(await field.isVisible()))
      await page.locator("gguf-metadata-table .row", { hasText: "general.name" }).first().click();
    await field.fill(value);
    await field.press("Enter");
    await page.getByRole("tab", { name: "Compare" }).click();
  };
  await change("Other");
  await panel(page).getByRole("button", { name: "Compare with the original" }).click();
  await expect(rowOf(page, "general.name")).toHaveText(/Changed.*Tiny.*Other/s);
  await expect(panel(page).locator(".chosen dd")).toHaveText([/\(original\)/, /\(edited\)/]);
  await expect(panel(page).locator("gguf-entry-differences .row")).toHaveCount(1);
  await change("Third");
  await expect(panel(page)).toContainText("The file has been changed since.");
  await panel(page).getByRole("button", { name: "Compare again" }).press("Enter");
  await expect(summary(page)).toBeFocused();
  await expect(rowOf(page, "general.name")).toHaveText(/Changed.*Tiny.*Third/s);
  await expect(panel(page)).not.toContainText("The file has been changed since.");
  // Without the edit, there is no original.
  await page.getByRole("button", { name: /^Stop/ }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(summary(page)).toHaveCount(0);
  await expect(address(page)).toBeVisible();
});

test("a token for the host of the file goes with the second file of the same host only", async ({
  page,
  app,
  other,
}) => {
  const header = (path: string) => (request: { headers: { authorization?: string | undefined } }) => {
    seen.set(path, request.headers.authorization);
  };
  const seen = new Map<string, string | undefined>();
  const same = app.on("/compare/same.gguf", (request, response) => {
    header("same")(request);
    sendRange(request, response, secondModel(), "application/octet-stream");
  });
  const foreign = other.on("/compare/foreign.gguf", (request, response) => {
    header("foreign")(request);
    sendRange(request, response, secondModel(), "application/octet-stream", { "access-control-allow-origin": "*" });
  });
  const own = app.file("/compare/own.gguf", firstModel());
  await page.goto(`${app.origin}/#url=${encodeURIComponent(own)}&view=compare`);
  await expect(address(page)).toBeVisible();
  await page.evaluate(() => {
    const viewer = document.querySelector("gguf-app")?.shadowRoot?.querySelector("gguf-viewer");
    if (viewer) viewer.headers = { Authorization: "Bearer secret" };
  });
  await expect(address(page)).toBeVisible();
  await compareWith(page, same);
  await expect(summary(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Choose another file" }).click();
  await compareWith(page, foreign);
  await expect(summary(page)).toBeVisible();
  expect(seen).toEqual(
    new Map([
      ["same", "Bearer secret"],
      ["foreign", undefined],
    ]),
  );
});
