import type { GgufSet } from "gguf-wasm/full";
import { html } from "lit";
import { type Shard, shardState, shardTitle, unreadShards } from "../gguf/shard-set.ts";
import { icons } from "../ui/icons.ts";
import { formatCount, formatInteger } from "../ui/numbers.ts";
import { renderText } from "../ui/render-text.ts";

/** The most files that the notice names. The panel with the shards lists all. */
const MAX_NAMED = 3;

/** The notice above the panels of a set that is not complete. Undefined if all shards are there. */
export function renderSetNotice(set: GgufSet, showShards: () => void) {
  const unread = unreadShards(set);
  if (unread.length === 0) return undefined;
  const of = (state: "missing" | "failed") => unread.filter((shard) => shardState(shard) === state);
  return html`<div class="problem" role="alert">
    ${icons.warning}
    <p>
      <strong
        >${formatInteger(set.shards.length - unread.length)} of ${formatCount(set.shards.length, "shard")} could be
        opened.</strong
      >
      ${renderFiles("Missing", of("missing"))} ${renderFiles("Not readable", of("failed"))} The tensors of
      ${unread.length === 1 ? "this file" : "these files"} are not shown.
      <button type="button" class="link" @click=${showShards}>Show shards</button>
    </p>
  </div>`;
}

function renderFiles(title: string, shards: readonly Shard[]) {
  if (shards.length === 0) return undefined;
  const rest = shards.length - MAX_NAMED;
  return html`${title}:
  ${shards
    .slice(0, MAX_NAMED)
    .map(
      (shard, at) =>
        html`${at > 0 ? ", " : ""}<span class="mono">${renderText(shardTitle(shard), { limit: 160 })}</span>`,
    )}${rest > 0 ? ` and ${formatCount(rest, "more", "more")}` : ""}.`;
}
