/** What follows from the model that a viewer shows, and from where it is. */

import { fetchableAddress, fileName } from "../gguf/address.ts";
import { isSourceList, opensItself, type ViewerSource } from "../gguf/model-source.ts";
import { type EditTarget, isGgufModel, type OpenedModel } from "../gguf/opened-model.ts";
import { shardTitle } from "../gguf/shard-set.ts";

interface Place {
  readonly src: string;
  readonly source: ViewerSource | undefined;
}

/** The name of the file, or of the first shard of a set; "" if it is not known. */
export function nameOfFile({
  model,
  name,
  source,
  src,
}: Place & { readonly model: OpenedModel | undefined; readonly name: string }): string {
  const [first] = model?.set?.shards ?? [];
  if (first) return shardTitle(first);
  if (model?.container) return model.container.name;
  if (name !== "") return name;
  const [file] = isSourceList(source) ? source : [source];
  if (file instanceof File || opensItself(file)) return file.name;
  return source === undefined && src !== "" ? fileName(src) : "";
}

/** The file that editing changes. Undefined if it is a first shard that could not be opened, or not GGUF. */
export function editTargetOf(model: OpenedModel): EditTarget | undefined {
  if (!isGgufModel(model)) return undefined;
  const { gguf, set, sources, container } = model;
  const target = set ? set.shards[0]?.gguf : gguf;
  const isContained = container !== undefined;
  return target && { gguf: target, source: sources[0], isContained, shardCount: set?.shards.length };
}

/** The address that was opened. Undefined for other sources. */
export function addressOf({ source, src }: Place): string | undefined {
  if (source !== undefined) return undefined;
  try {
    return fetchableAddress(src, document.baseURI);
  } catch {
    return undefined;
  }
}
