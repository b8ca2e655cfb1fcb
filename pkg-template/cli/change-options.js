// The options of every command that changes a file. `validate` takes them with --fix.

/** @import { Option } from "./arguments.js" */

/** @type {Readonly<Record<string, Option>>} */
export const CHANGED_FILE = {
  output: { value: "PATH", short: "o", description: "Writes a new file, and leaves FILE as it is. A URL needs this." },
  "in-place": {
    description:
      "Never replaces FILE: writes only the changed bytes into it, also with several writes. Refused if the data of tensors would move. " +
      "A crash between two writes leaves only some of the changes.",
  },
  force: {
    short: "f",
    description: "Writes the file even if the change causes errors, and overwrites the file at --output if it exists.",
  },
  "dry-run": { short: "n", description: "Prints what would be changed, and writes nothing." },
  merged: {
    description: "If FILE is a shard: changes the model of all shards, and writes it as one file to --output.",
  },
};

/** The names of these options. `validate` refuses them without --fix. */
export const ONLY_WITH_FIX = Object.keys(CHANGED_FILE);
