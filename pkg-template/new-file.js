// Writing a file that appears under its name when it is complete, or not at all.

import { randomBytes } from "node:crypto";
import { chmod, chown, link, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** @import { Stats } from "node:fs" */

/** The permissions of a file in the mode of its stats. */
const PERMISSIONS = 0o7777;

/** The mode of a new file. The system removes the mask of the process from it. */
const NEW = 0o666;

/** The mode of a file that will replace another one, which may be readable only for its owner. */
const REPLACING = 0o600;

/** The errors of file systems that have no hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EACCES", "EMLINK", "EXDEV", "EINVAL"];

/**
 * Writes a file beside its place, waits until it is on the disk, and moves it to its place. If anything fails, nothing has
 * changed.
 *
 * @param {string} path If it is a symbolic link, the file that it points to is replaced, and the link stays.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {object} options
 * @param {boolean} options.overwrite Whether an existing file may be replaced.
 * @param {() => Promise<void>} options.check Is called before the file is moved. If it rejects, the file is not moved.
 */
export async function writeNewFile(path, chunks, { overwrite, check }) {
  const isThere = await lstat(path).catch(missing);
  const target = isThere ? await realpath(path) : path;
  const replaced = isThere && (await stat(target));
  if (replaced?.isDirectory()) throw systemError("EISDIR", `${path} is a folder. Add the name of the new file`);
  if (replaced && !overwrite) throw exists(path);
  if (replaced && !replaced.isFile()) {
    throw systemError("EINVAL", `${path} is not a regular file, so it cannot be replaced. Choose another path`);
  }
  // A long name must not become too long for the file system.
  const unique = `${process.pid}-${randomBytes(4).toString("hex")}`;
  const temporary = join(dirname(target), `.${basename(target).slice(0, 60)}.${unique}.part`);
  try {
    await writeChunks(temporary, replaced ? REPLACING : NEW, chunks);
    if (replaced) await setOwner(temporary, replaced);
    await check();
    if (overwrite) await rename(temporary, target);
    else await moveWithoutReplacing(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/**
 * @param {string} path
 * @param {number} mode
 * @param {AsyncIterable<Uint8Array>} chunks
 */
async function writeChunks(path, mode, chunks) {
  const handle = await open(path, "wx", mode);
  try {
    for await (const chunk of chunks) {
      // A disk that becomes full accepts a part of the bytes.
      for (let done = 0; done < chunk.length;) done += (await handle.write(chunk, done)).bytesWritten;
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
async function setOwner(path, replaced) {
  // Only root may give files away. Otherwise the new file belongs to the user who wrote it.
  await chown(path, replaced.uid, replaced.gid).catch(() => {});
  // After the owner, because a change of the owner removes some permissions.
  await chmod(path, replaced.mode & PERMISSIONS);
}

/**
 * A link is refused if the name exists. A rename would replace a file that another program has just made.
 *
 * @param {string} temporary
 * @param {string} target
 */
async function moveWithoutReplacing(temporary, target) {
  try {
    await link(temporary, target);
  } catch (error) {
    const code = String(/** @type {NodeJS.ErrnoException} */ (error).code);
    if (code === "EEXIST") throw exists(target);
    if (!NO_LINKS.includes(code)) throw error;
    if (await lstat(target).catch(missing)) throw exists(target);
    return rename(temporary, target);
  }
  await rm(temporary);
}

/** After a crash of the system, the new name stays. Not every system can do this. @param {string} folder */
async function syncFolder(folder) {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows cannot open folders. The file itself is complete.
  }
}

/** @param {unknown} error @returns {undefined} */
function missing(error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
}

/** @param {string} path */
function exists(path) {
  return systemError("EEXIST", `${path} exists already. Choose another path, or replace it with overwrite: true`);
}

/**
 * @param {string} code
 * @param {string} message
 */
function systemError(code, message) {
  return Object.assign(new Error(message), { code });
}
