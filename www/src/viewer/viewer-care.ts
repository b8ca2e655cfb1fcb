import { loadLibrary } from "../gguf/library.ts";
import { loadReader } from "../gguf/reader.ts";
import { startedLibrary } from "../gguf/started-library.ts";
import { endMemory, expectNoMemory } from "../worker/file-memory.ts";
import { allowTokenizers, endTokenizers } from "../worker/file-tokenizer.ts";
import type { FileCare } from "./viewer-file.ts";

/** The entries that the viewer opens files with, and the workers of its panels. */
export const VIEWER_CARE: FileCare = {
  modules: { loadFirst: loadReader, startedMain: startedLibrary, loadMain: loadLibrary },
  dropExpected: expectNoMemory,
  allowWorkers: allowTokenizers,
  endWorkers: (model) => {
    endTokenizers(model);
    endMemory(model.gguf);
  },
};
