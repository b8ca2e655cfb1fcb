// The package of the element: its files, its description, and the element in a page of another author.

import { chromium } from "@playwright/test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { range, whole } from "../../support/file-server.mjs";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { npmScript, pack, run } from "../project.mjs";

const PACKAGE = fileURLToPath(new URL("../../../pkg-viewer/", import.meta.url));
const read = (/** @type {string} */ name) => readFileSync(join(PACKAGE, name), "utf8");
const manifest = JSON.parse(read("package.json"));
const description = JSON.parse(read("custom-elements.json")).modules[0].declarations[0];
const names = (/** @type {{ name: string }[]} */ list) => list.map(({ name }) => name).sort();

/** The policy that the README of the package gives. */
const [, POLICY = ""] = /^ *Content-Security-Policy: (.*)$/m.exec(read("README.md")) ?? [];

const folder = await temporaryFolder();
const tarball = new Uint8Array(readFileSync(await pack(folder, PACKAGE)));
/** A program that has installed the package. */
const program = join(folder, "program");
mkdirSync(join(program, "node_modules"), { recursive: true });
await run("tar", ["xzf", readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? ""], folder);
cpSync(join(folder, "package"), join(program, "node_modules/gguf-wasm-viewer"), { recursive: true });
cpSync(new URL("consumer/", import.meta.url), program, { recursive: true });

