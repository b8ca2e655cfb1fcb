// The table of commands. The help, the documentation and the reading of arguments derive from it.

import { CHANGED_FILE } from "./change-options.js";

/** @import { Arguments, Option, Positional } from "./arguments.js" */

/**
 * @typedef {object} Command
 * @property {string} summary What the command does, in one sentence.
 * @property {readonly string[]} details Paragraphs. What else to know.
 * @property {readonly Positional[]} positionals
 * @property {Readonly<Record<string, Option>>} options
 * @property {readonly { readonly command: string, readonly meaning: string }[]} examples
 * @property {() => Promise<{ run(args: Arguments): Promise<number> }>} load Only this loads WebAssembly: the help is fast.
 */

/** @type {Readonly<Record<string, Option>>} */
const HELP = {
  help: { short: "h", description: "Prints this help." },
};

/** @type {Readonly<Record<string, Option>>} */
const COMMON = {
  json: {
    description:
      "Prints one JSON object for programs. 64-bit integers, NaN and infinities are strings in it. docs/command-line.md lists its members.",
  },
  ...HELP,
};

/** @type {Readonly<Record<string, Option>>} */
const REQUESTS = {
  header: {
    value: '"NAME: VALUE"',
    many: true,
    description:
      "A header for requests. It is sent only to the server of the first URL or name on the hub of the command.",
  },
};

/** @type {Readonly<Record<string, Option>>} */
const ONE_FILE = {
  "one-file": { description: "Reads only this file, also if it is a shard of several." },
};

/** @type {Readonly<Record<string, Option>>} */
const FORCE = {
  force: { short: "f", description: "Overwrites files that exist." },
};

/** @type {Readonly<Record<string, Option>>} */
const NEW_FILES = {
  ...FORCE,
  "dry-run": { short: "n", description: "Prints what would be written, and writes nothing." },
};

/** @type {Readonly<Record<string, Option>>} */
const PARTS = {
  ...NEW_FILES,
  force: { short: "f", description: "Overwrites OUT, and without --resume also OUT.part." },
};

/** @type {Readonly<Record<string, Option>>} */
const FIX = Object.fromEntries(
  Object.entries(CHANGED_FILE).map(([name, option]) => [
    name,
    {
      ...option,
      description: `With --fix: ${option.description.charAt(0).toLowerCase()}${option.description.slice(1)}`,
    },
  ]),
);

const EDIT_DETAILS = [
  "Without --output, FILE itself is changed. If one write does it, the bytes are changed in place. Otherwise the changed file " +
    "is written beside FILE, and replaces it when it is complete. It keeps the permissions of FILE, and takes disk space for a " +
    "second file. An interruption leaves the old or the new file.",
  "If the change causes errors that `validate` finds, they are shown, nothing is written, and the exit code is 1. " +
    "The lock FILE.lock keeps other commands of gguf-wasm from changing FILE at the same time. " +
    "If another program changes FILE meanwhile, nothing is written, and the exit code is 1.",
];

/** What becomes of OUT while a command writes it, and after it ends early. */
const PART_FILE =
  "OUT appears when it is complete. Until then the work is in OUT.part. Ctrl-C removes it; a failure leaves it, and --resume continues it.";

const VALUES =
  "An entry keeps its type. A new one has the type that is known for the key, or one that can hold the value. " +
  "Arrays are JSON: '[1, 2, 3]'. For a key that ends in _token_id, the value is an id or the text of a token.";

const LEGACY =
  "FILE can be a model in a format before GGUF (ggml, ggmf, ggjt, ggla). Its other parts are found beside it: FILE.1, FILE.2 and so on.";

/** @type {Readonly<Record<string, Option>>} */
const BEFORE_GGUF = {
  dialect: {
    value: "draft",
    description:
      "Reads FILE in the layout of the draft of GGUF, the first proposal of the specification, which no program is known to write.",
  },
  family: {
    value: "FAMILY",
    description: "For a model before GGUF that several families fit: the family. Default: the one that fits best.",
  },
};

