import { html, nothing } from "lit";
import { type Shard, shardState, shardTitle, unreadShards } from "../gguf/shard-set.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";
import type { Side } from "./sides.ts";

/** The most files that the notice names. */
const MAX_NAMED = 3;

/** Warns that a side is not a whole model, because its missing tensors are listed as differences. */
export function renderShardNotice(label: "A" | "B", { model: { gguf, set } }: Side) {
  if (set) {
    const unread = unreadShards(set);
    if (unread.length === 0) return nothing;
    const of = (state: "missing" | "failed") => unread.filter((shard) => shardState(shard) === state);
    const { length } = set.shards;
    return renderWarning(
      `Of ${label}, ${formatInteger(length - unread.length)} of ${formatCount(length, "shard")} could be opened.`,
      html`${renderFiles("Missing", of("missing"))} ${renderFiles("Not readable", of("failed"))}`,
      label,
    );
  }
  const count = gguf.metadata.get("split.count");
  if (typeof count !== "number" || count < 2) return nothing;
  return renderWarning(`${label} is one of ${formatCount(count, "shard")} of a model.`, nothing, label);
}

function renderWarning(title: string, files: unknown, label: "A" | "B") {
  return html`<div class="notice warning shards">
    ${icons.warning}
    <div>
      <strong>${title}</strong> ${files} Tensors of the other shards are listed as
      ${label === "A" ? "added" : "removed"}.
    </div>
  </div>`;
}

function renderFiles(title: string, shards: readonly Shard[]) {
  if (shards.length === 0) return nothing;
  const rest = shards.length - MAX_NAMED;
  return html`${title}:
  ${shards
    .slice(0, MAX_NAMED)
    .map((shard, at) => html`${at > 0 ? ", " : ""}${renderText(shardTitle(shard), { limit: 160 })}`)}${
    rest > 0 ? ` and ${formatInteger(rest)} more` : ""
  }.`;
}
