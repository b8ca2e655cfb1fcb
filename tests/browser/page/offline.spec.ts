/** The service worker of the page: visits without a network, new versions, and which requests it leaves alone. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { DIST, factOf } from "../support/fixtures.ts";
import { chooseFiles, removeLocalFiles } from "../support/local-files.ts";
import { ALLOWED, TestServer } from "../support/server.ts";

/** The app is in a folder of its host. */
const FOLDER = "/tools/viewer/";

const test = base.extend<{ host: TestServer }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright finds the fixtures that a fixture needs by this pattern
  host: async ({}, use) => {
    const host = new TestServer(DIST, FOLDER);
    await host.start();
    await use(host);
    await host.stop();
    await removeLocalFiles();
  },
  page: async ({ page, host }, use) => {
    // The page ends before its host: otherwise it lacks the script of a worker at the end, and complains.
    void host;
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security|Trusted/i.test(message.text())) complaints.push(message.text());
    });
    await use(page);
    expect(complaints).toEqual([]);
  },
});

/** Visits the page, and waits until its service worker has all files. */
async function visit(page: Page, host: TestServer): Promise<void> {
  await page.goto(host.origin + FOLDER);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}

const paths = (host: TestServer, from = 0) => host.log.slice(from).map(({ url = "" }) => url);

test("with the network cut after the first visit, the page opens a local file and shows every kind of panel", async ({
  page,
  host,
}) => {
  await visit(page, host);
  // A file is not fetched twice, and files of the host that are not part of the page are not fetched.
  const asked = paths(host).filter((path) => path.startsWith(`${FOLDER}assets/`));
  expect(asked.length).toBeGreaterThan(40);
  expect(paths(host).filter((path) => /sample\.gguf|licenses\.md|viewer\.js/.test(path))).toEqual([]);
  const address = host.origin + FOLDER;
  await host.stop();
  await page.reload();
  await chooseFiles(page, [{ name: "model.gguf", bytes: smallModel() }]);
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await page.getByRole("tab", { name: "Tensors" }).click();
  await expect(page.locator("gguf-tensor-table")).toContainText("blk.0.attn_q.weight");
  await page.getByRole("tab", { name: "Checks" }).click();
  await expect(page.locator("gguf-checks")).toBeVisible();
  // The page is the same with any query.
  await page.goto(`${address}?from=menu`);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await host.start();
});

test("requests for models and for other origins are not answered from a cache", async ({ page, host }) => {
  const other = new TestServer(undefined);
  await other.start();
  await visit(page, host);
  await page.reload();
  const names = await page.evaluate(() => caches.keys());
  const kept = () =>
    page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => url);
    });
  const before = await kept();
  for (const url of [
    host.file(`${FOLDER}model.gguf`, smallModel()),
    other.file("/model.gguf", smallModel(), ALLOWED),
  ]) {
    await page.goto(`${host.origin}${FOLDER}#url=${encodeURIComponent(url)}`);
    await expect(factOf(page, "Architecture")).toHaveText("llama");
    const server = url.startsWith(host.origin) ? host : other;
    const ranges = server.log.filter(({ url }) => url?.endsWith("model.gguf")).map(({ headers }) => headers.range);
    expect(ranges[0]).toBe("bytes=0-393215");
  }
  expect(await kept()).toEqual(before);
  expect(before.filter((url) => !url.startsWith(host.origin + FOLDER))).toEqual([]);
  expect(names).toHaveLength(1);
  await other.stop();
});

