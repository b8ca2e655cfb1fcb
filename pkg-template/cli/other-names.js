// The names that people know from other programs, above all from llama.cpp's tools, and what they are called here. An option that is the
// same here by another name is accepted; all other names are answered.

/** @import { Option, Positional } from "./arguments.js" */

/**
 * What to type in place of the name of a command, without `gguf-wasm`. The names are without "llama-", "gguf-" and ".py", and with
 * hyphens.
 *
 * @type {readonly (readonly [names: readonly string[], command: string])[]}
 */
const COMMANDS = [
  [["info", "show", "view", "print", "header", "metadata", "head", "describe"], "inspect FILE"],
  [["dump", "reader"], "inspect FILE --tensors` or `gguf-wasm export FILE --format json"],
  [["tensors"], "inspect FILE --tensors"],
  [["get", "cat", "read", "key"], "inspect FILE --key KEY"],
  [["ls", "dir", "files", "search", "repo"], "list REPOSITORY"],
  [["check", "lint", "doctor", "test"], "validate FILE"],
  [["fix", "repair"], "validate FILE --fix"],
  [["verify", "checksum", "sha256", "sha256sum"], "hash FILE --check MANIFEST"],
  [["diff", "cmp"], "compare A B"],
  [["quantise", "requantize", "requantise", "quant"], "quantize MODEL OUT TYPE"],
  [["set-metadata", "add", "update", "put", "write"], "set FILE KEY VALUE"],
  [["new-metadata", "editor", "editor-gui", "modify"], "edit FILE --set KEY=VALUE --output PATH"],
  [["rm", "delete", "del", "unset"], "remove FILE KEY"],
  [["mv"], "rename FILE OLD NEW"],
  [["endian", "byteswap", "swap-endian"], "convert-endian FILE --to little|big"],
  [
    ["convert-hf", "convert-hf-to", "convert-hf-to-gguf", "convert-to-gguf", "hf-to-gguf", "from-hf"],
    "convert MODEL OUT",
  ],
  [["convert-lora-to", "convert-lora-to-gguf", "lora"], "convert-lora ADAPTER OUT --base MODEL"],
  [["export-lora"], "merge-lora MODEL ADAPTER OUT"],
  [
    ["convert-llama-ggml", "convert-llama-ggml-to-gguf", "convert-ggml", "convert-legacy", "upgrade"],
    "migrate FILE OUT",
  ],
  [["join", "combine", "concat", "unsplit"], "merge SHARD OUTPUT"],
  [["shard", "chunk"], "split FILE PREFIX"],
  [["vocab", "vocabulary", "tokens"], "export FILE --format tokens"],
  [["chat-template", "chat", "render", "jinja", "apply-template"], "template FILE"],
  [["markdown", "csv", "json", "npy"], "export FILE --format FORMAT"],
  [["tokenise", "token-count", "detokenize", "encode", "decode"], "tokenize FILE TEXT"],
  [["estimate", "fit", "fit-params", "vram", "ram", "mem", "gguf-parser"], "memory FILE"],
];

/**
 * What to type in place of a command that another program has, or in place of the name of a file.
 *
 * @param {string} name
 * @param {readonly string[]} own The names of our commands.
 * @returns {string | undefined} Without `gguf-wasm`.
 */
export function commandElsewhere(name, own) {
  if (/\.gguf$|^hub:|^https?:/i.test(name)) return `inspect ${name}`;
  const plain = name.toLowerCase().replace(/\.py$/, "").replaceAll("_", "-");
  const forms = [plain, plain.replace(/^(?:llama-)?gguf-|^llama-/, "")];
  const known = COMMANDS.find(([names]) => names.some((other) => forms.includes(other)))?.[1];
  return known ?? own.find((command) => forms.slice(1).includes(command) && command !== name.toLowerCase());
}

/** The arguments that are the new file, the first file, and so on, by their names in the table of commands. */
const NEW_FILE = ["OUT", "OUTPUT", "PREFIX"];
const FIRST_FILE = ["FILE", "MODEL", "ADAPTER", "SHARD", "A"];

/**
 * Options of other programs.
 *
 * @typedef {object} Row
 * @property {readonly string[]} names With their hyphens.
 * @property {string} [option] The option that is the same here. It is accepted by the commands that have it.
 * @property {readonly string[]} [argument] The names of the argument that is the same here. It is accepted by the commands that have it.
 * @property {string} [advice] What to do in the other commands. One sentence or more.
 */

