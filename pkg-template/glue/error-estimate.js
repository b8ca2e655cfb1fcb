// The methods of a plan that estimate its error. Their code is loaded when they are called, so that a page that only converts does not load it.

import { usedModule } from "./start.js";

/** @import { PlanHost } from "../common/plan-quality.js" */

/**
 * Adds the methods to the plan.
 *
 * @param {any} ofPlan the class `ConversionPlan`
 * @param {Pick<PlanHost, "runJob" | "ggmlTypes">} bindings
 */
export function addErrorEstimate(ofPlan, { runJob, ggmlTypes }) {
  for (const name of ["estimateError", "proposeMix", "tryRows"]) {
    /** @this {any} @param {unknown[]} given */
    const value = async function (...given) {
      // Also finds out whether the plan was freed.
      const { size } = this;
      const { METHODS } = await import("../common/plan-quality.js");
      return METHODS[name]?.(this, given, { runJob, ggmlTypes, module: usedModule(), size });
    };
    Object.defineProperty(ofPlan.prototype, name, { value, writable: true, configurable: true });
  }
}
