// The commands that change a file.

import { CHANGED_FILE } from "./change-options.js";
import { COMMON, FILE, REQUESTS, SINGLE_FILE } from "./command-options.js";

/** @import { Command } from "./command-options.js" */

const EDIT_DETAILS = [
  "Without --output, FILE itself is changed. If one write does it, the bytes are changed in place. Otherwise the changed file " +
    "is written beside FILE, and replaces it when it is complete. It keeps the permissions of FILE, and takes disk space for a " +
    "second file. An interruption leaves the old or the new file.",
  "If the change causes errors that `validate` finds, they are shown, nothing is written, and the exit code is 1. " +
    "The lock FILE.lock keeps other commands of gguf-wasm from changing FILE at the same time. " +
    "If another program changes FILE meanwhile, nothing is written, and the exit code is 1.",
];

const VALUES =
  "An entry keeps its type. A new one has the type that is known for the key, or else the one that the value is written as: 3 is a UINT32, " +
  "3.0 a FLOAT32, true a BOOL. Arrays are JSON: '[1, 2, 3]'. For a key that ends in _token_id, the value is an id or the text of a token; " +
  "for a number with named values, such as general.file_type, it can be a name.";

const TEMPLATES =
  "For tokenizer.chat_template, the file or the value can be a tokenizer_config.json or chat_template.json: its templates, also named ones, replace " +
  "those of FILE, as gguf-new-metadata does it.";

const WARNINGS =
  "A key that is probably misspelt, and a value that programs do not know, have a warning. An id beyond the vocabulary is an error.";

/** @type {Readonly<Record<string, Command>>} */
export const EDITING_COMMANDS = {
  set: {
    summary: "Sets a value of the metadata, or adds an entry.",
    details: [VALUES, TEMPLATES, WARNINGS, ...EDIT_DETAILS],
    positionals: [
      FILE,
      { name: "KEY", description: "The key of the entry." },
      {
        name: "VALUE",
        description: "The value. Not with --from-file.",
        optional: true,
        more: `Put a text in quotes. An array is one argument: '["a", "b"]'.`,
      },
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
      TEMPLATES,
      WARNINGS,
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
    positionals: [SINGLE_FILE],
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
