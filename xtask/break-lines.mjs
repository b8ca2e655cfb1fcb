// Breaks the lines of scripts.

import { parseSync, Visitor } from "vite";

/** The longest line. Node.js prints the whole source line of an uncaught error, so a line must not be too long. */
const COLUMNS = 500;

/**
 * Breaks long lines before statements and members, where a line break does not change the meaning.
 *
 * @param {string} path
 * @param {string} code
 */
export function breakLines(path, code) {
  /** @type {number[]} */
  const starts = [];
  const note = (/** @type {{ start: number }[]} */ nodes) => starts.push(...nodes.map((node) => node.start));
  new Visitor({
    Program: ({ body }) => note(body),
    BlockStatement: ({ body }) => note(body),
    ClassBody: ({ body }) => note(body),
    ObjectExpression: ({ properties }) => note(properties),
    VariableDeclaration: ({ declarations }) => note(declarations),
    CallExpression: (call) => note(call.arguments),
    ArrayExpression: ({ elements }) => note(elements.filter((element) => element !== null)),
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
