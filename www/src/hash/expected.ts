/** What a person expects: a pasted hash, a list of checksums, or a manifest. */

import type { HashAlgorithm } from "gguf-wasm/full";

export type Expected =
  | { readonly kind: "digest"; readonly digest: string }
  /** Lines of `sha256sum`, or the hashes that a host states: one for each file. */
  | { readonly kind: "files"; readonly files: readonly ExpectedFile[]; readonly from: string }
  | { readonly kind: "manifest"; readonly text: string };

export interface ExpectedFile {
  /** The name without folders. */
  readonly name: string;
  /** The name with the folders that are known: `Q4/model.gguf`. Absent if none is known. */
  readonly path?: string;
  readonly sha256: string;
}

/** What must be computed for a comparison. */
export interface HashRequest {
  readonly algorithms: readonly HashAlgorithm[];
  /** Whether each tensor has hashes. */
  readonly tensors: boolean;
  /** Whether the sha256 of each whole file is computed. */
  readonly file: boolean;
}

/**
 * The longest line that can be a hash or a checksum, in characters: the longest path of Windows has 32,767. Longer lines are not matched,
 * because a pattern may need memory for each character.
 */
const MAX_LINE = 40_000;

// All patterns take linear time: two parts of a pattern that follow each other never match the same characters.
const DIGEST =
  /^(?:(?:sha-?256|sha-?1|xxh64|uuid)(?:\s*[:=])?\s*)?([\da-f]{16}|[\da-f]{40}|[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** A line of `sha256sum`: the hash, a space, a space or an asterisk, the name. */
const CHECKSUM = /^([\da-f]{64}) [ *](.+)$/i;
/** A line of `sha256sum --tag`. */
const TAGGED = /^SHA256 \((.+)\) = ([\da-f]{64})$/i;
/** A line that is not empty, without the spaces before it. */
const LINE = /\S[^\r\n]*/g;

/** Reads a pasted text or the text of a file. Undefined if it is empty. */
export function parseExpected(text: string): Expected | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const digest = trimmed.length <= MAX_LINE ? DIGEST.exec(trimmed)?.[1] : undefined;
  if (digest !== undefined) return { kind: "digest", digest: digest.toLowerCase() };
  const files = checksums(trimmed);
  return files ? { kind: "files", files, from: "the list of checksums" } : { kind: "manifest", text };
}

/** The files of a list of checksums. Undefined if a line is not a checksum. */
function checksums(text: string): ExpectedFile[] | undefined {
  const files: ExpectedFile[] = [];
  for (const [line] of text.matchAll(LINE)) {
    const file = line.length <= MAX_LINE ? checksum(line.trimEnd()) : undefined;
    if (!file) return undefined;
    files.push(file);
  }
  return files;
}

function checksum(line: string): ExpectedFile | undefined {
  const [plain, tagged] = [CHECKSUM.exec(line), TAGGED.exec(line)];
  const [path, sha256] = plain ? [plain[2], plain[1]] : [tagged?.[1], tagged?.[2]];
  if (path === undefined || sha256 === undefined) return undefined;
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return { name, ...(name === path ? {} : { path }), sha256: sha256.toLowerCase() };
}

/** The hashes that a comparison needs. `inManifest` are the algorithms of the manifest, the strongest first. */
export function hashRequest(expected: Expected, inManifest: readonly HashAlgorithm[]): HashRequest {
  switch (expected.kind) {
    case "files":
      return { algorithms: [], tensors: false, file: true };
    case "manifest":
      return { algorithms: inManifest.slice(0, 1), tensors: true, file: false };
    case "digest": {
      const algorithm = algorithmOf(expected.digest);
      return { algorithms: [algorithm], tensors: false, file: algorithm === "sha256" };
    }
  }
}

/** The algorithm of a digest, by its length. */
export function algorithmOf(digest: string): HashAlgorithm {
  if (digest.length === 16) return "xxh64";
  if (digest.length === 40) return "sha1";
  return digest.length === 64 ? "sha256" : "uuid";
}

/** Whether hashes that were computed for one request are enough for another. */
export function covers(computed: HashRequest, needed: HashRequest): boolean {
  return (
    needed.algorithms.every((algorithm) => computed.algorithms.includes(algorithm)) &&
    (computed.tensors || !needed.tensors) &&
    (computed.file || !needed.file)
  );
}
