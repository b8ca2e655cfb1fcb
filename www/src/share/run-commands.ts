/** The commands that run a model in the programs that most people use. */

import { isPlainName, modelWords, quoted, serverSettings, settingWords } from "../memory/command.ts";
import type { MemoryState } from "../memory/memory-state.ts";
import type { ModelFacts } from "../memory/settings.ts";

/** Where a program finds the model. */
export interface ModelPlace {
  /** The name of the file, or of the first shard. */
  readonly fileName: string;
  /** The repository on Hugging Face, and the path of the file in it. Undefined for files elsewhere. */
  readonly hub: { readonly id: string; readonly path: string } | undefined;
  /** An address that other people can use. Undefined for local files, and for addresses that give access to a file. */
  readonly address: string | undefined;
  /** Whether the model has several files. */
  readonly hasShards: boolean;
  /** The quantization that the file declares: `Q4_K_M`. */
  readonly quantization: string | undefined;
}

export interface RunCommand {
  readonly program: string;
  /** What a person must know before using it; "" for nothing. */
  readonly about: string;
  readonly command: string;
}

/** The commands. A program that cannot run the model has none. */
export function runCommands(place: ModelPlace, state: MemoryState, facts: ModelFacts): RunCommand[] {
  const context = state.context ?? facts.ownContext;
  const isLocal = (place.hub ?? place.address) === undefined;
  const source = sourceWords(place);
  const commands: RunCommand[] = [
    {
      program: "llama-server",
      about: isLocal ? inFolder(false) : "It loads the file from its address.",
      command: ["llama-server", ...source, ...serverSettings(state, facts)].join(" "),
    },
    {
      program: "llama-cli",
      about: isLocal ? inFolder(false) : "",
      command: ["llama-cli", ...source, ...settingWords(state, facts)].join(" "),
    },
  ];
  const ollama = ollamaCommand(place, context);
  if (ollama !== undefined) commands.push({ program: "Ollama", ...ollama });
  const lmStudio = lmStudioCommand(place);
  if (lmStudio !== undefined) commands.push({ program: "LM Studio", ...lmStudio });
  return commands;
}

function sourceWords({ hub, address, fileName }: ModelPlace): string[] {
  if (hub) return ["-hf", hub.id, "--hf-file", quoted(hub.path, "model.gguf")];
  return address === undefined ? modelWords(fileName) : ["-mu", quoted(address, "https://example.com/model.gguf")];
}

/** Where a command is typed that needs the file. */
function inFolder(isElsewhere: boolean): string {
  return isElsewhere ? "Download the file, and type this in its folder." : "Type this in the folder of the file.";
}

/** Ollama reads no shards. From Hugging Face, it loads files of the first folder of a repository. */
function ollamaCommand(
  { hub, address, hasShards, fileName }: ModelPlace,
  context: number | undefined,
): Omit<RunCommand, "program"> | undefined {
  if (hasShards) return undefined;
  if (hub && !hub.path.includes("/"))
    return {
      about: context === undefined ? "" : `Type /set parameter num_ctx ${context} for this context.`,
      command: `ollama run ${quoted(`hf.co/${hub.id}:${hub.path}`, "hf.co/owner/name")}`,
    };
  if (!isPlainName(fileName) || /["']/.test(fileName)) return undefined;
  const name = ollamaName(fileName);
  const lines = [`FROM ./${fileName}`, ...(context === undefined ? [] : [`PARAMETER num_ctx ${context}`])];
  const isElsewhere = (hub ?? address) !== undefined;
  const write = `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} > Modelfile`;
  return {
    about: `${inFolder(isElsewhere)} Writes a file Modelfile there.`,
    command: `${write} && ollama create ${name} -f Modelfile && ollama run ${name}`,
  };
}

/** A name that Ollama accepts: small letters, digits, dots and hyphens. */
function ollamaName(fileName: string): string {
  const name = fileName
    .replace(/\.gguf$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return name.slice(0, 60) || "model";
}

function lmStudioCommand({
  hub,
  address,
  quantization,
  fileName,
  hasShards,
}: ModelPlace): Omit<RunCommand, "program"> | undefined {
  if (hub) {
    const chosen = quantization !== undefined && /^\w+$/.test(quantization) ? `@${quantization.toLowerCase()}` : "";
    return { about: "", command: `lms get ${hub.id}${chosen}` };
  }
  if (hasShards) return undefined;
  return {
    about: `${inFolder(address !== undefined)} It moves the file.`,
    command: `lms import ${quoted(fileName, "model.gguf")}`,
  };
}
