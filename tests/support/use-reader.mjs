// `node --import ./tests/support/use-reader.mjs` runs a program with the reader instead of the main module.

import { register } from "node:module";

register("./reader-resolution.mjs", import.meta.url);
