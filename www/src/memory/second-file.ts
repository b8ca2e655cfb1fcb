/** A file that llama.cpp loads beside the model: a projector, an adapter, or a smaller model that drafts tokens. */

import type { FileKind, Gguf, MemoryDevice, MemoryEstimate, MemoryOptions } from "gguf-wasm/explain";
import { formatRange, unknownParts } from "./devices.ts";

/** What a second file is for, and the option of llama-server that names it. */
export const ROLES = {
  projector: { title: "Projector", option: "--mmproj" },
  adapter: { title: "Adapter", option: "--lora" },
  draft: { title: "Draft model", option: "-md" },
} as const;

export type Role = keyof typeof ROLES;

/** An open second file. */
export interface SecondFile {
  readonly name: string;
  /** Undefined for a local file. */
  readonly address: string | undefined;
  readonly gguf: Gguf;
  readonly role: Role;
  /** The number of its layers. 0 if it has none. */
  readonly layerCount: number;
}

/** A file as a second file. Undefined if llama.cpp does not load such a file beside a model. */
export function secondFile(gguf: Gguf, name: string, address: string | undefined): SecondFile | undefined {
  const role = roleOf(gguf);
  return role && { name, address, gguf, role, layerCount: gguf.memory().weights?.layerBytes.length ?? 0 };
}

/** The roles of the kinds of files. */
const ROLES_OF_KINDS: Partial<Record<FileKind, Role>> = {
  mmproj: "projector",
  adapter: "adapter",
  model: "draft",
  draft: "draft",
};

function roleOf({ classification, kind }: Gguf): Role | undefined {
  return classification.shard ? undefined : ROLES_OF_KINDS[kind];
}

/**
 * The memory of a second file that is loaded with the settings of the model. llama-server gives a draft model the same context, but chooses
 * its layers on the GPU and the types of its cache by itself: here, all layers are on the GPU, and the types are F16. The compute buffer of
 * a projector or an adapter is not known. It is left out, as `secondText` says, so that the sum with the model is known.
 */
export function secondEstimate({ gguf, role }: SecondFile, settings: MemoryOptions): MemoryEstimate {
  // llama.cpp puts each tensor of an adapter on the device of the tensor that it changes. They are counted on the GPU, unless all tensors
  // of the model are on the CPU.
  if (role === "adapter" && settings.gpuLayers === 0) return withoutCompute(gguf.memory({ gpuLayers: 0 }));
  if (role !== "draft") return withoutCompute(gguf.memory());
  const draft = { ...settings };
  for (const own of ["keyType", "valueType", "gpuLayers", "cpuExperts"] as const) delete draft[own];
  return gguf.memory(draft);
}

function withoutCompute(estimate: MemoryEstimate): MemoryEstimate {
  const [gpu, cpu] = estimate.devices;
  const without = (device: MemoryDevice) => ({ ...device, compute: { low: 0, high: 0 } });
  return { ...estimate, devices: [without(gpu), without(cpu)] };
}

/** What a second file adds to the memory, in a sentence. */
export function secondText(second: SecondFile, estimate: MemoryEstimate): string {
  const {
    devices: [gpu, cpu],
  } = estimate;
  const { role } = second;
  const atLeast = unknownParts(estimate).length > 0 ? "at least " : "";
  const parts = [gpu, cpu].flatMap(({ name, known }) =>
    known.high === 0 ? [] : [`${formatRange(known)} on the ${name}`],
  );
  const sentence = parts.length === 0 ? "Adds no memory." : `Adds ${atLeast}${parts.join(" and ")}.`;
  if (role === "projector") return `${sentence} What it takes while it reads an image or a sound is not counted.`;
  return role === "draft" ? `${sentence} All its layers are on the GPU, and its keys and values are F16.` : sentence;
}
