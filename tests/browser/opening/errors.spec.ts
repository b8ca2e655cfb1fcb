import type { Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { ggufBytes, smallModel, text } from "../../support/gguf-bytes.mjs";
import { send } from "../support/server.ts";
import { replaceFolderPicker, shardsOf } from "../support/shard-files.ts";

// The browser writes failed requests to the console.
test.use({ expected: /^Failed to load resource|blocked by CORS policy/ });

async function expectError(page: Page, title: string, ...words: (string | RegExp)[]): Promise<void> {
  const panel = page.locator("gguf-error-panel");
  await expect(panel.getByRole("heading", { name: title })).toBeVisible();
  for (const word of words) await expect(panel).toContainText(word);
  await expect(page.getByRole("status")).toHaveText(title);
}

test("a page about the file instead of the file", async ({ page, app }) => {
  const url = app.on("/e/page.gguf", (_request, response) =>
    send(response, 200, "<!doctype html><title>Model</title>", "text/html"),
  );
  await openUrl(page, app, url);
  await expectError(page, "This is not a GGUF file", "It is a web page", "/resolve/", "bad-magic");
});

for (const [name, bytes, words] of [
  ["a safetensors file", Buffer.from('\x40\0\0\0\0\0\0\0{"__metadata__":{"format":"pt"}}', "latin1"), "safetensors"],
  [
    "a Git LFS pointer",
    Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
    "Git LFS pointer",
  ],
  [
    "a ZIP archive",
    Buffer.from("PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "latin1"),
    "ZIP archive",
  ],
  ["an empty file", Buffer.alloc(0), "The file is empty"],
  [
    "something else",
    Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]),
    "begins with the four letters",
  ],
] as const) {
  test(`${name}, recognised`, async ({ page, app }) => {
    await openFile(page, app, bytes, "thing.gguf");
    await expectError(page, "This is not a GGUF file", words, "thing.gguf");
  });
}

test("a safetensors file leads to the conversion of its model", async ({ page, app }) => {
  const bytes = Buffer.from(`\x40\0\0\0\0\0\0\0${'{"__metadata__":{"format":"pt"}}'.padEnd(0x40)}`, "latin1");
  const panel = page.locator("gguf-error-panel");
  const choose = page.getByRole("button", { name: "Choose the folder of the model…" });
  await replaceFolderPicker(page, shardsOf());
  await openFile(page, app, bytes, "model.gguf");
  await expect(panel).toContainText("safetensors");
  await choose.click();
  await expect(page.getByRole("tab", { name: "Shards 3" })).toBeVisible();
  // By its name, the file is known to be one of a folder.
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await openFile(page, app, bytes, "model.safetensors");
  await expect(page.getByRole("alert")).toContainText("This model cannot be converted");
  await choose.click();
  await expect(page.getByRole("tab", { name: "Shards 3" })).toBeVisible();
  // A file on the hub has a repository, which the page converts.
  const path = "/owner/name/resolve/main/model.safetensors";
  await page.route(`https://huggingface.co${path}`, (route) =>
    route.fulfill({ body: bytes, headers: { "access-control-allow-origin": "*" } }),
  );
  await openUrl(page, app, `https://huggingface.co${path}`);
  await expect(panel).toContainText("safetensors");
  await expect(page.getByRole("link", { name: "Convert the repository to GGUF" })).toHaveAttribute(
    "href",
    "#repo=owner/name&repo.as=gguf",
  );
  // Other formats have no such way.
  await openFile(page, app, Buffer.alloc(64), "zeros.gguf");
  await expect(panel).toContainText("zeros.gguf");
  await expect(choose).toHaveCount(0);
});

test("a damaged GGJT file, of the formats before GGUF", async ({ page, app }) => {
  const bytes = Buffer.from("tjgg\x03\0\0\0aaaaaaaaaaaaaaaaaaaaaaaa", "latin1");
  await openFile(page, app, bytes, "thing.bin");
  await expectError(page, "A number in the header is too large", "limit-exceeded", "n_vocab", "0x18", "thing.bin");
});

test("a file that is truncated in its header", async ({ page, app }) => {
  const cut = smallModel().subarray(0, 3000);
  await openFile(page, app, cut, "mine.gguf");
  await expectError(page, "The file is cut off", "mine.gguf", "3.00 kB (3,000 bytes)", "unexpected-eof", /0x[\da-f]+/);
  await openUrl(page, app, app.file("/e/cut.gguf", cut));
  await expectError(page, "The file is cut off", "/e/cut.gguf", "3.00 kB (3,000 bytes)");
});

