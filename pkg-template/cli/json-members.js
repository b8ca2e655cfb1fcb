/**
 * @typedef {object} Member
 * @property {"string" | "number" | "boolean" | "array" | "object" | "any"} type
 * @property {true} [orNull]
 * @property {string} commands
 * @property {string} meaning
 */

/** @param {Member["type"]} type @returns {(commands: string, meaning: string) => Member} */
const of = (type) => (commands, meaning) => ({ type, commands, meaning });
const [string, number, boolean, array, object] = [of("string"), of("number"), of("boolean"), of("array"), of("object")];
const any = of("any");
/** @param {Member} member @returns {Member} */
const orNull = (member) => ({ ...member, orNull: true });

/**
 * The members of what `--json` prints. A member has the same type in all commands. The documentation has this table.
 *
 * @type {Readonly<Record<string, Member>>}
 */
export const JSON_MEMBERS = {
  file: orNull(
    string("all", "The first argument as it was given. `null` only in an error that the command line itself causes."),
  ),
  error: object(
    "all",
    "Why the command has failed or was refused: `code` and `message`, and if they are known `file`, `offset`, `line`, `column`, `status`, `url` and `probablePreTokenizers`.",
  ),
  written: array(
    "set, edit, remove, rename, convert-endian, split, merge, quantize, convert, convert-lora, merge-lora, migrate, export, validate --fix",
    "The paths of the files that were written or changed. Empty if nothing was written, as with --dry-run.",
  ),
  output: orNull(
    string(
      "set, edit, remove, rename, convert-endian, merge, quantize, convert, convert-lora, merge-lora, migrate, export",
      "The path of the new or changed file. `null` if nothing was written.",
    ),
  ),
  size: number(
    "those with output, and validate --fix",
    "The bytes of the new or changed file, or of all new shards, also with --dry-run.",
  ),
  inPlace: boolean("set, edit, remove, rename, convert-endian", "Whether FILE was changed in place, or would be."),
  changes: array(
    "set, edit, remove, rename, convert-endian",
    "The changes: `kind`, and what it is about: `key` or `tensor`, `index`, `from`, `to`, `fromType` and `toType`.",
  ),
  findings: array(
    "set, edit, remove, rename, convert-endian, split, merge, quantize, convert, convert-lora, merge-lora, migrate; template --check; of a set of shards also inspect, memory, export, tokenize, template",
    "What checks found: `severity`, `code`, `message`, and `key`, `tensor`, `shard` or `offset`. Those of `template --check` have `details`, and `line` and `column` if llama.cpp refuses the template. Those of `quantize` about options and tensors have no `code` unless they are errors; those of `migrate` about the migration have a `kind`.",
  ),
  loads: object(
    "split, merge, quantize, convert, convert-lora, merge-lora, migrate, template --check",
    "Whether llama.cpp loads the new file: `answer`, `sentence`, and `reason` if it does not. Of `template`: whether it accepts the chat template.",
  ),
  newFindings: array("set, edit, remove, rename, convert-endian", "The errors and warnings that the change causes."),
  shards: array(
    "inspect, split, quantize --keep-split",
    "The shards. Of `inspect`: `number`, `name`, `fileSize`, `tensorCount` and `error`. Of the others: `output`, `size` and `tensorCount`.",
  ),
  container: string("inspect", "Of a model before GGUF: `ggml`, `ggmf`, `ggjt` or `ggla`."),
  family: string(
    "inspect, migrate",
    "The family: of an image model `flux` and so on, of others the architecture. Left out if the file does not say it.",
  ),
  alternatives: array("inspect, migrate", "Of a model before GGUF: other families that fit. --family chooses one."),
  variant: string(
    "inspect",
    "The variant of an image model, if it is certain: `dev`. Of a model before GGUF: what its header lacks, if other files of the family have it.",
  ),
  blocks: number("inspect", "The number of repeated blocks. Left out if it is not known."),
  blockRules: string("inspect", "Of a model before GGUF: the layouts of quantized blocks, `v1`, `v2` or `v3`."),
  hyperparametersOffset: number("inspect", "Of a model before GGUF: where its hyperparameters begin."),
  vocabulary: object(
    "inspect, convert",
    "Of a model before GGUF: `offset`, `end`, `count`, `countField` and `hasScores` of its vocabulary. Of `convert`: `kind`, `tokenCount`, and `preTokenizer` or `probablePreTokenizers`.",
  ),
  melFilters: object(
    "inspect",
    "Of a Whisper model: `offset`, `melCount`, `fftCount` and `dataOffset` of its filters.",
  ),
  partCount: number("inspect", "Of a model before GGUF: how many files it should have."),
  parts: array(
    "inspect, convert, template --render",
    "The parts of a model that one file has, such as `diffusion` and `vae`; empty for a model without parts. Of a model before GGUF: `size`, `tensorsOffset` and `tensors` of each of its files. Of `convert`: `name`, `size`, `tensorCount` and `byteLength` of each file with tensors. Of `template`: `text` and `isInput` of each part of the text; `isInput` is true for what comes from variables, such as messages.",
  ),
  isMigratable: boolean("inspect", "Of a model before GGUF: whether it can become a model that llama.cpp runs."),
  obstacles: array("inspect", "Of a model before GGUF: why it cannot."),
  questions: array(
    "inspect",
    "Of a model before GGUF: what the file leaves open: `id`, `title`, `reason`, `default`, `choices` and `isClosed`.",
  ),
  answers: array("migrate", "The answers: `id`, `title`, `value` and `isDefault`, and for defaults the `reason`."),
  className: string("convert", "The class of the model in `config.json`."),
  projector: object(
    "convert",
    "The projector that --mmproj makes of the model: `className`, `hasVision` and `hasAudio`. Left out if the model has no encoders of images or sound. With --with-mmproj also `output`, `size`, `type`, `tensors`, `droppedTensors`, `defaultedKeys` and `findings` of its file, and whether it belongs to the model as `fit`: `answer` and `sentence`.",
  ),
  projectorFits: array(
    "memory --beside, compare",
    "If one of the files is a projector: whether it belongs to the model: `model`, `projector`, `answer` and `sentence`.",
  ),
  droppedTensors: array("convert, convert-lora", "The names of the stored tensors that are left out."),
  scale: number("merge-lora", "How much the adapter counts."),
  changedTensors: array("merge-lora", "The names of the tensors that the adapter changes."),
  defaultedKeys: array("convert", "The keys whose values are not in `config.json`: they are defaults of the class."),
  exactness: object(
    "migrate",
    "How the values change: `total` has `values`, `changed`, `maxError` and `lostToOverflow`, and `tensors` the same for each tensor that changes.",
  ),
  shardCount: number("merge", "The number of merged shards."),
  files: array(
    "list, validate",
    "Of `list`: the files of the repository; of a folder `name`, `size`, `kind`, `encoding`, `bitsPerWeight` and `shards`, or `error`. Of `validate`: for each argument `file`, `loads`, `programs` as of `inspect`, `isValid`, `findings` and `error`, with --beside `projectorFits`, and with --fix `fixed` and the members of a change.",
  ),
  kind: string("inspect", "What the file is: `model`, `adapter` and so on; `legacy` for a model before GGUF."),
  programs: array(
    "inspect",
    "Which programs load the file: `program`, `answer`, the option or node that takes it as `how`, and the `reason` if the answer is not `yes`.",
  ),
  name: string(
    "inspect, convert, template",
    "The name of the model, if it has one. Of `convert`: that of the folder or the repository. Of `template`: that of the chat template.",
  ),
  architecture: string("inspect, memory, list, convert", "The architecture of the model, if it is known."),
  fileType: object(
    "inspect",
    "The encoding: its `name`, the `declared` one, those that fit the `tensors`, and the `mainTensorType`, which most bytes of the matrices have.",
  ),
  bitsPerWeight: number("inspect, quantize", "The bits of data for each parameter."),
  estimate: object(
    "quantize --estimate",
    "The errors that conversions would have: `plan` is that of TYPE; `fileTypes` and `tensors` are lists. `estimateError` of the package describes its members.",
  ),
  mix: object(
    "quantize --estimate --largest-file",
    "The types with the least error under the size: `fileType` and `tensorTypes` give them, `types` are those of all tensors; `size` and the errors.",
  ),
  contextLength: number(
    "inspect, memory",
    "The context in tokens: the one the model was trained with, or the one that is estimated.",
  ),
  dataComplete: boolean("inspect", "Whether the file has the data of all tensors. Left out if that is not known."),
  version: number("inspect", "The version of the format."),
  byteOrder: string("inspect", "`little-endian` or `big-endian`."),
  fileSize: number("inspect", "The bytes of the file, or of all shards. Left out if it is not known."),
  headerSize: number("inspect", "The bytes of the header."),
  dataOffset: number("inspect", "Where the data of the tensors begins."),
  alignment: number("inspect", "The alignment of the data in bytes."),
  specialTokens: array("inspect", "The tokens with a special role: `role`, `id`, `text` and `key`."),
  parameterCount: number("inspect, list", "The number of parameters."),
  metadata: array(
    "inspect",
    "The entries: `key`, `type`, `value`, `offset` and `byteLength`. With several --key: `key`, `type` and `value` of these.",
  ),
  tensors: array(
    "inspect, hash, compare, quantize, convert, convert-lora, merge-lora, migrate",
    "The tensors, their hashes, or their differences. Of `quantize`: `name`, `oldType`, `newType`, `reason`, `newByteLength`, and if they apply `fallbackFrom`, `problem` and others. Of `convert`: `name`, `storedName`, `dimensions`, `type` and `byteLength`; with a type of `quantize` as there. Of `merge-lora`: `name`, `dimensions`, `oldType`, `newType`, `byteLength` and `adapters`.",
  ),
  key: string("inspect with one --key, template", "The key."),
  type: string(
    "inspect with one --key, quantize, convert, convert-lora",
    "The type of the value. Of `quantize`: the file type, or `COPY`. Of `convert`: the file type, for `auto` the one that was chosen.",
  ),
  value: any("inspect with one --key", "The value."),
  id: string("list", "The repository: `owner/name`."),
  revision: string("list", "The branch, tag or commit."),
  folder: string("list", "The folder that is listed."),
  url: string("list", "The page of the repository."),
  isGated: boolean("list", "Whether its conditions must be accepted."),
  fit: any("memory --fit", "The bytes that the GPU may need; an array for several GPUs."),
  largestContext: orNull(
    number(
      "memory --fit",
      "The longest context that fits with the first of `choices`. `null` if nothing fits on a GPU.",
    ),
  ),
  choices: array(
    "memory --fit",
    "The best placement for each type of the cache that fits, the best one of all first: `gpuLayers`, `cpuExperts`, `tensorSplit` for several GPUs, `keyType`, `valueType`, `contextLength`, `longestContext`, `devices` and others.",
  ),
  missingBytes: number(
    "memory --fit",
    "The bytes that are missing on all devices together. Left out if something fits, or if it is not known.",
  ),
  command: string(
    "memory --fit",
    "The command of llama-server for the first of `choices`. Left out if nothing fits, or if FILE is no model.",
  ),
  trainedContextLength: number(
    "memory",
    "The context with which the model was trained, in tokens. Left out if the file does not state it.",
  ),
  weights: object("memory", "The bytes of the weights."),
  caches: array("memory", "The caches of keys and values."),
  state: object("memory", "The state of recurrent layers."),
  outputBytes: number("memory", "The bytes of the results."),
  compute: object("memory", "The bytes of intermediate values: `low` and `high`."),
  bytesPerToken: array(
    "memory",
    "The bytes that are read for each token when the context is full, in the order of `devices`.",
  ),
  tokensPerSecond: number(
    "memory --bandwidth",
    "The most tokens in a second when the context is full. Left out if it is not known.",
  ),
  devices: array(
    "memory",
    "The parts that lie on the GPU, or on each of several, and on the CPU, which is the last one. Parts that are not known are left out, and then the `total`, too.",
  ),
  together: object("memory", "All of `devices` as one, for one memory."),
  formulas: array("memory", "How the figures were computed."),
  notes: array(
    "memory, template --render",
    "What else to know about the estimate. Of `template`: what llama-server changes in the conversation and in the text: `code` and `message`.",
  ),
  count: number("tokenize, template --tokens", "The number of tokens."),
  ids: array("tokenize, template --tokens", "The ids of the tokens."),
  tokens: array("tokenize, template --tokens", "For each token `id`, `token` and `text`."),
  text: string(
    "tokenize --decode, template",
    "The text of the tokens. Of `template`: the template, or the rendered conversation.",
  ),
  isValid: boolean("template --check", "Whether the template has no error, and with --strict no warning."),
  capabilities: object(
    "template --check",
    "What the template takes, as llama-server finds out: members of `chatTemplateCapabilities` of the package. Left out if llama.cpp refuses the template.",
  ),
  templates: array(
    "template --list",
    "The chat templates: `name`, `key`, and the `length` of the text in UTF-16 units.",
  ),
  data: object("hash", "The hashes of the data of all tensors, by their algorithms."),
  fileSha256: string("hash --file", "The SHA-256 of the whole file."),
  manifest: string("hash --check", "The path of the manifest."),
  algorithm: string("hash --check", "The algorithm that was compared."),
  result: string("hash --check", "`match`, `mismatch` or `nothing-found`."),
  lines: array("hash --check", "The lines of the manifest: `tensor`, `expected`, `actual` and `result`."),
  unlisted: array("hash --check", "The names of tensors that the manifest does not have."),
  a: string("compare", "The first model as it was given."),
  b: string("compare", "The second model as it was given."),
  isEqual: boolean("compare", "Whether no difference was found."),
  dataCoverage: string("compare", "How much of the data was compared: `whole`, `sampled` or `none`."),
  summary: string("compare", "The differences in words."),
  format: array("compare", "The differences of version, byte order and alignment."),
  counts: object("compare", "How many entries and tensors have which difference."),
  entries: array("compare", "The differences of the metadata."),
};
