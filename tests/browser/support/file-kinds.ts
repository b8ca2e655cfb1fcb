// Files that are no complete models, as llama.cpp's tools write them.

import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

type Entries = Parameters<typeof ggufBytes>[0];

/** A tensor of F32 elements. */
const tensor = (name: string, ...dimensions: number[]) => ({
  name,
  dimensions,
  type: 0,
  bytes: 4 * dimensions.reduce((product, extent) => product * extent, 1),
});

const strings = (...texts: string[]) => ({
  type: "strings" as const,
  count: texts.length,
  at: (index: number) => texts[index] ?? "",
});
const yes = { type: "bool", value: true } as const;

/** An importance matrix, as llama-imatrix writes it. */
export const imatrix = (...datasets: string[]) =>
  ggufBytes(
    [
      ["general.architecture", text("imatrix")],
      ["general.type", text("imatrix")],
      ["imatrix.datasets", strings(...datasets)],
      ["imatrix.chunk_count", uint32(1250)],
      ["imatrix.chunk_size", uint32(512)],
    ],
    ["attn_q", "attn_k", "ffn_up"].flatMap((part) => [
      tensor(`blk.0.${part}.weight.in_sum2`, 256, 1),
      tensor(`blk.0.${part}.weight.counts`, 1, 1),
    ]),
  );

/** A LoRA adapter, as `convert_lora_to_gguf.py` writes it. */
export const loraAdapter = () =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.type", text("adapter")],
      ["adapter.type", text("lora")],
      ["general.name", text("Tiny Stories LoRA")],
      ["general.base_model.count", uint32(1)],
      ["general.base_model.0.name", text("Tiny Llama 1.1B")],
      ["general.base_model.0.repo_url", text("https://huggingface.co/example/tiny-llama-1.1b")],
      ["adapter.lora.alpha", { type: "float32", value: 32.5 }],
      ["general.file_type", uint32(0)],
      ["general.quantization_version", uint32(2)],
    ],
    ["attn_q", "attn_v"].flatMap((part) => [
      tensor(`blk.0.${part}.weight.lora_a`, 64, 8),
      tensor(`blk.0.${part}.weight.lora_b`, 8, 64),
    ]),
  );

/** The entries of a shard. `number` begins at 1. */
const split = (number: number): Entries => [
  ["split.no", { type: "uint16", value: number - 1 }],
  ["split.count", { type: "uint16", value: 3 }],
  ["split.tensors.count", { type: "int32", value: 1021 }],
];

/** The second of three shards, as llama-gguf-split writes it: without the entries of the model. */
export const secondShard = () =>
  ggufBytes(split(2), [tensor("blk.5.attn_q.weight", 64, 64), tensor("blk.5.attn_k.weight", 64, 64)]);

/** The first of three shards. It has the entries of the model. */
export const firstShard = () =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.type", text("model")],
      ["general.name", text("Tiny Llama")],
      ["llama.block_count", uint32(2)],
      ...split(1),
    ],
    [tensor("token_embd.weight", 64, 100)],
  );

/** A multimodal projector for images and sound, as `convert_hf_to_gguf.py --mmproj` writes it. */
export const projector = () =>
  ggufBytes(
    [
      ["general.architecture", text("clip")],
      ["general.type", text("mmproj")],
      ["general.name", text("Tiny Omni")],
      ["general.file_type", uint32(0)],
      ["clip.has_vision_encoder", yes],
      ["clip.vision.projector_type", text("qwen2.5vl_merger")],
      ["clip.vision.image_size", uint32(560)],
      ["clip.vision.patch_size", uint32(14)],
      ["clip.vision.block_count", uint32(32)],
      ["clip.has_audio_encoder", yes],
      ["clip.audio.projector_type", text("qwen2a")],
      ["clip.audio.block_count", uint32(24)],
    ],
    [tensor("v.patch_embd.weight", 14, 14, 3, 32), tensor("a.conv1d.1.weight", 3, 128, 32)],
  );

/** A projector for images whose embeddings have a length, and which belongs to models of every architecture. */
export const imageProjector = (length: number) =>
  ggufBytes(
    [
      ["general.architecture", text("clip")],
      ["general.type", text("mmproj")],
      ["clip.has_vision_encoder", yes],
      ["clip.projector_type", text("internvl")],
    ],
    [tensor("v.patch_embd.weight", 14, 14, 3, 32), tensor("mm.model.mlp.3.weight", 32, length)],
  );

/** A tokenizer without a model. */
export const vocabulary = () =>
  ggufBytes([
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.tokens", strings("a", "b", "ab")],
  ]);

/** A model of flux. With `isReshaped`, a tensor is stored as rows of 256 elements, as ComfyUI-GGUF stores some. */
export const fluxModel = ({ isReshaped = false } = {}) =>
  ggufBytes(
    [["general.architecture", text("flux")], ...(isReshaped ? [ORIGINAL_SHAPE] : [])],
    [
      tensor("img_in.weight", 256, 1),
      tensor("double_blocks.0.img_attn.proj.weight", 64, 64),
      tensor("double_blocks.1.img_attn.proj.weight", 64, 64),
      tensor("guidance_in.in_layer.weight", 64, 64),
    ],
  );

const ORIGINAL_SHAPE: Entries[number] = [
  "comfy.gguf.orig_shape.img_in.weight",
  { type: "int32s", count: 4, at: (index) => [8, 8, 2, 2][index] ?? 0 },
];

/** A text-to-speech model of TTS.cpp, which llama.cpp does not load. */
export const speechModel = () =>
  ggufBytes(
    [["general.architecture", text("parler-tts")]],
    [tensor("decoder.layers.0.self_attn.q_proj.weight", 64, 64), tensor("t5encoder.blk.0.attn_q.weight", 64, 64)],
  );
