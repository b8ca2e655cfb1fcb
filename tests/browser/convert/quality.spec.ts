/** The quality of all file types before a conversion: the curve, the errors of tensors, a mix of types, a tensor before and after. */

import { missing } from "../../package/corpus.mjs";
import { newSize, newType, openModel, section, target, tensorRow } from "../support/convert-panel.ts";
import { expect, test } from "../support/fixtures.ts";

test.describe("with the models of the corpus", () => {
  test.skip(missing !== false);

  test("the curve and its slider choose a file type, and a mix under a size is proposed and used", async ({
    page,
    app,
  }) => {
    await openModel(page, app, "llama-gqa4-f16.gguf");
    const quality = section(page, "Quality");
    // The estimate begins without a click, because the model is on this machine.
    await expect(quality.getByRole("button", { name: "Propose a mix" })).toBeVisible();
    await expect(quality.getByRole("button", { name: /^Q4_K_M: .* error 0\.0/ })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    // The table has the error of each tensor, and 0 for those that keep their type.
    await expect(tensorRow(page, "blk.0.attn_q.weight").locator("td").last()).toHaveText(/^\s*0\.00\d+\s*$/);
    await expect(tensorRow(page, "blk.0.attn_norm.weight").locator("td").last()).toHaveText("0");

    // The new file has it, too, and leads here.
    const newFile = section(page, "New file");
    await expect(newFile).toContainText(/Error \(NMSE\)\s+0\.00\d+\s+estimated/);
    await newFile.getByRole("button", { name: "Size against error" }).click();
    await expect(quality.getByRole("heading", { name: "Quality" })).toBeFocused();

    const slider = quality.getByRole("slider", { name: "File type" });
    await slider.press("End");
    await expect(target(page, "Q4_K_M")).not.toBeChecked();
    await expect(slider).toHaveAttribute("aria-valuetext", /error \d/);
    await quality.getByRole("button", { name: /^Q5_K_M: / }).press("Enter");
    await expect(target(page, "Q5_K_M")).toBeChecked();

    const before = await newSize(page);
    await quality.getByRole("button", { name: "Propose a mix" }).click();
    await expect(quality).toContainText(/\d types\s+in .*with\s+an\s+error\s+of\s+about\s+0\.00/s);
    await expect(quality.getByRole("region", { name: "Command of llama-quantize" })).toContainText(
      /--tensor-type '\^blk\\\..*llama-gqa4-f16\.gguf/s,
    );
    await quality.getByRole("button", { name: "Use this mix" }).click();
    await expect(section(page, "Tensors")).toContainText(/choices? of types by hand or by pattern/);
    expect(await newSize(page)).toBeLessThanOrEqual(before + 1e4);
    // Another file type replaces the mix.
    await target(page, "Q8_0").check();
    await expect(newType(page, "blk.0.attn_q.weight")).toHaveValue("Q8_0");
    await expect(section(page, "Tensors")).not.toContainText("by hand or by pattern");

    await quality.getByText("See a tensor before and after").click();
    await expect(quality.getByRole("img", { name: /^Original: / })).toBeVisible();
    await expect(quality.getByRole("img", { name: "As Q8_0" })).toBeVisible();
    await expect(quality.getByRole("img", { name: /^Difference, 0\.\d+ % of the weights/ })).toBeVisible();
  });
});
