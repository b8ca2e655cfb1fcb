/**
 * The registry of the parts of the summary: one row for each, in the order of the page. To add a picture, add its folder and a row here.
 * Of a summary that is shown, the code of the parts that are in view first is loaded beside the main module, and that of the others once the
 * module is started. Otherwise it is loaded when the page has nothing to do.
 */

import type { Gguf } from "gguf-wasm/explain";
import { html, type TemplateResult } from "lit";
import { isRefused } from "../checks/findings.ts";
import { usesOf } from "../gguf/kind-uses.ts";
import { libraryStarted } from "../gguf/started-library.ts";
import { loadModule } from "../ui/load-module.ts";
import { type Part, preload } from "../ui/part-loader.ts";
import "./details.ts";
import type { SummarySubject } from "./subject.ts";

export interface SummaryPart extends Part {
  /** Whether the part is small, and loaded at once. */
  readonly isEager?: boolean;
  /** Whether the part of most models is in view first. Its code is loaded beside the main module. */
  readonly isFirst?: boolean;
  /** Whether the part takes all of the width. */
  readonly isWide: (subject: SummarySubject) => boolean;
  /**
   * The heights of its place until it is loaded, in a wide and in a narrow summary, in units of the text size. So the parts below stay where
   * they are. Absent: it is loaded already.
   */
  readonly height?: readonly [wide: number, narrow: number];
  /** Whether the part computes what it shows, so that its place keeps its height. */
  readonly computes?: boolean;
  readonly isShown: (subject: SummarySubject) => boolean;
  /** Whether the part has a place while the header arrives. Absent: it has none. Parts out of view need none. */
  readonly isExpected?: (header: SummarySubject["gguf"]) => boolean;
  readonly render: (subject: SummarySubject) => TemplateResult;
}

/** Whether llama.cpp loads the file as a model of its own. */
function isModel(gguf: Gguf): boolean {
  return usesOf(gguf).isLoaded && gguf.tensors.length > 0;
}

/** Whether the tensors are weights in numbered blocks. */
function hasBlocks(gguf: Gguf): boolean {
  const { classification, tensors } = gguf;
  if (classification.kind === "imatrix" || classification.kind === "control-vector") return false;
  if (!usesOf(gguf).hasRoles) return false;
  return tensors.some(({ name }) => /(?:^|\.)blk\.\d+\./.test(name));
}

/** The file with all that is known of it. Undefined until the main module is loaded. */
function fileOf({ gguf, panels }: SummarySubject): Gguf | undefined {
  return panels && (gguf as Gguf);
}

/** Whether a header that arrives is probably that of a model with numbered blocks. Nothing of it may have arrived. */
function isProbablyModel({ metadata }: SummarySubject["gguf"]): boolean {
  const type = metadata.get("general.type") ?? "model";
  const architecture = metadata.get("general.architecture");
  return type === "model" && architecture !== "clip" && metadata.get("split.no") === undefined;
}

/** Whether a part has a place in the summary of a header that arrives. */
function isExpectedOf({ gguf, panels }: SummarySubject, isExpected: SummaryPart["isExpected"]): boolean {
  return panels === undefined && (isExpected?.(gguf) ?? false);
}

/** Whether a part has a place: with its content, or while the header arrives. */
export function hasPlace(part: SummaryPart, subject: SummarySubject): boolean {
  return part.isShown(subject) || isExpectedOf(subject, part.isExpected);
}

/** Makes a condition of a summary from one of a file. */
function when(isShown: (gguf: Gguf) => boolean) {
  return (subject: SummarySubject): boolean => {
    const gguf = fileOf(subject);
    return gguf !== undefined && isShown(gguf);
  };
}

