import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DIST, expect, expectOpen, openFile, openUrl, test, factOf } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("the sample opens by its link", async ({ page, app }) => {
  await page.goto(app.origin);
  await page.getByRole("link", { name: "Open the sample model" }).click();
  await expect(page).toHaveURL(/#url=sample\.gguf$/);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await expect(page.getByRole("tab", { name: /Tensors/ })).toBeVisible();
  await expect(page.getByText("Parameters").first()).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "opened:" })).toHaveCount(1);
});

test("a typed address opens, and blob links become resolve links", async ({ page, app }) => {
  app.file("/models/typed.gguf", smallModel());
  await page.goto(app.origin);
  const field = page.getByRole("textbox", { name: "Address of a GGUF file" });
  await field.fill("file:///model.gguf");
  await field.press("Enter");
  await expect(page.getByRole("alert")).toContainText("cannot open file:");
  await field.fill(`${app.origin}/models/typed.gguf`);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await expect(page).toHaveTitle(/Tiny Test/);

  const asked: string[] = [];
  await page.route("https://huggingface.co/**", async (route) => {
    asked.push(route.request().url());
    await route.fulfill({
      status: 200,
      headers: { "access-control-allow-origin": "*" },
      body: Buffer.from(smallModel()),
    });
  });
  await page
    .getByRole("textbox", { name: "Address of a GGUF file" })
    .fill("huggingface.co/o/r/blob/main/x.gguf?download=true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#url=https:\/\/huggingface\.co\/o\/r\/resolve\/main\/x\.gguf/);
  await expectOpen(page, "x.gguf");
  expect(asked[0]).toBe("https://huggingface.co/o/r/resolve/main/x.gguf?download=true");
  await expect(page.getByRole("link", { name: "x.gguf" })).toHaveAttribute(
    "href",
    "https://huggingface.co/o/r/blob/main/x.gguf",
  );
});

test("a file opens by picker", async ({ page, app }) => {
  const sample = await readFile(join(DIST, "sample.gguf"));
  await openFile(page, app, sample, "picked.gguf");
  await expectOpen(page, "picked.gguf");
  expect(new URL(page.url()).hash).toBe("#file=picked.gguf");
});

test("a second file that is dropped is opened or compared, by the place", async ({ page, app }) => {
  await openFile(page, app, await readFile(join(DIST, "sample.gguf")), "first.gguf");
  await expectOpen(page, "first.gguf");
  const drag = (type: string, x: number) =>
    page.evaluate(
      async ([kind, clientX]) => {
        const data = new DataTransfer();
        data.items.add(new File([await (await fetch("/sample.gguf")).arrayBuffer()], "second.gguf"));
        const options = { dataTransfer: data, clientX, bubbles: true, composed: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent(kind, options));
      },
      [type, x] as const,
    );
  await drag("dragover", 1000);
  await expect(page.getByText("Drop to open")).toBeVisible();
  await expect(page.locator(".veil .over")).toContainText("Drop to compare");
  await drag("drop", 1000);
  await expect(page.getByRole("tab", { name: "Compare" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("gguf-compare")).toContainText("second.gguf (the other file)");
  await expectOpen(page, "first.gguf");
  await drag("drop", 10);
  await expectOpen(page, "second.gguf");
});

test("a dropped file opens, anywhere on the page", async ({ page, app }) => {
  await page.goto(app.origin);
  const drop = (type: string) =>
    page.evaluate(async (kind) => {
      const data = new DataTransfer();
      const body = await (await fetch("/sample.gguf")).arrayBuffer();
      data.items.add(new File([body], "dropped.gguf"));
      document.body.dispatchEvent(
        new DragEvent(kind, { dataTransfer: data, bubbles: true, composed: true, cancelable: true }),
      );
    }, type);
  await drop("dragover");
  await expect(page.getByText("Drop to open")).toBeVisible();
  await drop("drop");
  await expect(page.getByText("Drop to open")).toBeHidden();
  await expectOpen(page, "dropped.gguf");
  // Another file is dropped while the first is open.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["not a model"], "notes.txt"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer: data, bubbles: true, composed: true, cancelable: true }),
    );
  });
  await expect(page.getByRole("heading", { name: "This is not a GGUF file" })).toBeVisible();
});

