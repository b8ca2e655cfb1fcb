// Names of files on the Hugging Face Hub: `hub:owner/name@revision/path/file.gguf`, and `hub:owner/name:Q4_K_M`, which chooses a
// model by its encoding as `llama-cli -hf owner/name:Q4_K_M` does it.

import { listRepository, parseRepository } from "../full/node.js";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { currentProgress } from "./output.js";
import { httpUrl, hubAddress, isHubName, requestOptions } from "./requests.js";

/** @import { Repository, RepositoryFile } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/** The most choices that an error lists. */
const MOST_CHOICES = 60;

/** The form of a name, for errors. */
const FORM = "hub:OWNER/NAME[@REVISION]/PATH/FILE.gguf or hub:OWNER/NAME:ENCODING";

/**
 * The URL or the path that a name stands for. Asks the hub only if the name does not say the file.
 *
 * @param {string} name A path, a URL, or a name of the hub.
 * @param {Arguments} args
 * @returns {Promise<string>}
 */
export async function locate(name, args) {
  if (!isHubName(name)) return name;
  const [, place = name, encoding] = /^(.*?)(?::([^:/]*))?$/s.exec(name.slice("hub:".length)) ?? [];
  const address = parseRepository(`hub:${place}`, { hub: hubAddress() });
  if (!address || encoding === "") {
    throw new UsageError(`"${name}" is not a name of the hub, expected ${FORM}.`);
  }
  if (/\.gguf$/i.test(address.path ?? "") && encoding === undefined) return address.url;
  return choose(name, await list(`hub:${place}`, args), encoding).url;
}

/**
 * The server that a command waits for when it reads something.
 *
 * @param {...string} names Paths, URLs, or names of the hub.
 * @returns {string | undefined} Its name, or the names of several; `undefined` if the names are paths.
 */
export function serverOf(...names) {
  const urls = names.map((name) => (isHubName(name) ? hubAddress() : httpUrl(name)));
  const hosts = urls.flatMap((url) => (url === undefined ? [] : [new URL(url).host]));
  return hosts.length === 0 ? undefined : [...new Set(hosts)].join(" or ");
}

/**
 * Lists a repository of the hub.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<Repository>}
 */
export function list(name, args) {
  const hub = hubAddress();
  const [, repository, encoding] = /^(hub:[^:]*):([^:/]*)$/is.exec(name) ?? [];
  if (repository !== undefined && !parseRepository(name) && parseRepository(repository)) {
    const advice = `Give ${repository}`;
    throw new UsageError(`"${name}" names one model by :${encoding}, expected a repository or a folder. ${advice}`);
  }
  const progress = currentProgress(`Listing ${name}`, serverOf(hub));
  return aboutFile(name, () => listRepository(name, { hub, ...requestOptions(hub, args) })).finally(() =>
    progress.clear(),
  );
}

/**
 * The model of a repository that a name means: the model with the encoding, or the only model.
 *
 * @param {string} name
 * @param {Repository} repository
 * @param {string | undefined} encoding
 */
function choose(name, { files }, encoding) {
  const models = files.filter(({ role }) => role === "model");
  const isWanted = (/** @type {RepositoryFile} */ file) =>
    encoding === undefined || file.encoding?.toLowerCase() === encoding.toLowerCase();
  const found = models.filter(isWanted);
  const [file] = found;
  if (file && found.length === 1) return file;
  if (found.length > 1) {
    const what = encoding === undefined ? "models" : `models with the encoding ${encoding}`;
    throw new CommandError(
      "ambiguous-name",
      `${name}: there are ${found.length} ${what}. Name one of ${choices(found)}`,
    );
  }
  const what = encoding === undefined ? "no model" : `no model with the encoding ${encoding}`;
  throw new CommandError(
    "no-such-file",
    `${name}: the repository has ${what}. It has ${choices(models.length > 0 ? models : files)}`,
  );
}

/** The files that a name can mean, by their encodings if these are unique. @param {readonly RepositoryFile[]} files */
function choices(files) {
  const encodings = files.map(({ encoding }) => encoding ?? "");
  const isUnique = !encodings.includes("") && new Set(encodings).size === files.length;
  const names = isUnique ? encodings : files.map(({ name }) => name);
  const more = names.length > MOST_CHOICES ? `, and ${names.length - MOST_CHOICES} more` : "";
  return `${names.slice(0, MOST_CHOICES).join(", ")}${more}.`;
}
