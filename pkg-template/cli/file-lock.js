// A lock, so that two processes do not change one file at the same time.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { pathBeside } from "../side-names.js";
import { hasEnded, unfinishedName } from "../unfinished-file.js";
import { Refusal } from "./errors.js";
import { temporaryFiles } from "./interrupts.js";

/** How the name of a lock ends. */
const LOCK = ".lock";

/** The most bytes of a lock: the id of a process, and the name of a host. */
const LONGEST_LOCK = 512;

/** The errors of folders in which no file can be created. */
const NO_NEW_FILES = ["EACCES", "EPERM", "EROFS"];

/** The lock of a file: a file beside it, which only one process can create. It names the process. */
export class FileLock {
  #path;

  /** @param {string} path */
  constructor(path) {
    this.#path = path;
  }

  /**
   * @param {string} name The file as the user named it.
   * @param {string} file The path of the file itself, without symbolic links.
   * @throws {Refusal} `locked`, if another process changes the file.
   */
  static acquire(name, file) {
    const path = pathBeside(file, LOCK);
    try {
      if (!create(path)) takeOver(name, file, path);
    } catch (error) {
      if (!NO_NEW_FILES.includes(String(/** @type {NodeJS.ErrnoException} */ (error).code))) throw error;
      const advice = "Allow it, or write the changed file into another folder with --output PATH.";
      throw new Refusal(
        "cannot-lock",
        `${name}: the folder ${dirname(file)} allows no new files, so the file cannot be locked. ${advice}`,
      );
    }
    return new FileLock(path);
  }

  /**
   * Fails if another process has locked a file. Nothing is locked.
   *
   * @param {string} name The file as the user named it.
   * @param {string} file The path of the file itself, without symbolic links.
   * @throws {Refusal} `locked`
   */
  static check(name, file) {
    const path = pathBeside(file, LOCK);
    if (lstatSync(path, { throwIfNoEntry: false }) && deadOwner(path) === undefined) throw isLocked(name, path);
  }

  /**
   * Removes the locks, and the unfinished files, that processes of this host have left when they were killed.
   *
   * @param {string} folder
   * @param {(name: string) => boolean} isWanted Whether the lock of a file with this name may be removed.
   */
  static removeAbandoned(folder, isWanted) {
    for (const lock of readdirSync(folder)) {
      const name = lock.slice(0, -LOCK.length);
      if (!lock.endsWith(LOCK) || !isWanted(name) || deadOwner(join(folder, lock)) === undefined) continue;
      FileLock.acquire(name, join(folder, name)).release();
    }
  }

  release() {
    rmSync(this.#path, { force: true });
    temporaryFiles.delete(this.#path);
  }
}

/** Creates a lock. @param {string} path @returns {boolean} `false` if it exists. */
function create(path) {
  /** @type {number} */
  let descriptor;
  temporaryFiles.add(path);
  try {
    descriptor = openSync(path, "wx", 0o644);
  } catch (error) {
    // It is the lock of another process, or none.
    temporaryFiles.delete(path);
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(descriptor, `${process.pid} ${hostname()}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    temporaryFiles.delete(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/**
 * Replaces the lock of a process that has ended without removing it. Only one process may do this at a time: a second one could
 * remove the lock that the first one has just created.
 *
 * @param {string} name
 * @param {string} file
 * @param {string} path
 */
function takeOver(name, file, path) {
  if (deadOwner(path) === undefined) throw isLocked(name, path);
  const guard = pathBeside(file, `${LOCK}.old`);
  if (!create(guard)) throw isLocked(name, guard);
  try {
    const dead = deadOwner(path);
    if (dead === undefined) throw isLocked(name, path);
    // This is done before the lock names this process. Afterwards, the files of the dead process could not be found.
    removeUnfinished(file, dead);
    rmSync(path, { force: true });
    if (!create(path)) throw isLocked(name, path);
  } finally {
    rmSync(guard, { force: true });
    temporaryFiles.delete(guard);
  }
}

/**
 * The process that a lock names.
 *
 * @param {string} path
 * @returns {{ pid: number | undefined, host: string | undefined }}
 */
function ownerOf(path) {
  let text = "";
  try {
    text = startOf(path);
  } catch {
    // It has just been removed, or belongs to another user.
  }
  const [, pid, host] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  return { pid: pid === undefined ? undefined : Number(pid), host };
}

/**
 * The first bytes of a lock. Something else can stand at its path: a pipe without a writer would never be read to its end.
 *
 * @param {string} path
 */
function startOf(path) {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) return "";
    const bytes = Buffer.alloc(LONGEST_LOCK);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The id of the process that has created a lock, if it has surely ended.
 *
 * @param {string} path
 */
function deadOwner(path) {
  const { pid, host } = ownerOf(path);
  if (pid === undefined || host !== hostname()) return undefined;
  // This process has not created the lock. In containers, many processes have the same id.
  return pid === process.pid || hasEnded(pid) ? pid : undefined;
}

/**
 * Removes what a process has left beside a file.
 *
 * @param {string} file
 * @param {number} pid
 */
function removeUnfinished(file, pid) {
  const { start, end } = unfinishedName(file, pid);
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(start) && name.endsWith(end)) rmSync(join(dirname(file), name), { force: true });
  }
}

/**
 * @param {string} name
 * @param {string} path
 */
function isLocked(name, path) {
  const { pid, host } = ownerOf(path);
  const process = pid === undefined ? "another process" : `the process ${pid} on ${host}`;
  return new Refusal(
    "locked",
    `${name}: ${process} changes the file now. Wait until it has ended, or choose another file. If no such process runs, remove ${path}`,
  );
}