test("the manifest names files that exist, and no other packages", () => {
  const cargo = readFileSync(new URL("../../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)?.[1]);
  for (const field of ["dependencies", "optionalDependencies", "scripts"])
    assert.equal(manifest[field], undefined, field);
  // Only programs that use it have it.
  assert.deepEqual(manifest.peerDependenciesMeta, { react: { optional: true } });
  const installed = (/** @type {string} */ file) => existsSync(join(program, "node_modules/gguf-wasm-viewer", file));
  for (const [entry, target] of Object.entries(manifest.exports)) {
    for (const file of typeof target === "string" ? [target] : Object.values(target))
      assert.ok(installed(file), `${entry}: ${file}`);
  }
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE", "licenses.md", "README.md", manifest.customElements])
    assert.ok(installed(file), file);
});

test("publint and are-the-types-wrong find nothing", async () => {
  const { messages } = await publint({ pkgDir: PACKAGE, pack: false, strict: true });
  assert.deepEqual(
    messages.map(({ code }) => code),
    [],
  );
  const { problems = [] } = /** @type {any} */ (await checkPackage(createPackageFromTarballData(tarball)));
  // The package is a module for browsers: CommonJS has no use for it.
  const found = problems.filter((/** @type {any} */ { kind, resolutionKind }) => {
    const isOld = resolutionKind === "node10" || kind === "CJSResolvesToESM";
    return !isOld;
  });
  assert.deepEqual(found, []);
});

test("each worker is told the addresses of its modules", () => {
  const files = readdirSync(join(PACKAGE, "assets"));
  const scripts = files.filter((name) => name.endsWith(".js"));
  const workers = scripts.filter((name) => /(^|-)worker-/.test(name));
  assert.ok(workers.length > 4);
  let told = 0;
  for (const worker of workers) {
    const text = read(`assets/${worker}`);
    assert.ok(
      !/["'`][^"'`]*\.wasm["'`],\s*(?:``\s*\+\s*)?import\.meta\.url/.test(text),
      `${worker} names a module itself`,
    );
    const needed = [...text.matchAll(/\.get\([`"'](gguf_wasm\w*\.wasm)[`"']\)/g)].map(([, name]) => name);
    for (const script of scripts) {
      const at = read(`assets/${script}`).indexOf(`/${worker}`);
      if (at < 0) continue;
      const address = read(`assets/${script}`).slice(at, at + 600);
      for (const name of needed) {
        told++;
        assert.ok(
          address.includes(`[\`${name}\``) || address.includes(`["${name}"`),
          `${script} tells ${worker} of ${name}`,
        );
      }
    }
  }
  assert.ok(told >= 4);
});

test("it can be imported where there is no document", async () => {
  const script = 'import "gguf-wasm-viewer"; console.log(typeof document)';
  assert.equal(await run(process.execPath, ["--input-type=module", "-e", script], program), "undefined");
});

test("its types check in a strict TypeScript program", async () => {
  const lib = ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"];
  const args = ["--noEmit", "--strict", "--target", "es2022", "--skipDefaultLibCheck", "--exactOptionalPropertyTypes"];
  await npmScript("typescript/bin/tsc", [...args, ...lib, "--module", "nodenext", "types.ts"], program);
});

describe("in a page of another author", () => {
  /** @type {import("@playwright/test").Browser} */
  let browser;
  /** @type {import("node:http").Server} */
  let server;
  let origin = "";
  /** @type {[path: string, status: number][]} */
  let requests = [];

  before(async () => {
    const types = /** @type {Record<string, string>} */ ({ ".js": "text/javascript", ".wasm": "application/wasm" });
    const model = smallModel();
    server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://localhost").pathname;
      response.setHeader("Content-Security-Policy", POLICY);
      if (path === "/") {
        response.setHeader("Content-Type", "text/html");
        response.end(`<!doctype html><title></title><link rel="icon" href="/icon.svg">
          <script type="module" src="/viewer/viewer.js"></script><script type="module" src="/page.js"></script>
          <gguf-viewer src="/model.gguf" name="model.gguf"></gguf-viewer>`);
      } else if (path === "/page.js") {
        response.setHeader("Content-Type", "text/javascript");
        response.end(`addEventListener("gguf-open", ({ detail }) => { document.title = detail.name; });`);
      } else if (path === "/icon.svg") {
        response.writeHead(204).end();
      } else {
        const file = path === "/model.gguf" ? model : bytesOf(path);
        requests.push([path, file ? 200 : 404]);
        response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
        if (!file) response.writeHead(404).end();
        else void (request.headers.range ? range : whole)(request, response, file, 0);
      }
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
    origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
    browser = await chromium.launch({ executablePath: process.env.GGUF_CHROMIUM || undefined, args: ["--no-sandbox"] });
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** @param {string} path */
  function bytesOf(path) {
    const file = join(PACKAGE, path.replace(/^\/viewer\//, ""));
    return path.startsWith("/viewer/") && existsSync(file) ? readFileSync(file) : undefined;
  }

  test("with a strict policy, the file opens and a worker reads values; the description is that of the element", async () => {
    const page = await browser.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(origin);
    await page.waitForFunction(() => document.title === "Tiny Test");
    await page.evaluate(async () => {
      const viewer = /** @type {any} */ (document.querySelector("gguf-viewer"));
      viewer.view = "tensors";
      await viewer.select({ tensor: "token_embd.weight" });
    });
    await page.locator("gguf-heat-map canvas").first().waitFor();
    const isStarted = () => page.workers().some((worker) => /value-worker/.test(worker.url()));
    for (let tries = 0; !isStarted() && tries < 100; tries++) await page.waitForTimeout(50);
    assert.ok(isStarted(), "a worker reads the values");
    assert.deepEqual(
      requests.filter(([, status]) => status !== 200),
      [],
    );
    const element = await page.evaluate((members) => {
      const definition = /** @type {any} */ (customElements.get("gguf-viewer"));
      const viewer = /** @type {any} */ (document.querySelector("gguf-viewer"));
      const declared = [.../** @type {Map<string, any>} */ (definition.elementProperties)];
      const style = getComputedStyle(viewer);
      return {
        attributes: [...definition.observedAttributes],
        properties: declared.filter(([, { state }]) => !state).map(([name]) => name),
        reflected: declared.filter(([, { reflect }]) => reflect).map(([name]) => name),
        missing: members.filter((name) => !(name in viewer)),
        parts: [...viewer.shadowRoot.querySelectorAll("[part]")].map((part) => part.getAttribute("part")),
        colours: [...definition.elementStyles].flatMap(
          ({ cssText }) => cssText.match(/^ {4}--gguf-[\w-]+(?=:)/gm) ?? [],
        ),
        accent: style.getPropertyValue("--gguf-accent"),
      };
    }, names(description.members));
    assert.deepEqual(element.attributes.sort(), names(description.attributes));
    const settable = description.members.filter(
      (/** @type {any} */ { kind, readonly }) => kind === "field" && !readonly,
    );
    assert.deepEqual(element.properties.sort(), names(settable));
    assert.deepEqual(element.reflected, names(settable.filter((/** @type {any} */ { reflects }) => reflects)));
    assert.deepEqual(element.missing, []);
    assert.deepEqual([...new Set([...element.parts, "progress", "error"])].sort(), names(description.cssParts));
    assert.deepEqual([...new Set(element.colours.map((name) => name.trim()))].sort(), names(description.cssProperties));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("the events of the description are those of the declarations", () => {
    const [, map = ""] = /interface GgufViewerEventMap \{(.*?)\n\}/s.exec(read("element.d.ts")) ?? [];
    assert.deepEqual([...map.matchAll(/"(gguf-[\w-]+)":/g)].map(([, name]) => name).sort(), names(description.events));
  });
});
