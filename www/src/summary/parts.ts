/**
 * The registry of the parts of the summary: one row for each, in the order of the page. To add a picture, add its folder and a row here.
 * Of a summary that is shown, the code of the parts that are in view first is loaded beside the main module, and that of the others once the
 * module is started. Otherwise it is loaded when the page has nothing to do.
 */

import type { Gguf } from "gguf-wasm/explain";
import { html, type TemplateResult } from "lit";
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
  readonly isWide: boolean;
  /** The height of its place until it is loaded, in px, so that what is below stays where it is. Absent: it is loaded already. */
  readonly height?: number;
  readonly isShown: (subject: SummarySubject) => boolean;
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

/** Makes a condition of a summary from one of a file. */
function when(isShown: (gguf: Gguf) => boolean) {
  return (subject: SummarySubject): boolean => {
    const gguf = fileOf(subject);
    return gguf !== undefined && isShown(gguf);
  };
}

export const SUMMARY_PARTS: readonly SummaryPart[] = [
  {
    name: "answers",
    title: "The list of answers",
    load: loadModule(() => import("./answers.ts")),
    isEager: true,
    isFirst: true,
    isWide: true,
    height: 76,
    isShown: ({ panels }) => panels !== undefined,
    render: (subject) => html`<gguf-answers .subject=${subject}></gguf-answers>`,
  },
  {
    name: "will-it-run",
    title: "Will it run?",
    load: loadModule(() => import("./will-it-run/will-it-run.ts")),
    isFirst: true,
    isWide: false,
    height: 340,
    isShown: when(isModel),
    render: ({ gguf, fileName }) => html`<gguf-will-it-run .gguf=${gguf} .fileName=${fileName}></gguf-will-it-run>`,
  },
  {
    name: "context-curve",
    title: "Memory against context",
    load: loadModule(() => import("./context-curve/context-curve.ts")),
    isFirst: true,
    isWide: false,
    height: 420,
    isShown: when(isModel),
    render: ({ gguf, fileName }) => html`<gguf-context-curve .gguf=${gguf} .fileName=${fileName}></gguf-context-curve>`,
  },
  {
    name: "quantization-map",
    title: "How it was quantized",
    load: loadModule(() => import("./quantization-map/quantization-map.ts")),
    isWide: true,
    height: 380,
    isShown: when(hasBlocks),
    render: ({ gguf, fileName }) =>
      html`<gguf-quantization-map .gguf=${gguf} .fileName=${fileName}></gguf-quantization-map>`,
  },
  {
    name: "architecture",
    title: "Architecture",
    load: loadModule(() => import("./architecture/architecture.ts")),
    isWide: false,
    height: 460,
    isShown: when((gguf) => hasBlocks(gguf) && hasArchitecture(gguf)),
    render: ({ gguf, fileName, panels }) =>
      html`<gguf-architecture
        .gguf=${gguf}
        .fileName=${fileName}
        ?graph=${panels?.includes("graph") ?? false}
      ></gguf-architecture>`,
  },
  {
    name: "parameters",
    title: "Parameters",
    load: loadModule(() => import("./parameters/parameters.ts")),
    isWide: false,
    height: 460,
    isShown: when((gguf) => gguf.classification.kind !== "imatrix" && gguf.tensors.length > 1 && usesOf(gguf).hasRoles),
    render: ({ gguf, fileName }) => html`<gguf-parameters .gguf=${gguf} .fileName=${fileName}></gguf-parameters>`,
  },
  // The first facts of a link are here. To load the code when it is needed would cost them two round trips.
  {
    name: "details",
    title: "The list of facts",
    isWide: true,
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
