// The other files of the repository of an open file: the list, the palette, and the file that fits.

import { HUB, routeHub } from "../support/hub.ts";
import { expect, test } from "../support/fixtures.ts";
import { firstModel, secondModel, panel as comparePanel } from "../support/compare-panel.ts";
import { read } from "../../package/corpus.mjs";

const ADDRESS = `${HUB}/owner/name/resolve/main`;

test("the other files are listed when the person asks for them, and are opened or compared", async ({ page, app }) => {
  const { asked } = await routeHub(page, {
    "owner/name": {
      files: {
        "first-Q8_0.gguf": firstModel(),
        "second-Q4_K_M.gguf": secondModel(),
        "mmproj-F16.gguf": 1000,
        "big-00001-of-00002.gguf": 1000,
        "big-00002-of-00002.gguf": 1000,
      },
    },
  });
  await page.goto(`${app.origin}/#url=${encodeURIComponent(`${ADDRESS}/first-Q8_0.gguf`)}`);
  const sidebar = page.getByRole("region", { name: "Model", exact: true });
  const button = sidebar.getByRole("button", { name: "Other files of owner/name" });
  await expect(button).toBeVisible();
  const listed = () => asked.filter(({ path }) => path.startsWith("/api/")).length;
  expect(listed()).toBe(0);
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Other files of owner/name" });
  await expect(dialog.getByRole("region", { name: "Models" }).getByRole("listitem")).toHaveText([
    /big-00001-of-00002\.gguf\s+2\.00 kB, 2 shards/,
    /second-Q4_K_M\.gguf\s+Q4_K_M, /,
  ]);
  await expect(dialog.getByRole("region", { name: "Other files", exact: true })).toContainText(
    "Multimodal projector, F16, 1.00 kB",
  );
  await dialog.getByRole("button", { name: "Compare with second-Q4_K_M.gguf" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(comparePanel(page)).toContainText("second-Q4_K_M.gguf (the other file)");

  // What was listed is in the palette.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Panel, key, tensor, token or action" }).pressSequentially("second-Q4");
  await expect(page.getByRole("listbox", { name: "Results" }).getByRole("option").first()).toContainText(
    "second-Q4_K_M.gguf",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/second-Q4_K_M\.gguf/);
  await expect(sidebar).toContainText("second-Q4_K_M.gguf");
  // The list is known.
  const before = listed();
  await button.click();
  await dialog.getByRole("button", { name: "Open first-Q8_0.gguf" }).click();
  await expect(sidebar).toContainText("first-Q8_0.gguf");
  expect(listed()).toBe(before);
});

test("a file that is too large for the card leads to one of the same repository that fits", async ({ page, app }) => {
  const header = read("memory/llama-3.1-8b.gguf");
  await routeHub(page, {
    "owner/name": { files: { "m-Q8_0.gguf": header, "m-Q4_K_S.gguf": 1000, "m-Q2_K.gguf": 900 } },
  });
  await page.goto(app.origin);
  await page.evaluate(() => localStorage.setItem("machine", '{"cards":[4]}'));
  await page.goto(`${app.origin}/#url=${encodeURIComponent(`${ADDRESS}/m-Q8_0.gguf`)}`);
  const run = page.locator("gguf-will-it-run");
  await run.getByRole("button", { name: "Look for a smaller file in owner/name" }).click();
  await expect(run).toContainText("Q4_K_S of the same repository fits your 4 GB: 1.00 kB.");
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await expect(page.locator("gguf-share")).toContainText("Q4_K_S of the same repository fits your 4 GB");
  await expect(page.locator("gguf-share").getByRole("button", { name: "Open Q4_K_S" })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("machine"));
});
