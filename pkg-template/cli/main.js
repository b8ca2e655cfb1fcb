#!/usr/bin/env node
// The command line: `npx gguf-wasm COMMAND …`.

import { Arguments, positionalAt } from "./arguments.js";
import { COMMANDS } from "./commands.js";
import { UsageError, aboutFile, errorDetails, errorLine, exitCodeOf } from "./errors.js";
import { DONE, WRONG_USE } from "./exit-codes.js";
import { commandHelp, generalHelp } from "./help.js";
import { temporaryFiles } from "./interrupts.js";
import { isFolder } from "./is-folder.js";
import { commandElsewhere } from "./other-names.js";
import { clearProgress, note, onOutputError, print } from "./output.js";
import { printJson } from "./result.js";
import { safe, safeLines } from "./safe-text.js";
import { withoutPassword } from "./shown-address.js";
import { nearest } from "./spelling.js";
import { version } from "./version.js";

/** @import { Positional } from "./arguments.js" */

temporaryFiles.clear = clearProgress;
onOutputError(outputFailed);
process.exitCode = await main(process.argv.slice(2));
// After an error, too, nothing stays that is not complete.
temporaryFiles.remove();

/**
 * The reader of the output has closed it, as `head` does: the rest is not needed. Other errors, such as a full disk, are failures.
 *
 * @param {NodeJS.ErrnoException} error
 */
function outputFailed(error) {
  temporaryFiles.remove();
  if (error.code === "EPIPE") process.exit(DONE);
  note(safe`gguf-wasm: the output cannot be written: ${error.message} (${error.code ?? "internal"})\n`);
  process.exit(exitCodeOf(error));
}

/** @param {readonly string[]} args @returns {Promise<number>} The exit code. */
async function main(args) {
  const [name, ...rest] = args;
  /** The first argument of the command, when the command line has been understood. @type {string | null} */
  let file = null;
  try {
    if (name === undefined) {
      note(safeLines(generalHelp()));
      return WRONG_USE;
    }
    if (name === "--version" || name === "-v") return await printed(`${version()}\n`);
    if (name === "--help" || name === "-h") return await printed(generalHelp());
    if (name === "help") return await printed(helpOf(rest[0]));
    return await runCommand(name, rest, (first) => (file = first));
  } catch (error) {
    clearProgress();
    note(errorLine(error));
    if (error instanceof UsageError)
      note(safe`See \`gguf-wasm ${name && Object.hasOwn(COMMANDS, name) ? `${name} ` : ""}--help\`.\n`);
    if (rest.includes("--json")) await printJson({ file: file && withoutPassword(file), error: errorDetails(error) });
    return exitCodeOf(error);
  }
}

/** @param {string} text */
async function printed(text) {
  await print(safeLines(text));
  return DONE;
}

/** @param {string | undefined} name */
function helpOf(name) {
  return name === undefined ? generalHelp() : commandHelp(name, commandOf(name));
}

/** @param {string} name */
function commandOf(name) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw unknownCommand(name);
  return command;
}

/** The error of a first argument that is no command. @param {string} name */
function unknownCommand(name) {
  if (name.startsWith("-")) {
    const option = nearest(name.replace(/^-+/, ""), ["help", "version"]);
    const advice = option ? `Did you mean --${option}?` : "Options of a command follow its name.";
    return new UsageError(`There is no option "${name}" before the command. ${advice}`);
  }
  const commands = Object.keys(COMMANDS);
  const elsewhere = commandElsewhere(name, commands);
  if (elsewhere !== undefined) {
    return new UsageError(`There is no command "${name}". Use \`gguf-wasm ${elsewhere}\`.`);
  }
  const command = nearest(name, [...commands, "help"]);
  const advice = command ? `Did you mean ${command}?` : `The commands are ${commands.join(", ")}.`;
  return new UsageError(`There is no command "${name}". ${advice}`);
}

/**
 * @param {string} name
 * @param {readonly string[]} rest
 * @param {(file: string) => void} onFile Is called with the first argument before the command runs.
 */
async function runCommand(name, rest, onFile) {
  const command = commandOf(name);
  const args = new Arguments(rest, command.positionals, command.options, commandWith);
  if (args.flag("help")) return printed(commandHelp(name, command));
  onFile(args.at(0));
  await replaceFolders(args, command.positionals);
  const { run } = await command.load();
  return run(args, COMMANDS);
}

/**
 * Puts the files of folders in the places of the folders.
 *
 * @param {Arguments} args
 * @param {readonly Positional[]} positionals
 */
async function replaceFolders(args, positionals) {
  const given = args.positionals.map((name, at) => ({ name, folder: positionalAt(positionals, args, at)?.folder }));
  if (!given.some(({ name, folder }) => folder !== undefined && isFolder(name))) return;
  const { filesOfFolder } = await import("./folder.js");
  const files = given.map(({ name, folder }) => {
    return folder === undefined || !isFolder(name) ? [name] : aboutFile(name, () => filesOfFolder(name, folder));
  });
  args.positionals = (await Promise.all(files)).flat();
}

/** The first command that has an option. @param {string} name The option with its hyphens. */
function commandWith(name) {
  const entries = Object.entries(COMMANDS);
  return entries.find(([, { options }]) =>
    Object.entries(options).some(([own, { aliases = [] }]) => name === `--${own}` || aliases.includes(name)),
  )?.[0];
}
