// Minifies an ES module in place. Half of the script that wasm-bindgen generates is documentation, which the `.d.ts` file
// contains too.

import { readFileSync, writeFileSync } from "node:fs";
import { minifySync, parseSync, Visitor } from "vite";

/** The longest line. Node.js prints the whole source line of an uncaught error, so a line must not be too long. */
const COLUMNS = 500;

/**
 * Breaks long lines before statements and members, where a line break does not change the meaning.
 *
 * @param {string} path
 * @param {string} code
 */
function breakLines(path, code) {
  /** @type {number[]} */
  const starts = [];
  const note = (/** @type {{ start: number }[]} */ nodes) => starts.push(...nodes.map((node) => node.start));
  new Visitor({
    Program: ({ body }) => note(body),
    BlockStatement: ({ body }) => note(body),
    ClassBody: ({ body }) => note(body),
    ObjectExpression: ({ properties }) => note(properties),
  }).visit(parseSync(path, code).program);
  starts.sort((a, b) => a - b).push(code.length);
  const lines = [];
  let line = 0;
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? start;
    if (end - line <= COLUMNS || start === line) continue;
    lines.push(code.slice(line, start));
    line = start;
  }
  return [...lines, code.slice(line)].join("\n");
}

const [path] = process.argv.slice(2);
if (!path) throw new Error("usage: minify.mjs FILE");
const { code, errors } = minifySync(path, readFileSync(path, "utf8"), { module: true });
if (errors.length > 0) throw new Error(errors.map((error) => error.message).join("\n"));
writeFileSync(path, breakLines(path, code));
