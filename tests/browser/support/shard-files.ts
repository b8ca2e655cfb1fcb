// A small model as one file and in shards, and the folder picker of the page.

import type { Locator, Page } from "@playwright/test";
import { chooseFiles } from "./local-files.ts";
import type { TestServer } from "./server.ts";
import { changeGlobals } from "./shared-page.ts";
import { fileWith, type Made, matrix } from "./tensor-files.ts";
import { text, uint32 } from "../../support/gguf-bytes.mjs";
import { showTool } from "./tools.ts";

/** A file of a test: its name and its bytes. */
export interface TestFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

type Entries = Parameters<typeof fileWith>[0];

const entries = (name: string): Entries => [
  ["general.architecture", text("llama")],
  ["general.name", text(name)],
  ["llama.block_count", uint32(2)],
];

/** Tensors with values by which they can be told from each other: those of tensor 3 are 300, 301, … */
export const tensorsOf = (count: number): Made[] =>
  Array.from({ length: count }, (_, at) =>
    matrix(`blk.${at}.attn_q.weight`, 32, 2, (row, column) => at * 100 + row * 32 + column),
  );

/** The whole model with six tensors. */
export const wholeModel = (name = "Tiny"): Uint8Array<ArrayBuffer> => fileWith(entries(name), tensorsOf(6));

export const shardName = (base: string, number: number, count: number): string =>
  `${base}-${String(number).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.gguf`;

/** The model with six tensors in shards. */
export function shardsOf(count = 3, base = "tiny", name = "Tiny"): TestFile[] {
  const tensors = tensorsOf(6);
  const each = Math.ceil(tensors.length / count);
  return Array.from({ length: count }, (_, at) => ({
    name: shardName(base, at + 1, count),
    bytes: fileWith(
      [
        ...(at === 0 ? entries(name) : []),
        ["split.no", { type: "uint16", value: at }],
        ["split.count", { type: "uint16", value: count }],
        ["split.tensors.count", { type: "int32", value: tensors.length }],
      ],
      tensors.slice(at * each, (at + 1) * each),
    ),
  }));
}

/** Serves files. Returns their addresses. */
export const serve = (app: TestServer, files: readonly TestFile[], folder = "/shards"): string[] =>
  files.map(({ name, bytes }) => app.file(`${folder}/${name}`, bytes));

/** Opens local files. */
export async function openFiles(page: Page, app: TestServer, files: readonly TestFile[]): Promise<void> {
  await page.goto(app.origin);
  await chooseFiles(page, files);
}

export const panel = (page: Page): Locator => page.locator("gguf-shards");

export async function showShards(page: Page): Promise<void> {
  await showTool(page, "Shards");
}

/** The rows of the table of shards. */
export const shardRows = (page: Page): Locator =>
  panel(page).getByRole("region", { name: "Table of shards" }).locator("tbody tr");

/** Replaces the folder picker of the page: it returns a real folder in the page's private storage, with these files. */
export async function replaceFolderPicker(page: Page, files: readonly TestFile[] = []): Promise<void> {
  await changeGlobals(
    page,
    async (files) => {
      const ready = (async () => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle("models", { create: true });
        for (const { name, bytes } of files) {
          const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
          await writable.write(Uint8Array.from(bytes));
          await writable.close();
        }
        return folder;
      })();
      Object.assign(window, {
        showDirectoryPicker: () => ready,
        inFolder: async () => {
          const found: Record<string, number[]> = {};
          for await (const [name, handle] of (await ready).entries())
            found[name] = [...new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer())];
          return found;
        },
      });
      await ready;
    },
    files.map(({ name, bytes }) => ({ name, bytes: [...bytes] })),
  );
}

/** The files in the folder that the picker returns, by name. */
export async function filesInFolder(page: Page): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const found = await page.evaluate(() =>
    (window as unknown as { inFolder(): Promise<Record<string, number[]>> }).inFolder(),
  );
  return new Map(
    Object.entries(found)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, bytes]) => [name, Uint8Array.from(bytes)]),
  );
}

/** Removes the folder picker, as in browsers that have none. */
export async function removeFolderPicker(page: Page): Promise<void> {
  await changeGlobals(page, () => void Object.assign(window, { showDirectoryPicker: undefined }));
}
