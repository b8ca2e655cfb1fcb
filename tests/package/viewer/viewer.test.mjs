// The package of the elements: its files, their descriptions, and the elements in a page of another author.

import { chromium } from "@playwright/test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
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
/** The descriptions of the elements, by their tags. @type {Record<string, any>} */
const descriptions = Object.fromEntries(
  JSON.parse(read("custom-elements.json"))
    .modules.flatMap((/** @type {any} */ { declarations }) => declarations)
    .map((/** @type {any} */ declaration) => [declaration.tagName, declaration]),
);
const names = (/** @type {{ name: string }[]} */ list) => list.map(({ name }) => name).sort();

/** The pages that the README and the guide give, with a file of the server. */
const PAGES = [
  read("README.md"),
  readFileSync(new URL("../../../docs/site/guides/embed-the-viewer.md", import.meta.url), "utf8"),
]
  .flatMap((text) => [...text.matchAll(/^```html\n(.*?)^```$/gms)].map(([, page = ""]) => page))
  .map((page) => page.replaceAll(/https:\/\/huggingface\.co\/[^"]+/g, "/model.gguf"));

/** Where a page without a bundler finds what it imports. */
const IMPORTS = Object.fromEntries(
  ["", "/summary", "/tensor", "/memory"].map((entry) => [
    `gguf-wasm-viewer${entry}`,
    `/viewer/${entry.slice(1) || "viewer"}.js`,
  ]),
);

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
      // Scripts that a worker loads import from it, and do not start it.
      if (at < 0 || read(`assets/${script}`).includes(`from"./${worker}"`)) continue;
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
  const entries = ["", "/summary", "/tensor", "/memory"].map((entry) => `import "gguf-wasm-viewer${entry}";`);
  const script = `${entries.join(" ")} console.log(typeof document)`;
  assert.equal(await run(process.execPath, ["--input-type=module", "-e", script], program), "undefined");
});

test("its types check in a strict TypeScript program", async () => {
  const lib = ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"];
  const args = ["--noEmit", "--strict", "--target", "es2022", "--skipDefaultLibCheck", "--exactOptionalPropertyTypes"];
  await npmScript("typescript/bin/tsc", [...args, ...lib, "--module", "nodenext", "types.ts"], program);
});

/**
 * Whether an element has the members, attributes, parts and custom properties that its description names.
 *
 * @param {import("@playwright/test").Page} page
 * @param {string} tag
 */
async function isAsDescribed(page, tag) {
  const description = descriptions[tag];
  const element = await page.evaluate(
    ({ tag, members }) => {
      const definition = /** @type {any} */ (customElements.get(tag));
      const viewer = /** @type {any} */ (document.querySelector(tag));
      const declared = [.../** @type {Map<string, any>} */ (definition.elementProperties)];
      const style = getComputedStyle(viewer);
      return {
        attributes: [...definition.observedAttributes],
        properties: declared.filter(([, { state }]) => !state).map(([name]) => name),
        reflected: declared.filter(([, { reflect }]) => reflect).map(([name]) => name),
        missing: members.filter((name) => !(name in viewer)),
        parts: [...(viewer.shadowRoot?.querySelectorAll("[part]") ?? [])].map((part) => part.getAttribute("part")),
        colours: [...definition.elementStyles].flatMap(
          ({ cssText }) => cssText.match(/^ {2,4}--gguf-[\w-]+(?=:)/gm) ?? [],
        ),
        accent: style.getPropertyValue("--gguf-accent"),
      };
    },
    { tag, members: names(description.members) },
  );
  assert.deepEqual(element.attributes.sort(), names(description.attributes));
  const settable = description.members.filter((/** @type {any} */ { kind, readonly }) => kind === "field" && !readonly);
  assert.deepEqual(element.properties.sort(), names(settable));
  assert.deepEqual(element.reflected, names(settable.filter((/** @type {any} */ { reflects }) => reflects)));
  assert.deepEqual(element.missing, []);
  assert.deepEqual([...new Set([...element.parts, "progress", "error"])].sort(), names(description.cssParts));
  assert.deepEqual([...new Set(element.colours.map((name) => name.trim()))].sort(), names(description.cssProperties));
}

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
      const [, example] = /^\/page\/(\d+)$/.exec(path) ?? [];
      if (example !== undefined) {
        response.setHeader("Content-Type", "text/html");
        const map = JSON.stringify({ imports: IMPORTS });
        response.end(`<!doctype html><script type="importmap">${map}</script>${PAGES[Number(example)]}`);
        return;
      }
      response.setHeader("Content-Security-Policy", POLICY);
      if (/^\/(summary|tensor|memory)$/.test(path)) {
        const name = path.slice(1);
        response.setHeader("Content-Type", "text/html");
        response.end(`<!doctype html><title></title><link rel="icon" href="/icon.svg">
          <script type="module" src="/viewer/${name}.js"></script><script type="module" src="/page.js"></script>
          <gguf-${name} src="/model.gguf" name="${name === "tensor" ? "token_embd.weight" : "model.gguf"}"></gguf-${name}>`);
      } else if (path === "/") {
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
    const [, name] = /^\/(?:gguf-wasm-)?viewer\/(.+)$/.exec(path) ?? [];
    const file = join(PACKAGE, name ?? "");
    return name !== undefined && existsSync(file) ? readFileSync(file) : undefined;
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
    await isAsDescribed(page, "gguf-viewer");
    assert.deepEqual(complaints, []);
    await page.close();
  });

  /** What each small element shows, the modules that it loads, and the worker that it starts. */
  const SMALL = /** @type {const} */ ([
    { name: "summary", shows: "gguf-details .facts", modules: ["gguf_wasm_reader"] },
    { name: "tensor", shows: "gguf-heat-map canvas", modules: ["gguf_wasm"], worker: /value-worker/ },
    { name: "memory", shows: "gguf-memory-panel .parts", modules: ["gguf_wasm_explain"] },
  ]);

  test("with a strict policy, each small element shows its part, and loads what it needs only", async () => {
    const page = await browser.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    for (const { name, shows, modules, ...rest } of SMALL) {
      requests = [];
      await page.goto(`${origin}/${name}`);
      await page.locator(`gguf-${name} ${shows}`).first().waitFor();
      await page.waitForFunction(() => document.title === "Tiny Test");
      if ("worker" in rest) {
        const isStarted = () => page.workers().some((worker) => rest.worker.test(worker.url()));
        for (let tries = 0; !isStarted() && tries < 100; tries++) await page.waitForTimeout(50);
        assert.ok(isStarted(), name);
      }
      await isAsDescribed(page, `gguf-${name}`);
      const loaded = [...new Set(requests.map(([path]) => path))].filter((path) => path.startsWith("/viewer/"));
      const found = loaded.flatMap((path) => /(gguf_wasm\w*)_bg-[\w-]{8}\.wasm$/.exec(path)?.[1] ?? []);
      assert.deepEqual(found, modules, name);
      assert.deepEqual(
        requests.filter(([, status]) => status !== 200),
        [],
      );
      const bytes = loaded.reduce((sum, path) => sum + gzipSync(bytesOf(path) ?? "", { level: 9 }).length, 0);
      const [, declared = ""] =
        new RegExp(`gguf-${name}[^|\n]*\\|[^\n]*\\| (\\d+) kB \\|`).exec(read("README.md")) ?? [];
      // A few bytes of addresses differ from build to build.
      assert.ok(
        Math.abs(bytes / 1000 - Number(declared)) < 4,
        `${name} loads ${bytes} bytes, the README says ${declared} kB`,
      );
      const left = await page.evaluate((tag) => {
        const element = /** @type {HTMLElement} */ (document.querySelector(tag));
        element.style.cssText = "height: 200px; width: 320px; display: inline-block";
        const { offsetHeight, offsetWidth } = element;
        element.style.display = "none";
        return {
          size: [offsetWidth, offsetHeight, element.offsetHeight],
          stored: localStorage.length + sessionStorage.length,
          path: location.pathname + location.search + location.hash,
          state: history.state,
          styles: document.adoptedStyleSheets.length + document.querySelectorAll("style").length,
        };
      }, `gguf-${name}`);
      assert.deepEqual(left, { size: [320, 200, 0], stored: 0, path: `/${name}`, state: null, styles: 0 });
    }
    assert.deepEqual(complaints, []);

    // Another tensor is shown without opening the file again, and one that the file does not have is reported.
    await page.goto(`${origin}/tensor`);
    await page.locator("gguf-heat-map canvas").first().waitFor();
    const other = await page.evaluate(async () => {
      const element = /** @type {any} */ (document.querySelector("gguf-tensor"));
      const { gguf } = element;
      element.name = "output_norm.weight";
      await element.updateComplete;
      const before = [element.tensor?.name, element.gguf === gguf];
      const failed = new Promise((resolve) => element.addEventListener("gguf-error", resolve, { once: true }));
      element.name = "nothing";
      return [...before, (await failed).detail.code, element.tensor];
    });
    assert.deepEqual(other, ["output_norm.weight", true, "unknown-tensor", undefined]);
    await page.close();
  });

  test("the pages of the README and of the guide show their files", async () => {
    assert.ok(PAGES.length >= 5);
    const page = await browser.newPage();
    for (const [at, text] of PAGES.entries()) {
      await page.goto(`${origin}/page/${at}`);
      const tags = [...text.matchAll(/<(gguf-[a-z]+)/g)].map(([, tag]) => tag);
      assert.ok(tags.length > 0);
      await page.waitForFunction(
        (tags) => tags.every((tag) => /** @type {any} */ (document.querySelector(tag ?? ""))?.gguf),
        tags,
      );
    }
    await page.close();
  });

  test("a failure is reported, and the slots are shown", async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/summary`);
    await page.locator("gguf-details").waitFor();
    const code = await page.evaluate(async () => {
      const element = /** @type {any} */ (document.querySelector("gguf-summary"));
      const failed = new Promise((resolve) => element.addEventListener("gguf-error", resolve, { once: true }));
      element.innerHTML = "<button>Another file</button>";
      element.source = new Blob(["this is no model"]);
      return (await failed).detail.code;
    });
    assert.equal(code, "bad-magic");
    await page.locator("gguf-summary").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Another file" }).waitFor();
    await page.evaluate(() => {
      const element = /** @type {any} */ (document.querySelector("gguf-summary"));
      element.source = undefined;
      element.src = "/nothing.gguf";
    });
    const alert = page.locator("gguf-summary").getByRole("alert");
    await alert.getByText("File not found").waitFor();
    // Nothing can be dropped on this page.
    assert.doesNotMatch(await alert.innerText(), /drop it/);
    await page.close();
  });

  test("the events of the descriptions are those of the declarations", () => {
    const [, map = ""] = /interface GgufViewerEventMap \{(.*?)\n\}/s.exec(read("element.d.ts")) ?? [];
    const [, files = ""] = /interface GgufFileEventMap<File> \{(.*?)\n\}/s.exec(read("element.d.ts")) ?? [];
    const [, memory = ""] = /interface GgufMemoryEventMap [^{]*\{(.*?)\n\}/s.exec(read("element.d.ts")) ?? [];
    const events = (/** @type {string} */ text) =>
      [...text.matchAll(/"(gguf-[\w-]+)":/g)].map(([, name]) => name).sort();
    assert.deepEqual(events(map), names(descriptions["gguf-viewer"].events));
    assert.deepEqual(events(files), names(descriptions["gguf-summary"].events));
    assert.deepEqual(events(files), names(descriptions["gguf-tensor"].events));
    assert.deepEqual(events(files + memory), names(descriptions["gguf-memory"].events));
  });
});
