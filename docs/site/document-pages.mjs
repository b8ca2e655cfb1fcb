// Pages that are files of the repository, and the page of the search.

import { readFileSync } from "node:fs";
import { DOCUMENTS } from "./navigation.mjs";

/** @import { Page } from "./build.mjs" */

const ROOT = new URL("../../", import.meta.url);

/** @returns {Page[]} */
export function documentPages() {
  const search = `<p><label for="query">Words, keys, codes or names:</label></p>
<p><input type="search" id="query" autocomplete="off"></p>
<p id="found" role="status">The search needs JavaScript.</p>
<ol id="results"></ol>`;
  return [
    ...DOCUMENTS.map((document) => ({ ...document, content: readFileSync(new URL(document.source, ROOT), "utf8") })),
    { url: "/search.html", title: "Search", section: "Search", content: search },
  ];
}
