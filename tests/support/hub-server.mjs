// A server that answers like the Hugging Face Hub: lists of files in pages, facts about models, refusals with their codes, and
// the files themselves.

import { createHash } from "node:crypto";
import { listen, range, whole } from "./file-server.mjs";

/**
 * A file with its bytes, or only with a size.
 *
 * @typedef {Uint8Array | number} HubFile
 *
 * @typedef {object} HubRepository
 * @property {Record<string, HubFile>} files By their paths.
 * @property {readonly string[]} [revisions] `["main"]` by default.
 * @property {{ total?: unknown, architecture?: unknown }} [gguf] What the hub says about the model.
 * @property {false | "auto" | "manual"} [gated]
 * @property {string} [token] The token that may read the repository, if it is private.
 *
 * @typedef {{ path: string, query: string, headers: import("node:http").IncomingHttpHeaders }} HubRequest
 *
 * An answer instead of the usual one, if it returns true.
 *
 * @typedef {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse,
 *   number: number) => boolean | void} HubAnswer
 */

/** The SHA-256 that the hub states for a file without bytes. @param {string} path */
export const statedSha256 = (path) => createHash("sha256").update(path).digest("hex");

/**
 * Serves repositories until the end of the test.
 *
 * @param {{ after(close: () => Promise<void>): void }} test
 * @param {Record<string, HubRepository>} repositories By their ids.
 * @param {{ pageSize?: number, answer?: HubAnswer }} [options]
 */
