/** A link asks for the first bytes of its file while the modules of the page are loaded. */

import type { Page } from "@playwright/test";
import { expect, factOf, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { ALLOWED, type TestServer } from "../support/server.ts";
import { leaveDocument } from "../support/shared-page.ts";

// Only a page that is loaded makes the first request.
test.beforeEach(({ page }) => leaveDocument(page));

/** Holds back the module that opens files. Returns a function that lets it go. */
async function holdReader(page: Page): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/gguf_wasm_reader_bg-[^/]*\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  return go;
}

/** The ranges that were asked of a path. */
const rangesOf = ({ log }: TestServer, path: string) =>
  log.filter(({ url }) => url === path).map(({ headers }) => headers.range);

for (const more of ["", "&view=tensors"]) {
  test(`the first bytes are asked for before the reader is there, and once${more && ", also for a panel"}`, async ({
    page,
    app,
    other,
  }) => {
    const path = `/models/soon${more.length}.gguf`;
    const go = await holdReader(page);
    await openUrl(page, app, other.file(path, smallModel(), ALLOWED), more);
    await expect.poll(() => rangesOf(other, path)).toEqual(["bytes=0-393215"]);
    go();
    await expect(factOf(page, "Architecture")).toHaveText("llama");
    await expect(factOf(page, "Requests made")).toHaveText("1");
    expect(rangesOf(other, path)).toEqual(["bytes=0-393215"]);
  });
}

test("the first bytes of a shard are asked for so early, too, and its set is opened with them", async ({
  page,
  app,
  other,
}) => {
  const go = await holdReader(page);
  const paths = Object.entries(shardFiles(2)).map(([name, bytes]) => {
    other.file(`/models/early/${name}`, bytes, ALLOWED);
    return `/models/early/${name}`;
  });
  const [first = "", second = ""] = paths;
  await openUrl(page, app, `${other.origin}${first}`);
  await expect.poll(() => rangesOf(other, first)).toEqual(["bytes=0-393215"]);
  expect(rangesOf(other, second)).toEqual([]);
  go();
  await expect(factOf(page, "Requests made")).toHaveText("2");
  expect(rangesOf(other, first)).toEqual(["bytes=0-393215"]);
  expect(rangesOf(other, second)).toHaveLength(1);
});

test("the wasm of the reader is fetched once, before the scripts that start it run", async ({ page, app }) => {
  const path = "/models/preloaded.gguf";
  const before = app.log.length;
  await openUrl(page, app, app.file(path, smallModel()));
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  const asked = app.log.slice(before).map(({ url = "" }) => url);
  expect(asked.filter((url) => url.includes("gguf_wasm_reader_bg"))).toHaveLength(1);
});

test("a request that the page does not make is cancelled", async ({ page, app }) => {
  const [typed, fetched] = ["https://www.huggingface.co", "https://huggingface.co"];
  const cancelled = page.waitForEvent("requestfailed", (request) => request.url().startsWith(typed));
  await page.route(`${typed}/**`, () => undefined);
  await page.route(`${fetched}/**`, async (route) => {
    await route.fulfill({ body: Buffer.from(smallModel()), headers: ALLOWED });
  });
  await openUrl(page, app, `${typed}/owner/name/resolve/main/model.gguf`);
  await cancelled;
  await expect(factOf(page, "Architecture")).toHaveText("llama");
});

test("an address that cannot be understood so early is not asked for", async ({ page, app, other }) => {
  const go = await holdReader(page);
  await openUrl(page, app, other.file("/models/alone.gguf", smallModel(), ALLOWED), "&alone=shard");
  await expect(page.getByText("alone.gguf").first()).toBeVisible();
  expect(rangesOf(other, "/models/alone.gguf")).toEqual([]);
  go();
  await expect(factOf(page, "Architecture")).toHaveText("llama");
});
