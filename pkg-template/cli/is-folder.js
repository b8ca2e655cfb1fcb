// Whether an argument names a folder of this computer. It is asked before WebAssembly is loaded.

import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @param {string} name A path, a URL, a name of the hub, or `-`. */
export function isFolder(name) {
  if (name === "-" || /^hub:/i.test(name) || /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(name)) return false;
  try {
    const path = /^file:\/\//i.test(name) ? fileURLToPath(name) : name;
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // The command says why the path cannot be read.
    return false;
  }
}
