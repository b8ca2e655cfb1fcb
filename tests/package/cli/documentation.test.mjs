// The help, and docs/command-line.md, which contains it. `GGUF_WRITE_HELP=1` writes the document anew.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();
const DOCUMENT = new URL("../../../docs/command-line.md", import.meta.url);

/** @typedef {import("../../../pkg-template/cli/command-options.js").Command} Command */

/** @returns {Promise<Record<string, Command>>} */
const commands = async () => (await import(cli.module("commands.js"))).COMMANDS;

/** @param {readonly string[]} args */
async function help(...args) {
  const { stdout, stderr } = await cli.succeed(args);
  assert.equal(stderr, "");
  return stdout;
}

test("docs/command-line.md has the help of every command", async () => {
  const parts = [
    "# Command line\n",
    "`npx gguf-wasm COMMAND` needs Node.js 20.19 or newer. This document is the help of the program: " +
      "`GGUF_WRITE_HELP=1 node --test tests/package/cli/documentation.test.mjs` writes it.\n",
    block(await help("--help")),
  ];
  for (const name of Object.keys(await commands())) parts.push(`## ${name}\n`, block(await help(name, "--help")));
  parts.push("## JSON\n", await jsonSection());
  const document = parts.join("\n");
  if (process.env.GGUF_WRITE_HELP) await writeFile(DOCUMENT, document);
  assert.equal(await readFile(DOCUMENT, "utf8"), document, "run this test with GGUF_WRITE_HELP=1");
});

test("the README of the package has the table of export formats", async () => {
  /** @type {typeof import("../../../pkg-template/common/export-formats.js")} */
  const { EXPORT_LIST } = await import(cli.module("../common/export-formats.js"));
  const rows = EXPORT_LIST.map(
    ([name, { extension, content, method }]) => `| ${name} | \`${extension}\` | ${content} | \`${method}\` |\n`,
  );
  const table = `| Format | File | Content | Method |\n| --- | --- | --- | --- |\n${rows.join("")}`;
  const path = new URL("../../../pkg-template/README.md", import.meta.url);
  const readme = await readFile(path, "utf8");
  const written = readme.replace(/^\| Format \| File \|.*?\n(?=\n)/ms, table);
  if (process.env.GGUF_WRITE_HELP) await writeFile(path, written);
  assert.ok((process.env.GGUF_WRITE_HELP ? written : readme).includes(table), "run this test with GGUF_WRITE_HELP=1");
});

/** The form of what `--json` prints. */
async function jsonSection() {
  /** @type {typeof import("../../../pkg-template/cli/json-members.js")} */
  const { JSON_MEMBERS } = await import(cli.module("json-members.js"));
  const rows = Object.entries(JSON_MEMBERS).map(
    ([name, { type, orNull, commands, meaning }]) =>
      `| \`${name}\` | ${type}${orNull ? " or null" : ""} | ${commands} | ${meaning} |\n`,
  );
  return [
    "With `--json`, every command but `completion` prints one object on the standard output, also if it fails: then the object has `error`. " +
      "A member has the same type in all commands. Members whose value is not known are left out. " +
      "64-bit integers, NaN and infinities are strings. Control characters are escapes, so that the output is safe on a terminal.\n",
    `| Member | Type | Commands | Meaning |\n| --- | --- | --- | --- |\n${rows.join("")}`,
  ].join("\n");
}

/** @param {string} text */
const block = (text) => `\`\`\`text\n${text}\`\`\`\n`;

test("every command has an example, and its options are sentences", async () => {
  for (const [name, { summary, details, positionals, options, examples }] of Object.entries(await commands())) {
    assert.ok(examples.length > 0, name);
    for (const { command } of examples) assert.ok(command.startsWith(`gguf-wasm ${name} `), command);
    const texts = [...positionals, ...Object.values(options)].map(({ description }) => description);
    for (const text of [summary, ...details, ...texts, ...examples.map(({ meaning }) => meaning)]) {
      assert.match(text, /^[A-Z`-].*\.$/, `${name}: ${text}`);
    }
  }
});

test("`help COMMAND`, `-h` and `--version`", async () => {
  assert.equal(await help("help", "split"), await help("split", "--help"));
  assert.equal(await help("split", "-h"), await help("split", "a", "--help"));
  assert.equal(await help("help"), await help("-h"));
  const { version } = JSON.parse(await readFile(new URL("../../../pkg/package.json", import.meta.url), "utf8"));
  assert.equal(await help("--version"), `${version}\n`);
  assert.equal(await help("-v"), `${version}\n`);
});

test("the help does not load WebAssembly", async () => {
  await cli.succeed(["split", "--help"], {
    env: { NODE_OPTIONS: "--import=data:text/javascript,delete(globalThis.WebAssembly)" },
  });
});
