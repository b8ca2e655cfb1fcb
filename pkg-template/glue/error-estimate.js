// The methods of a plan that estimate its error. Their code is loaded when they are called, so that a page that only converts does not load it.

import { usedModule } from "./start.js";

/** @import { GgmlTypeInfo } from "gguf-wasm/convert" */

/**
 * Adds the methods to the plan.
 *
 * @param {any} ofPlan the class `ConversionPlan`
 * @param {{ runJob: (job: object) => object, ggmlTypes: () => readonly GgmlTypeInfo[] }} bindings
 */
export function addErrorEstimate(ofPlan, { runJob, ggmlTypes }) {
  const methods = {
    /** @this {any} @param {unknown} [options] */
    async estimateError(options) {
      const [starter, count] = this._workers();
      const { estimateError } = await import("../common/error-estimate.js");
      return estimateError(this, options, { runJob, ggmlTypes, starter, count, module: usedModule() });
    },
    /** @this {any} @param {unknown} estimate @param {unknown} bytes */
    async proposeMix(estimate, bytes) {
      // Also finds out whether the object was freed.
      const { size } = this;
      const { proposeMix } = await import("../common/type-mix.js");
      return proposeMix({ size, tensors: this.tensors }, estimate, bytes);
    },
    /** @this {any} @param {unknown} tensor @param {unknown} [options] */
    async tryRows(tensor, options) {
      const { tensors } = this;
      const { tryRows } = await import("../common/tried-rows.js");
      return tryRows(this, tensors, tensor, options, { runJob, ggmlTypes });
    },
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(ofPlan.prototype, name, { value, writable: true, configurable: true });
}
