// Uses the API of `gguf-wasm/editor` in a strict TypeScript program. It is type-checked but not run.

import * as main from "gguf-wasm/full";
import * as editor from "gguf-wasm/editor";
import { Gguf, GgufWriter, type Editor, type EditPlan, type HeaderPlan } from "gguf-wasm/editor";
import { init } from "gguf-wasm/editor/init";
import { fileSource } from "gguf-wasm/editor/node";
import * as reader from "gguf-wasm/reader";

/** `gguf-wasm/full` exports everything that the editor exports, and the editor everything that the reader exports. */
type NotInMain = Exclude<keyof typeof editor, keyof typeof main>;
type NotInEditor = Exclude<keyof typeof reader, keyof typeof editor>;
/** The same of the members of the classes. */
type MembersNotInMain =
  | Exclude<keyof Gguf, keyof main.Gguf>
  | Exclude<keyof Editor, keyof main.Editor>
  | Exclude<keyof EditPlan, keyof main.EditPlan>;
type MembersNotInEditor = Exclude<keyof reader.Gguf, keyof Gguf>;

const nothing: NotInMain[] & NotInEditor[] & MembersNotInMain[] & MembersNotInEditor[] & never[] = [];

export async function rename(source: Blob, name: string): Promise<Blob> {
  const gguf: Gguf = await Gguf.open(source);
  const edit: Editor = gguf.edit();
  edit.set("general.name", name);
  const header: HeaderPlan = edit.planHeader();
  const plan: EditPlan = edit.plan();
  // @ts-expect-error: the editor does not check files.
  void plan.findings.length;
  // @ts-expect-error: the editor does not read values.
  await gguf.read("output.weight");
  return header.headerSize > 0 ? plan.toBlob(source) : source;
}

export const all = [nothing, GgufWriter, init, fileSource];
