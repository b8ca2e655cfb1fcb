// A file whose writing takes hours. What a failure leaves of it stays beside its place, where a later run continues it.

import { renameSync, rmSync, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { UnfinishedFile } from "../unfinished-file.js";
import { CommandError, aboutFile, explainFileError } from "./errors.js";
import { FileLock } from "./file-lock.js";
import { temporaryFiles } from "./interrupts.js";
import { checkOutput, explainMove, refuseInput } from "./output-file.js";

/** @import { Stats } from "node:fs" */

/** A file that is written as NAME.part, and gets its name when it is complete. */
export class PartFile {
  /** The path as the user gave it. */
  name;
  /** The path of the part. */
  path;
  #target;
  #replaced;
  #mayReplace;
  #unfinished;
  /** @type {FileLock | undefined} */
  #lock;

  /**
   * @param {string} name
   * @param {string} target The path of the file itself, if `name` is a symbolic link.
   * @param {Stats | undefined} replaced The file that stands there now.
   * @param {boolean} mayReplace
   */
  constructor(name, target, replaced, mayReplace) {
    this.name = name;
    this.path = partPath(target);
    this.#target = target;
    this.#replaced = replaced;
    this.#mayReplace = mayReplace;
    this.#unfinished = new UnfinishedFile(target, replaced, this.path);
  }

  /**
   * Checks that a file and its part can be written, before any work is done.
   *
   * @param {string} name The path. If it is a symbolic link, the file that it points to is replaced, and the link stays.
   * @param {{ mayReplace: boolean, mayContinue: boolean }} options Whether an existing file may be replaced, and an existing part continued.
   * @throws {CommandError} As `OutputFile.at`, and `unfinished-file` if there is a part that may be neither continued nor replaced.
   */
  static async at(name, { mayReplace, mayContinue }) {
    const { target, replaced } = await checkOutput(name, { mayReplace });
    const part = partPath(target);
    await aboutFile(part, async () => {
      const stats = await lstat(part).catch(() => undefined);
      if (!stats) return;
      refuseInput(name, part);
      if (!stats.isFile()) {
        throw new CommandError("not-a-file", `${part}: it is not a regular file. Remove it, or choose another path.`);
      }
      if (mayReplace || mayContinue) return;
      throw new CommandError(
        "unfinished-file",
        `${part}: an earlier run has left it. Continue it with --resume, or begin anew with --force.`,
      );
    });
    return new PartFile(name, target, replaced, mayReplace);
  }

  /** The size of the part in bytes. 0 if there is none. */
  get size() {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Keeps other commands from writing the file.
   *
   * @throws {CommandError} `locked` if another process writes the file.
   */
  lock() {
    try {
      this.#lock = FileLock.acquire(this.name, this.#target);
    } catch (error) {
      if (!(error instanceof CommandError) || error.code !== "cannot-lock") throw explainFileError(this.name, error);
      const advice = "Allow it, or choose another path.";
      throw new CommandError(
        "EACCES",
        `${this.name}: the folder ${dirname(this.#target)} allows no new files. ${advice}`,
      );
    }
  }

  /** From now on, an interruption removes the part. The lock must be held: the part belongs to this process. */
  removeOnInterruption() {
    temporaryFiles.add(this.path);
  }

  /** Ends the lock. A part that is not complete stays, unless it is empty. */
  unlock() {
    if (!this.#lock) return;
    temporaryFiles.delete(this.path);
    if (this.size === 0) rmSync(this.path, { force: true });
    this.#lock.release();
  }

  /**
   * Writes the rest of the part, and waits until it is on the disk.
   *
   * @param {number} start How many bytes of the part stay.
   * @param {AsyncIterable<Uint8Array>} chunks The bytes from there on.
   * @param {(bytesWritten: number) => void} onWritten Gets the size so far.
   */
  async write(start, chunks, onWritten) {
    try {
      await this.#unfinished.writeRest(start, chunks, onWritten);
    } catch (error) {
      // Errors of reading are GgufErrors. So an error of the file system is one of this file.
      throw explainFileError(this.name, error);
    }
  }

  /** Moves the complete file to its place. */
  moveIntoPlace() {
    try {
      // The path may have become a link to an input.
      refuseInput(this.name, this.#target);
      this.#unfinished.moveIntoPlace(this.#mayReplace);
    } catch (error) {
      throw explainMove(this.name, error);
    }
  }

  /** Makes the file that has been moved into its place a part again, unless it has replaced another one. */
  takeBack() {
    if (!this.#replaced) renameSync(this.#target, this.path);
  }

  /** The complete part stays: it is the work of hours. */
  discard() {}
}

/** @param {string} target */
const partPath = (target) => `${target}.part`;