export async function serveHub(test, repositories, { pageSize = 1000, answer } = {}) {
  /** @type {HubRequest[]} */
  const requests = [];
  const { origin, close } = await listen((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    requests.push({ path: url.pathname, query: url.search, headers: request.headers });
    if (answer?.(request, response, requests.length)) return;
    const [, kind, id = "", rest = ""] =
      /^\/api\/(models|datasets|spaces)\/([^/]+\/[^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
    if (kind !== undefined) {
      const repository = repositories[kind === "models" ? id : `${kind}/${id}`];
      if (!isAllowed(repository, request)) return refuse(response, 401, "RepoNotFound");
      if (rest === "") return json(response, { id, gated: repository.gated ?? false, gguf: repository.gguf });
      const [, revision = "", folder = ""] = /^\/tree\/([^/]+)\/?(.*)$/.exec(decodeURI(rest)) ?? [];
      if (!hasRevision(repository, decodeURIComponent(revision))) return refuse(response, 404, "RevisionNotFound");
      return list(url, response, repository, decodeURIComponent(folder));
    }
    const [, fileId = "", revision = "", path = ""] = /^\/(.+?)\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
    const repository = repositories[fileId];
    if (!isAllowed(repository, request)) return refuse(response, 401, "RepoNotFound");
    const file = repository.files[decodeURIComponent(path)];
    if (!hasRevision(repository, decodeURIComponent(revision))) return refuse(response, 404, "RevisionNotFound");
    if (!(file instanceof Uint8Array)) return refuse(response, 404, "EntryNotFound");
    void (request.headers.range ? range : whole)(request, response, file, requests.length);
  });
  test.after(close);

  /**
   * @param {URL} url
   * @param {import("node:http").ServerResponse} response
   * @param {HubRepository} repository
   * @param {string} folder
   */
  function list(url, response, repository, folder) {
    const isRecursive = url.searchParams.get("recursive") === "true";
    const paths = Object.keys(repository.files).filter((path) => folder === "" || path.startsWith(`${folder}/`));
    if (paths.length === 0 && folder !== "") return refuse(response, 404, "EntryNotFound");
    const entries = paths.filter((path) => isRecursive || !path.slice(folder.length + 1).includes("/"));
    const folders = new Set(
      paths.flatMap((path) => (path.includes("/") ? [path.slice(0, path.lastIndexOf("/"))] : [])),
    );
    const start = Number(url.searchParams.get("cursor") ?? 0);
    if (start + pageSize < entries.length) {
      const next = new URL(url.pathname + url.search, origin);
      next.searchParams.set("cursor", String(start + pageSize));
      response.setHeader("Link", `<${next.href}>; rel="next"`);
    }
    json(response, [
      ...(start === 0 ? [...folders].map((path) => ({ type: "directory", oid: "0", size: 0, path })) : []),
      ...entries.slice(start, start + pageSize).map((path) => entry(path, repository.files[path] ?? 0)),
    ]);
  }
  return { origin, requests, close };
}

/**
 * @param {HubRepository | undefined} repository
 * @param {import("node:http").IncomingMessage} request
 * @returns {repository is HubRepository}
 */
function isAllowed(repository, request) {
  if (repository === undefined) return false;
  return repository.token === undefined || request.headers.authorization === `Bearer ${repository.token}`;
}

/** @param {HubRepository} repository @param {string} revision */
const hasRevision = ({ revisions = ["main"] }, revision) => revisions.includes(revision);

/** @param {string} path @param {HubFile} file */
function entry(path, file) {
  const size = typeof file === "number" ? file : file.length;
  const oid = typeof file === "number" ? statedSha256(path) : createHash("sha256").update(file).digest("hex");
  const lfs = path.endsWith(".gguf") ? { lfs: { oid, size, pointerSize: 135 } } : {};
  return { type: "file", oid: "0123456789012345678901234567890123456789", size, path, ...lfs };
}

/** @param {import("node:http").ServerResponse} response @param {unknown} value */
export function json(response, value) {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end(JSON.stringify(value));
}

/**
 * Refuses as the Hub does it.
 *
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} [code]
 * @param {Record<string, string>} [headers]
 */
export function refuse(response, status, code, headers = {}) {
  const ofCode = code === undefined ? {} : { "X-Error-Code": code };
  response.writeHead(status, { ...ofCode, ...headers, "Content-Type": "application/json" });
  response.end(JSON.stringify({ error: "Sorry" }));
}

/** A repository with forty files: models in many encodings, sets of shards, a projector and an importance matrix. */
export const FORTY = /** @type {HubRepository} */ ({
  gguf: { total: 8_030_261_248, architecture: "llama" },
  files: {
    ".gitattributes": 2000,
    "README.md": 5000,
    ...Object.fromEntries(
      "IQ1_S IQ1_M IQ2_XXS IQ2_XS IQ2_S IQ2_M IQ3_XXS IQ3_XS IQ3_S IQ3_M IQ4_XS IQ4_NL Q2_K Q2_K_L Q2_K_S Q3_K_XL Q3_K_L Q3_K_M Q3_K_S Q4_0 Q4_1 Q4_K_L Q4_K_M Q4_K_S Q5_0 Q5_1 Q5_K_L Q5_K_M Q5_K_S Q6_K Q6_K_L Q8_0 TQ1_0 TQ2_0"
        .split(" ")
        .map((encoding, index) => [`Sample-8B-Instruct-${encoding}.gguf`, 2_000_000_000 + index * 190_000_000]),
    ),
    "BF16/Sample-8B-Instruct-BF16-00001-of-00002.gguf": 9_960_000_000,
    "BF16/Sample-8B-Instruct-BF16-00002-of-00002.gguf": 6_100_000_000,
    "F32/Sample-8B-Instruct-F32-00001-of-00004.gguf": 9_000_000_000,
    "F32/Sample-8B-Instruct-F32-00002-of-00004.gguf": 9_000_000_000,
    "F32/Sample-8B-Instruct-F32-00004-of-00004.gguf": 5_000_000_000,
    "mmproj-Sample-8B-Instruct-F16.gguf": 850_000_000,
    "mmproj-Sample-8B-Instruct-BF16.gguf": 850_000_001,
    "mtp-Sample-8B-Instruct-Q8_0.gguf": 310_000_000,
    "Sample-8B-Instruct.imatrix.gguf": 5_000_000,
  },
});
