// Pages that are files of the repository, and the page of the search.

import { readFileSync } from "node:fs";
import { DOCUMENTS } from "./navigation.mjs";

/** @import { Page } from "./build.mjs" */

const ROOT = new URL("../../", import.meta.url);

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, ROOT), "utf8");

/** The site contains the script of its search, whose licence asks for its text. @param {string} source */
const alsoFor = (source) =>
  source === "LICENSE-MIT"
    ? `\n\n## Pagefind, the search of this site\n\n${read("node_modules/pagefind/LICENSE/LICENSE")}`
    : "";

/** @returns {Page[]} */
export function documentPages() {
  const search = `<p><label for="query">Words, keys, codes or names:</label></p>
<p><input type="search" id="query" autocomplete="off"></p>
<p id="found" role="status">The search needs JavaScript.</p>
<ol id="results"></ol>`;
  return [
    ...DOCUMENTS.map((document) => ({ ...document, content: read(document.source) + alsoFor(document.source) })),
    { url: "/search.html", title: "Search", section: "Search", content: search },
  ];
}
