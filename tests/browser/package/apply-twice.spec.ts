import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { serveFolder } from "../../support/file-server.mjs";
import { smallModel } from "../../support/gguf-bytes.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

test("a plan is applied to the handle of its file again and again", async ({ page }) => {
  const server = await serveFolder(ROOT);
  await page.goto(`${server.origin}/tests/package/consumer/index.html`);
  const names = await page.evaluate(
    async ({ bytes }) => {
      const path = "/pkg/full/index.js";
      const { Gguf } = (await import(path)) as typeof import("gguf-wasm/full");
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle("again.gguf", { create: true });
      const writable = await handle.createWritable();
      await writable.write(Uint8Array.from(bytes));
      await writable.close();
      const editor = (await Gguf.open(await handle.getFile())).edit();
      const names = [];
      // The second name moves the data, and the third one moves it back.
      for (const name of ["Once", "a longer name ".repeat(40), "Thrice"]) {
        editor.set("general.name", name);
        await editor.plan().applyTo(handle);
        const again = await Gguf.open(await handle.getFile());
        const values = await again.readBytes(again.tensors[0]?.name ?? "");
        names.push(`${again.name?.slice(0, 8)} ${values.length > 0}`);
      }
      await folder.removeEntry("again.gguf");
      return names;
    },
    { bytes: [...smallModel()] },
  );
  await server.close();
  expect(names).toEqual(["Once true", "a longer true", "Thrice true"]);
});