test("a file that is truncated in its data opens with a warning", async ({ page, app }) => {
  const model = smallModel();
  await openFile(page, app, model.subarray(0, model.length - 100_000));
  await expect(page.getByText("This file is incomplete.")).toBeVisible();
  await expect(page.locator("gguf-summary-panel .notice")).toContainText("100 kB");
});

test("an unknown version", async ({ page, app }) => {
  await openFile(page, app, ggufBytes([["a", text("b")]], [], 9));
  await expectError(page, "Unknown GGUF version", "unsupported-version", "0x4");
});

test("an unknown value type", async ({ page, app }) => {
  const bytes = Buffer.from(ggufBytes([["a", text("b")]]));
  bytes.writeUInt32LE(99, 33);
  await openFile(page, app, bytes);
  await expectError(page, "The header contains an unknown value type", "unknown-value-type", "0x21");
});

test("a count that is too large for any file", async ({ page, app }) => {
  const bytes = Buffer.from(ggufBytes([["a", text("b")]]));
  bytes.writeBigUInt64LE(2n ** 61n, 16);
  await openFile(page, app, bytes);
  await expectError(page, "A number in the header is too large", "limit-exceeded");
});

for (const [status, title, words] of [
  [404, "File not found", "answered 404"],
  [401, "The server requires a login", "answered 401"],
  [403, "The server refuses access", "answered 403"],
  [400, "The server did not send the file", "answered 400"],
] as const) {
  test(`HTTP ${status}`, async ({ page, app }) => {
    const url = app.on(`/e/${status}.gguf`, (_request, response) => send(response, status, "no", "text/plain"));
    await openUrl(page, app, url);
    await expectError(page, title, words, "http ·");
  });
}

test("a gated model on Hugging Face", async ({ page, app }) => {
  await page.route("https://huggingface.co/**", (route) =>
    route.fulfill({ status: 401, headers: { "access-control-allow-origin": "*" }, body: "no" }),
  );
  await openUrl(page, app, "https://huggingface.co/o/r/blob/main/x.gguf");
  await expectError(page, "The server requires a login", "If the model is gated");
  await expect(page.getByRole("link", { name: "Open the address in a browser tab" })).toHaveAttribute(
    "rel",
    "noopener noreferrer",
  );
});

test("a server that allows no other origins", async ({ page, app, other }) => {
  await openUrl(page, app, other.file("/e/private.gguf", smallModel()));
  await expectError(page, "The server does not allow other sites to read the file", "CORS", "drop it here", "cors");
});

test("a server that does not exist", async ({ page, app }) => {
  await page.route("http://gone.invalid/**", (route) => route.abort("namenotresolved"));
  await openUrl(page, app, "http://gone.invalid/x.gguf");
  await expectError(page, "The file could not be fetched", "There was no response from gone.invalid");
});

test("a server that ignores ranges: the header is read, values are not available", async ({ page, app }) => {
  const model = smallModel();
  const url = app.on("/e/whole.gguf", (_request, response) => {
    // Larger than what may be downloaded for a header.
    response.writeHead(200, { "content-length": 3_000_000_000 });
    response.write(model.subarray(0, 20_000));
    response.write(Buffer.alloc(400_000));
  });
  await openUrl(page, app, url);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "blk.0.attn_q" }).click();
  await page.getByRole("button", { name: /^Show the first/ }).click();
  await expect(page.locator("gguf-tensor-bytes").getByRole("alert")).toContainText("sends only whole files");
});

test("an invalid address", async ({ page, app }) => {
  await openUrl(page, app, "ftp://example.com/x.gguf");
  await expectError(page, "This address cannot be opened", "Only http and https");
});

test("a name that was taken for a file of this site", async ({ page, app }) => {
  await openUrl(page, app, "model.gguf");
  await expectError(page, "File not found", "If the file is on this device, choose it or drop it here");
});

test("a failed opening can be tried again", async ({ page, app }) => {
  let times = 0;
  const model = smallModel();
  const url = app.on("/e/again.gguf", (_request, response) => {
    times += 1;
    if (times === 1) send(response, 404, "no", "text/plain");
    else send(response, 200, model, "application/octet-stream");
  });
  await openUrl(page, app, url);
  await expectError(page, "File not found");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
});

test("opening can be cancelled while the module is still loading", async ({ page, app }) => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route("**/*.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await openFile(page, app, smallModel());
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectError(page, "Opening was cancelled");
  go();
  await page.getByRole("button", { name: "Open again" }).click();
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
});

test("a module that does not load is reported, and can be tried again", async ({ page, app }) => {
  let blocked = true;
  await page.route("**/*.wasm", (route) => (blocked ? route.abort() : route.continue()));
  await openFile(page, app, smallModel());
  await expectError(page, "The WebAssembly module did not load", "may have blocked it");
  blocked = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
});
