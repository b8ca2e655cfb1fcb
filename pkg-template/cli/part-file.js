// A file whose writing takes hours. What a failure leaves of it stays beside its place, where a later run continues it.

import { lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { pathBeside } from "../side-names.js";
import { UnfinishedFile } from "../unfinished-file.js";
import { CommandError, aboutFile, explainFileError } from "./errors.js";
import { temporaryFiles } from "./interrupts.js";
import { checkOutput, explainMove, fileExists, lockOutput, refuseInput } from "./output-file.js";
import { PartRecord, readRecord } from "./part-record.js";

/** @import { Stats } from "node:fs" */
/** @import { FileLock } from "./file-lock.js" */
/** @import { Checkpoint, Origin } from "./part-record.js" */

/** A file that is written as NAME.part, and gets its name when it is complete. */
export class PartFile {
  /** The path as the user gave it. */
  name;
  /** The path of the part. */
  path;
  /** The path of the record of what the part is made from. */
  recordPath;
  #target;
  #replaced;
  #mayReplace;
  #mayContinue;
  #unfinished;
  /** @type {FileLock | undefined} */
  #lock;
  /** @type {PartRecord | undefined} */
  #record;

  /**
   * @param {string} name
   * @param {string} target The path of the file itself, if `name` is a symbolic link.
   * @param {Stats | undefined} replaced The file that stands there now.
   * @param {{ mayReplace: boolean, mayContinue: boolean }} options
   */
  constructor(name, target, replaced, { mayReplace, mayContinue }) {
    this.name = name;
    this.path = pathBeside(target, ".part");
    this.recordPath = pathBeside(target, ".part.record");
    this.#target = target;
    this.#replaced = replaced;
    this.#mayReplace = mayReplace;
    this.#mayContinue = mayContinue;
    this.#unfinished = new UnfinishedFile(target, replaced, this.path);
  }

  /**
   * Checks that a file and its part can be written, before any work is done.
   *
   * @param {string} name The path. If it is a symbolic link, the file that it points to is replaced, and the link stays.
   * @param {{ mayReplace: boolean, mayContinue: boolean }} options Whether an existing file may be replaced, and an existing part continued.
   * @throws {CommandError} As `OutputFile.at`, and `unfinished-file` if there is a part that may be neither continued nor replaced.
   */
  static async at(name, options) {
    const { target, replaced } = await checkOutput(name, options);
    const file = new PartFile(name, target, replaced, options);
    await aboutFile(file.path, () => file.#checkPart());
    return file;
  }

  /** Checks what an earlier run may have left. */
  #checkPart() {
    const stats = lstatSync(this.path, { throwIfNoEntry: false });
    if (!stats) return;
    refuseInput(this.name, this.path);
    if (!stats.isFile()) {
      throw new CommandError(
        "not-a-file",
        `${this.path}: it is not a regular file. Remove it, or choose another path.`,
      );
    }
    if (this.#mayReplace || this.#mayContinue) return;
    const advice = readRecord(this.recordPath)
      ? "Continue it with --resume, or begin anew with --force."
      : "It has no record of what it is made from, so it cannot be continued. Begin anew with --force, or remove it.";
    throw new CommandError("unfinished-file", `${this.path}: an earlier run has left it. ${advice}`);
  }

  /** The size of the part in bytes. 0 if there is none. */
  get size() {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Keeps other commands from writing the file.
   *
   * @throws {CommandError} `locked` if another process writes the file, or what another one has written since it was checked.
   */
  lock() {
    this.#lock = lockOutput(this.name, this.#target);
    if (!this.#mayReplace && lstatSync(this.#target, { throwIfNoEntry: false })) throw fileExists(this.name);
    this.#checkPart();
  }

  /** From now on, an interruption removes the part. The lock must be held: the part belongs to this process. */
  removeOnInterruption() {
    temporaryFiles.add(this.path);
    temporaryFiles.add(this.recordPath);
  }

  /** Ends the lock. A part that is not complete stays, unless it is empty. */
  unlock() {
    this.#record?.close();
    if (!this.#lock) return;
    temporaryFiles.delete(this.path);
    temporaryFiles.delete(this.recordPath);
    if (this.size === 0) {
      rmSync(this.path, { force: true });
      rmSync(this.recordPath, { force: true });
    }
    this.#lock.release();
  }

  /**
   * Records what the part is made from, before its first byte is written.
   *
   * @param {Origin} origin
   * @param {{ start: number, checkpoints: readonly Checkpoint[] }} kept What stays of the part.
   */
  begin(origin, { start, checkpoints }) {
    try {
      // No part may ever stand beside the record of another one.
      if (start === 0) rmSync(this.path, { force: true });
      this.#record = PartRecord.create(this.recordPath, origin, checkpoints);
    } catch (error) {
      throw explainFileError(this.name, error);
    }
  }

  /**
   * Writes the rest of the part, and waits until it is on the disk.
   *
   * @param {number} start How many bytes of the part stay.
   * @param {AsyncIterable<Uint8Array>} chunks The bytes from there on.
   * @param {(bytesWritten: number) => void} onWritten Gets the size so far.
   */
  async write(start, chunks, onWritten) {
    const record = this.#record;
    /** @type {Uint8Array} */
    let chunk = new Uint8Array();
    async function* remembered() {
      for await (chunk of chunks) yield chunk;
    }
    try {
      await this.#unfinished.writeRest(start, remembered(), (bytesWritten) => {
        record?.add(chunk);
        onWritten(bytesWritten);
      });
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
