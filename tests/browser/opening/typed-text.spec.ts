import { smallModel } from "../../support/gguf-bytes.mjs";
import { address, alert, compareWith, showCompare } from "../support/compare-panel.ts";
import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";

const sentenceOf = (typed: string) =>
  new RegExp(`“${typed}” is not an address\\. Type .*https://.*owner/name.*models/model\\.gguf`);
const SENTENCE = sentenceOf("hello world");

test("text that is no address is explained where it is typed, and nothing is requested", async ({ page, app }) => {
  await page.goto(app.origin);
  const field = page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });
  // Words are searched for on the hub, but this is a name of a file that the page cannot open.
  await field.fill("hello.bin");
  await field.press("Enter");
  await expect(page.getByRole("alert")).toHaveText(sentenceOf("hello\\.bin"));
  await expect(field).toBeFocused();
  expect(new URL(page.url()).hash).toBe("");
  // A relative address of a file of this site stays one.
  app.file("/own/small.gguf", smallModel());
  await field.fill("own/small.gguf");
  await field.press("Enter");
  await expectOpen(page, "small.gguf");
  await expect(page).toHaveURL(/#url=own\/small\.gguf$/);

  await showCompare(page);
  await compareWith(page, "hello world");
  await expect(alert(page)).toHaveText(SENTENCE);
  await expect(address(page)).toHaveValue("hello world");
  await compareWith(page, "owner/name/x.gguf");
  await expect(alert(page)).toContainText("hub:owner/name/x.gguf");

  await page.getByRole("tab", { name: "Memory" }).click();
  const second = page.getByRole("textbox", { name: "Address of the second file" });
  await second.fill("hello world");
  await second.press("Enter");
  await expect(page.locator("gguf-second-file").getByRole("alert")).toHaveText(SENTENCE);
  await second.fill("owner/name");
  await second.press("Enter");
  await expect(page.locator("gguf-second-file").getByRole("alert")).toContainText("hub:owner/name/model.gguf");

  // A dropped text does not replace the open file.
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/uri-list", "hello world");
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.locator("gguf-app").getByRole("alert").first()).toHaveText(SENTENCE);
  await expect(page.getByRole("tab", { name: "Memory" })).toBeVisible();
  expect(app.log.filter(({ url }) => url?.includes("hello"))).toEqual([]);
});

test("after an address is opened, the focus is at the heading of the file", async ({ page, app }) => {
  app.file("/own/focus.gguf", smallModel());
  await page.goto(app.origin);
  const field = page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });
  await expect(field).toBeFocused();
  await field.fill("own/focus.gguf");
  await field.press("Enter");
  await expectOpen(page, "focus.gguf");
  await expect(page.locator("main > h1")).toBeFocused();
  // The next step of the keyboard is in the file, not at the top of the page.
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName)).toBe("gguf-viewer");
});

test("a link with a text that is no address is explained", async ({ page, app }) => {
  await openUrl(page, app, "hello world");
  await expect(page.locator("gguf-error-panel")).toContainText(SENTENCE);
  // An explanation at the field goes with its text.
  const field = page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });
  await field.fill("me@example.com");
  await field.press("Enter");
  await expect(page.locator("gguf-open-field").getByRole("alert")).toContainText("is an email address");
  await page.evaluate(() => (location.hash = "#url=sample.gguf"));
  await expect(page.locator("gguf-open-field").getByRole("alert")).toHaveCount(0);
  expect(app.log.filter(({ url }) => url?.includes("hello"))).toEqual([]);
});
