// Errors of the command line, and how errors are reported.

import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { OTHER_FORMATS } from "../common/other-formats.js";
import { ANSWER_IS_NO, FAILED, WRONG_USE } from "./exit-codes.js";
import { safe, safeLines } from "./safe-text.js";
import { withoutSecrets } from "./shown-address.js";
import { nearest } from "./spelling.js";

/** @import { FormatText } from "../common/other-formats.js" */

/** The command line cannot be understood. */
export class UsageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "UsageError";
    this.code = "usage";
  }
}

/** The command cannot do its work. `code` is for programs, `message` for people. */
export class CommandError extends Error {
  /**
   * @param {string} code
   * @param {string} message What failed, what was found, and what to do.
   */
  constructor(code, message) {
    super(message);
    this.name = "CommandError";
    this.code = code;
  }
}

/** The command could be done, but something would be lost or become wrong. The exit code is 1. */
export class Refusal extends CommandError {}

/** The file that an error is about. @type {WeakMap<object, string>} */
const fileOfError = new WeakMap();

/** What the errors of the file system mean, and what to do. @type {Readonly<Record<string, string>>} */
const FILE_SYSTEM = {
  ENOENT: "there is no such file or folder. Check the path.",
  ENOTDIR: "a part of the path is a file, not a folder. Check the path.",
  EISDIR: "it is a folder. Give the path of a file.",
  EACCES: "access is denied. Check the permissions.",
  EPERM: "the operation is not permitted. Check the permissions.",
  ENOSPC: "the disk is full. Free some space.",
  EDQUOT: "the disk quota is exceeded. Free some space.",
  EFBIG: "the file would be larger than the system allows. Check `ulimit -f` and the file system.",
  EROFS: "the file system is read-only. Choose another folder for the new file.",
  EMFILE: "too many files are open. Check `ulimit -n`.",
  ENFILE: "the system has too many open files. End other programs, and try again.",
  ELOOP: "the path has too many symbolic links, or they lead in a circle. Check the path.",
  ENAMETOOLONG: "the name, or the whole path, is longer than the file system allows. Choose a shorter one.",
  EINVAL: "the file system does not allow this name or operation. Choose another name or folder.",
  EILSEQ: "the file system does not allow this name. Choose another one.",
  EEXIST: "there is a file already. Choose another path.",
  EBUSY: "another program uses the file. End it, and try again.",
  ETXTBSY: "the file is a program that runs. Choose another path.",
  EXDEV: "the file system cannot move the file to its place. Choose another folder.",
  EMLINK: "the file has too many names (hard links). Choose another path.",
  ENODEV: "there is no such device. Check the path.",
  ENXIO: "there is no such device, or nothing reads the pipe. Check the path.",
  ENOMEM: "the system has no more memory. End other programs, and try again.",
  ENOTSUP: "the file system does not support this. Choose another folder.",
  EOPNOTSUPP: "the file system does not support this. Choose another folder.",
  ESTALE: "the file on the network drive has been replaced. Try again.",
  ETIMEDOUT: "the network drive does not answer. Try again.",
  EIO: "the disk reported an error. Try again, or check the disk.",
};

/**
 * The error that a person can understand, in place of one of the file system.
 *
 * @param {string} name The file as the user named it.
 * @param {unknown} error
 * @returns {unknown} A `CommandError`, or `error` if it is not one of the file system.
 */
export function explainFileError(name, error) {
  if (!isOfFileSystem(error)) return error;
  const similar = error.code === "ENOENT" ? similarFile(name) : undefined;
  const advice = similar === undefined ? "" : ` Did you mean ${similar}?`;
  const explained = new CommandError(String(error.code), `${name}: ${meaningOf(error)}${advice}`);
  fileOfError.set(explained, name);
  return explained;
}

/** The path of a file beside a missing one whose name is similar. @param {string} path */
function similarFile(path) {
  try {
    const name = basename(path);
    const similar = nearest(name, readdirSync(dirname(path)));
    return similar === undefined || similar === name ? undefined : path.slice(0, path.length - name.length) + similar;
  } catch {
    // There is no such folder, or it cannot be listed.
    return undefined;
  }
}

/**
 * The error that a person can understand, in place of one of the package that is caused by one of the file system.
 *
 * @param {string} name
 * @param {unknown} error
 */
function explainReading(name, error) {
  if (!(error instanceof Error) || !isOfFileSystem(error.cause)) return error;
  const { code } = /** @type {Error & { code?: unknown }} */ (error);
  if (code !== "read-failed") return error;
  const explained = new CommandError(code, `${name}: the file could not be read: ${meaningOf(error.cause)}`);
  fileOfError.set(explained, name);
  return explained;
}

/** @param {unknown} error @returns {error is NodeJS.ErrnoException} */
const isOfFileSystem = (error) => error instanceof Error && "code" in error && "syscall" in error;

/** What an error of the file system means, and what to do. @param {NodeJS.ErrnoException} error */
const meaningOf = ({ code, message }) =>
  FILE_SYSTEM[String(code)] ?? `the system reported ${message}. Check the path and the disk.`;

/**
 * What a program learns about an error.
 *
 * @typedef {{ code: string, message: string, file?: string, line?: number, column?: number, offset?: number, status?: number, url?: string, format?: string, probablePreTokenizers?: string[] }} ErrorDetails
 */

