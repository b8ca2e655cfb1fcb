// Files that are written beside their place, and moved there when they are complete.

import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { nameFor } from "./side-names.js";

/** @import { Stats } from "node:fs" */

/** The permissions of a file in the mode of its stats. */
const PERMISSIONS = 0o7777;

/** The mode of an unfinished file: the data can be secret, and the old file may be readable only for its owner. */
const UNFINISHED = 0o600;

/** The mode of a new file, before the mask of the process. */
const NEW = 0o666;

/** The errors of file systems that have no hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EACCES", "EMLINK", "EXDEV", "EINVAL"];

/** The bytes that the name of an unfinished file has more than that of the complete one. */
const ADDED = ".".length + ".4294967295-".length + 6 + 8 + ".part".length;

/** Says which host has made a file: another host can write into a folder of the network, too. @type {string | undefined} */
let ownHost;

/** The name of an unfinished file, with the process and the host that have made it. */
const UNFINISHED_NAME = /^\..+\.(\d+)-([0-9a-f]{6})[0-9a-f]{8}\.part$/;

/**
 * How the name of an unfinished file begins and ends. Between both it has the host and a random part.
 *
 * @param {string} target The path of the complete file.
 * @param {number} pid The process that writes it.
 */
export function unfinishedName(target, pid) {
  return { start: `.${nameFor(target, ADDED)}.${pid}-`, end: ".part" };
}

/** Whether a process of this host has surely ended. @param {number} pid */
export function hasEnded(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}

/** Six digits for this host. */
function hostDigits() {
  // Deno would ask the user for a permission. Without a name, nobody recognises the files of this process.
  const name = "Deno" in globalThis ? randomBytes(8) : hostname();
  return (ownHost ??= createHash("sha256").update(name).digest("hex").slice(0, 6));
}

/**
 * Removes the unfinished files that killed processes of this host have left in a folder.
 *
 * @param {string} folder
 */
function removeAbandoned(folder) {
  for (const name of namesIn(folder)) {
    const [, pid, host] = UNFINISHED_NAME.exec(name) ?? [];
    if (host !== hostDigits() || !hasEnded(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    // Not every folder in which files can be written can be listed.
    return [];
  }
}

/** A file that is written beside its place. */
export class UnfinishedFile {
  /** Where it is written. */
  path;
  #target;
  #replaced;

  /**
   * @param {string} target The path of the complete file. It is no symbolic link.
   * @param {Stats | undefined} replaced The file that is there.
   * @param {string} [path] Where it is written, in the folder of the complete file. By default under a name of its own.
   */
  constructor(target, replaced, path = unfinishedPath(target)) {
    this.path = path;
    this.#target = target;
    this.#replaced = replaced;
  }

  /**
   * Writes the whole file, waits until it is on the disk, and gives it its permissions. If it fails, nothing stays.
   *
   * @param {AsyncIterable<Uint8Array>} chunks
   * @param {(bytesWritten: number) => void} [onWritten]
   */
  async write(chunks, onWritten) {
    removeAbandoned(dirname(this.#target));
    try {
      const mode = createEmpty(this.path);
      await writeChunks(this.path, chunks, onWritten);
      this.#setPermissions(mode);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /**
   * Writes the rest of the file after the bytes that are there, waits until it is on the disk, and gives it its permissions. If it
   * fails, the bytes that have been written stay.
   *
   * @param {number} start How many bytes stay. With 0, the file is made anew.
   * @param {AsyncIterable<Uint8Array>} chunks The bytes from there on.
   * @param {(bytesWritten: number) => void} [onWritten] Gets the size so far.
   */
  async writeRest(start, chunks, onWritten) {
    removeAbandoned(dirname(this.#target));
    // The permissions are taken from a file that is created now, because another user may have created the existing file.
    const probe = unfinishedPath(this.#target);
    const mode = createEmpty(probe);
    if (start === 0) renameSync(probe, this.path);
    else rmSync(probe);
    await writeChunks(this.path, chunks, onWritten, start);
    this.#setPermissions(mode);
  }

  /** @param {number} mode The permissions of a new file. */
  #setPermissions(mode) {
    if (this.#replaced) setOwner(this.path, this.#replaced);
    else chmodSync(this.path, mode);
  }

  /**
   * Moves the complete file to its place. It is synchronous, so that no signal can interrupt the moves of several files.
   *
   * @param {boolean} overwrite Whether an existing file may be replaced.
   * @throws {Error} `EEXIST` if there is a file, or an error of the file system. Then the unfinished file is still there.
   */
  moveIntoPlace(overwrite) {
    if (overwrite) renameSync(this.path, this.#target);
    else moveWithoutReplacing(this.path, this.#target);
    syncFolder(dirname(this.#target));
  }

  discard() {
    rmSync(this.path, { force: true });
  }
}

/**
 * A path beside a file that no other process uses.
 *
 * @param {string} target
 */
export function unfinishedPath(target) {
  const { start, end } = unfinishedName(target, process.pid);
  return join(dirname(target), `${start}${hostDigits()}${randomBytes(4).toString("hex")}${end}`);
}

/**
 * Creates an empty file that only its owner can read. It is synchronous: an asynchronous call could create the file after a signal
 * has removed all unfinished files.
 *
 * @param {string} path
 * @returns {number} The permissions that a new file gets. Only the system tells them to every kind of process.
 */
function createEmpty(path) {
  const descriptor = openSync(path, "wx", NEW);
  try {
    const mode = fstatSync(descriptor).mode & PERMISSIONS;
    fchmodSync(descriptor, UNFINISHED);
    return mode;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @param {string} path
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {(bytesWritten: number) => void} [onWritten]
 * @param {number} [start] The position of the first chunk. The file ends there before it is written.
 */
async function writeChunks(path, chunks, onWritten, start = 0) {
  const handle = await open(path, "r+");
  try {
    await handle.truncate(start);
    let written = start;
    for await (const chunk of chunks) {
      // A disk that becomes full accepts a part of the bytes.
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, done, undefined, written + done);
        done += bytesWritten;
      }
      written += chunk.length;
      onWritten?.(written);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Gives a new file the permissions and, if that is allowed, the owner of the file that it replaces.
 *
 * @param {string} path
 * @param {Stats} replaced
 */
function setOwner(path, { mode, uid, gid }) {
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root may give files away. The new file then belongs to the user who wrote it.
  }
  // After the owner, because a change of the owner removes some permissions.
  chmodSync(path, mode & PERMISSIONS);
}

/**
 * A link is refused if the name exists. A rename would replace a file that another program has just made.
 *
 * @param {string} path
 * @param {string} target
 */
function moveWithoutReplacing(path, target) {
  try {
    linkSync(path, target);
  } catch (error) {
    if (!NO_LINKS.includes(String(/** @type {NodeJS.ErrnoException} */ (error).code))) throw error;
    if (lstatSync(target, { throwIfNoEntry: false })) {
      throw Object.assign(new Error(`${target} exists already`), { code: "EEXIST" });
    }
    renameSync(path, target);
    return;
  }
  rmSync(path);
}

/** After a crash of the system, the new name stays. Not every system can do this. @param {string} folder */
function syncFolder(folder) {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows cannot open folders. The file itself is complete.
  }
}
