// `gguf-wasm list`: the GGUF files of a repository, or of a folder.

import { DONE } from "./exit-codes.js";
import { list as listFiles } from "./hub.js";
import { isFolder } from "./is-folder.js";
import { filesTable, summaryText } from "./list-text.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { grouped } from "./text.js";

/** @import { Repository, RepositoryFile } from "../full/node.js" */
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
  if (isFolder(args.at(0))) return (await import("./list-folder.js")).run(args);
  const repository = await listFiles(args.at(0), args);
  await printResult(args, { file: args.at(0), ...repository }, () => text(repository));
  return DONE;
}

/** @param {Repository} repository */
function text({ id, revision, folder, url, files, parameterCount, architecture, isGated }) {
  const facts = [
    ...summaryText(files),
    ...(architecture === undefined ? [] : [architecture]),
    ...(parameterCount === undefined ? [] : [`${grouped(parameterCount)} parameters`]),
    ...(isGated ? ["gated"] : []),
  ];
  const place = `${id}${revision === "main" ? "" : `@${revision}`}${folder === "" ? "" : `/${folder}`}`;
  const rows = files.map((file) => ({ ...file, kind: ROLES[file.role] }));
  return safe`${place}: ${facts.join(", ")}\n${url}\n\n${filesTable(rows)}`;
}
