/** The models that the start page offers: repositories that llama.cpp's own documentation and examples name. They need no access token. */

export interface FirstModel {
  readonly name: string;
  /** The repository on Hugging Face. */
  readonly place: string;
}

export const FIRST_MODELS: readonly FirstModel[] = [
  { name: "gpt-oss 20B", place: "ggml-org/gpt-oss-20b-GGUF" },
  { name: "Gemma 3 4B", place: "ggml-org/gemma-3-4b-it-GGUF" },
  { name: "Qwen3 8B", place: "ggml-org/Qwen3-8B-GGUF" },
];
