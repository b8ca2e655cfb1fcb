// The projector that `gguf-wasm convert --with-mmproj` writes beside the model.

import { dirname, join } from "node:path";
import { PROJECTOR_TYPES, projectorType } from "../common/projectors.js";
import { Gguf, projectorFit } from "../full/node.js";
import { UsageError, aboutFile, explain } from "./errors.js";
import { checkModel } from "./new-file-checks.js";
import { PartFile } from "./part-file.js";

/** @import { ProjectorFit } from "gguf-wasm/full" */
/** @import { HubModel, ModelConversionOptions, ModelPlan } from "gguf-wasm/models" */
/** @import { Arguments } from "./arguments.js" */
/** @import { NewFileChecks } from "./new-file-checks.js" */
/** @import { ProjectorType } from "../common/projectors.js" */

/**
 * @typedef {object} ProjectorBeside
 * @property {string} path
 * @property {PartFile} file
 * @property {ModelPlan} plan
 * @property {NewFileChecks} checks
 * @property {ProjectorFit} fit Whether it belongs to the model.
 */

/**
 * Plans the projector of a model. `undefined` without --with-mmproj.
 *
 * @param {Arguments} args
 * @param {HubModel} model
 * @param {ModelPlan} text The plan of the model.
 * @param {ModelConversionOptions} options Those of the model.
 * @param {{ type: ProjectorType | undefined, file: PartFile }} given The type of --mmproj-type, and the file of the model.
 * @returns {Promise<ProjectorBeside | undefined>}
 */
export async function projectorBeside(args, model, text, options, { type, file: textFile }) {
  if (!args.flag("with-mmproj")) return undefined;
  const [name = "", output = ""] = args.positionals;
  const plan = await aboutFile(name, () => planOf(model, { ...options, type: type ?? "auto", projector: true }));
  const path = join(dirname(output), plan.suggestedName);
  const file = await PartFile.at(path, { mayReplace: args.flag("force"), mayContinue: args.flag("resume") });
  // OUT may be a link, and some file systems ignore case.
  if (file.path.toLowerCase() === textFile.path.toLowerCase())
    throw new UsageError(`OUT is ${output}, which is the name of the projector. Choose another name for the model.`);
  return { path, file, plan, checks: checkModel(plan), fit: fitOf(text, plan) };
}

/** The type of --mmproj-type. @param {Arguments} args */
export function projectorTypeOf(args) {
  const given = args.text("mmproj-type");
  if (given === undefined) return undefined;
  if (!args.flag("with-mmproj"))
    throw new UsageError(
      "--mmproj-type is only for --with-mmproj. With --mmproj, --type is the type of the projector.",
    );
  const type = projectorType(given);
  if (type !== undefined) return type;
  const known = PROJECTOR_TYPES.map((row) => row.type);
  const types = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  throw new UsageError(
    `--mmproj-type is "${given}", expected ${types}. For other types, write the projector alone: --mmproj --type ${given}.`,
  );
}

/**
 * Plans the file that is written to OUT. If the text of a model is not supported, but its projector is, the error says so.
 *
 * @param {HubModel} model
 * @param {ModelConversionOptions} options
 */
export async function planOfModel(model, options) {
  try {
    return await model.convert(options);
  } catch (error) {
    const isOfText = model.projector && !options.projector && !options.vocabularyOnly;
    if (isOfText && error instanceof Error && /** @type {{ code?: unknown }} */ (error).code === "unsupported-model")
      explain(error, ". With --mmproj, its projector is converted alone.");
    throw error;
  }
}

/** The codes of errors that say that no projector can be made. With others, leaving out the projector may not help. */
const ABOUT_THE_PROJECTOR = new Set(["unsupported-model", "incomplete-model"]);

/** @param {HubModel} model @param {ModelConversionOptions} options */
async function planOf(model, options) {
  try {
    return await model.convert(options);
  } catch (error) {
    if (error instanceof Error && ABOUT_THE_PROJECTOR.has(String(/** @type {{ code?: unknown }} */ (error).code)))
      explain(error, ". Without --with-mmproj, the model is converted alone.");
    throw error;
  }
}

/** @param {ModelPlan} text @param {ModelPlan} projector */
function fitOf(text, projector) {
  const [one, other] = [Gguf.from(text.gguf), Gguf.from(projector.gguf)];
  try {
    return projectorFit(one, other);
  } finally {
    one.free();
    other.free();
  }
}
