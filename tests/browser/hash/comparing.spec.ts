import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { hashPanel, manifestOf, sha256, showHash } from "../support/hash-panel.ts";
import { openFiles, shardsOf, tensorsOf, wholeModel } from "../support/shard-files.ts";

const MANIFEST = manifestOf("whole.gguf", tensorsOf(6));
const field = (page: Page) => page.getByRole("textbox", { name: "Expected hash or manifest" });
const notice = (page: Page) => hashPanel(page).locator("section[aria-labelledby=compare] .notice");

async function open(page: Page, app: Parameters<typeof openFile>[1], bytes = wholeModel()): Promise<void> {
  await openFile(page, app, bytes, "whole.gguf");
  await expectOpen(page, "whole.gguf");
  await showHash(page);
}

async function compareWith(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await hashPanel(page).getByRole("button", { name: "Compare", exact: true }).click();
}

/** The model with one bit changed in the data of a tensor. */
function flipped(tensor: number): Uint8Array<ArrayBuffer> {
  const bytes = wholeModel();
  const data = tensorsOf(6)[tensor]?.data ?? new Uint8Array();
  const at = Buffer.from(bytes).indexOf(data) + 100;
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  return bytes;
}

test("a manifest agrees with the file", async ({ page, app }) => {
  await open(page, app);
  await compareWith(page, MANIFEST);
  await expect(notice(page)).toContainText("6 tensors agree with the manifest.");
});

test("a manifest with more or fewer tensors than the file is no match", async ({ page, app }) => {
  await open(page, app);
  const lines = MANIFEST.split("\n").slice(0, 6);
  await compareWith(page, lines.slice(0, 4).join("\n"));
  await expect(notice(page)).toContainText("All listed tensors match; 2 tensors of this file are not in the manifest.");
  await expect(notice(page)).toHaveClass(/warning/);
  await expect(notice(page)).toContainText("Not compared: blk.4.attn_q.weight, blk.5.attn_q.weight.");
  await compareWith(page, [...lines, lines[0]?.replace("blk.0", "blk.9")].join("\n"));
  await expect(notice(page)).toContainText("1 tensor of the manifest is not in this file.");
  await expect(notice(page)).toHaveClass(/bad/);
  await expect(notice(page)).toContainText("Expected, but not in this model: blk.9.attn_q.weight.");
});

test("one flipped bit names its tensor", async ({ page, app }) => {
  await open(page, app, flipped(3));
  const choosing = page.waitForEvent("filechooser");
  await hashPanel(page).getByRole("button", { name: "Choose a manifest…" }).click();
  await (await choosing).setFiles({ name: "whole.manifest", mimeType: "text/plain", buffer: Buffer.from(MANIFEST) });
  await expect(notice(page)).toContainText("1 tensor differs from the manifest.");
  await expect(notice(page).locator("dt")).toHaveText(["blk.3.attn_q.weight", "All tensor data"]);
  await expect(notice(page).locator("dd").first()).toContainText(sha256(tensorsOf(6)[3]?.data ?? new Uint8Array()));
});

test("a dropped manifest is compared, and a dropped model is opened", async ({ page, app }) => {
  await open(page, app);
  const drop = (name: string, text: string) =>
    hashPanel(page).evaluate(
      (panel, [name = "", text = ""]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        panel.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, composed: true }));
        panel.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }));
      },
      [name, text],
    );
  await drop("whole.manifest", MANIFEST);
  await expect(notice(page)).toContainText("6 tensors agree with the manifest.");
  await expect(page.locator(".veil")).toHaveCount(0);
  await drop("other.gguf", "no model");
  await expect(page.locator("gguf-error-panel")).toContainText("other.gguf");
});

test("a text that is no manifest is refused", async ({ page, app }) => {
  await open(page, app);
  await compareWith(page, "hello");
  await expect(hashPanel(page).getByRole("alert")).toBeVisible();
  await expect(field(page)).toHaveAttribute("aria-invalid", "true");
  await field(page).fill("");
  await expect(hashPanel(page).getByRole("alert")).toHaveCount(0);
  await compareWith(page, MANIFEST.replaceAll("blk.", "other.").split("\n").slice(0, 6).join("\n"));
  await expect(notice(page)).toContainText("The manifest names no tensor of this model.");
});

test("a pasted hash is that of the file, of the data, or differs", async ({ page, app }) => {
  await open(page, app);
  await compareWith(page, sha256(wholeModel()).toUpperCase());
  await expect(notice(page)).toContainText("The hash is the SHA-256 of the whole file whole.gguf.");
  await compareWith(page, `sha256:${sha256(...tensorsOf(6).map(({ data }) => data))}`);
  await expect(notice(page)).toContainText("The hash is that of all tensor data.");
  await compareWith(page, "0".repeat(64));
  await expect(notice(page)).toContainText("The hash differs.");
  await expect(notice(page).locator("dt")).toHaveText(["whole.gguf", "All tensor data"]);
  await compareWith(page, `${sha256(wholeModel())}  downloads/renamed.gguf`);
  await expect(notice(page)).toContainText("The file agrees with the list of checksums.");
});

