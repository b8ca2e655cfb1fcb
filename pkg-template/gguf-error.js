// One class for the errors of all modules of the package, so that `instanceof` does not depend on the module.

/** @import { GgufErrorCode } from "gguf-wasm" */

export class GgufError extends Error {
  /**
   * @param {GgufErrorCode} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
}

// Not a member of each error: hosts would show it beside the name that they already print.
Object.defineProperty(GgufError.prototype, "name", { value: "GgufError", writable: true, configurable: true });