export const SUMMARY_PARTS: readonly SummaryPart[] = [
  {
    name: "will-it-run",
    title: "Will it run?",
    load: loadModule(() => import("./will-it-run/will-it-run.ts")),
    isFirst: true,
    isWide: () => false,
    height: [300, 416],
    computes: true,
    isShown: when(isModel),
    isExpected: isProbablyModel,
    render: ({ gguf, fileName, machine, hubFile, checks }) =>
      html`<gguf-will-it-run
        .gguf=${gguf}
        .fileName=${fileName}
        .machine=${machine}
        ?refused=${isRefused(checks)}
        .hubFile=${hubFile}
      ></gguf-will-it-run>`,
  },
  {
    name: "answers",
    title: "The list of answers",
    load: loadModule(() => import("./answers.ts")),
    isEager: true,
    isFirst: true,
    isWide: (subject) => !when(isModel)(subject) && !isExpectedOf(subject, isProbablyModel),
    height: [76, 290],
    isShown: ({ panels }) => panels !== undefined,
    isExpected: () => true,
    render: (subject) => html`<gguf-answers .subject=${subject}></gguf-answers>`,
  },
  {
    name: "quantization-map",
    title: "How it was quantized",
    load: loadModule(() => import("./quantization-map/quantization-map.ts")),
    isFirst: true,
    isWide: () => true,
    height: [347, 382],
    isShown: when(hasBlocks),
    isExpected: isProbablyModel,
    render: ({ gguf, fileName }) =>
      html`<gguf-quantization-map .gguf=${gguf} .fileName=${fileName}></gguf-quantization-map>`,
  },
  // The first facts of a link are here. To load the code when it is needed would cost them two round trips.
  {
    name: "details",
    title: "The list of facts",
    isWide: () => true,
    isShown: () => true,
    render: ({ gguf, edited, fileName, cost, shards }) =>
      html`<gguf-details
        .gguf=${gguf}
        .edited=${edited}
        .fileName=${fileName}
        .cost=${cost}
        .shards=${shards}
      ></gguf-details>`,
  },
  {
    name: "context-curve",
    title: "Memory against context",
    load: loadModule(() => import("./context-curve/context-curve.ts")),
    isWide: () => false,
    height: [448, 489],
    computes: true,
    isShown: when(isModel),
    render: ({ gguf, fileName, machine }) =>
      html`<gguf-context-curve .gguf=${gguf} .fileName=${fileName} .machine=${machine}></gguf-context-curve>`,
  },
  {
    name: "parameters",
    title: "Parameters",
    load: loadModule(() => import("./parameters/parameters.ts")),
    isWide: () => false,
    height: [460, 460],
    isShown: when((gguf) => gguf.classification.kind !== "imatrix" && gguf.tensors.length > 1 && usesOf(gguf).hasRoles),
    render: ({ gguf, fileName }) => html`<gguf-parameters .gguf=${gguf} .fileName=${fileName}></gguf-parameters>`,
  },
  {
    name: "architecture",
    title: "Architecture",
    load: loadModule(() => import("./architecture/architecture.ts")),
    isWide: () => false,
    height: [460, 460],
    isShown: when((gguf) => hasBlocks(gguf) && hasArchitecture(gguf)),
    render: ({ gguf, fileName, panels }) =>
      html`<gguf-architecture
        .gguf=${gguf}
        .fileName=${fileName}
        ?graph=${panels?.includes("graph") ?? false}
      ></gguf-architecture>`,
  },
];

/**
 * Loads the code of the parts that are in view first, and that of the others once the main module is started: it would take the connection
 * from the module.
 */
export async function loadParts(): Promise<void> {
  for (const part of SUMMARY_PARTS) if (part.isFirst) preload(part);
  await libraryStarted;
  for (const part of SUMMARY_PARTS) preload(part);
}

/** Whether the tensors are those of a model, or of a part of one that computes something. */
function hasArchitecture(gguf: Gguf): boolean {
  const { kind } = gguf.classification;
  return usesOf(gguf).isLoaded || kind === "mmproj" || kind === "draft";
}
