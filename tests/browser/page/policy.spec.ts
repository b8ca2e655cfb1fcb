import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DIST, expect, test } from "../support/fixtures.ts";
import { leaveDocument } from "../support/shared-page.ts";

const META = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"\s*\/?>/;

test("the built page contains its Content-Security-Policy", async () => {
  const page = await readFile(join(DIST, "index.html"), "utf8");
  const meta = META.exec(page);
  const policy = Object.fromEntries(
    (meta?.[1] ?? "").split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(/\s+/);
      return [name, values];
    }),
  );
  expect(policy).toEqual({
    "default-src": ["'self'"],
    "script-src": ["'self'", "'wasm-unsafe-eval'"],
    "connect-src": ["'self'", "https:", "http:", "blob:"],
    // A picture is drawn into a canvas as an image that the page has made, so that it can be saved as PNG.
    "img-src": ["'self'", "blob:"],
    "worker-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "require-trusted-types-for": ["'script'"],
    "trusted-types": ["lit-html", "gguf-viewer"],
  });
  // A policy in a meta element applies only to the elements after it.
  const first = page.search(/<(?:script|link|style)\b/);
  expect(meta?.index).toBeLessThan(first);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style\b|\sstyle=|\son\w+=/);
});

test("the server of the container file sends the policy of the page", async () => {
  const [page, server] = await Promise.all(
    [join(DIST, "index.html"), new URL("../../../www/hosting/Caddyfile", import.meta.url)].map((path) =>
      readFile(path, "utf8"),
    ),
  );
  const [, sent] = /Content-Security-Policy "([^"]*)"/.exec(server ?? "") ?? [];
  expect(sent).toBe(`${META.exec(page ?? "")?.[1] ?? ""}; frame-ancestors 'none'`);
});

test.describe("served without any header", () => {
  test.use({ expected: /CSP|Content Security Policy|TrustedHTML|violates/ });

  test("the page is protected by its own policy", async ({ page, app, other }) => {
    other.on("/pixel.png", (_request, response) => {
      response.end();
    });
    await leaveDocument(page);
    const answer = await page.goto(app.origin);
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()["content-security-policy"]).toBeUndefined();
    const violated = await page.evaluate(async (image) => {
      const directives: string[] = [];
      addEventListener("securitypolicyviolation", (event) => directives.push(event.effectiveDirective));
      const made = document.createElement("img");
      made.src = image;
      const style = document.createElement("style");
      style.textContent = "body { color: red }";
      document.body.append(made, style);
      let refused = false;
      try {
        document.createElement("div").innerHTML = "<b>text</b>";
      } catch {
        refused = true;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { directives: [...new Set(directives)].sort(), refused };
    }, `${other.origin}/pixel.png`);
    expect(violated.refused).toBe(true);
    expect(violated.directives).toEqual(
      expect.arrayContaining(["img-src", "require-trusted-types-for", "style-src-elem"]),
    );
    expect(other.log.filter(({ url }) => url === "/pixel.png")).toEqual([]);
  });
});
