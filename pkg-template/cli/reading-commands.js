// The commands that only read.

import { EXPORT_LIST, FORMAT_NAMES, formatsWith, listed } from "../common/export-formats.js";
import { CHANGED_FILE } from "./change-options.js";
import { BEFORE_GGUF, COMMON, FILE, FORCE, HELP, REQUESTS, SHARDS, SINGLE_FILE } from "./command-options.js";

/** @import { Option } from "./arguments.js" */
/** @import { Command } from "./command-options.js" */

/** @type {Readonly<Record<string, Option>>} */
const ONE_FILE = {
  "one-file": { description: "Reads only this file, also if it is a shard of several." },
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

const LEGACY =
  "FILE can be a model in a format before GGUF (ggml, ggmf, ggjt, ggla). Its other parts are found beside it: FILE.1, FILE.2 and so on.";

/** @type {Readonly<Record<string, Command>>} */
export const READING_COMMANDS = {
  inspect: {
    summary: "Shows the metadata and the tensors of a file.",
    details: [
      "The first line says what the file is, and which programs load it.",
      `${SHARDS} \`-\` is the standard input.`,
      "Long values and arrays are shortened, except with --json and --key.",
      `${LEGACY} It is shown in the names and types of the file.`,
    ],
    positionals: [{ ...FILE, more: "--key KEY prints the value of one entry." }],
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
    summary: "Lists the GGUF files of a repository of the Hugging Face Hub, or of a folder.",
    details: [
      "The shards of a model are one row. The kind and the encoding of a file are those in its name; in a folder, those in its header.",
      "Other commands open a file by its name on the hub: hub:OWNER/NAME@REVISION/PATH/FILE.gguf, where @REVISION is " +
        "optional, or hub:OWNER/NAME:ENCODING if one model of the repository has the encoding.",
    ],
    positionals: [
      {
        name: "REPOSITORY",
        description:
          "The name of a repository or a folder in it, hub:OWNER/NAME[@REVISION][/FOLDER] without :ENCODING, or its address; or the path of a folder.",
      },
    ],
    options: { ...REQUESTS, ...COMMON },
    examples: [
      { command: "gguf-wasm list hub:ggml-org/gemma-3-1b-it-GGUF", meaning: "The files of a repository." },
      { command: "gguf-wasm list models", meaning: "The files of a folder, each with its encoding." },
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
        "projector, which are not models, it names the option of llama.cpp that takes the file; this is no error. For a file of other programs, " +
        "such as an image model, it says what the file is and which programs load it.",
      `The exit code is 1 if a file has an error. ${SHARDS} A missing shard is an error.`,
      "With --fix, makes the fixes that need no decision: after them, a file means the same, or what the rest of it says. " +
        "Prints what was fixed and what remains, and the exit code is that of the changed file. A shard is fixed alone. " +
        "The file is changed as `edit` does it.",
    ],
    positionals: [
      {
        name: "FILE",
        description:
          "The paths or URLs of GGUF files, or their names on the hub. A folder stands for all GGUF files in it.",
        many: true,
        folder: "files",
      },
    ],
    options: {
      strict: { description: "The exit code is 1 for warnings, too." },
      all: {
        description:
          "Lists each finding. Without it, findings that differ only in the block of their tensor are one line.",
      },
      beside: {
        value: "FILE",
        many: true,
        description:
          "A projector that is loaded beside the model: says whether it belongs to FILE. The exit code is 1 if it does not. FILE can be the projector, and this one the model.",
      },
      fix: { description: "Makes the fixes that need no decision." },
      ...FIX,
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm validate models", meaning: "Checks all files of a folder." },
      {
        command: "gguf-wasm validate model.gguf --beside mmproj.gguf",
        meaning: "Says whether a projector belongs to the model.",
      },
      { command: "gguf-wasm validate model.gguf --fix --dry-run", meaning: "Lists what --fix would change." },
      { command: "gguf-wasm validate model.gguf --fix -o fixed.gguf", meaning: "Writes a fixed copy." },
    ],
    load: () => import("./validate.js"),
  },
  memory: {
    summary: "Estimates the memory that llama.cpp would allocate for a model.",
    details: [
      "The options have the names and the values of llama.cpp's options.",
      "With --fit, answers whether a model runs on a machine: finds the best placement of layers and experts and the type of the cache, the longest " +
        "context, and the command for llama-server. Options that are given are kept. The exit code is 1 if nothing fits on the GPU.",
      "A range is that of the compute buffers: the most of it is counted. `not known` means that llama.cpp's rules for the model are not known here.",
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
        description: "The number of layers on the GPU. Default: all, and with --fit what fits. Auto is the default.",
      },
      "cpu-moe": { aliases: ["-cmoe"], description: "The experts of all layers stay on the CPU." },
      "n-cpu-moe": {
        value: "N",
        aliases: ["-ncmoe"],
        description: "The number of layers whose experts stay on the CPU. Default: 0, and with --fit what must.",
      },
      "override-tensor": {
        value: "PATTERN=DEVICE,…",
        many: true,
        aliases: ["-ot"],
        description:
          "Tensors whose names match a regular expression are on a device: CPU, or a card such as CUDA0. The first match counts. It comes before --cpu-moe and --n-cpu-moe.",
      },
      "no-kv-offload": { aliases: ["-nkvo"], description: "Keys and values stay on the CPU." },
      "tensor-split": {
        value: "N0,N1,…",
        aliases: ["-ts"],
        description: "The shares of the layers on each of several cards. Default: one card, and with --fit what fits.",
      },
      beside: {
        value: "FILE",
        many: true,
        description:
          "A file that is loaded beside the model, such as a projector. The result says whether a projector belongs to FILE.",
      },
      fit: {
        value: "SIZE,…",
        description:
          "Finds what fits into this memory of the GPU, or of each of several. Without --ctx-size, the context may be shorter than that of the training. llama.cpp itself keeps 1 GiB of each GPU free for other things: give as much less than the card has.",
      },
      ram: {
        value: "SIZE",
        description: "With --fit: the main memory that the model may take. Default: without a limit.",
      },
      bandwidth: {
        value: "RATE,…",
        description:
          "Bounds the tokens in a second by the bandwidth of the memory of the GPU, or of each of several: 936GB/s. A number alone is in GB/s.",
      },
      "cpu-bandwidth": {
        value: "RATE",
        description: "The bandwidth of the main memory, such as 80GB/s, if the CPU computes, too.",
      },
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      {
        command: "gguf-wasm memory model.gguf -c 32768 --cache-type-k Q8_0 --cache-type-v Q8_0",
        meaning: "The memory for a context of 32,768 tokens with a quantized cache.",
      },
      { command: "gguf-wasm memory model.gguf --fit 24GiB", meaning: "The longest context on a GPU with 24 GiB." },
      {
        command: "gguf-wasm memory model.gguf --fit 23GiB -c 32768 --bandwidth 936GB/s",
        meaning: "Whether a card of 24 GiB runs the model with 32,768 tokens, how, and how fast at most.",
      },
      {
        command: "gguf-wasm memory model.gguf --fit 23GiB,11GiB --ram 64GiB",
        meaning: "The placement on two cards, and what stays on the CPU.",
      },
    ],
    load: () => import("./memory.js"),
  },
  tokenize: {
    summary: "Converts text to tokens with the vocabulary of a model, and tokens to text.",
    details: [
      "Without TEXT and --text-file, the text is read from the standard input, as it is: with its last line feed.",
      "The ids and the texts are those that llama.cpp gives.",
    ],
    positionals: [
      FILE,
      {
        name: "TEXT",
        description: "The text, or with --decode the ids of tokens.",
        optional: true,
        more: "Put the text in quotes.",
      },
    ],
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
  template: {
    summary: "Prints the chat template of a model, renders a conversation with it, or checks it.",
    details: [
      "Without --list, --render and --check, the template is printed exactly as it is.",
      "--render prints what llama-server would give to the model: messages are prepared as it does, and the text is that of llama.cpp's engine. " +
        "What was prepared is told on the standard error. A file without a template gets ChatML, as in llama.cpp. " +
        "Numbers of the JSON keep their form: 1.0 is not 1, and integers can have 64 bits.",
      "--check says whether llama.cpp accepts the template, what the template can do, and what is suspicious about it. " +
        "The exit code is 1 if the template has an error.",
      `${SHARDS} \`-\` is the standard input, also for the files of options.`,
    ],
    positionals: [
      { ...FILE, more: "--name NAME chooses a template, and --render PATH renders the messages of a file." },
    ],
    options: {
      name: {
        value: "NAME",
        description:
          "The name of the chat template. Default: default; with --render and tools, tool_use if the file has it, as llama-server chooses.",
      },
      list: { short: "l", description: "Lists the names of the chat templates." },
      render: {
        value: "PATH",
        description:
          "Renders a conversation: a JSON file with a list of messages, or with a request as OpenAI's interface has it, whose members messages, tools, chat_template_kwargs and add_generation_prompt count.",
      },
      tools: {
        value: "PATH",
        description: "With --render: a JSON file with the list of tools that the model may call.",
      },
      variables: {
        value: "PATH",
        description:
          "With --render: a JSON file with an object of other variables of the template. llama-server has them as chat_template_kwargs.",
      },
      "no-generation-prompt": { description: "With --render: the text does not end with the beginning of an answer." },
      "no-thinking": { description: "With --render: the variable enable_thinking is false." },
      now: {
        value: "TIME",
        description:
          "With --render: the time that the template sees, such as 2026-08-01T12:30:00, in the time zone of this machine. Default: now.",
      },
      tokens: {
        description: "With --render: prints the tokens of the text, as `tokenize` does, in place of the text.",
      },
      check: { description: "Checks the template." },
      strict: { description: "With --check: the exit code is 1 for warnings, too." },
      "template-file": {
        value: "PATH",
        description: "With --render or --check: takes the template from this file, not from FILE.",
      },
      ...ONE_FILE,
      ...REQUESTS,
      ...COMMON,
    },
    examples: [
      { command: "gguf-wasm template model.gguf > chat.jinja", meaning: "Extracts the chat template." },
      {
        command: "gguf-wasm template model.gguf --render messages.json --tools tools.json",
        meaning: "What the model gets of a conversation with tools.",
      },
      {
        command: "gguf-wasm template model.gguf --render request.json --tokens",
        meaning: "The tokens of a request to llama-server.",
      },
      {
        command: "gguf-wasm template model.gguf --check --template-file chat.jinja",
        meaning: "Checks a changed template before it is written into the file.",
      },
    ],
    load: () => import("./template.js"),
  },
  export: {
    summary: `Writes what a file contains in a format of other tools: ${listed([...new Set(EXPORT_LIST.map(([, { title }]) => title))])}.`,
    details: [
      `The format ${EXPORT_LIST.map(([name, { content }]) => `${name} has ${content}`).join("; ")}.`,
      "Without --output, the result is printed. With it, the file appears when it is complete.",
      `An .npy file has the values of the tensor, dequantized to 32-bit floats if NumPy has no such type. ${SHARDS} ` +
        "If some are missing, the result has only what the others contain, and a warning on the standard error says so.",
      `${LEGACY} It is exported in the names and types of the file. Values are exact: an .npy file of a type that GGUF does not have has floats.`,
    ],
    positionals: [FILE],
    options: {
      format: {
        value: "FORMAT",
        choices: EXPORT_LIST.map(([name]) => name),
        description: `The format: ${FORMAT_NAMES}. Default: npy with --tensor, template with --template, else json.`,
      },
      output: { value: "PATH", short: "o", description: "Writes the result into a file." },
      ...FORCE,
      arrays: {
        value: "full|short|none",
        description: `For ${formatsWith("arrays")}: whole arrays, their first 8 elements, or none. Default: full.`,
      },
      "no-tensors": { description: `For ${formatsWith("no-tensors")}: leaves out the tensors.` },
      "spreadsheet-safe": {
        description:
          `For ${formatsWith("spreadsheet-safe")}: puts an apostrophe before names and tokens that a spreadsheet would run as formulas. ` +
          "Without it, texts are as stored: do not open them in a spreadsheet if you do not trust the file.",
      },
      template: {
        value: "NAME",
        description: `For ${formatsWith("template")}: the name of the chat template. Default: default.`,
      },
      tensor: { value: "NAME", description: `For ${formatsWith("tensor")}: the name of the tensor.` },
      stored: {
        description: `For ${formatsWith("stored")}: the bytes of the tensor as stored, as gguf-py gives them, instead of its values.`,
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
    positionals: [
      { ...SINGLE_FILE, more: "--check MANIFEST compares with a manifest. Hash several files one after the other." },
    ],
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
      {
        name: "A",
        description: "The first model: a path, a URL, or a hub: name. A folder stands for the only model in it.",
        folder: "model",
      },
      { name: "B", description: "The second model.", folder: "model" },
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
        meaning: "Measures what quantizing has changed, with a sample of 100 MB.",
      },
    ],
    load: () => import("./compare.js"),
  },
};