test("a list of checksums of two folders has the same name twice", async ({ page, app }) => {
  const list = `${"0".repeat(64)}  Q4/whole.gguf\n${sha256(wholeModel())}  Q8/whole.gguf\n`;
  await open(page, app);
  await compareWith(page, list);
  await expect(notice(page)).toContainText("The file agrees with the list of checksums.");
  await openUrl(page, app, app.file("/Q4/whole.gguf", wholeModel()));
  await expectOpen(page, "whole.gguf");
  await showHash(page);
  await compareWith(page, list);
  await expect(notice(page)).toContainText("1 file differs from the list of checksums.");
  await expect(notice(page)).toContainText("Expected, but not in this model: Q8/whole.gguf.");
});

const HUB = "https://huggingface.co";

/** Serves a repository of Hugging Face: its files, and the list of a folder. */
async function hub(page: Page, files: readonly { name: string; bytes: Uint8Array; oid?: string }[]): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`${HUB}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith("/api/")) {
      asked.push(pathname);
      const list = files.map(({ name, bytes, oid }) => ({
        type: "file",
        oid: "0".repeat(40),
        size: bytes.length,
        path: `Q4/${name}`,
        ...(oid === "none" ? {} : { lfs: { oid: oid ?? sha256(bytes), size: bytes.length } }),
      }));
      await route.fulfill({ json: list, headers: { "access-control-allow-origin": "*" } });
      return;
    }
    const file = files.find(({ name }) => pathname.endsWith(`/${name}`));
    const range = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers()["range"] ?? "");
    const body = Buffer.from(file?.bytes ?? []);
    const start = Number(range?.[1] ?? 0);
    const end = range?.[2] ? Math.min(Number(range[2]) + 1, body.length) : body.length;
    await route.fulfill({
      status: file ? 206 : 404,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "Content-Range, Content-Length, ETag",
        "content-range": `bytes ${start}-${end - 1}/${body.length}`,
      },
      body: body.subarray(start, end),
    });
  });
  return asked;
}

const compareHub = (page: Page) => hashPanel(page).getByRole("button", { name: "Compare with Hugging Face" }).click();

test("the value of Hugging Face is asked for on request only", async ({ page, app }) => {
  const asked = await hub(page, [{ name: "whole.gguf", bytes: wholeModel() }]);
  await openUrl(page, app, `${HUB}/owner/repo/resolve/main/Q4/whole.gguf`);
  await expectOpen(page, "whole.gguf");
  await showHash(page);
  expect(asked).toEqual([]);
  await compareHub(page);
  await expect(notice(page)).toContainText("The file agrees with Hugging Face.");
  expect(asked.sort()).toEqual(["/api/models/owner/repo", "/api/models/owner/repo/tree/main/Q4"]);
});

test("a file that differs from that of Hugging Face, and one without a hash", async ({ page, app }) => {
  await hub(page, [
    { name: "whole.gguf", bytes: wholeModel(), oid: "ab".repeat(32) },
    { name: "small.gguf", bytes: wholeModel("Small"), oid: "none" },
  ]);
  await openUrl(page, app, `${HUB}/owner/repo/resolve/main/Q4/whole.gguf`);
  await expectOpen(page, "whole.gguf");
  await showHash(page);
  await compareHub(page);
  await expect(notice(page)).toContainText("1 file differs from Hugging Face.");
  await expect(notice(page).locator("dd")).toContainText("ab".repeat(32));
  await openUrl(page, app, `${HUB}/owner/repo/resolve/main/Q4/small.gguf`);
  await expectOpen(page, "small.gguf");
  await showHash(page);
  await compareHub(page);
  await expect(notice(page)).toContainText("Hugging Face states no SHA-256 of this file.");
});

test("the shards of a set are compared with those of Hugging Face", async ({ page, app }) => {
  const [first, second, third] = shardsOf();
  if (!first || !second || !third) throw new Error("there are three shards");
  await hub(page, [first, { ...second, oid: "cd".repeat(32) }, third]);
  await openUrl(page, app, `${HUB}/owner/repo/resolve/main/Q4/${third.name}`);
  await expectOpen(page, first.name);
  await showHash(page);
  await compareHub(page);
  await expect(notice(page)).toContainText("1 file differs from Hugging Face.");
  await expect(notice(page).locator("dt")).toHaveText([second.name]);
});

test("a set agrees with the manifest of the merged file", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await showHash(page);
  await expect(hashPanel(page).getByRole("button", { name: "Compare with Hugging Face" })).toHaveCount(0);
  await compareWith(page, MANIFEST);
  await expect(notice(page)).toContainText("6 tensors agree with the manifest.");
});
