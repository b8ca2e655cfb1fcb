/**
 * The exit codes. Scripts rely on them.
 *
 * @type {readonly { readonly code: number, readonly meaning: string }[]}
 */
export const EXIT_CODES = [
  {
    code: 0,
    meaning: "The command has done its work. Also if the program that reads the output ends early, as in `| head`.",
  },
  {
    code: 1,
    meaning:
      "The answer is no: `validate` or `template --check` has found an error, or `hash --check` a difference, or `merge` an error of the set, or the models of `compare` differ, or nothing fits into `memory --fit`. " +
      "Or the command was refused, and nothing was written: a change causes errors, a tensor cannot have the type that `quantize` gives it, the file is locked, protected or changed by another program, --in-place is not possible, an output is an input, or what --resume shall continue is made from other files or options.",
  },
  {
    code: 2,
    meaning: "The command line is wrong: an unknown option, a missing argument, or a value that cannot be read.",
  },
  {
    code: 3,
    meaning:
      "The command has failed: a missing file, a broken file, a server, a full disk, or a file that must not be overwritten.",
  },
  { code: 129, meaning: "Ended because the terminal was closed (SIGHUP). Files that were not complete are removed." },
  {
    code: 130,
    meaning:
      "Interrupted by Ctrl-C (SIGINT). Files that were not complete are removed. A command that has begun no file is ended by the signal itself: shells show the same codes, 129, 130 or 143.",
  },
  { code: 143, meaning: "Ended by SIGTERM. Files that were not complete are removed." },
];

export const DONE = 0;
export const ANSWER_IS_NO = 1;
export const WRONG_USE = 2;
export const FAILED = 3;
export const HUNG_UP = 129;
export const INTERRUPTED = 130;
export const TERMINATED = 143;
