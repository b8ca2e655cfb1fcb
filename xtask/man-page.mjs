// Writes the manual page of the command line, compressed with gzip. The same page gives the same bytes on every system.

import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { manPage } from "../pkg-template/cli/man-page.js";

const [version = "", path = ""] = process.argv.slice(2);
if (!path) throw new Error("usage: man-page.mjs VERSION FILE");
// Node.js writes no time. The byte for the operating system is set to "unknown".
const page = gzipSync(manPage(version), { level: 9 });
page[9] = 255;
writeFileSync(path, page);
