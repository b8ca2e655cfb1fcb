// How Markdown becomes HTML, and how links become relative, so that the site works from any folder.

import { posix } from "node:path";
import markdownIt from "markdown-it";

/** @import { Page } from "./build.mjs" */

/** The id that a heading has on GitHub. @param {string} text */
const slug = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");

/** A text in HTML. @param {string} text */
export const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/**
 * The converter. A link to a file that is a page leads to the page. A link to another file of the repository is only its text.
 *
 * @param {Page[]} pages
 */
export function markdown(pages) {
  const urls = new Map(pages.flatMap(({ source, url }) => (source ? [[source, url]] : [])));
  const library = markdownIt({ html: false });

  library.core.ruler.push("heading-ids", ({ tokens }) => {
    /** @type {Map<string, number>} */
    const used = new Map();
    tokens.forEach((token, index) => {
      if (token.type !== "heading_open") return;
      const id = slug(tokens[index + 1]?.children?.map(({ content }) => content).join("") ?? "");
      const count = used.get(id) ?? 0;
      used.set(id, count + 1);
      token.attrSet("id", count > 0 ? `${id}-${count}` : id);
    });
  });

  library.core.ruler.push("links", ({ tokens, env }) => {
    for (const { children } of tokens) {
      const open = [];
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const url = target(String(token.attrGet("href")), env.source, urls);
          if (url) token.attrSet("href", url);
          else token.meta = "without a page";
          open.push(token.meta);
        } else if (token.type === "link_close") {
          token.meta = open.pop();
        }
      }
    }
  });
  library.renderer.rules.link_open = (tokens, index, options, _env, self) =>
    tokens[index]?.meta ? "" : self.renderToken(tokens, index, options);
  library.renderer.rules.link_close = (tokens, index) => (tokens[index]?.meta ? "" : "</a>");

  // A wide table scrolls, so that the page is not wider than the window.
  library.renderer.rules.table_open = () => '<div class="scrolls" tabindex="0"><table>\n';
  library.renderer.rules.table_close = () => "</table></div>\n";
  // So that the keyboard can scroll a long line.
  const { fence, code_block: block } = library.renderer.rules;
  library.renderer.rules.fence = (...of) => (fence?.(...of) ?? "").replace("<pre>", '<pre tabindex="0">');
  library.renderer.rules.code_block = (...of) => (block?.(...of) ?? "").replace("<pre>", '<pre tabindex="0">');
  library.core.ruler.push("alignment", ({ tokens }) => {
    // A class, because the page may forbid styles of elements.
    for (const { attrs } of tokens)
      for (const attribute of attrs ?? [])
        if (attribute[0] === "style") attribute.splice(0, 2, "class", attribute[1].replace("text-align:", ""));
  });
  const { image } = library.renderer.rules;
  library.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    token?.attrSet("src", `/assets/${posix.basename(String(token.attrGet("src")))}`);
    return image?.(tokens, index, options, env, self) ?? "";
  };
  return library;
}

/**
 * @param {string} href
 * @param {string} source
 * @param {Map<string, string>} urls
 */
function target(href, source, urls) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", fragment] = href.split("#");
  const url = urls.get(posix.join(posix.dirname(source), decodeURI(path)));
  return url && (fragment ? `${url}#${fragment}` : url);
}

/**
 * Makes all links from the root of the site relative to a page.
 *
 * @param {string} html
 * @param {string} url
 */
export const relativeLinks = (html, url) =>
  html.replaceAll(
    / (href|src|action)="\/([^"]*)"/g,
    (_, name, path) => ` ${name}="${posix.relative(posix.dirname(url), `/${path}`)}"`,
  );
