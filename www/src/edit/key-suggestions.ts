/** Suggestions for the key of a new entry: usual keys that the file does not have, and the sections of its keys. */
export function keySuggestions(keys: readonly string[], architecture: string | undefined): string[] {
  const known = [
    ...USUAL_KEYS,
    ...(architecture === undefined ? [] : OF_ARCHITECTURE.map((key) => `${architecture}.${key}`)),
  ];
  const taken = new Set(keys);
  const sections = new Set<string>();
  for (const key of keys) {
    const dot = key.lastIndexOf(".");
    if (dot > 0 && key.length < 200) sections.add(key.slice(0, dot + 1));
  }
  return [...known.filter((key) => !taken.has(key)), ...sections];
}

// The keys of the GGUF specification that people add by hand.
const USUAL_KEYS = [
  "general.name",
  "general.author",
  "general.description",
  "general.license",
  "general.license.link",
  "general.url",
  "general.source.url",
  "general.version",
  "general.organization",
  "general.basename",
  "general.finetune",
  "general.size_label",
  "general.quantized_by",
  "general.tags",
  "general.languages",
  "tokenizer.chat_template",
  "tokenizer.ggml.add_bos_token",
  "tokenizer.ggml.add_eos_token",
  "tokenizer.ggml.add_space_prefix",
  "tokenizer.ggml.bos_token_id",
  "tokenizer.ggml.eos_token_id",
  "tokenizer.ggml.eot_token_id",
  "tokenizer.ggml.eom_token_id",
  "tokenizer.ggml.padding_token_id",
  "tokenizer.ggml.unknown_token_id",
  "tokenizer.ggml.pre",
];

const OF_ARCHITECTURE = [
  "context_length",
  "rope.freq_base",
  "rope.dimension_count",
  "rope.scaling.type",
  "rope.scaling.factor",
  "rope.scaling.original_context_length",
  "attention.sliding_window",
  "expert_used_count",
];
