// What shells complete, and the manual page: both are made from the table of commands.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();
const folder = await cli.folder();
await mkdir(join(folder, "models"));
await writeFile(join(folder, "my model.gguf"), "");

/** @type {Record<string, import("../../../pkg-template/cli/command-options.js").Command>} */
const COMMANDS = (await import(cli.module("commands.js"))).COMMANDS;

/** A program with which a test may be run. @param {string} program */
const without = (program) => spawnSync(program, ["--version"]).error && `${program} is not installed`;

/** The path of the script for a shell. @param {string} shell */
async function scriptFor(shell) {
  const { stdout, stderr } = await cli.succeed(["completion", shell]);
  assert.equal(stderr, "");
  const path = join(folder, `.completion.${shell}`);
  await writeFile(path, stdout);
  return path;
}

/**
 * What a program prints, as lines.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
async function linesOf(program, args) {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd: folder, timeout: 60_000 });
  return stdout.split("\n").filter((line) => line !== "");
}

/** What each shell completes: the words before the cursor, and the words that must be offered, all of them. */
const CASES = /** @type {const} */ ([
  [["ex"], ["export"]],
  [["convert"], ["convert", "convert-endian", "convert-lora"]],
  [["help", "tok"], ["tokenize"]],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["export", "my model.gguf", "--spread"], ["--spreadsheet-safe"]],
  [
    ["memory", "--flash-attn", ""],
    ["auto", "off", "on"],
  ],
  [
    ["memory", "--gpu-layers", "a"],
    ["all", "auto"],
  ],
  [
    ["export", "--output", "m"],
    ["models", "my model.gguf"],
  ],
  [
    ["inspect", "m"],
    ["models", "my model.gguf"],
  ],
]);

test("bash completes commands, options, values and files", async () => {
  const script = await scriptFor("bash");
  const complete = async (/** @type {readonly string[]} */ words) =>
    (
      await linesOf("bash", [
        "--norc",
        "-c",
        `source "$0"; COMP_WORDS=(gguf-wasm "$@"); COMP_CWORD=$#; _gguf_wasm; printf '%s\\n' "\${COMPREPLY[@]}"`,
        script,
        ...words,
      ])
    ).sort();
  for (const [words, expected] of CASES) assert.deepEqual(await complete(words), expected, words.join(" "));
  // bash splits words at the equals sign.
  assert.deepEqual(await complete(["export", "--format", "=", "cs"]), ["csv"]);
  assert.deepEqual(await complete(["export", "--format", "="]), await complete(["export", "--format", ""]));
  assert.deepEqual(await complete(["inspect", "--key", ""]), []);
});

test("bash completes every command and every option", async () => {
  const script = await scriptFor("bash");
  const names = Object.entries(COMMANDS).map(([name, { options }]) => [
    name,
    ...Object.entries(options).flatMap(([name, { short, aliases = [] }]) => [
      `--${name}`,
      ...(short ? [`-${short}`] : []),
      ...aliases,
    ]),
  ]);
  const lines = await linesOf("bash", [
    "--norc",
    "-c",
    `source "$0"; for name; do COMP_WORDS=(gguf-wasm "$name" -); COMP_CWORD=2; _gguf_wasm; echo "$name \${COMPREPLY[*]}"; done`,
    script,
    ...Object.keys(COMMANDS),
  ]);
  assert.deepEqual(
    lines,
    names.map((all) => all.join(" ")),
  );
});

test("the script for bash is one that bash loads by itself", async () => {
  const script = await scriptFor("bash");
  assert.deepEqual(await linesOf("bash", ["--norc", "-c", `source "$0"; complete -p gguf-wasm`, script]), [
    "complete -F _gguf_wasm gguf-wasm",
  ]);
});

test("fish completes the same", { skip: without("fish") }, async () => {
  const script = await scriptFor("fish");
  for (const [words, expected] of CASES) {
    const line = ["gguf-wasm", ...words].map((word) => word.replaceAll(" ", "\\ ")).join(" ");
    const lines = await linesOf("fish", ["--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, script, line]);
    const found = lines.map((line) => line.replace(/\t.*$/, "").replace(/\/$/, "").replaceAll("\\ ", " "));
    assert.deepEqual(found.sort(), expected, line);
  }
});

test("zsh completes a command, an option and a value", { skip: without("zsh") }, async () => {
  const script = await scriptFor("zsh");
  // Completion needs a terminal: zpty makes one.
  const driver = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='' PROMPT2=''; autoload -U compinit; compinit -u -D; source '$1'; gguf-wasm() { print -r -- \\"<\\$*>\\" }; print rea''dy"
zpty -r shell line '*ready*'
zpty -w -n shell $2$'\\t\\n'
zpty -r shell line '*<*>*'
print -r -- "$line"`;
  for (const [typed = "", expected = ""] of [
    ["gguf-wasm spl", "<split>"],
    ["gguf-wasm export my.gguf --spread", "<export my.gguf --spreadsheet-safe>"],
    ["gguf-wasm export --format=cs", "<export --format=csv>"],
    ["gguf-wasm memory --flash-attn of", "<memory --flash-attn off>"],
    ["gguf-wasm inspect my", "<inspect my model.gguf>"],
  ]) {
    const lines = await linesOf("zsh", ["-f", "-c", driver, "zsh", script, typed]);
    assert.ok(lines.join("\n").includes(expected), `${typed}: ${lines.join("\n")}`);
  }
});

test("an unknown shell is wrong use", async () => {
  const { code, stderr } = await cli.run(["completion", "csh"]);
  assert.equal(code, 2);
  assert.match(stderr, /SHELL is "csh", expected bash, zsh or fish\./);
});

test("the package has a manual page with every command, option and exit code", async () => {
  const { man, version } = JSON.parse(readFileSync(cli.module("../package.json"), "utf8"));
  assert.equal(man, "man/gguf-wasm.1.gz");
  const packed = readFileSync(cli.module(`../${man}`));
  const page = gunzipSync(packed).toString();
  const { manPage } = await import(cli.module("man-page.js"));
  assert.equal(page, manPage(version));
  // No name, no time and no operating system, so that each build has the same bytes.
  assert.equal(packed.toString("hex", 0, 10), "1f8b08000000000002ff");
  for (const [name, { options }] of Object.entries(COMMANDS)) {
    const [section = ""] = page
      .split(`\n.SS ${name}\n`)
      .slice(1)
      .map((rest) => rest.split(/\n\.S[SH] /)[0]);
    for (const option of Object.keys(options))
      assert.ok(section.includes(`\\-\\-${option.replaceAll("-", "\\-")}`), `${name} --${option}`);
  }
  // A line that begins with a dot or an apostrophe is a command of roff.
  const commands = page.split("\n").filter((line) => /^[.']/.test(line));
  assert.deepEqual(
    [...new Set(commands.map((line) => line.split(" ")[0]))].sort(),
    [".B", ".I", ".PP", ".RE", ".RS", ".SH", ".SS", ".TH", ".TP", '.\\"', ".fi", ".nf"].sort(),
  );
});

test("groff formats the manual page without a warning", { skip: without("groff") }, () => {
  const { stdout, stderr, status } = spawnSync("groff", ["-man", "-ww", "-Tutf8", "-P-cbu"], {
    input: gunzipSync(readFileSync(cli.module("../man/gguf-wasm.1.gz"))),
    encoding: "utf8",
  });
  assert.equal(status, 0);
  assert.equal(stderr, "");
  assert.match(stdout, /--header "NAME: VALUE"/);
});
