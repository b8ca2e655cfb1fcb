/**
 * The members of what `--json` prints. A member has the same type in all commands. The documentation has this table.
 *
 * @type {Readonly<Record<string, { readonly type: "string" | "number" | "boolean" | "array" | "object" | "any", readonly orNull?: true, readonly commands: string, readonly meaning: string }>>}
 */
export const JSON_MEMBERS = {
  file: {
    type: "string",
    orNull: true,
    commands: "all",
    meaning: "The first argument as it was given. `null` only in an error that the command line itself causes.",
  },
  error: {
    type: "object",
    commands: "all",
    meaning:
      "Why the command has failed or was refused: `code` and `message`, and if they are known `file`, `offset`, `status`, `url` and `probablePreTokenizers`.",
  },
  written: {
    type: "array",
    commands:
      "set, edit, remove, rename, convert-endian, split, merge, quantize, convert, convert-lora, merge-lora, migrate, export, validate --fix",
    meaning: "The paths of the files that were written or changed. Empty if nothing was written, as with --dry-run.",
  },
  output: {
    type: "string",
    orNull: true,
    commands:
      "set, edit, remove, rename, convert-endian, merge, quantize, convert, convert-lora, merge-lora, migrate, export",
    meaning: "The path of the new or changed file. `null` if nothing was written.",
  },
  size: {
    type: "number",
    commands: "those with output, and validate --fix",
    meaning: "The bytes of the new or changed file, or of all new shards, also with --dry-run.",
  },
  inPlace: {
    type: "boolean",
    commands: "set, edit, remove, rename, convert-endian",
    meaning: "Whether FILE was changed in place, or would be.",
  },
  changes: {
    type: "array",
    commands: "set, edit, remove, rename, convert-endian",
    meaning:
      "The changes: `kind`, and what it is about: `key` or `tensor`, `index`, `from`, `to`, `fromType` and `toType`.",
  },
  findings: {
    type: "array",
    commands:
      "set, edit, remove, rename, convert-endian, split, merge, quantize, convert, convert-lora, merge-lora, migrate; of a set of shards also inspect, memory, export, tokenize",
    meaning:
      "What checks found: `severity`, `code`, `message`, and `key`, `tensor`, `shard` or `offset`. Those of `quantize` about options and tensors have no `code` unless they are errors; those of `migrate` about the migration have a `kind`.",
  },
  loads: {
    type: "object",
    commands: "split, merge, quantize, convert, convert-lora, merge-lora, migrate",
    meaning: "Whether llama.cpp loads the new file: `answer`, `sentence`, and `reason` if it does not.",
  },
  newFindings: {
    type: "array",
    commands: "set, edit, remove, rename, convert-endian",
    meaning: "The errors and warnings that the change causes.",
  },
  shards: {
    type: "array",
    commands: "inspect, split, quantize --keep-split",
    meaning:
      "The shards. Of `inspect`: `number`, `name`, `fileSize`, `tensorCount` and `error`. Of the others: `output`, `size` and `tensorCount`.",
  },
  container: {
    type: "string",
    commands: "inspect",
    meaning: "Of a model before GGUF: `ggml`, `ggmf`, `ggjt` or `ggla`.",
  },
  family: {
    type: "string",
    commands: "inspect, migrate",
    meaning: "Of a model before GGUF: its family, such as `llama`.",
  },
  alternatives: {
    type: "array",
    commands: "inspect, migrate",
    meaning: "Of a model before GGUF: other families that fit. --family chooses one.",
  },
  variant: {
    type: "string",
    commands: "inspect",
    meaning: "Of a model before GGUF: what its header lacks, if other files of the family have it.",
  },
  blockRules: {
    type: "string",
    commands: "inspect",
    meaning: "Of a model before GGUF: the layouts of quantized blocks, `v1`, `v2` or `v3`.",
  },
  hyperparametersOffset: {
    type: "number",
    commands: "inspect",
    meaning: "Of a model before GGUF: where its hyperparameters begin.",
  },
  vocabulary: {
    type: "object",
    commands: "inspect, convert",
    meaning:
      "Of a model before GGUF: `offset`, `end`, `count`, `countField` and `hasScores` of its vocabulary. Of `convert`: `kind`, `tokenCount`, and `preTokenizer` or `probablePreTokenizers`.",
  },
  melFilters: {
    type: "object",
    commands: "inspect",
    meaning: "Of a Whisper model: `offset`, `melCount`, `fftCount` and `dataOffset` of its filters.",
  },
  partCount: {
    type: "number",
    commands: "inspect",
    meaning: "Of a model before GGUF: how many files it should have.",
  },
  parts: {
    type: "array",
    commands: "inspect, convert",
    meaning:
      "Of a model before GGUF: `size`, `tensorsOffset` and `tensors` of each of its files. Of `convert`: `name`, `size`, `tensorCount` and `byteLength` of each file with tensors.",
  },
  isMigratable: {
    type: "boolean",
    commands: "inspect",
    meaning: "Of a model before GGUF: whether it can become a model that llama.cpp runs.",
  },
  obstacles: { type: "array", commands: "inspect", meaning: "Of a model before GGUF: why it cannot." },
  questions: {
    type: "array",
    commands: "inspect",
    meaning:
      "Of a model before GGUF: what the file leaves open: `id`, `title`, `reason`, `default`, `choices` and `isClosed`.",
  },
  answers: {
    type: "array",
    commands: "migrate",
    meaning: "The answers: `id`, `title`, `value` and `isDefault`, and for defaults the `reason`.",
  },
  className: {
    type: "string",
    commands: "convert",
    meaning: "The class of the model in `config.json`.",
  },
  droppedTensors: {
    type: "array",
    commands: "convert, convert-lora",
    meaning: "The names of the stored tensors that are left out.",
  },
  scale: { type: "number", commands: "merge-lora", meaning: "How much the adapter counts." },
  changedTensors: {
    type: "array",
    commands: "merge-lora",
    meaning: "The names of the tensors that the adapter changes.",
  },
  defaultedKeys: {
    type: "array",
    commands: "convert",
    meaning: "The keys whose values are not in `config.json`: they are defaults of the class.",
  },
  exactness: {
    type: "object",
    commands: "migrate",
    meaning:
      "How the values change: `total` has `values`, `changed`, `maxError` and `lostToOverflow`, and `tensors` the same for each tensor that changes.",
  },
  shardCount: { type: "number", commands: "merge", meaning: "The number of merged shards." },
  files: {
    type: "array",
    commands: "list, validate",
    meaning:
      "Of `list`: the files of the repository; of a folder `name`, `size`, `kind`, `encoding`, `bitsPerWeight` and `shards`, or `error`. Of `validate`: for each argument `file`, `loads`, `isValid`, `findings` and `error`, and with --fix `fixed` and the members of a change.",
  },
  kind: {
    type: "string",
    commands: "inspect",
    meaning: "What the file is: `model`, `adapter` and so on; `legacy` for a model before GGUF.",
  },
  name: {
    type: "string",
    commands: "inspect, convert",
    meaning: "The name of the model, if it has one. Of `convert`: that of the folder or the repository.",
  },
  architecture: {
    type: "string",
    commands: "inspect, memory, list, convert",
    meaning: "The architecture of the model, if it is known.",
  },
  fileType: {
    type: "object",
    commands: "inspect",
    meaning:
      "The encoding: its `name`, the `declared` one, those that fit the `tensors`, and the `mainTensorType`, which most bytes of the matrices have.",
  },
  bitsPerWeight: { type: "number", commands: "inspect, quantize", meaning: "The bits of data for each parameter." },
  contextLength: {
    type: "number",
    commands: "inspect, memory",
    meaning: "The context in tokens: the one the model was trained with, or the one that is estimated.",
  },
  dataComplete: {
    type: "boolean",
    commands: "inspect",
    meaning: "Whether the file has the data of all tensors. Left out if that is not known.",
  },
  version: { type: "number", commands: "inspect", meaning: "The version of the format." },
  byteOrder: { type: "string", commands: "inspect", meaning: "`little-endian` or `big-endian`." },
  fileSize: {
    type: "number",
    commands: "inspect",
    meaning: "The bytes of the file, or of all shards. Left out if it is not known.",
  },
  headerSize: { type: "number", commands: "inspect", meaning: "The bytes of the header." },
  dataOffset: { type: "number", commands: "inspect", meaning: "Where the data of the tensors begins." },
  alignment: { type: "number", commands: "inspect", meaning: "The alignment of the data in bytes." },
  specialTokens: {
    type: "array",
    commands: "inspect",
    meaning: "The tokens with a special role: `role`, `id`, `text` and `key`.",
  },
  parameterCount: { type: "number", commands: "inspect, list", meaning: "The number of parameters." },
  metadata: {
    type: "array",
    commands: "inspect",
    meaning:
      "The entries: `key`, `type`, `value`, `offset` and `byteLength`. With several --key: `key`, `type` and `value` of these.",
  },
  tensors: {
    type: "array",
    commands: "inspect, hash, compare, quantize, convert, convert-lora, merge-lora, migrate",
    meaning:
      "The tensors, their hashes, or their differences. Of `quantize`: `name`, `oldType`, `newType`, `reason`, `newByteLength`, and if they apply `fallbackFrom`, `problem` and others. Of `convert`: `name`, `storedName`, `dimensions`, `type` and `byteLength`; with a type of `quantize` as there. Of `merge-lora`: `name`, `dimensions`, `oldType`, `newType`, `byteLength` and `adapters`.",
  },
  key: { type: "string", commands: "inspect with one --key", meaning: "The key." },
  type: {
    type: "string",
    commands: "inspect with one --key, quantize, convert, convert-lora",
    meaning:
      "The type of the value. Of `quantize`: the file type, or `COPY`. Of `convert`: the file type, for `auto` the one that was chosen.",
  },
  value: { type: "any", commands: "inspect with one --key", meaning: "The value." },
  id: { type: "string", commands: "list", meaning: "The repository: `owner/name`." },
  revision: { type: "string", commands: "list", meaning: "The branch, tag or commit." },
  folder: { type: "string", commands: "list", meaning: "The folder that is listed." },
  url: { type: "string", commands: "list", meaning: "The page of the repository." },
  isGated: { type: "boolean", commands: "list", meaning: "Whether its conditions must be accepted." },
  fit: {
    type: "any",
    commands: "memory --fit",
    meaning: "The bytes that the GPU may need; an array for several GPUs.",
  },
  largestContext: {
    type: "number",
    orNull: true,
    commands: "memory --fit",
    meaning: "The longest context that fits with the first of `choices`. `null` if nothing fits on a GPU.",
  },
  choices: {
    type: "array",
    commands: "memory --fit",
    meaning:
      "The best placement for each type of the cache that fits, the best one of all first: `gpuLayers`, `cpuExperts`, `tensorSplit` for several GPUs, `keyType`, `valueType`, `contextLength`, `longestContext`, `devices` and others.",
  },
  missingBytes: {
    type: "number",
    commands: "memory --fit",
    meaning: "The bytes that are missing on all devices together. Left out if something fits, or if it is not known.",
  },
  command: {
    type: "string",
    commands: "memory --fit",
    meaning:
      "The command of llama-server for the first of `choices`. Left out if nothing fits, or if FILE is no model.",
  },
  trainedContextLength: {
    type: "number",
    commands: "memory",
    meaning: "The context with which the model was trained, in tokens. Left out if the file does not state it.",
  },
  weights: { type: "object", commands: "memory", meaning: "The bytes of the weights." },
  caches: { type: "array", commands: "memory", meaning: "The caches of keys and values." },
  state: { type: "object", commands: "memory", meaning: "The state of recurrent layers." },
  outputBytes: { type: "number", commands: "memory", meaning: "The bytes of the results." },
  compute: { type: "object", commands: "memory", meaning: "The bytes of intermediate values: `low` and `high`." },
  bytesPerToken: {
    type: "array",
    commands: "memory",
    meaning: "The bytes that are read for each token when the context is full, in the order of `devices`.",
  },
  tokensPerSecond: {
    type: "number",
    commands: "memory --bandwidth",
    meaning: "The most tokens in a second when the context is full. Left out if it is not known.",
  },
  devices: {
    type: "array",
    commands: "memory",
    meaning:
      "The parts that lie on the GPU, or on each of several, and on the CPU, which is the last one. Parts that are not known are left out, and then the `total`, too.",
  },
  together: { type: "object", commands: "memory", meaning: "All of `devices` as one, for one memory." },
  formulas: { type: "array", commands: "memory", meaning: "How the figures were computed." },
  notes: { type: "array", commands: "memory", meaning: "What else to know about the estimate." },
  count: { type: "number", commands: "tokenize", meaning: "The number of tokens." },
  ids: { type: "array", commands: "tokenize", meaning: "The ids of the tokens." },
  tokens: { type: "array", commands: "tokenize", meaning: "For each token `id`, `token` and `text`." },
  text: { type: "string", commands: "tokenize --decode", meaning: "The text of the tokens." },
  data: { type: "object", commands: "hash", meaning: "The hashes of the data of all tensors, by their algorithms." },
  fileSha256: { type: "string", commands: "hash --file", meaning: "The SHA-256 of the whole file." },
  manifest: { type: "string", commands: "hash --check", meaning: "The path of the manifest." },
  algorithm: { type: "string", commands: "hash --check", meaning: "The algorithm that was compared." },
  result: { type: "string", commands: "hash --check", meaning: "`match`, `mismatch` or `nothing-found`." },
  lines: {
    type: "array",
    commands: "hash --check",
    meaning: "The lines of the manifest: `tensor`, `expected`, `actual` and `result`.",
  },
  unlisted: {
    type: "array",
    commands: "hash --check",
    meaning: "The names of tensors that the manifest does not have.",
  },
  a: { type: "string", commands: "compare", meaning: "The first model as it was given." },
  b: { type: "string", commands: "compare", meaning: "The second model as it was given." },
  isEqual: { type: "boolean", commands: "compare", meaning: "Whether no difference was found." },
  dataCoverage: {
    type: "string",
    commands: "compare",
    meaning: "How much of the data was compared: `whole`, `sampled` or `none`.",
  },
  summary: { type: "string", commands: "compare", meaning: "The differences in words." },
  format: { type: "array", commands: "compare", meaning: "The differences of version, byte order and alignment." },
  counts: { type: "object", commands: "compare", meaning: "How many entries and tensors have which difference." },
  entries: { type: "array", commands: "compare", meaning: "The differences of the metadata." },
};