test("only the header is fetched", async ({ page, app }) => {
  const model = smallModel();
  // The data never ends, so a page that reads it would wait for ever.
  const size = 5_000_000_000;
  const asked: number[] = [];
  const url = app.on("/models/huge.gguf", (request, response) => {
    const match = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "");
    if (!match) {
      response.writeHead(500).end();
      return;
    }
    const start = Number(match[1]);
    const end = Math.min(Number(match[2]) + 1, size);
    asked.push(end - start);
    response.writeHead(206, { "content-length": end - start, "content-range": `bytes ${start}-${end - 1}/${size}` });
    const body = Buffer.alloc(end - start);
    if (start < model.length) body.set(model.subarray(start, Math.min(end, model.length)));
    response.end(body);
  });
  await openUrl(page, app, url);
  await expect(factOf(page, "File size")).toHaveText("5.00 GB");
  expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThan(1_000_000);
});

test("the summary shows the facts of the file", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  const fact = (label: string) => factOf(page, label);
  await expect(fact("Architecture")).toHaveText("llama");
  await expect(fact("Context length")).toHaveText("8,192");
  await expect(fact("Quantization")).toHaveText("Q4_K_M");
  await expect(fact("GGUF version")).toHaveText("3");
  await expect(fact("Byte order")).toHaveText("little-endian");
  await expect(fact("Tensors")).toHaveText("38");
  await expect(fact("Vocabulary")).toHaveText("1,000 · gpt2");
  await expect(fact("Parameters")).toHaveText("4.19 M");
  const types = page.getByRole("table", { name: "Tensor types by size" });
  await expect(types.locator("tbody tr").first()).toContainText("Q6_K");
  await expect(types.locator("tbody tr").first()).toContainText("78.0%");
});

