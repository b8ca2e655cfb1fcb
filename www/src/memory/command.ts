/** The command line of llama-server with the choices of the panel. */

import { splitText } from "../ui/text.ts";
import { DEFAULTS, type MemoryState } from "./memory-state.ts";
import { ROLES, type SecondFile } from "./second-file.ts";
import { batchOf, cpuExperts, gpuLayers, type ModelFacts, mostGpuLayers } from "./settings.ts";

/** Stands in the command for a file without a name, or with invisible characters in it. */
const PLACEHOLDERS = { model: "model.gguf", second: "second.gguf" };

/**
 * The command for a POSIX shell. It names the context, the slots, the layers on the GPU and flash attention always, because llama-server
 * chooses them itself otherwise, and other settings only if they differ from its defaults.
 */
export function serverCommand(fileName: string, state: MemoryState, facts: ModelFacts, second?: SecondFile): string {
  const words = ["llama-server", ...modelWords(fileName), ...serverSettings(state, facts)];
  if (second !== undefined) words.push(...secondWords(second));
  return words.join(" ");
}

/** The options for the choices of the panel: those that all programs have, and the slots of llama-server. */
export function serverSettings(state: MemoryState, facts: ModelFacts): string[] {
  const { sequences = DEFAULTS.sequences } = state;
  const slots = ["-np", String(sequences)];
  if (sequences > 1 && state.unified) slots.push("--kv-unified");
  return settingWords(state, facts, slots);
}

/** The option with which the programs of llama.cpp load a local file. */
export function modelWords(fileName: string): string[] {
  return ["-m", quoted(fileName, PLACEHOLDERS.model)];
}

/** The options for the choices of the panel that all programs of llama.cpp have. `slots` follows the context. */
export function settingWords(state: MemoryState, facts: ModelFacts, slots: readonly string[] = []): string[] {
  const { keys, values, microBatch = DEFAULTS.microBatch } = state;
  const context = state.context ?? facts.ownContext;
  const words: string[] = [];
  if (context !== undefined) words.push("-c", String(context));
  words.push(...slots);
  if (keys !== undefined && keys !== DEFAULTS.keys) words.push("-ctk", keys.toLowerCase());
  if (values !== undefined && values !== DEFAULTS.values) words.push("-ctv", values.toLowerCase());
  if (facts.layerCount > 0) words.push("-ngl", String(gpuLayers(state, facts)));
  const experts = cpuExperts(state, facts);
  if (experts > 0) words.push("--n-cpu-moe", String(experts));
  if (state.split !== undefined) words.push("-ts", state.split.join(","));
  // The batch must have room for a micro-batch.
  if (microBatch > batchOf({})) words.push("-b", String(microBatch));
  if (microBatch !== DEFAULTS.microBatch) words.push("-ub", String(microBatch));
  words.push("-fa", state.noFlash ? "off" : "on");
  if (facts.hasWindow && state.fullWindow) words.push("--swa-full");
  return words;
}

function secondWords({ name, role, layerCount }: SecondFile): string[] {
  const words: string[] = [ROLES[role].option, quoted(name, PLACEHOLDERS.second)];
  // llama-server loads as many layers of a draft model as fit, unless it is told how many.
  if (role === "draft" && layerCount > 0) words.push("-ngld", String(mostGpuLayers({ layerCount })));
  return words;
}

/** Whether a command can contain a file name: a terminal may act on control characters, also between quotes. */
export function isPlainName(fileName: string): boolean {
  return splitText(fileName, true).every(({ escape }) => escape === undefined);
}

/** A file name, or an address, as one word of a POSIX shell. */
export function quoted(fileName: string, placeholder: string): string {
  if (fileName === "" || !isPlainName(fileName)) return placeholder;
  const path = fileName.startsWith("-") ? `./${fileName}` : fileName;
  return /^[\w.,:@%+=/-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
