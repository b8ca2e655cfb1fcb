// The methods of a plan that estimate its error. `glue/error-estimate.js` loads them when they are called.

import { estimateError } from "./error-estimate.js";
import { tryRows } from "./tried-rows.js";
import { proposeMix } from "./type-mix.js";

/** @import { GgmlTypeInfo } from "gguf-wasm/convert" */

/**
 * What the entry gives to the methods: functions of its module, the module, and the size of the plan when the method was called.
 *
 * @typedef {{ runJob: (job: object) => object, ggmlTypes: () => readonly GgmlTypeInfo[], module: object, size: number }} PlanHost
 */

/** @type {Record<string, (plan: any, given: any[], host: PlanHost) => unknown>} */
export const METHODS = {
  estimateError(plan, [options], { runJob, ggmlTypes, module }) {
    const [starter, count] = plan._workers();
    return estimateError(plan, options, { runJob, ggmlTypes, starter, count, module });
  },
  proposeMix: (plan, [estimate, bytes], { size }) => proposeMix({ size, tensors: plan.tensors }, estimate, bytes),
  tryRows: (plan, [tensor, options], host) => tryRows(plan, plan.tensors, tensor, options, host),
};
