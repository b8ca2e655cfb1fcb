// The version of the program.

import { readFileSync } from "node:fs";

export function version() {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return version;
}
