// The element in a foreign page, in Firefox and WebKitGTK: the file opens, and a worker reads the values of a tensor.

import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ENGINES, reports } from "../../support/engines.mjs";
import { serveFolder } from "../../support/file-server.mjs";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";

const PACKAGE = fileURLToPath(new URL("../../../pkg-viewer/", import.meta.url));

const SCRIPT = `
const report = (value) => fetch(new URLSearchParams(location.search).get("report"), { method: "POST", body: JSON.stringify(value) });
addEventListener("error", ({ message }) => report({ message }));
addEventListener("gguf-error", ({ detail }) => report({ message: String(detail?.message ?? detail) }));
addEventListener("gguf-open", async ({ detail, target }) => {
  target.view = "tensors";
  await target.select({ tensor: "token_embd.weight" });
  const until = async (find) => {
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise(requestAnimationFrame);
    }
  };
  const every = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? every(one.shadowRoot) : [])]);
  const map = await until(() => every(target.shadowRoot).find(({ localName }) => localName === "gguf-heat-map"));
  const canvas = await until(() => map.shadowRoot.querySelector("canvas"));
  await until(() => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0));
  report({ name: detail.name });
});`;

const PAGE = `<!doctype html><title></title><link rel="icon" href="data:,">
<script type="module" src="viewer/viewer.js"></script><script type="module" src="page.js"></script>
<gguf-viewer src="model.gguf" name="model.gguf"></gguf-viewer>`;

for (const { name, skip, open } of ENGINES) {
  test(`the element opens a file and draws a tensor in ${name}`, { skip }, async () => {
    const folder = await temporaryFolder();
    await cp(PACKAGE, join(folder, "viewer"), { recursive: true });
    await writeFile(join(folder, "model.gguf"), smallModel());
    await writeFile(join(folder, "page.js"), SCRIPT);
    await writeFile(join(folder, "page.html"), PAGE);
    const [, policy = ""] =
      /^ *Content-Security-Policy: (.*)$/m.exec(await readFile(join(PACKAGE, "README.md"), "utf8")) ?? [];
    const { url, first, close } = await reports();
    const server = await serveFolder(folder, {
      "Content-Security-Policy": policy.replace("connect-src", `connect-src ${url}`),
    });
    const closePage = await open(`${server.origin}/page.html?report=${url}`);
    try {
      assert.deepEqual(await first, { name: "Tiny Test" });
    } finally {
      await closePage();
      await server.close();
      await close();
    }
  });
}