test("a slow header shows its progress, and opening can be cancelled", async ({ page, app }) => {
  const model = smallModel();
  let aborted = false;
  const url = app.on("/models/slow.gguf", async (_request, response) => {
    response.writeHead(206, { "content-length": 393_216, "content-range": "bytes 0-393215/400000" });
    response.on("close", () => {
      aborted = true;
    });
    for (let at = 0; at < 8000 && !response.destroyed; at += 100) {
      response.write(model.subarray(at, at + 100));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  await openUrl(page, app, url);
  const bar = page.getByRole("progressbar", { name: "Header read" });
  await expect(bar).toHaveAttribute("aria-valuenow", /^[1-9]/);
  await expect(page.getByText(/\d+ bytes|kB/).first()).toBeVisible();
  await expect(page.locator("gguf-progress").getByText(/of 12 entries/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Opening was cancelled" })).toBeVisible();
  await expect.poll(() => aborted).toBe(true);
});

test("another file can be opened while one is being opened", async ({ page, app }) => {
  const slow = app.on("/models/never.gguf", (_request, response) => {
    response.writeHead(206, { "content-length": 1000, "content-range": "bytes 0-999/1000" });
    response.flushHeaders();
  });
  await openUrl(page, app, slow);
  await expect(page.getByRole("progressbar", { name: "Header read" })).toBeVisible();
  const quick = app.file("/models/quick.gguf", smallModel());
  await page.evaluate((address) => {
    location.hash = `#url=${address}`;
  }, quick);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
});

test("the history returns to files and addresses", async ({ page, app }) => {
  const url = app.file("/models/one.gguf", smallModel());
  await page.goto(app.origin);
  await page.evaluate((address) => {
    location.hash = `#url=${address}`;
  }, url);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "two.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
  await expect(page.getByRole("heading", { name: "This is not a GGUF file" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("heading", { name: "This is not a GGUF file" })).toBeVisible();
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.getByRole("heading", { name: "Look inside a GGUF model" })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Look inside a GGUF model" })).toBeVisible();
});

test("a reloaded page asks the person to choose the local file again", async ({ page, app }) => {
  await openFile(page, app, smallModel(), "mine.gguf");
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.reload();
  await expect(page.getByText("is a file on this device")).toContainText("mine.gguf");
});

test("after a reload the history opens no wrong local file", async ({ page, app }) => {
  await openFile(page, app, smallModel(), "before.gguf");
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.reload();
  await expect(page.getByText("is a file on this device")).toContainText("before.gguf");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "after.txt", mimeType: "", buffer: Buffer.from("hello") });
  await expect(page.getByRole("heading", { name: "This is not a GGUF file" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("is a file on this device")).toContainText("before.gguf");
});

test("a link to a tensor or a key shows that row", async ({ page, app }) => {
  const url = app.file("/models/linked.gguf", smallModel());
  await openUrl(page, app, url, "&view=tensors&tensor=blk.11.ffn_up.weight");
  await expect(page.locator("gguf-tensor-table .row.active")).toContainText("blk.11.ffn_up.weight");
  await expect(page.locator("gguf-tensor-table .detail")).toContainText("262,144");
  await page.evaluate((address) => {
    location.hash = `#url=${address}&key=tokenizer.chat_template`;
  }, url);
  await expect(page.locator("gguf-metadata-table .detail pre")).toContainText("{{ message.content }}");
});

test("the address contains the selected row", async ({ page, app }) => {
  const url = app.file("/models/followed.gguf", smallModel());
  await openUrl(page, app, url);
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page).toHaveURL(/&view=tensors$/);
  await page.locator("gguf-tensor-table .row", { hasText: "blk.0.attn_q" }).click();
  await expect(page).toHaveURL(/&tensor=blk\.0\.attn_q\.weight$/);
});

test("a key that is held down changes the address rarely, and finally to the right row", async ({ page, app }) => {
  await page.addInitScript(() => {
    const replace = history.replaceState.bind(history);
    const counted = Object.assign(globalThis, { replaced: 0 });
    history.replaceState = (...args) => {
      counted.replaced += 1;
      replace(...args);
    };
  });
  await openUrl(page, app, app.file("/models/held.gguf", smallModel()), "&view=tensors");
  // All key presses are sent at once, so that the number of writes does not depend on the speed of the machine.
  await page.getByRole("treegrid", { name: "Tensors" }).evaluate((grid) => {
    for (let row = 0; row < 30; row += 1)
      grid.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, composed: true }));
  });
  await expect(page.locator("gguf-tensor-table .row.active")).toContainText("blk.9.ffn_up.weight");
  await expect(page).toHaveURL(/&tensor=blk\.9\.ffn_up\.weight$/);
  expect(await page.evaluate(() => (globalThis as unknown as { replaced: number }).replaced)).toBeLessThan(10);
});

test("the last selected row is in the history, even if the page is left at once", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/left.gguf", smallModel()));
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.getByRole("heading", { name: "Look inside a GGUF model" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/&view=tensors$/);
  await expect(page.getByRole("treegrid", { name: "Tensors" })).toBeVisible();
});

test("the Content-Security-Policy blocks everything that the page does not need", async ({ page, app }) => {
  await page.goto(app.origin);
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  for (const rule of [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "connect-src 'self' https: http: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    expect(policy?.split("; ")).toContain(rule);
  }
});

test("the theme can be chosen, and is stored", async ({ page, app }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(app.origin);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  const button = page.getByRole("button", { name: /^Theme:/ });
  await button.click();
  expect(await background()).toBe(light);
  await button.click();
  await expect.poll(background).not.toBe(light);
  await page.reload();
  expect(await background()).not.toBe(light);
  await expect(button).toHaveAccessibleName(/Theme: dark/);
});