const NOT_NEEDED = "It is not needed here: leave it out.";

/** @type {readonly Row[]} */
const OPTIONS = [
  // convert_hf_to_gguf.py, and the scripts for adapters.
  { names: ["--outtype", "--out-type", "--ftype", "--dtype"], option: "type", advice: "`convert` has --type." },
  {
    names: ["--output", "-o", "--outfile", "--out-file", "--out", "--output-file", "--output-dir", "--outdir"],
    option: "output",
    argument: NEW_FILE,
    advice: "Redirect the output of this command, or add --json.",
  },
  {
    names: ["--bigendian", "--big-endian"],
    advice: "Convert the new file afterwards: `gguf-wasm convert-endian FILE --to big`.",
  },
  { names: ["--remote"], advice: "Name the repository as the argument: hub:OWNER/NAME." },
  { names: ["--base-model-id"], advice: "Name the repository with --base hub:OWNER/NAME." },
  { names: ["--lora-path"], argument: ["ADAPTER"], advice: "`convert-lora` has the argument ADAPTER." },
  {
    names: [
      "--use-temp-file",
      "--no-lazy",
      "--verbose",
      "--quiet",
      "-q",
      "--log-disable",
      "--no-mmap",
      "--mlock",
      "--concurrency",
      "--max-buffer-size",
    ],
    advice: NOT_NEEDED,
  },
  { names: ["--skip-unknown", "--pad-vocab", "--vocab-type", "--mistral-format"], advice: NOT_NEEDED },
  // llama-gguf-split.
  {
    names: ["--split-max-size", "--max-shard-size", "--shard-size"],
    option: "max-size",
    advice: "Split the new file afterwards: `gguf-wasm split FILE PREFIX --max-size SIZE`.",
  },
  {
    names: ["--split-max-tensors"],
    option: "max-tensors",
    advice: "Split the new file afterwards: `gguf-wasm split FILE PREFIX --max-tensors N`.",
  },
  { names: ["--split"], advice: "It is a command here: `gguf-wasm split FILE PREFIX`." },
  { names: ["--merge"], advice: "It is a command here: `gguf-wasm merge SHARD OUTPUT`." },
  { names: ["--delete-splits"], advice: "Delete the shards yourself when you have checked the merged file." },
  // llama-quantize.
  {
    names: ["--quant", "--quantize", "--qtype", "--quantization", "--type"],
    option: "type",
    argument: ["TYPE"],
    advice: "`quantize` has the argument TYPE.",
  },
  { names: ["--nthreads", "--n-threads", "--threads", "--workers", "-j", "-t"], option: "threads", advice: NOT_NEEDED },
  { names: ["--overwrite", "--force-overwrite", "--yes", "-y"], option: "force", advice: NOT_NEEDED },
  // llama-gguf-hash and gguf-dump.
  { names: ["--no-layer"], option: "no-tensors", advice: "`hash` has --no-tensors." },
  {
    names: ["-c", "--manifest", "--verify"],
    option: "check",
    advice: "`hash` has --check, and `memory` has --ctx-size.",
  },
  { names: ["--list-tensors", "--show-tensors"], option: "tensors", advice: "`inspect` has --tensors." },
  { names: ["--json-array"], advice: "`export` writes whole arrays; --arrays shortens them." },
  { names: ["--markdown", "--csv", "--npy"], advice: "`gguf-wasm export FILE --format FORMAT` writes it." },
  {
    names: ["--data-offset", "--data-alignment"],
    advice: "`inspect` shows it, and with --json it has the members dataOffset and alignment.",
  },
  // gguf-set-metadata and gguf-new-metadata.
  { names: ["--general-name"], advice: "Set it: `gguf-wasm set FILE general.name TEXT`." },
  { names: ["--general-description"], advice: "Set it: `gguf-wasm set FILE general.description TEXT`." },
  { names: ["--chat-template"], advice: "Set it: `gguf-wasm set FILE tokenizer.chat_template TEXT`." },
  {
    names: ["--chat-template-file", "--chat-template-config"],
    option: "template-file",
    advice: "Set it: `gguf-wasm set FILE tokenizer.chat_template --from-file PATH`.",
  },
  {
    names: ["--pre-tokenizer", "--pre"],
    option: "pre",
    advice: "Set it: `gguf-wasm set FILE tokenizer.ggml.pre NAME`.",
  },
  {
    names: ["--special-token", "--special-token-by-id"],
    advice: "Set it: `gguf-wasm set FILE tokenizer.ggml.eos_token_id TOKEN`, for example.",
  },
  { names: ["--remove-metadata", "--remove-key"], option: "remove", advice: "Remove it: `gguf-wasm remove FILE KEY`." },
  // llama-server, llama-tokenize and llama-export-lora.
  {
    names: ["--model", "-m", "--input", "-i", "--infile"],
    argument: FIRST_FILE,
    advice: "The file is an argument.",
  },
  {
    names: ["-hf", "-hfr", "--hf-repo", "--repo", "--repo-id"],
    advice: "Name the repository as the argument: hub:OWNER/NAME or hub:OWNER/NAME:ENCODING.",
  },
  { names: ["-hff", "--hf-file"], advice: "Name the file as the argument: hub:OWNER/NAME/PATH/FILE.gguf." },
  { names: ["-mu", "--model-url", "--url"], argument: FIRST_FILE, advice: "Give the URL as the argument." },
  { names: ["-hft", "--hf-token", "--token"], advice: "Set the variable HF_TOKEN of the environment." },
  {
    names: ["--revision", "--branch"],
    option: "revision",
    advice: "Name it with the repository: hub:OWNER/NAME@REVISION.",
  },
  {
    names: ["--ctx", "--n-ctx", "--context", "--context-length", "--context-size"],
    option: "ctx-size",
    advice: "`memory` has --ctx-size.",
  },
  {
    names: ["--mmproj", "-mm"],
    option: "beside",
    advice:
      "`convert` makes a projector with --mmproj. `memory` and `validate` take one with --beside: `memory` adds its size, and both say " +
      "whether it belongs to the model.",
  },
  { names: ["--model-draft", "-md"], option: "beside", advice: "`memory` has --beside." },
  { names: ["--prompt", "-p"], argument: ["TEXT"], advice: "`tokenize` has the argument TEXT." },
  { names: ["-f", "--file", "--prompt-file"], option: "text-file", advice: "`tokenize` has --text-file." },
  { names: ["--messages", "--conversation"], option: "render", advice: "`template` has --render." },
  {
    names: ["--chat-template-kwargs"],
    advice: "`template` has --variables PATH for a file with the object, and --no-thinking.",
  },
  { names: ["--jinja", "--no-jinja"], advice: NOT_NEEDED },
  { names: ["--no-bos"], option: "no-special", advice: "`tokenize` has --no-special." },
  { names: ["--show-count"], option: "count", advice: "`tokenize` has --count." },
  { names: ["--stdin"], advice: "Without TEXT, the command reads the standard input." },
  { names: ["--lora"], argument: ["ADAPTER"], advice: "`merge-lora` has the argument ADAPTER." },
  { names: ["--lora-scaled"], advice: "Give the adapter as an argument, and --scale NUMBER." },
];