const SHARDS = "If FILE is a shard (model-00001-of-00003.gguf), the other shards beside it are read, too.";

/** @type {Positional} */
const FILE = {
  name: "FILE",
  description:
    "The path or the URL of a GGUF file, or its name on the hub: hub:OWNER/NAME/PATH or hub:OWNER/NAME:ENCODING.",
};

/** @type {Readonly<Record<string, Command>>} */
export const COMMANDS = {
  inspect: {
    summary: "Shows the metadata and the tensors of a file.",
    details: [
      `${SHARDS} \`-\` is the standard input.`,
      "Long values and arrays are shortened, except with --json and --key.",
      `${LEGACY} It is shown in the names and types of the file.`,
    ],
    positionals: [FILE],
    options: {
      tensors: { short: "t", description: "Lists the tensors, too." },
      key: { value: "KEY", short: "k", many: true, description: "Prints only the value of this key, whole." },
      ...ONE_FILE,
      ...BEFORE_GGUF,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm inspect model.gguf --tensors", meaning: "Everything in the header of a file." },
      {
        command: "gguf-wasm inspect model.gguf --key tokenizer.chat_template > template.jinja",
        meaning: "Extracts the chat template.",
      },
      {
        command: "gguf-wasm inspect https://huggingface.co/ggml-org/models/resolve/main/tinyllamas/stories260K.gguf",
        meaning: "Reads the header of a file on a server.",
      },
      {
        command: "gguf-wasm inspect hub:ggml-org/gemma-3-1b-it-GGUF:Q4_K_M",
        meaning: "Reads the header of a model by its repository and its encoding.",
      },
    ],
    load: () => import("./inspect.js"),
  },
  list: {
    summary: "Lists the GGUF files of a repository of the Hugging Face Hub.",
    details: [
      "The shards of a model are one row. The kind and the encoding of a file are those in its name.",
      "Other commands open a file by its name on the hub: hub:OWNER/NAME@REVISION/PATH/FILE.gguf, where @REVISION is " +
        "optional, or hub:OWNER/NAME:ENCODING if one model of the repository has the encoding.",
    ],
    positionals: [
      {
        name: "REPOSITORY",
        description:
          "The name of a repository or a folder, hub:OWNER/NAME[@REVISION][/FOLDER] without :ENCODING, or its address.",
      },
    ],
    options: { ...REQUESTS, ...COMMON },
    examples: [
      { command: "gguf-wasm list hub:ggml-org/gemma-3-1b-it-GGUF", meaning: "The files of a repository." },
      {
        command: "gguf-wasm list hub:ggml-org/models@main/tinyllamas --json",
        meaning: "The files of a folder as JSON, with their URLs and hashes.",
      },
    ],
    load: () => import("./list.js"),
  },
  validate: {
    summary: "Checks whether llama.cpp would load files, and what is unusual about them.",
    details: [
      "Reads the headers and the sizes of files. Values of tensors are not checked.",
      "The first sentence says whether llama.cpp loads the file as a model, and the first reason why not. For an adapter or a " +
        "projector, which are not models, it names the option of llama.cpp that takes the file; this is no error.",
      `The exit code is 1 if a file has an error. ${SHARDS} A missing shard is an error.`,
      "With --fix, makes the fixes that need no decision: after them, a file means the same, or what the rest of it says. " +
        "Prints what was fixed and what remains, and the exit code is that of the changed file. A shard is fixed alone. " +
        "The file is changed as `edit` does it.",
    ],
    positionals: [
      { name: "FILE", description: "The paths or URLs of GGUF files, or their names on the hub.", many: true },
    ],
    options: {
      strict: { description: "The exit code is 1 for warnings, too." },
      fix: { description: "Makes the fixes that need no decision." },
      ...FIX,
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm validate *.gguf", meaning: "Checks all files of a folder." },
      { command: "gguf-wasm validate model.gguf --fix --dry-run", meaning: "Lists what --fix would change." },
      { command: "gguf-wasm validate model.gguf --fix -o fixed.gguf", meaning: "Writes a fixed copy." },
    ],
    load: () => import("./validate.js"),
  },
  memory: {
    summary: "Estimates the memory that llama.cpp would allocate for a model.",
    details: [
      "The options have the names and the values of llama.cpp's options.",
      `Sizes such as 24G are decimal, as in llama.cpp; 24GiB is binary. ${SHARDS}`,
    ],
    positionals: [FILE],
    options: {
      "ctx-size": {
        value: "N",
        short: "c",
        description: "The context in tokens. Default, and 0: as the model was trained.",
      },
      parallel: { value: "N", aliases: ["-np"], description: "The number of sequences side by side. Default: 1." },
      "kv-unified": { aliases: ["-kvu"], description: "All sequences share one cache." },
      "no-kv-unified": {
        aliases: ["-no-kvu"],
        description: "Each sequence has a cache of its own. This is the default.",
      },
      "batch-size": { value: "N", short: "b", description: "The most tokens of one call. Default: 2048." },
      "ubatch-size": {
        value: "N",
        aliases: ["-ub"],
        description: "The most tokens that are computed at once. Default: 512.",
      },
      "flash-attn": {
        value: "on|off|auto",
        aliases: ["-fa"],
        description: "Whether flash attention is used. Default: on. Auto counts as on.",
      },
      "cache-type-k": {
        value: "TYPE",
        aliases: ["-ctk"],
        description: "The type of the keys in the cache: F16, Q8_0, … Default: F16.",
      },
      "cache-type-v": {
        value: "TYPE",
        aliases: ["-ctv"],
        description: "The type of the values in the cache. Default: F16.",
      },
      "swa-full": { description: "Layers with a sliding window have a cache for the whole context." },
      "gpu-layers": {
        value: "N|all|auto",
        aliases: ["-ngl", "--n-gpu-layers"],
        description:
          "The number of layers on the GPU. Default: all. Auto counts as all: the memory of the GPU is not known here.",
      },
      "cpu-moe": { aliases: ["-cmoe"], description: "The experts of all layers stay on the CPU." },
      "n-cpu-moe": {
        value: "N",
        aliases: ["-ncmoe"],
        description: "The number of layers whose experts stay on the CPU. Default: 0.",
      },
      beside: {
        value: "FILE",
        many: true,
        description: "A file that is loaded beside the model, such as a projector.",
      },
      fit: { value: "SIZE", description: "Finds the longest context with which the GPU needs at most this memory." },
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm memory model.gguf -c 32768 --cache-type-k Q8_0 --cache-type-v Q8_0",
        meaning: "The memory for a context of 32,768 tokens with a quantised cache.",
      },
      { command: "gguf-wasm memory model.gguf --fit 24GiB", meaning: "The longest context on a GPU with 24 GiB." },
    ],
    load: () => import("./memory.js"),
  },
  tokenize: {
    summary: "Converts text to tokens with the vocabulary of a model, and tokens to text.",
    details: [
      "Without TEXT and --text-file, the text is read from the standard input, as it is: with its last line feed.",
      "The ids are those that llama.cpp gives.",
    ],
    positionals: [FILE, { name: "TEXT", description: "The text, or with --decode the ids of tokens.", optional: true }],
    options: {
      "text-file": { value: "PATH", description: "Reads the text from a file, as UTF-8. `-` is the standard input." },
      ids: { description: "Prints only the ids, on one line. Not with --count." },
      count: { description: "Prints only the number of tokens. Not with --ids." },
      "no-special": { description: "Adds no tokens such as BOS. With --decode: leaves out control tokens." },
      "no-parse-special": { description: "Treats the texts of control tokens, such as <|im_end|>, as normal text." },
      decode: { description: "Converts ids to text. Spaces, commas or lines separate them." },
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: 'gguf-wasm tokenize model.gguf "Hello world"', meaning: "The tokens of a text." },
      { command: "gguf-wasm tokenize model.gguf --count < prompt.txt", meaning: "The length of a prompt in tokens." },
      { command: 'gguf-wasm tokenize model.gguf --decode "1 15043 3186"', meaning: "The text of tokens." },
    ],
    load: () => import("./tokenize.js"),
  },
  export: {
    summary: "Writes what a file contains in a format of other tools: JSON, Markdown, CSV, Jinja or NumPy's .npy.",
    details: [
      "The formats json and markdown have the content that llama.cpp's gguf-dump prints with --json --json-array and with --markdown. " +
        "The format csv is the list of tensors, tokens the vocabulary as CSV, template a chat template, and npy one tensor.",
      "Without --output, the result is printed. With it, the file appears when it is complete.",
      `An .npy file has the values of the tensor, dequantised to 32-bit floats if NumPy has no such type. ${SHARDS} ` +
        "If some are missing, the result has only what the others contain, and a warning on the standard error says so.",
      `${LEGACY} It is exported in the names and types of the file. Values are exact: an .npy file of a type that GGUF does not have has floats.`,
    ],
    positionals: [FILE],
    options: {
      format: {
        value: "FORMAT",
        description:
          "The format: json, markdown, csv, tokens, template or npy. Default: npy with --tensor, template with --template, else json.",
      },
      output: { value: "PATH", short: "o", description: "Writes the result into a file." },
      ...FORCE,
      arrays: {
        value: "full|short|none",
        description: "For json: whole arrays, their first 8 elements, or none. Default: full.",
      },
      "no-tensors": { description: "For json and markdown: leaves out the tensors." },
      "spreadsheet-safe": {
        description:
          "For csv and tokens: puts an apostrophe before names and tokens that a spreadsheet would run as formulas. " +
          "Without it, texts are as stored: do not open them in a spreadsheet if you do not trust the file.",
      },
      template: { value: "NAME", description: "For template: the name of the chat template. Default: default." },
      tensor: { value: "NAME", description: "For npy: the name of the tensor." },
      stored: {
        description: "For npy: the bytes of the tensor as stored, as gguf-py gives them, instead of its values.",
      },
      ...ONE_FILE,
      ...BEFORE_GGUF,
      ...REQUESTS,
      json: { description: "With --output: prints JSON for programs about the file that was written." },
      ...HELP,
    },
    examples: [
      { command: "gguf-wasm export model.gguf --arrays short", meaning: "The header as JSON, with short arrays." },
      { command: "gguf-wasm export model.gguf --format markdown -o model.md", meaning: "Writes a description." },
      {
        command: "gguf-wasm export hub:ggml-org/gemma-3-1b-it-GGUF:Q4_K_M --format csv",
        meaning: "Lists the tensors of a model by its repository and its encoding.",
      },
      { command: "gguf-wasm export model.gguf --format template > chat.jinja", meaning: "Extracts the chat template." },
      {
        command: "gguf-wasm export model.gguf --tensor output.weight -o output.weight.npy",
        meaning: "Writes the values of a tensor for NumPy.",
      },
    ],
    load: () => import("./export.js"),
  },
  hash: {
    summary: "Computes hashes of tensors and files, or compares them with a manifest.",
    details: [
      "Prints what llama.cpp's gguf-hash prints: a line for each tensor, and one for the data of all tensors. " +
        "Names and metadata are no part of these hashes. Without an algorithm, the algorithm is xxh64.",
      "With --check, the exit code is 1 if a tensor is different or missing, or if the manifest has no hash of the file. " +
        "Tensors that the manifest does not name are listed; the exit code is 0 with them. " +
        "A shard is hashed alone, as in llama.cpp.",
    ],
    positionals: [FILE],
    options: {
      xxh64: { description: "XXH64 with the seed 0." },
      sha1: { description: "SHA-1." },
      sha256: { description: "SHA-256." },
      uuid: { description: "UUID version 5. Only for the data of all tensors." },
      all: { description: "Computes xxh64, sha1 and sha256." },
      file: {
        description: "Prints the SHA-256 of the whole file, too, as sha256sum does and as Hugging Face shows it.",
      },
      "no-tensors": { description: "Leaves out the hashes of single tensors." },
      check: {
        value: "MANIFEST",
        description: "Compares with a manifest of gguf-hash or of this command. `-` is the standard input.",
      },
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm hash model.gguf --sha256 > model.manifest", meaning: "Writes a manifest." },
      { command: "gguf-wasm hash model.gguf --check model.manifest", meaning: "Finds the tensors that are different." },
      { command: "gguf-wasm hash model.gguf --file", meaning: "The hash that Hugging Face shows for the file." },
    ],
    load: () => import("./hash.js"),
  },
  compare: {
    summary: "Compares two models: metadata, tensors, and the data of the tensors.",
    details: [
      "Prints the differences only. The exit code is 0 if none was found, and 1 if some were found. " +
        "With --headers or --max-bytes, differences in data that was not read are not found. " +
        "Bytes that belong to no entry and no tensor, such as padding, are not compared. If a file is a shard, the set of shards is compared.",
      "The stored bytes of tensors with the same name and type are compared. With --values, the numbers are compared too, " +
        "also between different types: the normalised mean squared error (NMSE), the largest difference and the cosine.",
    ],
    positionals: [
      { name: "A", description: "The first model: a path, a URL, or a hub: name." },
      { name: "B", description: "The second model." },
    ],
    options: {
      values: { description: "Compares the numbers of the tensors, too." },
      headers: { description: "Compares only the headers. The data of the tensors is not read." },
      "max-bytes": {
        value: "SIZE",
        description: "Reads at most this many bytes of tensor data: small tensors whole, and parts of large ones.",
      },
      markdown: { description: "Prints Markdown." },
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm compare old.gguf new.gguf",
        meaning: "Finds out whether a new upload is really different.",
      },
      {
        command: "gguf-wasm compare model-F16.gguf model-Q4_K_M.gguf --values --max-bytes 100M",
        meaning: "Measures what quantising has changed, with a sample of 100 MB.",
      },
    ],
    load: () => import("./compare.js"),
  },
  split: {
    summary: "Splits a file into shards, as llama.cpp's gguf-split does.",
    details: [
      "Writes PREFIX-00001-of-00003.gguf and so on. No shard appears before all are complete.",
      "Without a limit, a shard has at most 128 tensors. 2G is 2,000,000,000 bytes, as in llama.cpp; 2GiB is binary. " +
        "The limit is for the data of tensors: the header of a shard is not counted.",
    ],
    positionals: [FILE, { name: "PREFIX", description: "The path of the shards, without their numbers." }],
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
      "The shards are merged in the order that their headers give. If names or headers contradict that, there is a warning. " +
        "If a shard is given twice or is not whole, or if tensors are missing, nothing is written, and the exit code is 1.",
    ],
    positionals: [
      { name: "SHARD", description: "The path or the URL of any shard. The others must be beside it." },
      {
        name: "OUTPUT",
        description: "The path of the new file. `-` is not possible: the file must be whole before it appears.",
      },
    ],
    options: {
      "llama-cpp-keys": { description: "Keeps the keys of the split, as llama.cpp does, with split.count = 0." },
      ...NEW_FILES,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [{ command: "gguf-wasm merge model-00001-of-00003.gguf model.gguf", meaning: "Merges three shards." }],
    load: () => import("./merge.js"),
  },
  quantize: {
    summary: "Quantises a model to a smaller file type, as llama.cpp's llama-quantize does, with the same bytes.",
    details: [
      "TYPE is a name such as Q4_K_M, Q8_0, IQ4_XS, F16 or COPY, or the number of a file type; a wrong name lists all. " +
        "The options have the names of llama-quantize, and stand before or after the arguments. --dry-run shows the type of each tensor, " +
        `the size and the bits per weight; then OUT can be left out. ${SHARDS.replace("FILE", "MODEL")}`,
      `${PART_FILE} A tensor that cannot have its type is named, nothing is written, and the exit code is 1.`,
    ],
    positionals: [
      {
        name: "MODEL",
        description:
          "The path or the URL of a GGUF file, or its name on the hub. Best is one of type F32, F16 or BF16.",
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
      "allow-requantize": { description: "Also converts tensors that are quantised already, which loses quality." },
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
      threads: {
        value: "N",
        short: "t",
        description:
          "The number of worker threads. Default: the processors of the machine, at most 8. With 0, there are none.",
      },
      resume: {
        description:
          "Continues OUT.part at the first tensor that is not complete. It must be of the same model, type and options. Without OUT.part, begins anew.",
      },
      ...PARTS,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm quantize model-F16.gguf model-Q4_K_M.gguf Q4_K_M", meaning: "Quantises a model." },
      {
        command: "gguf-wasm quantize model-F16.gguf Q4_K_M --dry-run",
        meaning: "Shows the type of each tensor and the size.",
      },
      {
        command:
          "gguf-wasm quantize model-F16.gguf model-IQ3_M.gguf IQ3_M --imatrix imatrix.gguf --tensor-type attn_v=q6_k",
        meaning: "Quantises with an importance matrix, and gives some tensors a better type.",
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
      "vocab-only": { description: "Writes the metadata and the vocabulary without tensors." },
      "fp8-as-q8": { description: "Gives weights that are stored as 8-bit floats the type Q8_0." },
      "fuse-gate-up-exps": {
        description:
          "Joins the gates and the other halves of experts. No supported model can be converted so: it is refused.",
      },
      revision: { value: "REVISION", description: "For a repository: a branch, a tag or a commit. Default: main." },
      threads: {
        value: "N",
        short: "t",
        description:
          "For types of `quantize`: the number of worker threads. Default: the processors of the machine, at most 8. With 0, there are none.",
      },
      resume: {
        description: "Continues OUT.part. It must be of the same model and options. Without OUT.part, begins anew.",
      },
      ...PARTS,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm convert Qwen3-0.6B Qwen3-0.6B.gguf", meaning: "Converts the model in a folder." },
      {
        command: "gguf-wasm convert hub:Qwen/Qwen3-0.6B Qwen3-0.6B-Q4_K_M.gguf --type Q4_K_M",
        meaning: "Converts and quantises a model of the hub in one pass.",
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
      resume: {
        description: "Continues OUT.part. It must be of the same adapter and options. Without OUT.part, begins anew.",
      },
      ...PARTS,
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
      "To merge several adapters, merge one after the other with --type f32, and quantise the result.",
      PART_FILE,
    ],
    positionals: [
      { name: "MODEL", description: "The path or the URL of the model." },
      { name: "ADAPTER", description: "The path or the URL of the adapter." },
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
          "The type of the changed tensors: f16, f32, or keep, which quantises them again to the types that they have. A type of `quantize` is " +
          "for all tensors. Default: f16.",
      },
      threads: {
        value: "N",
        short: "t",
        description:
          "For types of `quantize`: the number of worker threads. Default: the processors of the machine, at most 8. With 0, there are none.",
      },
      resume: {
        description: "Continues OUT.part. It must be of the same files and options. Without OUT.part, begins anew.",
      },
      ...PARTS,
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
        meaning: "Merges a weaker adapter, and quantises the result in one pass.",
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
      resume: {
        description: "Continues OUT.part. It must be of the same model and options. Without OUT.part, begins anew.",
      },
      ...PARTS,
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
  set: {
    summary: "Sets a value of the metadata, or adds an entry.",
    details: [VALUES, ...EDIT_DETAILS],
    positionals: [
      FILE,
      { name: "KEY", description: "The key of the entry." },
      { name: "VALUE", description: "The value. Not with --from-file.", optional: true },
    ],
    options: {
      type: { value: "TYPE", description: "The type: UINT32, FLOAT32, BOOL, STRING, STRING[] and so on." },
      "from-file": { value: "PATH", description: "Reads the value from a file, such as a chat template." },
      ...CHANGED_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: 'gguf-wasm set model.gguf general.name "My model"', meaning: "Changes the name." },
      {
        command: "gguf-wasm set model.gguf tokenizer.chat_template --from-file template.jinja -o fixed.gguf",
        meaning: "Writes a copy with another chat template.",
      },
      {
        command: 'gguf-wasm set model.gguf tokenizer.ggml.eos_token_id "<|im_end|>"',
        meaning: "Changes the token that ends a text. In a large file, only a few bytes are written.",
      },
    ],
    load: () => import("./set.js"),
  },
  edit: {
    summary: "Makes several changes of the metadata and of the names of tensors, and writes the file once.",
    details: [
      "The changes are made in the order in which they are given.",
      `The key of --set ends at the first \`=\`. A type can follow it after a colon: KEY:UINT32=5. ${VALUES}`,
      "For a key that contains `=`, use the commands set, remove and rename. " +
        "For a new key that contains a colon, give the type, too: my:key:STRING=text.",
      ...EDIT_DETAILS,
    ],
    positionals: [FILE],
    options: {
      set: { value: "KEY[:TYPE]=VALUE", many: true, description: "Sets a value, or adds an entry." },
      "set-file": {
        value: "KEY[:TYPE]=PATH",
        many: true,
        description: "The same with the value from a file, such as a chat template.",
      },
      remove: { value: "KEY", many: true, description: "Removes an entry." },
      rename: { value: "OLD=NEW", many: true, description: "Renames a key." },
      "remove-tensor": { value: "NAME", many: true, description: "Removes a tensor." },
      "rename-tensor": { value: "OLD=NEW", many: true, description: "Renames a tensor." },
      ...CHANGED_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: 'gguf-wasm edit model.gguf --set general.name="My model" --set llama.context_length=8192',
        meaning: "Changes two values.",
      },
      {
        command:
          "gguf-wasm edit model.gguf --set my.flag:BOOL=true --remove general.url --rename general.autor=general.author",
        meaning: "Adds an entry with a type, removes one, and corrects a misspelt key. The file must have both keys.",
      },
    ],
    load: () => import("./edit.js"),
  },
  remove: {
    summary: "Removes entries of the metadata, or tensors.",
    details: EDIT_DETAILS,
    positionals: [FILE, { name: "KEY", description: "The keys of the entries.", many: true }],
    options: {
      tensor: { description: "The arguments are the names of tensors, not keys." },
      ...CHANGED_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm remove model.gguf general.url general.source.url", meaning: "Removes two entries." },
    ],
    load: () => import("./remove.js"),
  },
  rename: {
    summary: "Renames a key of the metadata, or a tensor.",
    details: EDIT_DETAILS,
    positionals: [FILE, { name: "OLD", description: "The name now." }, { name: "NEW", description: "The new name." }],
    options: {
      tensor: { description: "The names are those of a tensor, not keys." },
      ...CHANGED_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm rename model.gguf llama.context_lenght llama.context_length",
        meaning: "Corrects a key.",
      },
    ],
    load: () => import("./rename.js"),
  },
  "convert-endian": {
    summary: "Converts a file to the other byte order.",
    details: EDIT_DETAILS,
    positionals: [FILE],
    options: {
      to: { value: "little|big", required: true, description: "The byte order of the result." },
      ...CHANGED_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm convert-endian model.gguf --to big --output model-be.gguf",
        meaning: "Writes a file for a big-endian computer.",
      },
    ],
    load: () => import("./convert-endian.js"),
  },
};
