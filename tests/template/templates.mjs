// The templates of this folder.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("templates", import.meta.url));

/** The source of each template, by name. @type {Record<string, string>} */
export const TEMPLATES = Object.fromEntries(
  readdirSync(FOLDER)
    .sort()
    .map((file) => [file.replace(/\.jinja$/, ""), readFileSync(`${FOLDER}/${file}`, "utf8")]),
);
