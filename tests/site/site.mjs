// The built documentation site, and the tables that it is made of.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TARGET = fileURLToPath(new URL("../../target/", import.meta.url));

/** The folder of the site. `cargo xtask docs` builds it. */
export const SITE = process.env["GGUF_DOCS"] ?? `${TARGET}docs`;

/** @type {import("../../docs/site/format-pages.mjs").Tables} */
export const TABLES = JSON.parse(readFileSync(`${SITE}-tables.json`, "utf8"));
