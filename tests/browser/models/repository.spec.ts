/** The page that converts a model of a repository. */

import { smallModel } from "../../support/gguf-bytes.mjs";
import { missing } from "../../package/corpus.mjs";
import { filesOf, model as modelOf, run } from "../../package/models/corpus.mjs";
import { storedSha256 } from "../support/convert-panel.ts";
import { expect, test } from "../support/fixtures.ts";
import { routeHub } from "../support/hub.ts";
import { model, region, save, whenPlanned } from "../support/model-page.ts";
import { replacePickers } from "../support/picked-file.ts";

test.skip(missing !== false);

const NAME = "Tiny-Llama-0.1M-Chat-v1.0";
const REPOSITORY = { files: filesOf(`models/${NAME}`) };

test("a repository with safetensors is converted", async ({ page, app }) => {
  await routeHub(page, { [`owner/${NAME}`]: REPOSITORY });
  await replacePickers(page, new Uint8Array());
  await page.goto(app.origin);
  const field = page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });
  await field.fill(`owner/${NAME}`);
  await field.press("Enter");
  await page.getByRole("link", { name: "Convert the model to GGUF" }).click();
  await expect(page).toHaveURL(`${app.origin}/#repo=owner/${NAME}&repo.as=gguf`);
  await whenPlanned(page);
  await expect(region(page, "Found")).toContainText("LlamaForCausalLM");
  await save(page).click();
  await expect(model(page)).toContainText("Saved as");
  expect(await storedSha256(page, `${NAME}-BF16.gguf`)).toBe(run(modelOf(NAME), "bf16").output.sha256);
  await page.goBack();
  await expect(page.locator("gguf-repository").getByRole("alert")).toContainText("No GGUF files");
});

test("a link opens the conversion of a repository", async ({ page, app }) => {
  await routeHub(page, { [`owner/${NAME}`]: REPOSITORY });
  await page.goto(`${app.origin}/#repo=owner/${NAME}&repo.as=gguf`);
  await whenPlanned(page);
});

test("nothing of the conversion is loaded for a GGUF file", async ({ page, app }) => {
  const before = app.log.length;
  await page.goto(`${app.origin}/#url=${app.file("/models/small.gguf", smallModel())}`);
  await expect(page.locator("gguf-summary-panel")).toBeVisible();
  const asked = app.log.slice(before).map(({ url = "" }) => url);
  expect(asked.filter((url) => /models-|hub-model/.test(url))).toEqual([]);
});

test.describe("a refused repository", () => {
  test.use({ expected: /40[134]/ });

  test("asks for a token, and is opened with it", async ({ page, app }) => {
    const { asked } = await routeHub(page, { [`owner/${NAME}`]: REPOSITORY }, (_, token) =>
      token === "Bearer hf_token" ? undefined : { status: 403, code: "GatedRepo" },
    );
    await page.goto(`${app.origin}/#repo=owner/${NAME}&repo.as=gguf`);
    await expect(model(page).getByRole("alert")).toContainText("Access is not granted");
    const token = page.getByRole("textbox", { name: "Access token" }).last();
    await token.fill("hf_token");
    await token.press("Enter");
    await whenPlanned(page);
    expect(asked.at(-1)?.token).toBe("Bearer hf_token");
  });
});
