/** The comparison of computed hashes with expected ones. */

import { formatCount } from "../ui/numbers.ts";
import { algorithmOf, type Expected, type ExpectedFile } from "./expected.ts";
import type { ModelHashes } from "./model-hashes.ts";

/** A tensor or a file whose hash was compared. */
export interface ComparedLine {
  readonly name: string;
  readonly expected: string;
  /** Absent if the model does not have the tensor or the file. */
  readonly actual?: string;
}

export interface Comparison {
  /** `partial`: nothing differs, but tensors of the file are not in the manifest. */
  readonly result: "match" | "mismatch" | "partial" | "nothing-found";
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
  const lines = linesByName(files);
  const differing: ComparedLine[] = [];
  const unlisted: string[] = [];
  const compared = new Set<ExpectedFile>();
  let [wrong, ambiguous] = [0, 0];
  for (const file of computed.files) {
    // A single checksum is that of the open file, whatever its name was when it was computed.
    const isOnly = files.length === 1 && computed.files.length === 1;
    const closest = isOnly ? files : closestLines(lines.get(file.name) ?? [], file);
    for (const line of closest) compared.add(line);
    if (closest.length === 0) unlisted.push(file.name);
    // The folder of the file is not known if several lines are equally close.
    if (closest.length === 0 || closest.some(({ sha256 }) => sha256 === file.sha256)) continue;
    wrong += 1;
    if (closest.length > 1) ambiguous += 1;
    for (const { path, sha256 } of closest)
      differing.push({
        name: closest.length > 1 ? (path ?? file.name) : file.name,
        expected: sha256,
        actual: file.sha256,
      });
  }
  const missing = files.filter((line) => !compared.has(line)).map((line) => nameOf(line, lines));
  const found = computed.files.length - unlisted.length;
  if (found === 0)
    return { result: "nothing-found", title: `No file of the model is in ${from}`, differing, missing, unlisted };
  const several =
    ambiguous === 0 ? "" : `. Several lines have ${wrong === 1 ? "its" : "the same"} name, and none agrees`;
  const title =
    wrong > 0
      ? `${formatCount(wrong, "file differs", "files differ")} from ${from}${several}`
      : `${found === 1 ? "The file agrees" : `${formatCount(found, "file")} agree`} with ${from}`;
  return { result: wrong > 0 ? "mismatch" : "match", title, differing, missing, unlisted };
}

/** The lines of each name. */
function linesByName(files: readonly ExpectedFile[]): ReadonlyMap<string, readonly ExpectedFile[]> {
  const lines = new Map<string, ExpectedFile[]>();
  for (const file of files) {
    const same = lines.get(file.name);
    if (same) same.push(file);
    else lines.set(file.name, [file]);
  }
  return lines;
}

/** The name of a line, with its folders if another line has the same name. */
function nameOf({ name, path }: ExpectedFile, lines: ReturnType<typeof linesByName>): string {
  return (lines.get(name)?.length ?? 0) > 1 ? (path ?? name) : name;
}

/** The lines with the name of a file whose paths have the most folders in common with the path of the file. */
function closestLines(lines: readonly ExpectedFile[], file: ExpectedFile): readonly ExpectedFile[] {
  const own = partsOf(file);
  const closeness = lines.map((line) => commonParts(partsOf(line), own));
  const most = closeness.reduce((most, one) => Math.max(most, one), 0);
  return lines.filter((_, at) => closeness[at] === most);
}

/** The parts of a path, the last one first. */
function partsOf({ name, path = name }: ExpectedFile): string[] {
  const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  return parts.reverse();
}

/** How many parts two paths have in common. A path that the other one ends with counts a little more. */
function commonParts(a: readonly string[], b: readonly string[]): number {
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a[common] === b[common]) common += 1;
  return common === shorter ? common + 0.5 : common;
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
  // A line of another file is reported as not in the file, too, although the file has a tensor with this name.
  const own = new Set(hashes.tensors.map(({ name }) => name));
  const missing = lines.flatMap(({ tensor, result }) =>
    result === "not-in-file" && tensor !== undefined && !own.has(tensor) ? [tensor] : [],
  );
  const count = (wanted: "match" | "mismatch") =>
    lines.filter(({ tensor, result }) => tensor !== undefined && result === wanted).length;
  const [agreeing, wrong] = [count("match"), count("mismatch")];
  const also = { differing, missing, unlisted };
  if (result === "nothing-found") return { ...also, result, title: "The manifest names no tensor of this model" };
  if (result === "mismatch" || missing.length > 0) {
    const absent = `${formatCount(missing.length, "tensor")} of the manifest ${missing.length === 1 ? "is" : "are"} not in this file`;
    const differs = `${formatCount(wrong, "tensor differs", "tensors differ")} from the manifest`;
    const parts = [...(wrong > 0 ? [differs] : []), ...(missing.length > 0 ? [absent] : [])];
    return { ...also, result: "mismatch", title: parts.join(", and ") || "The tensor data differs from the manifest" };
  }
  // Without lines of tensors, the hash of all tensor data agrees. It includes each tensor.
  if (agreeing === 0) return { ...also, result, title: "The tensor data agrees with the manifest", unlisted: [] };
  if (unlisted.length > 0) {
    const rest = `${formatCount(unlisted.length, "tensor")} of this file ${unlisted.length === 1 ? "is" : "are"} not in the manifest`;
    return { ...also, result: "partial", title: `All listed tensors match; ${rest}` };
  }
  return {
    ...also,
    result,
    title: `${formatCount(agreeing, "tensor")} ${agreeing === 1 ? "agrees" : "agree"} with the manifest`,
  };
}
