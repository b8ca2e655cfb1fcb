import { compute, hashPanel, manifestOf, sha256, showHash } from "../support/hash-panel.ts";
import { downloadedBytes } from "../support/editing.ts";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { sendRange } from "../support/server.ts";
import { openFiles, shardsOf, tensorsOf, wholeModel } from "../support/shard-files.ts";
import { fileWith, matrix } from "../support/tensor-files.ts";
import { text } from "../../support/gguf-bytes.mjs";

const TENSORS = tensorsOf(6);
const DATA = sha256(...TENSORS.map(({ data }) => data));

test("hashes of the file, of all tensor data and of each tensor", async ({ page, app }) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showHash(page);
  await compute(page, "SHA-256", "Whole file");
  const table = hashPanel(page).getByRole("table", { name: "Hashes" });
  await expect(table.getByRole("row", { name: "Whole file whole.gguf, SHA-256" })).toContainText(sha256(wholeModel()));
  await expect(table.getByRole("row", { name: "All tensor data, SHA-256" })).toContainText(DATA);
  await hashPanel(page).getByText("Hashes of 6 tensors").click();
  const rows = hashPanel(page).getByRole("region", { name: "Hashes of the tensors" }).locator("tbody tr");
  await expect(rows).toHaveCount(6);
  for (const [at, { name, data }] of TENSORS.entries()) {
    await expect(rows.nth(at)).toContainText(name);
    await expect(rows.nth(at)).toContainText(sha256(data));
  }
});

test("the manifest is saved in the format of llama.cpp's tool", async ({ page, app }) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showHash(page);
  await compute(page, "SHA-256");
  const downloading = page.waitForEvent("download");
  await hashPanel(page).getByRole("button", { name: "Save manifest" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("whole.gguf.manifest");
  expect(Buffer.from(await downloadedBytes(download)).toString()).toBe(manifestOf("whole.gguf", TENSORS));
});

test("the hashes of a set are those of the merged file, and each shard has its own", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await showHash(page);
  await compute(page, "SHA-256", "Whole file");
  const table = hashPanel(page).getByRole("table", { name: "Hashes" });
  await expect(table.getByRole("row", { name: "All tensor data, SHA-256" })).toContainText(DATA);
  for (const { name, bytes } of shardsOf())
    await expect(table.getByRole("row", { name: `Whole file ${name}` })).toContainText(sha256(bytes));
});

test("the hash that Hugging Face states is chosen first, and nothing is computed without a choice", async ({
  page,
  app,
}) => {
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showHash(page);
  await expect(hashPanel(page).getByRole("checkbox", { checked: true })).toHaveCount(1);
  await hashPanel(page).getByRole("checkbox", { name: "Whole file, SHA-256 (as on Hugging Face)" }).uncheck();
  await expect(hashPanel(page).getByRole("button", { name: "Compute" })).toHaveAttribute("aria-disabled", "true");
});

test("a computation shows its progress and is cancelled", async ({ page, app }) => {
  const large = fileWith(
    [["general.architecture", text("llama")]],
    [matrix("large", 1024, 1024, (row, column) => row + column)],
  );
  let held: (() => void) | undefined;
  const url = app.on("/held/large.gguf", (request, response) => {
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    // The data of the tensor is sent only in part.
    if (start === 0 || held !== undefined) {
      sendRange(request, response, large, "application/octet-stream");
      return;
    }
    const end = large.length;
    response.writeHead(206, {
      "accept-ranges": "bytes",
      "content-length": end - start,
      "content-range": `bytes ${start}-${end - 1}/${end}`,
    });
    response.write(large.subarray(start, start + 100_000));
    held = () => response.destroy();
  });
  await openUrl(page, app, url);
  await showHash(page);
  await expect(hashPanel(page)).toContainText("so it is downloaded");
  await compute(page, "SHA-256");
  const progress = hashPanel(page).getByRole("progressbar", { name: "Bytes hashed" });
  await expect(progress).toBeVisible();
  await expect.poll(() => held !== undefined).toBe(true);
  // Another panel does not end the computation.
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await showHash(page);
  await hashPanel(page).getByRole("button", { name: "Cancel" }).click();
  await expect(hashPanel(page)).toContainText("Cancelled.");
  await expect(progress).toHaveCount(0);
  await expect(hashPanel(page).getByRole("button", { name: "Compute", exact: true })).toBeFocused();
  held?.();
  await compute(page, "SHA-256");
  await expect(hashPanel(page).getByRole("table", { name: "Hashes" })).toContainText(/[\da-f]{64}/);
});

test("a set keeps the hashes that were finished before a cancellation", async ({ page, app }) => {
  const shards = shardsOf();
  const [first, second] = shards;
  if (!first || !second) throw new Error("no shards");
  let isHashing = false;
  const held: (() => void)[] = [];
  for (const { name, bytes } of shards)
    app.on(`/held-set/${name}`, (request, response) => {
      // The server never answers for the second shard.
      if (isHashing && name === second.name) held.push(() => response.destroy());
      else sendRange(request, response, bytes, "application/octet-stream");
    });
  await openUrl(page, app, `/held-set/${first.name}`);
  await showHash(page);
  const announced = page.locator("gguf-viewer").evaluate(
    (viewer) =>
      new Promise((resolve) => {
        viewer.addEventListener("gguf-announce", (event) => {
          if ((event as CustomEvent<string>).detail === "Cancelled") resolve(true);
        });
      }),
  );
  isHashing = true;
  await compute(page, "Whole file");
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await hashPanel(page).getByRole("button", { name: "Cancel" }).click();
  await expect(hashPanel(page)).toContainText("Cancelled. The finished hashes are below.");
  expect(await announced).toBe(true);
  const table = hashPanel(page).getByRole("table", { name: "Hashes" });
  await expect(table.getByRole("row", { name: `Whole file ${first.name}` })).toContainText(sha256(first.bytes));
  await expect(table.getByRole("row")).toHaveCount(1);
  for (const end of held) end();
});
