import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { openFiles, serve, shardName, shardsOf } from "../support/shard-files.ts";
import { openHeatMap, shownValues } from "../support/values-panel.ts";

const FIRST = shardName("tiny", 1, 3);

/** The values of the first row of a tensor: those of tensor 3 begin at 300. */
const rowOf = (tensor: number) => Array.from({ length: 32 }, (_, column) => String(tensor * 100 + column));

test("the values of a tensor come from its shard", async ({ page, app }) => {
  const urls = serve(app, shardsOf(), "/values");
  await openUrl(page, app, urls[0] ?? "");
  await expectOpen(page, FIRST);
  const before = app.log.length;
  await openHeatMap(page, "blk.3.attn_q.weight");
  expect((await shownValues(page))[0]).toEqual(rowOf(3).slice(0, (await shownValues(page))[0]?.length));
  const asked = app.log
    .slice(before)
    .map((request) => request.url ?? "")
    .filter((path) => path.includes("/values/"));
  expect(new Set(asked)).toEqual(new Set([new URL(urls[1] ?? "").pathname]));
  await expect(page.locator("gguf-tensor-table .detail")).toContainText(/Shard\s*2/);
  // A tensor of another shard, with the same worker.
  await page.locator("gguf-tensor-table .row", { hasText: "blk.3.attn_q.weight" }).click();
  await openHeatMap(page, "blk.5.attn_q.weight");
  expect((await shownValues(page))[0]?.[0]).toBe("500");
});

test("local shards: values, statistics of the whole tensor and stored bytes", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await expectOpen(page, FIRST);
  await openHeatMap(page, "blk.4.attn_q.weight");
  expect((await shownValues(page))[1]?.[0]).toBe("432");
  const detail = page.locator("gguf-tensor-table .detail");
  await expect(detail).toContainText(/Shard\s*3/);
  await detail.getByRole("button", { name: /as stored/ }).click();
  const bytes = Buffer.from(new Float32Array([400]).buffer).toString("hex");
  await expect(detail.getByRole("region", { name: "First bytes of the tensor" })).toContainText(
    bytes.replaceAll(/(..)(?=.)/g, "$1 "),
  );
  await expect(detail).toContainText("463");
});
