/** The page that converts a model: models that it refuses, and why. */

import { missing } from "../../package/corpus.mjs";
import { filesOf } from "../../package/models/corpus.mjs";
import { expect, test } from "../support/fixtures.ts";
import { chooseFolder, model, region, whenPlanned } from "../support/model-page.ts";

test.skip(missing !== false);

test("a class that is not known is refused with the nearest that is", async ({ page, app }) => {
  await chooseFolder(page, app, "hostile/arch-unknown");
  const refusal = model(page).getByRole("alert");
  // A single reason is not counted.
  await expect(refusal.getByText("This model cannot be converted.", { exact: true })).toBeVisible();
  await expect(refusal).toContainText("Models of the class TotallyNewForCausalLM cannot be converted.");
  await expect(refusal).toContainText("The nearest class that is known is ");
  await expect(region(page, "Choices")).toHaveCount(0);
});

test("all that is missing is listed", async ({ page, app }) => {
  await page.goto(app.origin);
  const config = filesOf("models/Tiny-Llama-0.1M-Chat-v1.0")["config.json"] ?? new Uint8Array();
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "config.json"));
    dataTransfer.items.add(new File(["{}"], "generation_config.json"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
    );
  }, new TextDecoder().decode(config));
  const refusal = model(page).getByRole("alert");
  await expect(refusal).toContainText("2 reasons");
  await expect(refusal).toContainText("no file such as model.safetensors");
  await expect(refusal).toContainText("no tokenizer.json");
  await expect(refusal).toContainText("Download all files of the model into one folder.");
});

for (const [folder, message] of [
  ["part-missing", "model-00002-of-00002.safetensors"],
  ["config-absent", "The folder has no file config.json"],
  ["tensor-missing-index", "model.layers.1.self_attn.extra.weight"],
] as const)
  test(`a model with something missing is refused: ${folder}`, async ({ page, app }) => {
    await chooseFolder(page, app, `hostile/${folder}`);
    await expect(model(page).getByRole("alert")).toContainText(message);
    await expect(region(page, "Choices")).toHaveCount(0);
  });

test("a tensor that is missing is found when the file is planned", async ({ page, app }) => {
  await chooseFolder(page, app, "hostile/tensor-missing");
  await expect(region(page, "New file").getByRole("alert")).toContainText("blk.1.ffn_up.weight is missing");
  await expect(model(page).getByRole("button", { name: "Convert and save as…" })).toHaveCount(0);
});

test("a damaged file is an error, with its code", async ({ page, app }) => {
  await chooseFolder(page, app, "hostile/header-not-json");
  const alert = model(page).getByRole("alert");
  await expect(alert).toContainText("A safetensors file is damaged");
  // The message is said once, with what to do.
  await expect(alert.locator(".technical")).toHaveText(/^bad-safetensors · offset 0x[0-9a-f]+ \(\d+\)$/);
  await expect(alert.getByRole("listitem")).toHaveCount(0);
  await expect(alert).toContainText("download the file again");
});

test("an adapter is named, and not converted as a model", async ({ page, app }) => {
  await chooseFolder(page, app, "lora/attn-only");
  await expect(region(page, "Found")).toContainText("This folder is a LoRA adapter.");
  await expect(region(page, "Choices")).toHaveCount(0);
});

test("another model can be opened after a refused one", async ({ page, app }) => {
  await chooseFolder(page, app, "hostile/config-absent");
  await expect(model(page).getByRole("alert")).toBeVisible();
  const files = filesOf("models/Tiny-Llama-0.1M-Chat-v1.0");
  await page.evaluate(
    (files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, bytes] of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }),
      );
    },
    Object.entries(files).map(([name, bytes]) => [name, [...bytes]] as const),
  );
  await whenPlanned(page);
  await expect(region(page, "Found")).toContainText("LlamaForCausalLM");
});
