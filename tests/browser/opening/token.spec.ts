import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { expect, expectOpen, openUrl, sampleBytes, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { ALLOWED, preflight, sendRange, type TestServer } from "../support/server.ts";

test.use({ expected: /^Failed to load resource/ });

const SECRET = "hf_secretSecretSecret";

/** Answers only requests with the token. */
function guarded(
  server: TestServer,
  path: string,
  allow: (request: IncomingMessage, response: ServerResponse) => void,
) {
  return server.on(path, (request, response) => {
    if (preflight(request, response)) return;
    if (request.headers.authorization === `Bearer ${SECRET}`) allow(request, response);
    else response.writeHead(401, ALLOWED).end();
  });
}

function guardedFile(server: TestServer, path: string, data: Uint8Array): string {
  return guarded(server, path, (request, response) =>
    sendRange(request, response, data, "application/octet-stream", ALLOWED),
  );
}

const opened = (page: Page) => page.getByRole("tab", { name: /Tensors/ });
const tokenField = (page: Page) => page.getByRole("textbox", { name: /ccess token$/ });
const withToken = (server: TestServer, from: number) =>
  server.log.slice(from).filter((request) => request.headers.authorization !== undefined);

/** Everything that the page has stored. */
async function traces(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      JSON.stringify({ ...localStorage }) +
      JSON.stringify({ ...sessionStorage }) +
      location.href +
      document.cookie +
      JSON.stringify(history.state) +
      document.title,
  );
}

test("a token that is typed with the address opens a gated file, and is not stored", async ({ page, app, other }) => {
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const url = guardedFile(other, "/gated/typed.gguf", smallModel());
  await page.goto(app.origin);
  await page.getByRole("textbox", { name: "Address of a GGUF file" }).fill(url);
  await page.getByRole("button", { name: "Access token" }).click();
  await expect(page.getByText(`The token is sent only to ${new URL(url).host}`)).toBeVisible();
  await expect(tokenField(page)).toHaveAttribute("type", "password");
  await tokenField(page).fill(SECRET);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(opened(page)).toBeVisible();
  await expect(page.getByRole("button", { name: `Access token used for ${new URL(url).host}` })).toBeVisible();
  expect(await traces(page)).not.toContain("secret");
  expect(logged.join("")).not.toContain("secret");
  await expect(page.locator("body")).not.toContainText("secret");
  await page.reload();
  await expect(page.getByRole("heading", { name: "The server requires a login" })).toBeVisible();
});

test("the page asks for a token if the server requires one; a wrong token is refused, and a token can be removed", async ({
  page,
  app,
  other,
}) => {
  const url = guardedFile(other, "/gated/asked.gguf", smallModel());
  const { host } = new URL(url);
  await openUrl(page, app, url);
  await expect(page.getByRole("heading", { name: "The server requires a login" })).toBeVisible();
  await tokenField(page).fill("two words");
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(page.getByText("This is not an access token")).toBeVisible();
  await tokenField(page).fill("hf_wrong");
  await tokenField(page).press("Enter");
  await expect(page.getByText(`Access token refused by ${host}`)).toBeVisible();
  await tokenField(page).fill(`Bearer ${SECRET}`);
  await tokenField(page).press("Enter");
  await expect(opened(page)).toBeVisible();
  // After the token is removed, the file is opened without it and is closed.
  await page.getByRole("button", { name: `Access token used for ${host}` }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The server requires a login" })).toBeVisible();
});

test("a token is only for its host: not for another host, not after a redirect, and not after going back", async ({
  page,
  app,
  other,
  cdn,
}) => {
  const sample = await sampleBytes();
  const target = cdn.on("/signed/model", (request, response) => {
    if (preflight(request, response)) return;
    sendRange(request, response, sample, "application/octet-stream", ALLOWED);
  });
  const elsewhere = cdn.file("/signed/another.gguf", smallModel(), ALLOWED);
  const url = guarded(other, "/gated/redirected.gguf", (_request, response) => {
    response.writeHead(302, { ...ALLOWED, location: target }).end();
  });
  const [fromOther, fromCdn, fromApp] = [other.log.length, cdn.log.length, app.log.length];
  await openUrl(page, app, url);
  await tokenField(page).fill(SECRET);
  await tokenField(page).press("Enter");
  await expect(opened(page)).toBeVisible();
  await opened(page).click();
  await page.locator("gguf-tensor-table .row").first().click();
  await page.getByRole("button", { name: /^Show the first/ }).click();
  await expect(page.getByRole("region", { name: "First bytes of the tensor" })).toBeVisible();
  expect(cdn.log.length - fromCdn).toBeGreaterThan(2);

  const field = page.getByRole("textbox", { name: "Address of a GGUF file" });
  await field.fill(elsewhere);
  await field.press("Enter");
  await expectOpen(page, "another.gguf");
  await expect(page.getByRole("button", { name: "Access token", exact: true })).toBeVisible();
  // All requests for the visible values have been sent.
  const sent = withToken(other, fromOther).length;
  expect(sent).toBeGreaterThan(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "The server requires a login" })).toBeVisible();
  expect(withToken(other, fromOther)).toHaveLength(sent);
  expect(withToken(cdn, fromCdn)).toEqual([]);
  expect(withToken(app, fromApp)).toEqual([]);
  for (const server of [cdn, app]) {
    expect(JSON.stringify(server.log.map((request) => [request.url, request.rawHeaders]))).not.toContain(SECRET);
  }
});

test("a token is also used for other files of its host", async ({ page, app, other }) => {
  const first = guardedFile(other, "/gated/one.gguf", smallModel());
  const second = guardedFile(other, "/gated/two.gguf", smallModel());
  await openUrl(page, app, first);
  await tokenField(page).fill(SECRET);
  await tokenField(page).press("Enter");
  await expect(opened(page)).toBeVisible();
  await page.evaluate((address) => {
    location.hash = `#url=${address}`;
  }, second);
  await expectOpen(page, "two.gguf");
});

test("a token is not sent over plain http", async ({ page, app }) => {
  await page.goto(app.origin);
  await page.getByRole("textbox", { name: "Address of a GGUF file" }).fill("http://example.com/x.gguf");
  await page.getByRole("button", { name: "Access token" }).click();
  await tokenField(page).fill(SECRET);
  await tokenField(page).press("Enter");
  await expect(page.getByRole("alert")).toContainText("sent only over https");
  await page.keyboard.press("Escape");
  await expect(tokenField(page)).toBeHidden();
});
