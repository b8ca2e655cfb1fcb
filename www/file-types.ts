/** The names of the file types for the page, which shows them before the main module of the package is loaded. */

import type { Plugin } from "vite";

const NAME = "virtual:file-types";

/** Makes the module `virtual:file-types` from the list of the package. */
export function fileTypeNames(): Plugin {
  return {
    name: "file-types",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const { fileTypes } = await import("gguf-wasm/full");
      const names = Object.fromEntries(fileTypes().map(({ id, name }) => [id, name]));
      return `export const fileTypeNames = ${JSON.stringify(names)};`;
    },
  };
}
