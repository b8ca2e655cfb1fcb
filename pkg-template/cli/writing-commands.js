// The commands that write a model to new files.

import { PROJECTOR_TYPES } from "../common/projectors.js";
import { BEFORE_GGUF, COMMON, NEW_FILES, REQUESTS, SHARDS, SINGLE_FILE } from "./command-options.js";

/** @import { Option } from "./arguments.js" */
/** @import { Command } from "./command-options.js" */

/** @type {Readonly<Record<string, Option>>} */
const PARTS = {
  ...NEW_FILES,
  force: { short: "f", description: "Overwrites OUT, and without --resume also OUT.part." },
};

/** Options of commands that continue their part. @type {Readonly<Record<string, Option>>} */
const RESUMABLE = {
  resume: {
    description: "Continues OUT.part. It must be of the same files and options. Without OUT.part, begins anew.",
  },
  ...PARTS,
};

/** @type {Readonly<Record<string, Option>>} */
const THREADS = {
  threads: {
    value: "N",
    short: "t",
    description:
      "For types of `quantize`: the number of worker threads. Default: the processors of the machine, at most 8. With 0, there are none.",
  },
};

/** What becomes of OUT while a command writes it, and after it ends early. */
const PART_FILE =
  "OUT appears when it is complete. Until then the work is in OUT.part, and OUT.part.record says what it is made from. Ctrl-C removes " +
  "both. A failure leaves them, and --resume continues, if the files that are read, the options and the version of gguf-wasm are the same: " +
  "otherwise it is refused, and the exit code is 1. Files up to 32 MiB are compared whole; of larger ones the size, the time and samples; " +
  "of those of a server the size, the first bytes, and its ETag or date.";

