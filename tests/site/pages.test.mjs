// The documentation site in `target/docs`: each row of the tables has a page, no link is broken, and no page needs a server of its own.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { architectureUrl, checkUrl, errorUrl, keyUrl, kindUrl, typeUrl } from "../../docs/site/format-pages.mjs";
import { PKG } from "../package/size.mjs";
import { SITE, TABLES } from "./site.mjs";

/** The paths of all files of the site, from its root: `/index.html`. */
const files = new Set(
  readdirSync(SITE, { recursive: true, encoding: "utf8" }).map((name) => `/${name.replaceAll("\\", "/")}`),
);
const pages = [...files].filter((name) => name.endsWith(".html"));
const html = new Map(pages.map((name) => [name, readFileSync(`${SITE}${name}`, "utf8")]));

/** @param {string} text */
const unescape = (text) =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** The values of attributes. @param {string} text @param {string} names */
const attributes = (text, names) =>
  [...text.matchAll(new RegExp(` (?:${names})="([^"]*)"`, "g"))].map((match) => unescape(String(match[1])));

/** Asserts that each name has a page of its own, also where letters of both cases are equal. @param {string[]} urls */
function assertPages(urls) {
  assert.ok(urls.length > 10);
  assert.deepEqual(
    urls.filter((url) => !html.has(url)),
    [],
  );
  assert.equal(new Set(urls.map((url) => url.toLowerCase())).size, urls.length, "two rows have the same page");
}

/** The names of a union in the declarations of the package. @param {string} type */
function union(type) {
  const text = readFileSync(`${PKG}full/gguf_wasm_full.d.ts`, "utf8");
  const [, names = ""] = new RegExp(`export type ${type} =([^;]*);`).exec(text) ?? [];
  return [...names.matchAll(/"([^"]+)"/g)].map((match) => String(match[1])).sort();
}

test("each key, tensor type, architecture and kind of file has a page", () => {
  assertPages(TABLES.keys.map(({ pattern }) => keyUrl(pattern)));
  assertPages(TABLES.tensorTypes.map(({ name }) => typeUrl(name)));
  assertPages(TABLES.architectures.map(({ name }) => architectureUrl(name)));
  assertPages(TABLES.fileKinds.map(({ name }) => kindUrl(name)));
});

test("each check and each error code of the package has a page with cause, effect and what to do", () => {
  const checks = [...union("FindingCode"), ...union("SetFindingCode")].sort();
  const errors = union("GgufErrorCode");
  assert.deepEqual([...TABLES.checks, ...TABLES.setChecks].map(({ code }) => code).sort(), checks);
  assert.deepEqual(TABLES.errorCodes.map(({ code }) => code).sort(), errors);
  const urls = [...checks.map(checkUrl), ...errors.map(errorUrl)];
  assertPages(urls);
  for (const url of urls) {
    const facts = [...String(html.get(url)).matchAll(/<dt>([^<]+)<\/dt>\n<dd>[^]+?<\/dd>/g)].map((match) => match[1]);
    assert.deepEqual(facts, ["Cause", "Effect", "What to do"], url);
  }
});

test("no link is broken", () => {
  const ids = new Map([...html].map(([name, text]) => [name, new Set(attributes(text, "id"))]));
  const broken = new Set();
  for (const [name, text] of html) {
    for (const link of attributes(text, "href|src|action")) {
      if (/^(https?|mailto):/.test(link)) continue;
      const [path = "", fragment] = link.split("#");
      const target = path ? posix.join(posix.dirname(name), decodeURI(path)) : name;
      const isFound = !path.startsWith("/") && files.has(target);
      if (!isFound || (fragment && !ids.get(target)?.has(decodeURI(fragment)))) broken.add(`${name}: ${link}`);
    }
  }
  assert.deepEqual([...broken], []);
});

test("no page has a script or a style inside, or loads anything from other hosts", () => {
  for (const [name, text] of html) {
    const [inline] = /<style|<script(?! src=")|<[^>]+ (style|on[a-z]+)="/.exec(text) ?? [];
    assert.equal(inline, undefined, name);
    for (const source of attributes(text, "src")) assert.doesNotMatch(source, /^([a-z]+:|\/\/)/, name);
  }
});

test("each page has a title, one heading of the first level, and unique ids", () => {
  for (const [name, text] of html) {
    assert.match(text, /<title>[^<]+ · gguf-wasm<\/title>/, name);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, name);
    const ids = attributes(text, "id");
    assert.equal(new Set(ids).size, ids.length, `${name}: an id twice`);
  }
});