/** @param {string} name */
const rowsOf = (name) => OPTIONS.filter(({ names }) => names.includes(name));

/**
 * What is the same here as an option of another program, if a command has it.
 *
 * @param {string} name With its hyphens.
 * @param {Readonly<Record<string, Option>>} options Those of the command.
 * @param {readonly Positional[]} positionals
 * @returns {{ option: string } | { argument: number } | undefined}
 */
export function sameOption(name, options, positionals) {
  // Options of Python are also written with underscores.
  const hyphens = name.startsWith("--") ? name.replaceAll("_", "-") : name;
  if (hyphens !== name && Object.hasOwn(options, hyphens.slice(2))) return { option: hyphens.slice(2) };
  for (const { option, argument = [] } of rowsOf(hyphens)) {
    if (option !== undefined && Object.hasOwn(options, option)) return { option };
    const at = positionals.findIndex(({ name }) => argument.includes(name));
    if (at >= 0) return { argument: at };
  }
  return undefined;
}

/**
 * What to do in place of giving an option of another program.
 *
 * @param {string} name With its hyphens.
 */
export function optionElsewhere(name) {
  return rowsOf(name.startsWith("--") ? name.replaceAll("_", "-") : name).find(({ advice }) => advice !== undefined)
    ?.advice;
}
