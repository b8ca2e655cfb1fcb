import { expect, test } from "../support/fixtures.ts";
import { bar, startEditing, typeOf, valueOf } from "../support/editing.ts";
import { rowOf } from "../support/metadata-table.ts";
import { ggufBytes, smallModel } from "../../support/gguf-bytes.mjs";

const KEY = "llama.context_length";

test("shows the entry's type after a refusal, Undo and Discard, and the same type can be chosen again", async ({
  page,
  app,
}) => {
  await startEditing(page, app, smallModel());
  await rowOf(page, KEY).click();
  const type = typeOf(page, KEY);
  await type.selectOption("UINT8");
  await expect(page.locator("gguf-edit-entry").getByRole("alert")).toBeVisible();
  await expect(type).toHaveValue("UINT32");
  for (const takeBack of ["Undo", "Discard all"]) {
    await type.selectOption("UINT64");
    await expect(rowOf(page, KEY)).toContainText("UINT64");
    await bar(page).getByRole("button", { name: takeBack }).click();
    await expect(rowOf(page, KEY)).toContainText("UINT32");
    await expect(type).toHaveValue("UINT32");
  }
});

test("keeps the text of a float, which converts back to the same float", async ({ page, app }) => {
  await startEditing(page, app, ggufBytes([["f", { type: "float32", value: 0.1 }]]));
  await rowOf(page, "f").click();
  await typeOf(page, "f").selectOption("STRING");
  await expect(valueOf(page, "f")).toHaveValue("0.1");
  await typeOf(page, "f").selectOption("FLOAT32");
  await expect(rowOf(page, "f").locator(".value")).toHaveText(/0\.1$/);
  await typeOf(page, "f").selectOption("FLOAT64");
  await expect(rowOf(page, "f").locator(".value")).toContainText("0.10000000149011612");
});
