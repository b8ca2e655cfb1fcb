// The frame of each page: header, navigation, text, footer. No script and no style is inside the page.

import { escape } from "./markdown.mjs";
import { NAVIGATION } from "./navigation.mjs";

/** @import { Page } from "./build.mjs" */

/** @param {Page} page @param {string} content */
export function layout(page, content) {
  // Markdown of the repository has its own heading of the first level. Other pages get theirs here.
  const heading = /<h1[ >]/.test(content) ? "" : `<h1>${escape(page.title)}</h1>\n`;
  const section = escape(page.section);
  const found = page.url === "/search.html" ? "" : ` data-pagefind-body data-pagefind-meta="section:${section}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · gguf-wasm</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/site.css">
<script src="/assets/theme.js"></script>
<script src="/assets/site.js" type="module"></script>
</head>
<body>
<a class="skip" href="#page-text">Skip to the text</a>
<header>
<a class="home" href="/index.html">gguf-wasm</a>
<form action="/search.html" role="search">
<input type="search" name="q" aria-label="Search the documentation" aria-keyshortcuts="/" placeholder="Search" autocomplete="off">
</form>
<button type="button" class="theme" hidden>Dark</button>
</header>
<div class="frame">
<nav aria-label="Pages">
<details>
<summary>All pages</summary>
${navigation(page.url)}
</details>
</nav>
<main id="page-text" tabindex="-1"${found}>
<p class="section" data-pagefind-ignore>${section}</p>
${heading}${content}
</main>
</div>
<footer>gguf-wasm · <a href="/project/licence.html">MIT or Apache-2.0</a></footer>
</body>
</html>
`;
}

/** @param {string} here */
function navigation(here) {
  const item = (/** @type {{ url: string, title: string }} */ { url, title }) => {
    // The pages of a table are below the page of the table.
    const [, folder] = /^(\/(?:api|format\/[a-z]+)\/)index\.html$/.exec(url) ?? [];
    const isAbove = folder !== undefined && here.startsWith(folder);
    const current = url === here ? ' aria-current="page"' : isAbove ? ' aria-current="true"' : "";
    return `<li><a href="${url}"${current}>${escape(title)}</a></li>`;
  };
  return NAVIGATION.map(({ title, pages }) => `<p>${title}</p>\n<ul>\n${pages.map(item).join("\n")}\n</ul>`).join("\n");
}
