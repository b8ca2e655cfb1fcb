import { expect, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { sendRange, type TestServer } from "../support/server.ts";

/** A page of another author that contains the viewer. */
function embed(app: TestServer, path: string, src: string): void {
  app.on(path, (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
      <script type="module" src="/viewer.js"></script>
      <gguf-viewer src="${src}" style="height: 500px"></gguf-viewer><section></section>
      <script>addEventListener("gguf-open", (event) => { document.title = "open " + event.detail.tensors.length })</script>`);
  });
}

test("the viewer works in a page of another author", async ({ page, app, other }) => {
  embed(app, "/embed.html", "/models/embedded.gguf");
  app.file("/models/embedded.gguf", smallModel());
  const elsewhere = other.file("/elsewhere.gguf", smallModel(), {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Content-Range, Content-Length",
  });
  await page.goto(`${app.origin}/embed.html`);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await expect(page).toHaveTitle("open 38");
  await page.evaluate((address) => {
    document.title = "";
    document.querySelector("gguf-viewer")?.setAttribute("src", address);
  }, elsewhere);
  await expect(page).toHaveTitle("open 38");
  await page.evaluate(() => {
    Object.assign(document.querySelector("gguf-viewer") ?? {}, { source: new Blob(["<html>"]) });
  });
  await expect(page.getByRole("heading", { name: "This is not a GGUF file" })).toBeVisible();
});

test("a viewer that is moved while it opens a file goes on; one that was taken out opens it when it is back", async ({
  page,
  app,
}) => {
  let asked = 0;
  let answer = () => {};
  const model = smallModel();
  app.on("/models/moved.gguf", async (request, response) => {
    asked += 1;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    sendRange(request, response, model, "application/octet-stream");
  });
  embed(app, "/moved.html", "/models/moved.gguf");
  await page.goto(`${app.origin}/moved.html`);
  await expect.poll(() => asked).toBe(1);
  await expect(page.getByRole("progressbar", { name: "Header read" })).toBeVisible();
  await page.evaluate(() => document.querySelector("section")?.append(document.querySelector("gguf-viewer") ?? ""));
  await expect(page.getByRole("progressbar", { name: "Header read" })).toBeVisible();
  expect(asked).toBe(1);
  await page.evaluate(async () => {
    const viewer = document.querySelector("gguf-viewer");
    viewer?.remove();
    await new Promise((resolve) => setTimeout(resolve, 50));
    document.body.append(viewer ?? "");
  });
  await expect.poll(() => asked).toBe(2);
  await expect(page.getByRole("progressbar", { name: "Header read" })).toBeVisible();
  answer();
  await expect(page).toHaveTitle("open 38");
});

test("headers are dropped when the host changes", async ({ page, app, other }) => {
  const seen: (string | undefined)[] = [];
  const model = smallModel();
  const allowed = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
  for (const [server, path] of [
    [app, "/models/mine.gguf"],
    [other, "/theirs.gguf"],
  ] as const) {
    server.on(path, (request, response) => {
      seen.push(request.headers["x-mine"] as string | undefined);
      response.writeHead(200, { ...allowed, "content-length": model.length });
      response.end(model);
    });
  }
  embed(app, "/headers.html", "");
  await page.goto(`${app.origin}/headers.html`);
  await page.evaluate(() => {
    Object.assign(document.querySelector("gguf-viewer") ?? {}, {
      headers: { "X-Mine": "1" },
      src: "/models/mine.gguf",
    });
  });
  await expect(page).toHaveTitle("open 38");
  await page.evaluate((address) => {
    document.title = "";
    document.querySelector("gguf-viewer")?.setAttribute("src", address);
  }, `${other.origin}/theirs.gguf`);
  await expect(page).toHaveTitle("open 38");
  expect(seen).toEqual(["1", undefined]);
});

test("a file of the origin's private file system is opened by its handle", async ({ page, app }) => {
  app.file("/models/embedded.gguf", smallModel());
  embed(app, "/embed.html", "/models/embedded.gguf");
  await page.goto(`${app.origin}/embed.html`);
  await expect(page).toHaveTitle("open 38");
  await page.evaluate(async () => {
    document.title = "";
    const bytes = await (await fetch("/models/embedded.gguf")).blob();
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle("own.gguf", { create: true });
    const file = await handle.createWritable();
    await file.write(bytes);
    await file.close();
    Object.assign(document.querySelector("gguf-viewer") ?? {}, { source: handle, name: "own.gguf" });
  });
  await expect(page).toHaveTitle("open 38");
});

/** Styles of a page for the viewer, and the height that the viewer then has. */
const PAGE_STYLES: readonly (readonly [style: string, height: number])[] = [
  ...[320, 500, 1000].flatMap((height) =>
    [
      "",
      "display: block; width: 900px;",
      "display: grid;",
      "display: inline-block; width: 100%;",
      "display: flex;",
    ].map((style) => [`${style} height: ${height}px`, height] as const),
  ),
  // Without a definite height, the viewer has its own.
  ["display: block; width: 900px; height: auto", 760],
  ["display: block; width: 100%; height: 100%", 760],
  ["display: inline", 760],
];

test("the panel fills the height of the viewer, whatever the page says about it", async ({ page, app }) => {
  app.file("/models/embedded.gguf", smallModel());
  embed(app, "/embed.html", "/models/embedded.gguf");
  await page.goto(`${app.origin}/embed.html`);
  await expect(page).toHaveTitle("open 38");
  for (const view of ["summary", "metadata", "tensors"]) {
    await page.evaluate((view) => document.querySelector("gguf-viewer")?.setAttribute("view", view), view);
    await expect(page.locator(`gguf-viewer #tab-${view}[aria-selected=true]`)).toBeVisible();
    if (view !== "summary") await expect(page.getByRole("treegrid").getByRole("row").nth(3)).toBeVisible();
    for (const [style, height] of PAGE_STYLES) {
      const found = await page.evaluate(async (style) => {
        const viewer = document.querySelector("gguf-viewer");
        if (!viewer) throw new Error("no viewer");
        viewer.setAttribute("style", style);
        // A viewer whose height makes it compact or not is updated.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        const panel = viewer.shadowRoot?.querySelector("[role=tabpanel]")?.getBoundingClientRect();
        const { top } = viewer.getBoundingClientRect();
        return { bottom: (panel?.bottom ?? 0) - top, isFilled: (panel?.height ?? 0) > 180 };
      }, style);
      expect(found, `${view}, ${style}`).toEqual({ bottom: height, isFilled: true });
    }
  }
});

test("a viewer leaves the address, the history and the storage of the page alone", async ({ page, app }) => {
  app.file("/models/embedded.gguf", smallModel());
  embed(app, "/embed.html", "/models/embedded.gguf");
  await page.goto(`${app.origin}/embed.html#theirs`);
  // Names that our own page has, too.
  await page.evaluate(() => {
    localStorage.clear();
    localStorage.setItem("table-rows", "comfortable");
    localStorage.setItem("machine", "theirs");
  });
  await page.reload();
  await expect(page).toHaveTitle("open 38");
  const before = await page.evaluate(() => history.length);
  const memory = page.getByRole("combobox", { name: "GPU memory" });
  await memory.selectOption("24");
  await page.getByRole("tab", { name: "Tensors" }).click();
  // The stored choice of the page is not the viewer's, so its tables are dense.
  await page.getByRole("button", { name: "Rows: dense. Switch to comfortable" }).click();
  await expect(page.getByRole("button", { name: "Rows: comfortable. Switch to dense" })).toBeVisible();
  await page.getByRole("tab", { name: "Memory" }).click();
  await expect(page.getByRole("tab", { name: "Memory" })).toHaveAttribute("aria-selected", "true");
  expect(
    await page.evaluate(async () => ({
      stored: { ...localStorage },
      session: sessionStorage.length,
      databases: await indexedDB.databases(),
      hash: location.hash,
      history: history.length,
      global: document.adoptedStyleSheets.length + document.head.querySelectorAll("style, link[rel=stylesheet]").length,
    })),
  ).toEqual({
    stored: { "table-rows": "comfortable", machine: "theirs" },
    session: 0,
    databases: [],
    hash: "#theirs",
    history: before,
    global: 0,
  });
  await page.evaluate(() => localStorage.clear());
});
