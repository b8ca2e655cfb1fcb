// The table of commands. The help, the documentation, the manual page, the completion of shells and the
// reading of arguments derive from it.

import { EDITING_COMMANDS } from "./editing-commands.js";
import { READING_COMMANDS } from "./reading-commands.js";
import { SHELL_COMMANDS } from "./shell-commands.js";
import { WRITING_COMMANDS } from "./writing-commands.js";

/** @import { Command } from "./command-options.js" */

/**
 * The commands by their names, in the order of the help.
 * @type {Readonly<Record<string, Command>>}
 */
export const COMMANDS = { ...READING_COMMANDS, ...WRITING_COMMANDS, ...EDITING_COMMANDS, ...SHELL_COMMANDS };
