import { expect, expectOpen, factOf, openUrl, sampleBytes, test } from "../support/fixtures.ts";
import { chooseFiles } from "../support/local-files.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { ALLOWED, send, sendRange } from "../support/server.ts";

test.use({ expected: /^Failed to load resource|blocked by CORS policy/ });

const OCTETS = "application/octet-stream";

test("another origin that exposes its headers: the size, requests and bytes are known", async ({
  page,
  app,
  other,
}) => {
  const sample = await sampleBytes();
  const before = other.log.length;
  await openUrl(page, app, other.file("/cors/exposed.gguf", sample, ALLOWED));
  await expect(factOf(page, "File size")).toHaveText("6.14 MB");
  const made = other.log.slice(before);
  await expect(factOf(page, "Requests made")).toHaveText(String(made.length));
  // A Range header needs no preflight request.
  expect(made.map((request) => request.method)).not.toContain("OPTIONS");
  const header = Number((await factOf(page, "Header size").getAttribute("title"))?.replace(/\D/g, ""));
  const read = Number((await factOf(page, "Bytes read").getAttribute("title"))?.replace(/\D/g, ""));
  expect(read).toBeGreaterThanOrEqual(header);
  expect(read).toBeLessThan(header + 500_000);
});

test("another origin that hides its headers: the file opens, and its values can be read", async ({
  page,
  app,
  other,
}) => {
  const sample = await sampleBytes();
  await openUrl(
    page,
    app,
    other.file("/cors/hidden.gguf", sample, { "access-control-allow-origin": "*" }),
    "&view=tensors",
  );
  const first = page.locator("gguf-tensor-table .row").first();
  await expect(first).toBeVisible();
  await expect(factOf(page, "File size")).toHaveCount(0);
  await first.click();
  await page.getByRole("button", { name: /^Show the first/ }).click();
  await expect(page.getByRole("region", { name: "First bytes of the tensor" })).toBeVisible();
});

test("another origin that allows nothing: reported after one retry", async ({ page, app, other }) => {
  const before = other.log.length;
  await openUrl(page, app, other.file("/cors/closed.gguf", smallModel()));
  await expect(
    page.getByRole("heading", { name: "The server does not allow other sites to read the file" }),
  ).toBeVisible();
  await expect(page.locator("gguf-error-panel")).toContainText("CORS");
  expect(
    other.log
      .slice(before)
      .map((request) => request.method)
      .sort(),
  ).toEqual(["GET", "GET", "HEAD"]);
});

test("a server that cannot be reached: CORS is not named as the only reason", async ({ page, app, other }) => {
  const address = other.on("/cors/gone.gguf", (request) => void request.socket.destroy());
  await openUrl(page, app, address);
  await expect(page.getByRole("heading", { name: "The file could not be fetched" })).toBeVisible({ timeout: 20_000 });
});

test("a redirect to another origin is followed once by the page and once by the worker; later requests go to the target", async ({
  page,
  app,
  other,
  cdn,
}) => {
  const sample = await sampleBytes();
  const target = cdn.file("/blob/1234", sample, ALLOWED);
  let redirects = 0;
  const url = other.on("/redirect/model.gguf", (_request, response) => {
    redirects += 1;
    response.writeHead(302, { ...ALLOWED, location: target }).end();
  });
  const before = cdn.log.length;
  await openUrl(page, app, url, "&view=tensors");
  const row = page.locator("gguf-tensor-table .row").first();
  await expect(row).toBeVisible();
  expect(redirects).toBe(1);
  await row.click();
  await page.getByRole("button", { name: /^Show the first/ }).click();
  await expect(page.getByRole("region", { name: "First bytes of the tensor" })).toBeVisible();
  await expect(page.locator("gguf-heat-map")).toBeVisible();
  // The first reads of the worker, up to six at a time, may be sent before the first response.
  expect(redirects).toBeLessThanOrEqual(1 + 6);
  expect(cdn.log.length - before).toBeGreaterThan(2);
  await expectOpen(page, "model.gguf");
});

test("a redirect to an origin that allows nothing", async ({ page, app, other, cdn }) => {
  const target = cdn.file("/closed", smallModel());
  const url = other.on("/redirect/closed.gguf", (_request, response) => {
    response.writeHead(302, { ...ALLOWED, location: target }).end();
  });
  await openUrl(page, app, url);
  await expect(
    page.getByRole("heading", { name: "The server does not allow other sites to read the file" }),
  ).toBeVisible();
});

