/** The comparison of computed hashes with expected ones. */

import { formatCount } from "../ui/numbers.ts";
import { algorithmOf, type Expected } from "./expected.ts";
import type { ModelHashes } from "./model-hashes.ts";

/** A tensor or a file whose hash was compared. */
export interface ComparedLine {
  readonly name: string;
  readonly expected: string;
  /** Absent if the model does not have the tensor or the file. */
  readonly actual?: string;
}

export interface Comparison {
  readonly result: "match" | "mismatch" | "nothing-found";
  readonly title: string;
  /** The lines that do not agree. */
  readonly differing: readonly ComparedLine[];
  /** The names that are expected and that the model does not have. */
  readonly missing: readonly string[];
  /** The tensors or files of the model that nothing is expected of. */
  readonly unlisted: readonly string[];
}

/** @throws GgufError `bad-manifest` */
export function compare(expected: Expected, computed: ModelHashes): Comparison {
  switch (expected.kind) {
    case "digest":
      return compareDigest(expected.digest, computed);
    case "files":
      return compareFiles(expected, computed);
    case "manifest":
      return compareManifest(expected.text, computed);
  }
}

/** The result if the host states no hash. */
export function nothingToCompare(): Comparison {
  const title = "Hugging Face states no SHA-256 of this file";
  return { result: "nothing-found", title, differing: [], missing: [], unlisted: [] };
}

/** A pasted hash is that of a whole file, or that of all tensor data. */
function compareDigest(digest: string, { hashes, files }: ModelHashes): Comparison {
  const none = { differing: [], missing: [], unlisted: [] };
  const file = files.find(({ sha256 }) => sha256 === digest);
  if (file) return { ...none, result: "match", title: `The hash is the SHA-256 of the whole file ${file.name}` };
  const algorithm = algorithmOf(digest);
  const data = hashes?.data[algorithm];
  if (data === digest) return { ...none, result: "match", title: "The hash is that of all tensor data" };
  const lines = files.map(({ name, sha256 }) => ({ name, expected: digest, actual: sha256 }));
  if (data !== undefined) lines.push({ name: "All tensor data", expected: digest, actual: data });
  return { ...none, result: "mismatch", title: "The hash differs", differing: lines };
}

function compareFiles({ files, from }: Extract<Expected, { kind: "files" }>, computed: ModelHashes): Comparison {
  const own = new Map(computed.files.map(({ name, sha256 }) => [name, sha256]));
  const [only] = files;
  const [first] = computed.files;
  // A single checksum is that of the open file, whatever its name was when it was computed.
  const pairs =
    files.length === 1 && computed.files.length === 1 && only && first
      ? [{ name: first.name, expected: only.sha256, actual: first.sha256 }]
      : files.map(({ name, sha256 }) => ({ name, expected: sha256, actual: own.get(name) }));
  const found = pairs.flatMap(({ name, expected, actual }) =>
    actual === undefined ? [] : [{ name, expected, actual }],
  );
  const differing = found.filter(({ expected, actual }) => expected !== actual);
  const missing = pairs.filter(({ actual }) => actual === undefined).map(({ name }) => name);
  const unlisted = [...own.keys()].filter((name) => !pairs.some((pair) => pair.name === name));
  if (found.length === 0)
    return { result: "nothing-found", title: `No file of the model is in ${from}`, differing, missing, unlisted };
  const title =
    differing.length > 0
      ? `${formatCount(differing.length, "file differs", "files differ")} from ${from}`
      : `${found.length === 1 ? "The file agrees" : `${formatCount(found.length, "file")} agree`} with ${from}`;
  return { result: differing.length > 0 ? "mismatch" : "match", title, differing, missing, unlisted };
}

function compareManifest(text: string, { hashes }: ModelHashes): Comparison {
  if (!hashes) throw new Error("the hashes of the tensors were not computed");
  const { result, lines, unlisted } = hashes.check(text);
  const differing = lines
    .filter((line) => line.result === "mismatch")
    .map(({ tensor, expected, actual }) => ({
      name: tensor ?? "All tensor data",
      expected,
      ...(actual === undefined ? {} : { actual }),
    }));
  const missing = lines
    .filter((line) => line.result === "not-in-file")
    .map(({ tensor }) => tensor ?? "All tensor data");
  const tensors = lines.filter((line) => line.tensor !== undefined && line.result !== "not-in-file").length;
  const wrong = lines.filter((line) => line.tensor !== undefined && line.result === "mismatch").length;
  const title =
    result === "nothing-found"
      ? "The manifest names no tensor of this model"
      : result === "match"
        ? `${tensors === 0 ? "The tensor data agrees" : `${formatCount(tensors, "tensor")} ${tensors === 1 ? "agrees" : "agree"}`} with the manifest`
        : wrong > 0
          ? `${formatCount(wrong, "tensor differs", "tensors differ")} from the manifest`
          : differing.length > 0
            ? "The tensor data differs from the manifest"
            : `${formatCount(missing.length, "tensor")} of the manifest ${missing.length === 1 ? "is" : "are"} missing`;
  return { result, title, differing, missing, unlisted };
}