/** What messages of the package say about its interface, and what helps here. @type {readonly [string, string][]} */
const WORDS = [
  ["`tensors` lists the tensors of the file", "`gguf-wasm inspect FILE --tensors` lists them"],
  [
    "open the whole set and split the merged model",
    "merge the set first with `gguf-wasm merge SHARD OUTPUT`, and split the merged file",
  ],
  ["Choose the name of the model that this vocabulary comes from", "Choose one with --pre NAME"],
  ["or allow requantizing", "or give --allow-requantize"],
  ["give an importance matrix with this tensor", "give an importance matrix with this tensor by --imatrix FILE"],
  ["choose another type for it", "choose another type for it with --tensor-type PATTERN=TYPE"],
  ["Convert again with fewer workers, or with workers: 0", "Convert again with --threads 1, or with --threads 0"],
  ["Set options.responseTimeout to allow more time for a response", "Try again later"],
  ...adviceHere(),
];

/** The advice for files that are not GGUF, where the command line can do more. @returns {[string, string][]} */
function adviceHere() {
  const texts = /** @type {FormatText[]} */ (Object.values(OTHER_FORMATS));
  return texts.flatMap(({ what, next, onCommandLine }) =>
    onCommandLine === undefined ? [] : [[[what, ...next].join(" "), `${what} ${onCommandLine}`]],
  );
}

/** What an error is about and what to do, in place of the advice of its message. @type {WeakMap<object, string>} */
const explanations = new WeakMap();

/**
 * Says in the message of an error what was found, and what to do.
 *
 * @param {Error} error
 * @param {string} explanation Sentences. After a message without a full stop, they begin with one.
 */
export function explain(error, explanation) {
  explanations.set(error, explanation);
}

/** The advice of messages about files that are not GGUF, which an explanation replaces. */
const ADVICE = / (?:Check that it is a GGUF file|Download the file again)\.$/;

/** The message of an error for people. @param {Error} error */
function messageOf(error) {
  const message = forPeople(error.message);
  const explanation = explanations.get(error);
  if (explanation === undefined) return message;
  return explanation.startsWith(".") ? message + explanation : `${message.replace(ADVICE, "")} ${explanation}`;
}

/** A message of the package in the words of the command line. @param {string} message */
export const forPeople = (message) =>
  WORDS.reduce((text, [found, better]) => text.replace(found, () => better), message);

/**
 * Runs a part of a command that is about one file. Errors name the file, unless they are about another one.
 *
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
 */
export async function aboutFile(file, work) {
  try {
    return await work();
  } catch (error) {
    // A wrong command line is not about a file.
    if (error instanceof UsageError) throw error;
    const explained = explainReading(file, explainFileError(file, error));
    if (typeof explained === "object" && explained && !fileOfError.has(explained)) fileOfError.set(explained, file);
    throw explained;
  }
}

/**
 * @param {unknown} error
 * @returns {ErrorDetails}
 */
export function errorDetails(error) {
  if (!(error instanceof Error)) return { code: "internal", message: String(error) };
  // An error of the file system that no part of the command has explained.
  const explained = explainFileError(String(/** @type {NodeJS.ErrnoException} */ (error).path ?? "the system"), error);
  if (explained !== error) return errorDetails(explained);
  const { line, column, offset, status, url, format, code, probablePreTokenizers } =
    /** @type {Error & Record<string, unknown>} */ (error);
  const file = fileOfError.get(error);
  return {
    code: typeof code === "string" ? code : "internal",
    message: messageOf(error),
    ...(file !== undefined && { file }),
    ...(typeof line === "number" && { line }),
    ...(typeof column === "number" && { column }),
    ...(typeof offset === "number" && { offset }),
    ...(typeof status === "number" && { status }),
    ...(typeof url === "string" && { url: withoutSecrets(url) }),
    ...(typeof format === "string" && { format }),
    ...(Array.isArray(probablePreTokenizers) && { probablePreTokenizers }),
  };
}

/**
 * One line for people: `gguf-wasm: FILE: MESSAGE (CODE, offset N)`.
 *
 * @param {unknown} error
 */
export function errorLine(error) {
  const { code, message: whole, file: given, offset } = errorDetails(error);
  const file = given && withoutSecrets(given);
  const message = given ? whole.replaceAll(given, () => file ?? "") : whole;
  const named = file === undefined || message.startsWith(file) ? message : `${file}: ${message}`;
  if (error instanceof UsageError) return safe`gguf-wasm: ${named}\n`;
  const place = offset === undefined ? "" : `, offset ${offset}`;
  // An error of JavaScript is a bug. Its place helps to find it.
  const stack = code === "internal" && error instanceof Error ? `\n${error.stack ?? ""}` : "";
  return safe`gguf-wasm: ${named} (${code}${place})${safeLines(stack)}\n`;
}

/** @param {unknown} error */
export function exitCodeOf(error) {
  if (error instanceof Refusal) return ANSWER_IS_NO;
  // The package refuses values of options that this program does not know, such as types of a cache.
  return error instanceof UsageError || errorDetails(error).code === "invalid-argument" ? WRONG_USE : FAILED;
}
