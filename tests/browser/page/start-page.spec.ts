/** The start page: its pictures, the models that it offers, and the bookmark. */

import { bookmarklet } from "../../../www/src/app/bookmarklet.ts";
import { FIRST_MODELS } from "../../../www/src/app/first-models.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { HUB, routeHub } from "../support/hub.ts";
import { leaveDocument } from "../support/shared-page.ts";

test("the start page offers a sample and three models, and asks nobody before one is chosen", async ({ page, app }) => {
  const [first] = FIRST_MODELS;
  const { asked } = await routeHub(page, { [first?.place ?? ""]: { files: { "m-Q4_0.gguf": 5, "m-Q8_0.gguf": 9 } } });
  await page.goto(app.origin);
  await expect(page.locator(".lead")).toContainText("whether it runs on your machine");
  const models = page.getByRole("list", { name: "No file at hand?" }).getByRole("link");
  await expect(models).toHaveText(["Open the sample model", ...FIRST_MODELS.map(({ name }) => name)]);
  expect(FIRST_MODELS).toHaveLength(3);
  await expect(page.locator("gguf-landing-pictures figure")).toHaveCount(2);
  expect(asked).toEqual([]);
  await models.nth(1).click();
  await expect(page).toHaveURL(`${app.origin}/#repo=${first?.place}`);
  await expect(page.locator("gguf-repository tbody tr")).toHaveCount(2);
});

test("the pictures have the facts of Llama 3.1 8B as text, and show them", async ({ page, app }) => {
  await page.goto(app.origin);
  const pictures = page.locator("gguf-landing-pictures");
  await expect(pictures.getByRole("img", { name: "in half of the blocks" })).toBeVisible();
  // Two of seven roles have more bits, in 16 of 32 blocks. Each kind of cell is in the legend, too.
  await expect(pictures.locator("rect.many")).toHaveCount(2 * 16 + 1);
  await expect(pictures.locator("rect.few")).toHaveCount(7 * 32 - 2 * 16 + 1);
  await expect(pictures.getByRole("img", { name: "4.6 GiB of weights" })).toBeVisible();
});

test("the bookmark is for this page. A click on it runs nothing, and dragging it opens nothing here", async ({
  page,
  app,
}) => {
  await page.goto(app.origin);
  const bookmark = page.getByRole("link", { name: "Open in GGUF viewer" });
  await expect(bookmark).toHaveAttribute("href", bookmarklet(`${app.origin}/`));
  const address = page.url();
  await bookmark.click();
  await expect(page).toHaveURL(address);
  const drag = (type: string) =>
    bookmark.evaluate((link, name) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("text/uri-list", (link as HTMLAnchorElement).href);
      const event = new DragEvent(name, { dataTransfer, bubbles: true, composed: true, cancelable: true });
      link.dispatchEvent(event);
      return event.defaultPrevented;
    }, type);
  const veil = page.getByText("Drop to open");
  await drag("dragstart");
  // A browser goes to a link that is dropped, unless that is prevented.
  expect(await drag("dragover")).toBe(true);
  await expect(veil).toHaveCount(0);
  await drag("dragend");
  // What comes from elsewhere is opened.
  await drag("dragover");
  await expect(veil).toBeVisible();
});

test("the bookmark opens the repository and the file of a page of the hub", async ({ page, app }) => {
  await routeHub(page, { "owner/name": { files: { "a b/small.gguf": smallModel(), "m-Q8_0.gguf": 9 } } });
  await page.route(/^https:\/\/huggingface\.co\/owner\/name(?:\/blob\/.*)?(?:\?.*)?$/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>The hub</title>" }),
  );
  const useBookmark = async (on: string) => {
    await page.goto(on);
    await expect(page).toHaveTitle("The hub");
    await page.evaluate((address) => (location.href = address), bookmarklet(`${app.origin}/`));
  };
  await useBookmark(`${HUB}/owner/name?library=gguf`);
  await expect(page.locator("gguf-repository tbody tr")).toHaveCount(2);
  await expect(page).toHaveURL(`${app.origin}/#repo=owner/name`);
  await useBookmark(`${HUB}/owner/name/blob/main/a%20b/small.gguf`);
  await expectOpen(page, "small.gguf");
});

test("the address of the bookmark can be copied", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Copy the address of the bookmark" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(bookmarklet(`${app.origin}/`));
});

for (const width of [390, 1280])
  test(`the field shows all of its placeholder at ${width} px`, async ({ page, app }) => {
    await leaveDocument(page);
    await page.goto(app.origin);
    await page.setViewportSize({ width, height: 844 });
    const field = page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });
    const excess = () =>
      field.evaluate((input: HTMLInputElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(input);
        const canvas = document.createElement("canvas").getContext("2d");
        if (canvas) canvas.font = font;
        const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return (canvas?.measureText(input.placeholder).width ?? Infinity) - room;
      });
    await expect.poll(excess).toBeLessThanOrEqual(0);
  });