test("a server without ranges: the header is read, and the page explains why values are not available", async ({
  page,
  app,
  other,
}) => {
  const sample = await sampleBytes();
  let closed = false;
  const url = other.on("/whole/model.gguf", (_request, response) => {
    response.on("close", () => {
      closed = true;
    });
    response.writeHead(200, { ...ALLOWED, "content-length": 3_000_000_000 });
    response.write(sample);
  });
  await openUrl(page, app, url, "&view=tensors");
  await page.locator("gguf-tensor-table .row").first().click();
  await expect.poll(() => closed).toBe(true);
  await expect(factOf(page, "Requests made")).toHaveText("1");
  await page.getByRole("button", { name: /^Show the first/ }).click();
  const alert = page.locator("gguf-tensor-bytes").getByRole("alert");
  await expect(alert).toContainText("sends only whole files");
  await expect(alert).toContainText(`${new URL(url).host} ignores Range requests`);
  await expect(alert).toContainText("Download the file and drop it here");
});

test("a file that changes on the server while it is open", async ({ page, app, other }) => {
  const model = smallModel();
  let version = 1;
  const url = other.on("/changing.gguf", (request, response) =>
    sendRange(request, response, model, OCTETS, { ...ALLOWED, etag: `"${version}"` }),
  );
  await openUrl(page, app, url, "&view=tensors");
  await page.locator("gguf-tensor-table .row").first().click();
  version = 2;
  await page.getByRole("button", { name: /^Show the first/ }).click();
  await expect(page.locator("gguf-tensor-bytes").getByRole("alert")).toContainText("The file has changed");
});

test("opening shows bytes and requests, can be paused, resumed and cancelled", async ({ page, app, other }) => {
  const sample = await sampleBytes();
  // The server sends as many pieces as the test allows, so that the machine's speed does not matter.
  let allowed = 10;
  let sent = 0;
  const url = other.on("/slow/model.gguf", async (request, response) => {
    const [start = 0, end = 0] = (/(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? []).slice(1).map(Number);
    const part = sample.subarray(start, end + 1);
    response.writeHead(206, {
      ...ALLOWED,
      "content-length": part.length,
      "content-range": `bytes ${start}-${start + part.length - 1}/${sample.length}`,
    });
    for (let at = 0; at < part.length && !response.destroyed; at += 8000) {
      while (sent >= allowed && !response.destroyed) await new Promise((resolve) => setTimeout(resolve, 25));
      response.write(part.subarray(at, at + 8000));
      sent += 1;
    }
    response.end();
  });
  await openUrl(page, app, url);
  const words = page.locator("gguf-progress .words");
  await expect(words).toContainText(/\d kB of about [\d.]+ [kM]B/);
  await expect(words).toContainText(/\d requests?\s*$/);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("heading", { name: /^Paused/ })).toBeVisible();
  await expect(page.getByRole("status")).toHaveText("Paused");
  const still = await words.innerText();
  // The server sends more, but the page does not read it.
  allowed = 20;
  await expect.poll(() => sent).toBe(allowed);
  expect(await words.innerText()).toBe(still);
  await page.getByRole("button", { name: "Resume" }).click();
  // More and more bytes arrive: the words do not follow each piece.
  const wordsOfMore = () => {
    allowed += 1;
    return words.innerText();
  };
  await expect.poll(wordsOfMore).not.toBe(still);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Opening was cancelled" })).toBeVisible();
  await page.getByRole("button", { name: "Open again" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  allowed = Infinity;
  await expect(page.getByRole("tab", { name: /Tensors/ })).toBeVisible();
  await expect(factOf(page, "Requests made")).toHaveText(/^[2-8]$/);
});

test("a local file cannot be paused, and shows the bytes that were read", async ({ page, app }) => {
  await page.goto(app.origin);
  await chooseFiles(page, [{ name: "local.gguf", bytes: smallModel() }]);
  await expect(factOf(page, "Bytes read")).toBeVisible();
  await expect(factOf(page, "Requests made")).toHaveCount(0);
});

test("a server that fails temporarily is asked again", async ({ page, app, other }) => {
  const model = smallModel();
  let times = 0;
  const url = other.on("/flaky.gguf", (request, response) => {
    times += 1;
    if (times === 1) {
      response.setHeader("access-control-allow-origin", "*");
      send(response, 503, "wait", "text/plain");
    } else sendRange(request, response, model, OCTETS, ALLOWED);
  });
  await openUrl(page, app, url);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await expect(factOf(page, "Requests made")).toHaveText("2");
});
