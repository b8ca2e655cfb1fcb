// New files, and files that replace others. A file appears under its name when it is complete, or not at all.

import { rmSync, statSync } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { UnfinishedFile } from "../unfinished-file.js";
import { CommandError, Refusal, UsageError, aboutFile, explainFileError } from "./errors.js";
import { FileLock } from "./file-lock.js";
import { inputAt } from "./inputs.js";
import { temporaryFiles } from "./interrupts.js";

/** @import { Stats } from "node:fs" */

/**
 * What is written into a file: an `EditPlan`, an `NpyFile`, or an object that makes the bytes itself.
 *
 * @typedef {{ stream(): AsyncIterable<Uint8Array> }} Contents
 */

/** A file that is written beside its place, and moved there when it is complete. */
export class OutputFile {
  /** The path as the user gave it. */
  name;
  #target;
  #unfinished;
  #mayReplace;
  #replaced;
  #checkBeforeMove;
  #hasLock;
  /** @type {FileLock | undefined} */
  #lock;

  /**
   * @param {string} name
   * @param {string} target The path of the file itself, if `name` is a symbolic link.
   * @param {Stats | undefined} replaced The file that stands there now.
   * @param {object} options
   * @param {boolean} options.mayReplace
   * @param {() => void} options.checkBeforeMove Throws if the complete file must not be moved to its place.
   * @param {boolean} [options.isLocked] Whether the caller has locked the file.
   */
  constructor(name, target, replaced, { mayReplace, checkBeforeMove, isLocked = false }) {
    this.name = name;
    this.#target = target;
    this.#replaced = replaced;
    this.#mayReplace = mayReplace;
    this.#checkBeforeMove = checkBeforeMove;
    this.#hasLock = isLocked;
    this.#unfinished = new UnfinishedFile(target, replaced);
  }

  /**
   * Checks that a file can be written, before any work is done.
   *
   * @param {string} name The path. If it is a symbolic link, the file that it points to is replaced, and the link stays.
   * @param {{ mayReplace: boolean }} options Whether an existing file may be replaced.
   * @throws {UsageError} If the path is empty or `-`.
   * @throws {Refusal} `output-is-input`, for which the inputs must be open, or `locked`.
   * @throws {CommandError} `file-exists`, `not-a-file`, or an error of the file system.
   */
  static async at(name, { mayReplace }) {
    const { target, replaced } = await checkOutput(name, { mayReplace });
    // The path may become a link to an input while the file is written.
    return new OutputFile(name, target, replaced, { mayReplace, checkBeforeMove: () => refuseInput(name, target) });
  }

  /**
   * The changed form of a file that the command reads. It replaces the file.
   *
   * @param {string} name
   * @param {string} target The path of the file itself, if `name` is a symbolic link.
   * @param {() => void} checkUnchanged Throws if the file is different from the one that the command has read.
   */
  static replacing(name, target, checkUnchanged) {
    const options = { mayReplace: true, checkBeforeMove: checkUnchanged, isLocked: true };
    return new OutputFile(name, target, statSync(target), options);
  }

