import type { Page } from "@playwright/test";
import { beginEditing, openEntry } from "./editing.ts";
import { rowOf } from "./metadata-table.ts";
import { changeGlobals, loseDocument } from "./shared-page.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

export const TEMPLATE = "{% for message in messages %}\n{{ message.content }}\n{% endfor %}";

/** What is wrong with the disk of the replaced pickers. */
type Disk = "full" | "busy" | "busy at last";

/** Replaces the file pickers of the page: they return real handles of files in the page's private storage, without a dialog. */
export async function replacePickers(page: Page, data: Uint8Array): Promise<void> {
  await changeGlobals(
    page,
    async ({ bytes }) => {
      const folder = navigator.storage.getDirectory();
      const file = (name: string) => folder.then((own) => own.getFileHandle(name, { create: true }));
      const ready = (async () => {
        const handle = await file("picked.gguf");
        if ((await handle.getFile()).size === 0) {
          const writable = await handle.createWritable();
          await writable.write(Uint8Array.from(bytes));
          await writable.close();
        }
        return handle;
      })();
      const create = FileSystemFileHandle.prototype.createWritable;
      FileSystemFileHandle.prototype.createWritable = async function (options) {
        const real = await create.call(this, options);
        const own = window as unknown as { disk?: Disk; waiting?: boolean };
        const { disk } = own;
        if (disk === undefined) return real;
        /** Waits until the content of the file has changed. */
        const free = async () => {
          own.waiting = true;
          while (own.disk === disk) await new Promise((resolve) => setTimeout(resolve, 20));
          own.waiting = false;
        };
        const writable = new WritableStream<FileSystemWriteChunkType>({
          async write(chunk) {
            if (disk === "full") {
              // The browser gives up its copy of the file.
              await real.abort();
              throw new DOMException("The disk is full", "QuotaExceededError");
            }
            if (disk === "busy") await free();
            await real.write(chunk);
          },
          async close() {
            if (disk === "busy at last") await free();
            await real.close();
          },
          abort: (reason) => real.abort(reason),
        });
        return writable as FileSystemWritableFileStream;
      };
      Object.assign(window, {
        showOpenFilePicker: async () => [await ready],
        showSaveFilePicker: async ({ suggestedName = "" }) => file(suggestedName),
        stored: async (name: string) => [...new Uint8Array(await (await (await file(name)).getFile()).arrayBuffer())],
      });
      await ready;
    },
    { bytes: [...data] },
  );
}

/** Makes the disk of the replaced pickers busy or full, or free again. */
export async function setDisk(page: Page, state: Disk | undefined): Promise<void> {
  // What waits for the disk would go on in the next test.
  loseDocument(page);
  await page.evaluate((state) => void Object.assign(window, { disk: state }), state);
}

/** Removes the picker of new files, as in browsers that have none. They are then downloaded. */
export async function removeSavePicker(page: Page): Promise<void> {
  await changeGlobals(page, () => void Object.assign(window, { showSaveFilePicker: undefined }));
}

export const storedBytes = async (page: Page, name: string) =>
  Buffer.from(
    await page.evaluate(
      (name) => (window as unknown as { stored(name: string): Promise<number[]> }).stored(name),
      name,
    ),
  );

export async function openPicked(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await page.getByRole("button", { name: "Choose a file" }).click();
  await beginEditing(page);
}

export const pickedModel = () =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text("Picked")],
      ["tokenizer.chat_template", text(TEMPLATE)],
    ],
    [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
  );

export const editedModel = (name: string, template: string) =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text(name)],
      ["tokenizer.chat_template", text(template)],
    ],
    [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
  );

export async function changeNameAndTemplate(page: Page, name: string, template: string): Promise<void> {
  const first = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await first.fill(name);
  await first.press("Enter");
  await rowOf(page, "general.name").click();
  const second = (await openEntry(page, "chat_template")).getByRole("textbox", { name: /Value of/ });
  await second.fill(template);
  await second.press("Control+Enter");
  await rowOf(page, "chat_template").click();
}