test("a new version is offered, and replaces the files of the old one", async ({ page, host }) => {
  const description = () => page.locator("meta[name=description]").getAttribute("content");
  await visit(page, host);
  const notice = page.getByText("A new version of this page is available.");
  await expect(notice).toHaveCount(0);
  // The second version differs in the page.
  const [html = "", script = ""] = await Promise.all(
    ["index.html", "service-worker.js"].map((name) => readFile(join(DIST, name), "utf8")),
  );
  const second = html.replace(/(name="description"\s+content=)"[^"]*"/, '$1"The second version"');
  const answer = (type: string, text: string) =>
    [{ "content-type": type, "cache-control": "no-store" } as const, text] as const;
  for (const [path, [headers, text]] of [
    ["", answer("text/html", second)],
    ["index.html", answer("text/html", second)],
    ["service-worker.js", answer("text/javascript", script.replace(/("url":"index\.html","revision":")\w+/, "$1two"))],
  ] as const)
    host.on(FOLDER + path, (_request, response) => {
      response.writeHead(200, headers).end(text);
    });
  await page.reload();
  expect(await description()).toContain("GGUF model files");
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await expect.poll(() => description().catch(() => "")).toBe("The second version");
  await expect(notice).toHaveCount(0);
  const kept = await page.evaluate(async () => {
    const [name = ""] = await caches.keys();
    return (await (await caches.open(name)).keys()).map(({ url }) => url).filter((url) => url.includes("index.html"));
  });
  expect(kept).toHaveLength(1);
});

test("the element in another page registers no service worker", async ({ page, host }) => {
  host.on("/theirs.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><title>Theirs</title><link rel="icon" href="data:,">
      <script type="module" src="${FOLDER}viewer.js"></script><gguf-viewer src="/theirs.gguf"></gguf-viewer>`);
  });
  host.file("/theirs.gguf", smallModel());
  await page.goto(`${host.origin}/theirs.html`);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  // Longer than the page waits before it registers one.
  await page.waitForTimeout(4000);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  expect(paths(host).filter((path) => path.includes("service-worker"))).toEqual([]);
});

test("the page can be installed: its manifest names icons of these sizes, and opens .gguf files", async ({
  page,
  host,
}) => {
  await page.goto(host.origin + FOLDER);
  const found = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>("link[rel=manifest]")?.href ?? "";
    const manifest = (await (await fetch(address)).json()) as {
      start_url: string;
      scope: string;
      icons: { src: string; sizes: string }[];
      file_handlers: { action: string; accept: Record<string, string[]> }[];
    };
    const size = async ({ src }: { src: string }) => {
      const image = new Image();
      image.src = new URL(src, address).href;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    };
    const pictures = manifest.icons.filter(({ sizes }) => sizes !== "any");
    return {
      opened: [manifest.start_url, manifest.scope, ...manifest.file_handlers.map(({ action }) => action)].map(
        (path) => new URL(path, address).pathname,
      ),
      accepted: manifest.file_handlers.flatMap(({ accept }) => Object.values(accept)).flat(),
      named: pictures.map(({ sizes }) => sizes),
      sizes: await Promise.all(pictures.map(size)),
    };
  });
  expect(new Set(found.opened)).toEqual(new Set([FOLDER]));
  expect(found.accepted).toEqual([".gguf"]);
  expect(found.sizes).toEqual(found.named);
  expect(found.sizes).toEqual(expect.arrayContaining(["192x192", "512x512"]));
});

test("a file that the system opens with the installed page is opened", async ({ page, host }) => {
  await page.addInitScript(() => {
    const queue = { setConsumer: (consumer: unknown) => Object.assign(globalThis, { launch: consumer }) };
    Object.defineProperty(globalThis, "launchQueue", { value: queue });
  });
  await page.goto(host.origin + FOLDER);
  await page.evaluate(
    async (address) => {
      const bytes = await (await fetch(address)).arrayBuffer();
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle("launched.gguf", { create: true });
      const writable = await handle.createWritable();
      await writable.write(bytes);
      await writable.close();
      (globalThis as unknown as { launch(launch: object): void }).launch({ files: [handle] });
    },
    host.file("/launched.gguf", smallModel()),
  );
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await expect(page).toHaveURL(/#file=launched\.gguf/);
});

for (const mark of ["#", "?"])
  test(`a link with ${mark}url= opens an address and a panel, and asks for the first bytes once`, async ({
    page,
    host,
  }) => {
    const url = host.file(`/models/linked${mark.charCodeAt(0)}.gguf`, smallModel());
    await page.goto(`${host.origin}${FOLDER}${mark}url=${encodeURIComponent(url)}&view=tensors`);
    await expect(page.locator("gguf-tensor-table")).toContainText("blk.0.attn_q.weight");
    expect(paths(host).filter((path) => path === new URL(url).pathname)).toHaveLength(1);
    expect(new URL(page.url()).search).toBe("");
    expect(page.url()).toContain("#url=");
  });
