import type { LegacyFamily } from "gguf-wasm/convert";

const TITLES: Readonly<Record<LegacyFamily, string>> = {
  llama: "LLaMA",
  bloom: "BLOOM",
  falcon: "Falcon",
  gpt2: "GPT-2",
  starcoder: "StarCoder",
  gptj: "GPT-J",
  gptneox: "GPT-NeoX",
  "dolly-v2": "Dolly 2",
  stablelm: "StableLM",
  redpajama: "RedPajama",
  mpt: "MPT",
  replit: "Replit",
  whisper: "Whisper",
  sam: "Segment Anything",
  rwkv: "RWKV 4",
  lora: "LoRA adapter",
};

/** The name that people use for a family. */
export const familyTitle = (family: LegacyFamily) => TITLES[family];
