// The examples of the documentation: the JavaScript of Markdown files, and the `@example`s of declarations.

import { readdirSync, readFileSync } from "node:fs";
import { PKG } from "../package/size.mjs";

const ROOT = new URL("../../", import.meta.url);

/** The documentation for readers. */
const DOCUMENTS = [
  "README.md",
  "pkg-template/README.md",
  ...readdirSync(new URL("docs/", ROOT)).map((name) => `docs/${name}`),
  "docs/site/start.md",
  ...readdirSync(new URL("docs/site/guides/", ROOT)).map((name) => `docs/site/guides/${name}`),
];

/** @typedef {{ place: string, code: string }} Example `place` is the file with the line of the example. */

/** @returns {Example[]} All examples. One that several modules have is listed once. */
export function examples() {
  const documents = DOCUMENTS.filter((name) => name.endsWith(".md"));
  const declarations = readdirSync(PKG, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
  const all = [
    ...documents.flatMap((name) => blocks(name, readFileSync(new URL(name, ROOT), "utf8"))),
    ...declarations.sort().flatMap((name) => {
      const text = readFileSync(PKG + name, "utf8");
      return [...comments(name, text)];
    }),
  ];
  // The last one of a list would win, and the main module is listed first.
  return [...new Map(all.toReversed().map((example) => [example.code.trim(), example])).values()].reverse();
}

/**
 * The blocks of JavaScript and TypeScript in Markdown.
 *
 * @param {string} name
 * @param {string} text
 */
function blocks(name, text) {
  return [...text.matchAll(/^```(?:js|ts)\n(.*?)^```$/gms)].map((match) => ({
    place: `${name}:${lineOf(text, match.index) + 1}`,
    code: String(match[1]),
  }));
}

/**
 * The examples in comments: what follows `@example`, and blocks of Markdown.
 *
 * @param {string} name
 * @param {string} text
 */
function* comments(name, text) {
  for (const match of text.matchAll(/^ *\/\*\*\n(.*?)\*\/$/gms)) {
    const line = lineOf(text, match.index) + 1;
    const comment = String(match[1]).replaceAll(/^ *\* ?/gm, "");
    for (const tag of comment.matchAll(/^@example\n(.*?)(?=^@|(?![^]))/gms)) {
      yield { place: `${name}:${line + lineOf(comment, tag.index) + 1}`, code: String(tag[1]) };
    }
    for (const { place, code } of blocks(name, comment)) {
      yield { place: `${name}:${line + Number(/\d+$/.exec(place)?.[0]) - 1}`, code };
    }
  }
}

/**
 * @param {string} text
 * @param {number} index
 */
function lineOf(text, index) {
  return text.slice(0, index).split("\n").length;
}
