/** Opens a model in the layout of Hugging Face. */

import type { HubModel } from "gguf-wasm/models";
import * as models from "gguf-wasm/models/init";
import { moduleStarter } from "../gguf/start-module.ts";
import type { ModelOpening } from "./model-folder.ts";

const loadModels = moduleStarter(models);

export async function openFolder(opening: ModelOpening, signal: AbortSignal): Promise<HubModel> {
  const { openModel } = await loadModels();
  if ("folder" in opening) return openModel(opening.folder.files, { folderName: opening.folder.name, signal });
  return openModel(`hub:${opening.repository}`, { headers: opening.headers.map(([...pair]) => pair), signal });
}
