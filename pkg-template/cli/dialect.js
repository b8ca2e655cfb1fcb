// Layouts of files that are read only if the user says so.

/** @import { Arguments } from "./arguments.js" */

/** Whether the file is in the layout of the draft of GGUF. @param {Arguments} args */
export const isDraft = (args) => args.choice("dialect", ["draft"]) !== undefined;