  /**
   * Keeps other commands from writing the file, until it is in its place or discarded. `write` does it, too.
   *
   * @throws {CommandError} `locked` if another process writes the file.
   */
  lock() {
    if (this.#hasLock) return;
    this.#lock = lockOutput(this.name, this.#target);
    this.#hasLock = true;
  }

  /**
   * Writes a file beside the target, and waits until it is on the disk. If it fails, nothing stays.
   *
   * @param {Contents} contents
   * @param {(bytesWritten: number) => void} onWritten
   */
  async write(contents, onWritten) {
    this.lock();
    temporaryFiles.add(this.#unfinished.path);
    try {
      await this.#unfinished.write(contents.stream(), onWritten);
    } catch (error) {
      this.discard();
      // Errors of reading are GgufErrors. So an error of the file system is one of this file.
      throw explainFileError(this.name, error);
    }
  }

  /** Moves the complete file to its place. It is synchronous, so that no signal can interrupt the moves of several files. */
  moveIntoPlace() {
    try {
      this.#checkBeforeMove();
      this.#unfinished.moveIntoPlace(this.#mayReplace);
    } catch (error) {
      this.discard();
      throw explainMove(this.name, error);
    }
    this.#end();
  }

  /** Removes the file beside the target. */
  discard() {
    this.#unfinished.discard();
    this.#end();
  }

  #end() {
    temporaryFiles.delete(this.#unfinished.path);
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** Removes the file that this object has moved into its place, unless it has replaced another one. */
  takeBack() {
    if (!this.#replaced) rmSync(this.#target, { force: true });
  }
}

/**
 * Checks that a file can be written, as {@link OutputFile.at} does.
 *
 * @param {string} name
 * @param {{ mayReplace: boolean }} options
 * @returns {Promise<{ target: string, replaced: Stats | undefined }>} The path of the file itself, and the file that stands there.
 */
export async function checkOutput(name, { mayReplace }) {
  if (name === "") throw new UsageError("The path of the new file is empty. Give a path.");
  if (name === "-") {
    const advice = "Give a path, or ./- for a file with this name.";
    throw new UsageError(
      `"-" cannot be written: a file appears when it is complete, which a pipe cannot do. ${advice}`,
    );
  }
  return aboutFile(name, async () => {
    const link = await lstat(name).catch(missing);
    const target = link ? await realpath(name) : name;
    const replaced = link && (await stat(target));
    if (replaced) refuseInput(name, target);
    // Before all that --force could allow: it does not help against another process.
    FileLock.check(name, target);
    if (replaced?.isDirectory() || (!replaced && (name.endsWith("/") || name.endsWith(sep)))) {
      throw new CommandError("EISDIR", `${name}: it is a folder. Add the name of the new file.`);
    }
    if (replaced && !mayReplace) throw fileExists(name);
    if (replaced && !replaced.isFile()) {
      throw new CommandError(
        "not-a-file",
        `${name}: it is not a regular file, so it cannot be replaced. Choose another path.`,
      );
    }
    await checkFolder(name, dirname(target));
    return { target, replaced };
  });
}

/**
 * Locks a file that is to be written.
 *
 * @param {string} name The path as the user gave it.
 * @param {string} target The path of the file itself, if `name` is a symbolic link.
 * @throws {CommandError} `locked`, or an error of the file system.
 */
export function lockOutput(name, target) {
  try {
    return FileLock.acquire(name, target);
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== "cannot-lock") throw explainFileError(name, error);
    const advice = "Allow it, or choose another path.";
    throw new CommandError("EACCES", `${name}: the folder ${dirname(target)} allows no new files. ${advice}`);
  }
}

/**
 * A file that is complete, and not in its place.
 *
 * @typedef {{ moveIntoPlace(): void, takeBack(): void, discard(): void }} CompleteFile
 */

/**
 * Moves several files into their places: all, or, if one of them fails, none that is new.
 *
 * @param {readonly CompleteFile[]} files
 */
export function moveAllIntoPlace(files) {
  /** @type {CompleteFile[]} */
  const moved = [];
  try {
    for (const file of files) {
      file.moveIntoPlace();
      moved.push(file);
    }
  } catch (error) {
    for (const file of moved) file.takeBack();
    for (const file of files) file.discard();
    throw error;
  }
}

/**
 * @param {string} name
 * @param {string} folder
 */
async function checkFolder(name, folder) {
  const stats = await stat(folder).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new CommandError("ENOENT", `${name}: there is no folder ${folder}. Create it, or choose another path.`);
  });
  if (!stats.isDirectory()) {
    throw new CommandError("ENOTDIR", `${name}: ${folder} is a file, not a folder. Choose another path.`);
  }
}

/** @param {unknown} error @returns {undefined} */
function missing(error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
}

/**
 * Refuses to write over a file that the command reads.
 *
 * @param {string} name
 * @param {string} target
 */
export function refuseInput(name, target) {
  const input = inputAt(target);
  if (input === undefined) return;
  const same = input === name ? "" : ` (${input})`;
  throw new Refusal(
    "output-is-input",
    `${name}: the output is a file that the command reads${same}, or a shard of its set. Choose another path.`,
  );
}

/**
 * The error of a complete file that could not be moved to its place.
 *
 * @param {string} name
 * @param {unknown} error
 */
export function explainMove(name, error) {
  const isThere = /** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST";
  return isThere ? fileExists(name) : explainFileError(name, error);
}

/** @param {string} name */
export function fileExists(name) {
  return new CommandError(
    "file-exists",
    `${name}: the file exists already. Choose another path, or replace it with --force.`,
  );
}
