/** The shards of a set: their names, and which of them cannot be read. */

import type { GgufSet } from "gguf-wasm/full";
import { formatInteger } from "../ui/numbers.ts";
import { fileName } from "./address.ts";
import { baseName } from "./base-name.ts";

export type Shard = GgufSet["shards"][number];

/** `missing`: there is no such file. `failed`: the file is there and could not be opened. */
export type ShardState = "there" | "missing" | "failed";

export function shardState({ gguf, error }: Pick<Shard, "gguf" | "error">): ShardState {
  if (gguf !== undefined) return "there";
  // An address of a missing file answers with an error, too.
  return error === undefined || (error.code === "http" && (error.status === 404 || error.status === 410))
    ? "missing"
    : "failed";
}

/** The name of a shard. A missing shard has the name that it should have. */
export function shardTitle({ name, number, url }: Pick<Shard, "name" | "number" | "url">): string {
  return (url === undefined ? name : fileName(url)) || `shard ${number}`;
}

/** The name that the shards have in common. */
export function setName(set: Pick<GgufSet, "shards">): string {
  const [first] = set.shards;
  return first ? baseName(shardTitle(first)) : "";
}

/** The number of shards in words: "3", or "2 of 3" if one cannot be read. */
export function shardCount({ shards }: Pick<GgufSet, "shards">): string {
  const open = shards.filter(({ gguf }) => gguf !== undefined).length;
  const count = formatInteger(shards.length);
  return open === shards.length ? count : `${formatInteger(open)} of ${count}`;
}

/** The shards of a set that cannot be read. A broken file may claim to have 65,535. */
export function unreadShards({ shards }: Pick<GgufSet, "shards">): Shard[] {
  return shards.filter((shard) => shardState(shard) !== "there");
}
