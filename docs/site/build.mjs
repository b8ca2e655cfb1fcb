// Builds the documentation site: node docs/site/build.mjs TABLES OUT. TABLES is the output of the package `format-tables`. The
// package must be built in `pkg/`. `cargo xtask docs` runs this.

import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Eleventy } from "@11ty/eleventy";
import * as pagefind from "pagefind";
import { apiPages } from "./api-pages.mjs";
import { documentPages } from "./document-pages.mjs";
import { formatPages } from "./format-pages.mjs";
import { layout } from "./layout.mjs";
import { markdown, relativeLinks } from "./markdown.mjs";

/**
 * A page of the site.
 *
 * @typedef {object} Page
 * @property {string} url The address in the site: `/guides/check.html`.
 * @property {string} title
 * @property {string} section The part of the site, which the search shows.
 * @property {string} content HTML, or Markdown if the page has a source.
 * @property {string} [source] The path of the Markdown file in the repository, to which its links are relative.
 */

const [tables, out] = process.argv.slice(2);
if (!tables || !out) throw new Error("usage: node docs/site/build.mjs TABLES OUT");

/** @type {Page[]} */
const pages = [
  ...documentPages(),
  ...formatPages(JSON.parse(readFileSync(tables, "utf8"))),
  ...(await apiPages(`${out}-api`)),
];
const byUrl = new Map(pages.map((page) => [page.url, page]));
rmSync(out, { recursive: true, force: true });

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const eleventy = new Eleventy(here("assets"), out, {
  quietMode: true,
  config(config) {
    config.setLibrary("md", markdown(pages));
    config.setTemplateFormats(["md", "html"]);
    config.addPassthroughCopy({ [here("assets")]: "assets", [here("../viewer.png")]: "assets/viewer.png" });
    config.addTransform("layout", function (content) {
      const page = byUrl.get(this.page.url.replace(/\/$/, "/index.html"));
      return page ? relativeLinks(layout(page, content), page.url) : content;
    });
    for (const { url, content, source } of pages) {
      // The text is not a template, although it may contain braces.
      const data = { permalink: url, source, templateEngineOverride: source ? "md" : false };
      config.addTemplate(url.slice(1).replace(/\.html$/, source ? ".md" : ".html"), content, data);
    }
  },
});
await eleventy.write();

const { index } = await pagefind.createIndex({ forceLanguage: "en" });
if (!index) throw new Error("pagefind makes no index");
const { page_count: count } = await index.addDirectory({ path: out });
await index.writeFiles({ outputPath: `${out}/pagefind` });
await pagefind.close();
console.log(`docs: ${pages.length} pages, ${count} of them in the index of the search`);
