// Files on the disk, for the file chooser of a page.

import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { test, type Page } from "@playwright/test";

/** A file of a test: its name and its bytes. */
export interface TestFile {
  name: string;
  bytes: Uint8Array;
}

const folder = (): string => test.info().outputPath("chosen");

let written = 0;

/**
 * Chooses files in the file chooser of the page. The browser reads them from the disk, as it reads those of a user. Bytes that are given to
 * `setInputFiles` go through its protocol as text instead, and a script in the page decodes them: a third of a second for 3 MB.
 */
export async function chooseFiles(page: Page, files: readonly TestFile[]): Promise<void> {
  const input = page.locator("input[type=file]");
  // A path has no place for a name with a slash.
  if (files.some(({ name }) => name.includes("/"))) {
    const buffers = files.map(({ name, bytes }) => ({ name, mimeType: "", buffer: Buffer.from(bytes) }));
    await input.setInputFiles(buffers);
    return;
  }
  const paths = files.map(async ({ name, bytes }) => {
    // Files of the same name have folders of their own.
    const own = `${folder()}/${(written += 1)}`;
    await mkdir(own, { recursive: true });
    await writeFile(`${own}/${name}`, bytes);
    return `${own}/${name}`;
  });
  await input.setInputFiles(await Promise.all(paths));
}

/** Removes the files of the test. */
export async function removeLocalFiles(): Promise<void> {
  await rm(folder(), { recursive: true, force: true });
  // The folder of the test stays if something else is in it.
  await rmdir(test.info().outputDir).catch(() => undefined);
}
