// Folders of tests.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** A new folder that is removed after the tests of the file, or after the test that calls this. Hooks end too early for it. */
export async function temporaryFolder() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "gguf-wasm-")));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