/** @type {Readonly<Record<string, Command>>} */
export const WRITING_COMMANDS = {
  split: {
    summary: "Splits a file into shards, as llama.cpp's gguf-split does.",
    details: [
      "Writes PREFIX-00001-of-00003.gguf and so on. No shard appears before all are complete.",
      "Without a limit, a shard has at most 128 tensors. 2G is 2,000,000,000 bytes, as in llama.cpp; 2GiB is binary. " +
        "The limit is for the data of tensors: the header of a shard is not counted.",
    ],
    positionals: [SINGLE_FILE, { name: "PREFIX", description: "The path of the shards, without their numbers." }],
    options: {
      "max-tensors": { value: "N", description: "The most tensors of a shard. Default: 128." },
      "max-size": { value: "SIZE", description: "The most bytes of tensors in a shard: 2G, 500M, 1.5GiB." },
      "no-tensor-first-split": { description: "The first shard has only the metadata." },
      ...NEW_FILES,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [{ command: "gguf-wasm split model.gguf model --max-size 2G", meaning: "Shards of about 2 GB." }],
    load: () => import("./split.js"),
  },
  merge: {
    summary: "Merges the shards of a set into one file.",
    details: [
      "The keys split.no, split.count and split.tensors.count are removed.",
      "A file that was cut into raw parts, such as NAME.gguf.part1of2 or NAME.gguf-split-a, is joined as `cat` does. " +
        "A file into which shards were joined with `cat` is taken as these shards.",
      "The shards are merged in the order that their headers give. If names or headers contradict that, there is a warning. " +
        "If a shard is given twice or is not whole, or if tensors are missing, nothing is written, and the exit code is 1.",
      "With --experts, SHARD is one whole file, in which each expert is a tensor of its own, as llama.cpp wrote them before April 2024. " +
        "The new file has one tensor for all experts of a block, with the same data, as llama.cpp reads it today.",
    ],
    positionals: [
      {
        name: "SHARD",
        description:
          "The path or the URL of any shard, or the folder of the shards. The other shards must be beside it. All shards can be given, as `model-*.gguf` does it.",
        many: true,
        folder: "model",
      },
      {
        name: "OUTPUT",
        description: "The path of the new file. `-` is not possible: the file must be whole before it appears.",
      },
    ],
    options: {
      experts: { description: "Joins the experts of a model of before April 2024 instead of shards." },
      "llama-cpp-keys": { description: "Keeps the keys of the split, as llama.cpp does, with split.count = 0." },
      ...NEW_FILES,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm merge model-00001-of-00003.gguf model.gguf", meaning: "Merges three shards." },
      { command: "gguf-wasm merge --experts mixtral.gguf new.gguf", meaning: "Joins the experts of an old Mixtral." },
    ],
    load: () => import("./merge.js"),
  },
  quantize: {
    summary: "Quantizes a model to a smaller file type, as llama.cpp's llama-quantize does, with the same bytes.",
    details: [
      "TYPE is a name such as Q4_K_M, Q8_0, IQ4_XS, F16 or COPY, or the number of a file type; a wrong name lists all. " +
        "The options have the names of llama-quantize, and stand before or after the arguments. --dry-run shows the type of each tensor, " +
        `the size and the bits per weight; then OUT can be left out. ${SHARDS.replace("FILE", "MODEL")}`,
      "Image models get the types that ComfyUI-GGUF's llama-quantize gives them. Families that it does not know, and IQ types of them, are refused.",
      `${PART_FILE} A tensor that cannot have its type is named, nothing is written, and the exit code is 1.`,
    ],
    positionals: [
      {
        name: "MODEL",
        description:
          "The path or the URL of a GGUF file, or its name on the hub. Best is one of type F32, F16 or BF16. A folder stands for the only model in it.",
        folder: "model",
      },
      {
        name: "OUT",
        description: "The path of the new file. With --keep-split, the path of the shards without their numbers.",
        optional: true,
      },
      { name: "TYPE", description: "The file type, or COPY to keep the types of all tensors." },
    ],
    options: {
      imatrix: {
        value: "FILE",
        description: "An importance matrix: the path or the URL of a file of llama-imatrix, or its name on the hub.",
      },
      "include-weights": {
        value: "TEXT",
        many: true,
        description: "Uses the importance matrix only for tensors whose names contain this text.",
      },
      "exclude-weights": {
        value: "TEXT",
        many: true,
        description: "Does not use the importance matrix for tensors whose names contain this text.",
      },
      pure: { description: "Gives all tensors the main type of the file type." },
      "leave-output-tensor": { description: "Keeps the type of output.weight." },
      "output-tensor-type": { value: "TYPE", description: "The type of output.weight: Q8_0, Q6_K and so on." },
      "token-embedding-type": { value: "TYPE", description: "The type of the token embeddings." },
      "tensor-type": {
        value: "PATTERN=TYPE",
        many: true,
        description:
          "The type of the tensors whose names match a regular expression. The first pattern that matches decides.",
      },
      "tensor-type-file": {
        value: "PATH",
        many: true,
        description: "Reads such patterns and types from a file, separated by spaces or lines.",
      },
      "allow-requantize": { description: "Also converts tensors that are quantized already, which loses quality." },
      "override-kv": {
        value: "KEY=TYPE:VALUE",
        many: true,
        description: "Sets an entry of the new file. The types are int, float, bool and str.",
      },
      "prune-layers": { value: "N,N,…", description: "Leaves out the blocks with these numbers." },
      "keep-split": {
        description:
          "Writes as many shards as the model has: OUT-00001-of-00003.gguf and so on. Otherwise they become one file.",
      },
      estimate: {
        description:
          "Writes nothing: estimates the error of all file types, from some rows of each tensor. With --imatrix, also what it gains. OUT can be left out.",
      },
      "largest-file": {
        value: "SIZE",
        description:
          "With --estimate: proposes the mix of types with the least error in a file of at most this size, as options --tensor-type.",
      },
      threads: {
        value: "N",
        short: "t",
        description:
          "The number of worker threads. Default: the processors of the machine, at most 8. With 0, there are none.",
      },
      resume: {
        description:
          "Continues OUT.part at the first tensor that is not complete. It must be of the same files, type and options. Without OUT.part, begins anew.",
      },
      ...PARTS,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm quantize model-F16.gguf model-Q4_K_M.gguf Q4_K_M", meaning: "Quantizes a model." },
      {
        command: "gguf-wasm quantize model-F16.gguf Q4_K_M --dry-run",
        meaning: "Shows the type of each tensor and the size.",
      },
      {
        command: "gguf-wasm quantize model-F16.gguf Q4_K_M --estimate --largest-file 5G",
        meaning: "Estimates the quality of all file types, and proposes the best mix in 5 GB.",
      },
      {
        command:
          "gguf-wasm quantize model-F16.gguf model-IQ3_M.gguf IQ3_M --imatrix imatrix.gguf --tensor-type attn_v=q6_k",
        meaning: "Quantizes with an importance matrix, and gives some tensors a better type.",
      },
    ],
    load: () => import("./quantize.js"),
  },
  convert: {
    summary: "Makes a GGUF file of a model in the layout of Hugging Face, as llama.cpp's convert_hf_to_gguf.py does.",
    details: [
      "MODEL is a folder with config.json, .safetensors files and a tokenizer, its URL, or a repository: hub:OWNER/NAME. Of a repository " +
        "or a URL, the tensors are read while the file is written: the model takes no other disk space.",
      "With one of the types auto, f32, f16, bf16, q8_0, tq1_0 and tq2_0, the file is the one of convert_hf_to_gguf.py. Every type of " +
        "`gguf-wasm quantize` is possible, too, such as Q4_K_M: then it is the file of --type f32 and `quantize`, in one pass. Case does not count.",
      "A model that reads images or sound becomes two files: --with-mmproj writes both, and --mmproj only the projector. Usual types of " +
        "projectors are auto, f32, f16, bf16 and q8_0. With --mmproj, every other --type is possible, as `quantize` makes it, and a " +
        "note says that images and sound lose detail.",
      "The pre-tokenizer of a byte-level or WordPiece vocabulary is found in a list of known vocabularies. If it is unknown, the command ends with the " +
        "exit code 3 and the probable names: choose one with --pre.",
      PART_FILE,
    ],
    positionals: [
      { name: "MODEL", description: "The path or the URL of a folder, or the name of a repository: hub:OWNER/NAME." },
      { name: "OUT", description: "The path of the new file." },
    ],
    options: {
      type: {
        value: "TYPE",
        description:
          "The type of the matrices: auto, f32, f16, bf16, q8_0, tq1_0, tq2_0, or a type of `quantize`. Default: auto, which is BF16 or F16.",
      },
      pre: {
        value: "NAME",
        description: "The pre-tokenizer, in place of the one that is found: llama-bpe, qwen2 and so on.",
      },
      "model-name": {
        value: "TEXT",
        description: "The name of the model. Default: that of the model card or of the folder.",
      },
      metadata: { value: "FILE", description: 'A JSON file with values of general.*: { "general.author": "…" }.' },
      mmproj: {
        description:
          "Writes the projector in place of the model of the text: the encoders of images and sound, which llama.cpp takes as --mmproj.",
      },
      "with-mmproj": {
        description:
          "Writes the projector, too, in the same pass: beside OUT, with the name mmproj-MODEL-TYPE.gguf. Both files appear together.",
      },
      "mmproj-type": {
        value: "TYPE",
        choices: PROJECTOR_TYPES.map(({ type }) => type),
        description: "With --with-mmproj: the type of the projector. Default: auto, which is BF16 or F16.",
      },
      mtp: { description: "Writes the layers that predict later tokens alone: a draft for llama.cpp." },
      "no-mtp": { description: "Leaves out the layers that predict later tokens." },
      "vocab-only": { description: "Writes the metadata and the vocabulary without tensors." },
      "fp8-as-q8": { description: "Gives weights that are stored as 8-bit floats the type Q8_0." },
      "fuse-gate-up-exps": {
        description:
          "Joins the gates and the other halves of experts. No supported model can be converted so: it is refused.",
      },
      revision: { value: "REVISION", description: "For a repository: a branch, a tag or a commit. Default: main." },
      ...THREADS,
      ...RESUMABLE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm convert Qwen3-0.6B Qwen3-0.6B.gguf", meaning: "Converts the model in a folder." },
      {
        command: "gguf-wasm convert hub:Qwen/Qwen3-0.6B Qwen3-0.6B-Q4_K_M.gguf --type Q4_K_M",
        meaning: "Converts and quantizes a model of the hub in one pass.",
      },
      {
        command: "gguf-wasm convert hub:Qwen/Qwen3-VL-4B-Instruct mmproj-Qwen3-VL-4B-F16.gguf --mmproj --type f16",
        meaning: "Writes the projector of a model that sees images.",
      },
      {
        command: "gguf-wasm convert hub:Qwen/Qwen3-VL-4B-Instruct Qwen3-VL-4B-Q4_K_M.gguf --type Q4_K_M --with-mmproj",
        meaning: "Writes the model and its projector in one pass.",
      },
      {
        command: "gguf-wasm convert my-finetune out.gguf --type q8_0 --pre llama-bpe",
        meaning: "Says what the vocabulary comes from.",
      },
    ],
    load: () => import("./convert.js"),
  },
  "convert-lora": {
    summary: "Makes a GGUF file of a LoRA adapter of PEFT, as llama.cpp's convert_lora_to_gguf.py does.",
    details: [
      "ADAPTER is a folder with adapter_config.json and adapter_model.safetensors, its URL, or a repository: hub:OWNER/NAME. --base names the " +
        "model that the adapter was trained for in the same way. Only its config.json and README.md are read.",
      "The file is the one of convert_lora_to_gguf.py. An adapter whose GGUF file would change the model in another way than PEFT does is refused: " +
        "with use_rslora, use_dora, or whole matrices, for example. The message says what to do.",
      PART_FILE,
    ],
    positionals: [
      { name: "ADAPTER", description: "The path or the URL of a folder, or the name of a repository: hub:OWNER/NAME." },
      { name: "OUT", description: "The path of the new file." },
    ],
    options: {
      base: {
        value: "MODEL",
        required: true,
        description: "The folder or repository of the model that the adapter was trained for.",
      },
      type: {
        value: "TYPE",
        description: "The type of the matrices: f32, f16, bf16 or q8_0. Case does not count. Default: f32.",
      },
      ...RESUMABLE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm convert-lora my-adapter my-adapter.gguf --base Qwen3-0.6B",
        meaning: "Converts the adapter in a folder. The model is in another one.",
      },
      {
        command: "gguf-wasm convert-lora hub:owner/adapter adapter.gguf --base hub:Qwen/Qwen3-0.6B --type f16",
        meaning: "Converts an adapter of the hub.",
      },
    ],
    load: () => import("./convert-lora.js"),
  },
  "merge-lora": {
    summary: "Merges a LoRA adapter into a model, as llama.cpp's llama-export-lora does.",
    details: [
      "MODEL and ADAPTER are GGUF files. Each matrix W that the adapter changes becomes W + scale · alpha / rank · B · A. All other tensors are " +
        "copied. The new file has its tensors in the order of their names.",
      "To merge several adapters, merge one after the other with --type f32, and quantize the result.",
      PART_FILE,
    ],
    positionals: [
      { name: "MODEL", description: "The path or the URL of the model, or the folder of it.", folder: "model" },
      { name: "ADAPTER", description: "The path or the URL of the adapter, or the folder of it.", folder: "file" },
      { name: "OUT", description: "The path of the new file." },
    ],
    options: {
      scale: {
        value: "NUMBER",
        description: "How much the adapter counts. Default: 1, as it was trained.",
      },
      type: {
        value: "TYPE",
        description:
          "The type of the changed tensors: f16, f32, or keep, which quantizes them again to the types that they have. A type of `quantize` is " +
          "for all tensors. Default: f16.",
      },
      ...THREADS,
      ...RESUMABLE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm merge-lora model.gguf adapter.gguf merged.gguf",
        meaning: "Merges the adapter as it was trained. Changed tensors become F16.",
      },
      {
        command: "gguf-wasm merge-lora model-F16.gguf adapter.gguf merged-Q4_K_M.gguf --scale 0.8 --type Q4_K_M",
        meaning: "Merges a weaker adapter, and quantizes the result in one pass.",
      },
    ],
    load: () => import("./merge-lora.js"),
  },
  migrate: {
    summary: "Makes a GGUF file of a model in a format before GGUF: ggml, ggmf, ggjt or ggla.",
    details: [
      "The options answer questions that FILE leaves open. A question without an answer takes its default, and the output says so. " +
        "The other parts of a model are found beside FILE: FILE.1, FILE.2 and so on.",
      "Before OUT is written, all values are compared: if some change or become infinite, a warning says how many, and the exit code is 0. " +
        "A model that llama.cpp cannot run is refused with exit code 1, unless --for-inspection is given.",
      PART_FILE,
    ],
    positionals: [
      { name: "FILE", description: "The path or the URL of the model or of its first part, or its name on the hub." },
      { name: "OUT", description: "The path of the new file." },
    ],
    options: {
      name: { value: "TEXT", description: "The name of the model. Default: that of the file." },
      "context-length": { value: "N", description: "The number of tokens that the model was trained for." },
      "rms-epsilon": {
        value: "NUMBER",
        description: "The epsilon of the normalisation: 1e-6 for LLaMA 1, 1e-5 for Llama 2.",
      },
      "rope-base": { value: "NUMBER", description: "The base of the rotary positions." },
      "rope-scale": { value: "NUMBER", description: "The factor of the context extension: 1 for none." },
      "bos-token": { value: "ID", description: "The id of the token that begins a text." },
      "eos-token": { value: "ID", description: "The id of the token that ends a text." },
      "unknown-token": { value: "ID", description: "The id of the unknown token." },
      "rounded-scales": {
        value: "f16|f32",
        description: "Rounds scales of 32 bits to 16 bits, or keeps all values as F32. Default: f16.",
      },
      "removed-types": {
        value: "TYPE",
        description: "The type for Q4_2 and Q4_3: F16, F32, Q8_0, Q5_1, Q5_0, Q4_1 or Q4_0. Default: F16.",
      },
      ...BEFORE_GGUF,
      "for-inspection": { description: "Also writes a model that llama.cpp cannot run, for other tools." },
      ...RESUMABLE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm migrate ggml-model-q4_0.bin model.gguf", meaning: "Migrates a model with all defaults." },
      {
        command: "gguf-wasm migrate llama-2-7b.ggmlv3.q8_0.bin llama-2.gguf --context-length 4096 --rms-epsilon 1e-5",
        meaning: "Says that the model is a Llama 2.",
      },
    ],
    load: () => import("./migrate.js"),
  },
};
