// The command that helps shells. It reads no model.

import { HELP } from "./command-options.js";
import { SHELLS } from "./shells.js";
import { listed } from "../common/export-formats.js";

/** @import { Command } from "./command-options.js" */

/** @type {Readonly<Record<string, Command>>} */
export const SHELL_COMMANDS = {
  completion: {
    summary: "Prints a script with which a shell completes commands, options and their values.",
    details: [
      "The script is for the installed program: `npm install --global gguf-wasm`. It does not start the program.",
    ],
    positionals: [{ name: "SHELL", description: `The shell: ${listed(SHELLS)}.`, choices: SHELLS }],
    options: { ...HELP },
    examples: [
      {
        command: "gguf-wasm completion bash > ~/.local/share/bash-completion/completions/gguf-wasm",
        meaning: "For bash with the package bash-completion. Otherwise, read the script in ~/.bashrc.",
      },
      {
        command: 'gguf-wasm completion zsh > "${fpath[1]}/_gguf-wasm"',
        meaning: "For zsh, in a folder of fpath.",
      },
      {
        command: "gguf-wasm completion fish > ~/.config/fish/completions/gguf-wasm.fish",
        meaning: "For fish.",
      },
    ],
    load: () => import("./completion.js"),
  },
};
