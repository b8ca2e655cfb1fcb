/** The other files of the repository of an open file. */

import type { Repository, RepositoryFile } from "gguf-wasm/full";
import type { Machine } from "../memory/machine.ts";
import { formatBytes } from "../ui/numbers.ts";
import { modelName } from "./choice.ts";
import { isModel, ROLES } from "./file-list.ts";
import { fits } from "./fits.ts";

/** Whether an address leads to a file, or to one of its shards. */
export function isOfFile({ parts }: Pick<RepositoryFile, "parts">, address: string): boolean {
  const own = withoutQuery(address);
  return parts.some(({ url }) => withoutQuery(url) === own);
}

/** The other files, in two groups: models, and what belongs to them. The smallest comes first. */
export function otherFiles({ files }: Repository, address: string): readonly (readonly RepositoryFile[])[] {
  const others = files.filter((file) => !isOfFile(file, address)).sort((a, b) => a.size - b.size);
  return [others.filter(isModel), others.filter((file) => !isModel(file))];
}

/** "Q4_K_M, 4.68 GB, 2 of 3 shards", "Multimodal projector, F16, 851 MB". */
export function fileWords({ role, encoding, size, shards }: RepositoryFile): string {
  const parts =
    shards &&
    (shards.present === shards.count ? `${shards.count} shards` : `${shards.present} of ${shards.count} shards`);
  return [role === "model" ? undefined : ROLES[role], encoding, formatBytes(size), parts].filter(Boolean).join(", ");
}

/** Whether a file can be opened as a whole. */
export function isWhole({ shards }: RepositoryFile): boolean {
  return shards?.present === shards?.count;
}

/**
 * The largest file of the same model that is smaller than the open one and fits the machine. Undefined if there is none, or if the list does
 * not have the open file.
 */
export function fittingSibling({ files }: Repository, address: string, machine: Machine): RepositoryFile | undefined {
  const own = files.find((file) => isOfFile(file, address));
  if (own === undefined) return undefined;
  const name = modelName(own);
  const [largest] = files
    .filter((file) => isModel(file) && isWhole(file) && file.size < own.size && modelName(file) === name)
    .filter(({ size }) => fits(size, machine))
    .sort((a, b) => b.size - a.size);
  return largest;
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/, "");
}
