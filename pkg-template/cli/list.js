// `gguf-wasm list`: the GGUF files of a repository.

import { DONE } from "./exit-codes.js";
import { list as listFiles } from "./hub.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { table } from "./table.js";
import { counted, grouped, size } from "./text.js";

/** @import { Repository, RepositoryFile } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */

/** What a file is, for people. @type {Readonly<Record<RepositoryFile["role"], string>>} */
const ROLES = {
  model: "model",
  projector: "projector",
  draft: "draft model",
  adapter: "LoRA adapter",
  vocabulary: "vocabulary",
  imatrix: "importance matrix",
};

/** @param {Arguments} args */
export async function run(args) {
  const repository = await listFiles(args.at(0), args);
  await printResult(args, { file: args.at(0), ...repository }, () => text(repository));
  return DONE;
}

/** @param {Repository} repository */
function text({ id, revision, folder, url, files, parameterCount, architecture, isGated }) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const facts = [
    counted(files.length, "file"),
    size(total),
    ...(architecture === undefined ? [] : [architecture]),
    ...(parameterCount === undefined ? [] : [`${grouped(parameterCount)} parameters`]),
    ...(isGated ? ["gated"] : []),
  ];
  const place = `${id}${revision === "main" ? "" : `@${revision}`}${folder === "" ? "" : `/${folder}`}`;
  const rows = files.map(({ name, role, encoding = "", bitsPerWeight, size: bytes, shards }) => [
    name,
    ROLES[role],
    size(bytes),
    encoding,
    bitsPerWeight?.toFixed(2) ?? "",
    shards === undefined ? "" : shards.present === shards.count ? shards.count : `${shards.present} of ${shards.count}`,
  ]);
  const columns = [
    { title: "Name" },
    { title: "Kind" },
    { title: "Size", right: true },
    { title: "Encoding" },
    { title: "Bits per weight", right: true },
    { title: "Shards", right: true },
  ];
  return safe`${place}: ${facts.join(", ")}\n${url}\n\n${table(columns, rows)}`;
}
