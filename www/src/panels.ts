/**
 * The registry of panels: one row for each panel, in the order of the tabs. To add a panel, add its folder and a row here. The panels are
 * in three groups: those that show the file, those that judge it, and tools, which are in a menu.
 */

import type { GgmlTypeInfo, Gguf } from "gguf-wasm/explain";
import { html, type LitElement, type TemplateResult } from "lit";
import { COMPARE_STATE_FIELDS, type CompareState } from "./compare/compare-state.ts";
import type { RowLink } from "./compare/difference-table.ts";
import type { SuggestedGroup } from "./compare/suggestions.ts";
import type { ChecksTask } from "./checks/checks-progress.ts";
import { CHECKS_STATE_FIELDS, type ChecksState } from "./checks/checks-state.ts";
import { type ChecksResult, isRefused } from "./checks/findings.ts";
import { findingsBadge, problemsBadge } from "./checks/findings-badge.ts";
import { type HubFile, hubHeaders } from "./gguf/repository-place.ts";
import { type KindUses, usesOf as usesOfHeader } from "./gguf/kind-uses.ts";
import { isGgufModel, type OpenedModel } from "./gguf/opened-model.ts";
import { shardCount } from "./gguf/shard-set.ts";
import type { EditedFile, OpenCost, ShownEntry } from "./gguf/shown-file.ts";
import { beginMemory, expectModel } from "./memory/begin-memory.ts";
import type { Machine } from "./memory/machine.ts";
import { MEMORY_STATE_FIELDS, type MemoryState } from "./memory/memory-state.ts";
import { METADATA_STATE_FIELDS, type MetadataState } from "./metadata/metadata-state.ts";
import { GRAPH_STATE_FIELDS, type GraphState } from "./graph/graph-state.ts";
import { loadParts } from "./summary/parts.ts";
import "./summary/summary.ts";
import { TENSOR_STATE_FIELDS, type TensorsState } from "./tensors/tensor-state.ts";
import { TOKENIZER_STATE_FIELDS, type TokenizerState } from "./tokenizer/tokenizer-state.ts";
import type { ChatTemplate } from "./template/template-list.ts";
import { flagCounts, flagWords } from "./template/flag-words.ts";
import type { ReviewResult } from "./template/template-review.ts";
import { TEMPLATE_STATE_FIELDS, type TemplateState } from "./template/template-state.ts";
import { loadModule } from "./ui/load-module.ts";
import type { Part } from "./ui/part-loader.ts";
import type { StateField } from "./ui/state-field.ts";

/** An open model: all that a panel can show. */
export interface OpenFile {
  /** The file, or the set of shards as one file. While a set is edited, its first shard. */
  readonly gguf: Gguf;
  readonly model: OpenedModel;
  /** The name of the file, or of the first shard. */
  readonly fileName: string;
  /** The address that was opened. Undefined for other sources. */
  readonly address: string | undefined;
  /** HTTP headers for the origin of the address. */
  readonly headers: HeadersInit | undefined;
  /** The open file as one of a repository on Hugging Face. Undefined if it is not one. */
  readonly hubFile: HubFile | undefined;
  /** The address of a page about the file. */
  readonly page: string | undefined;
  readonly cost: OpenCost;
  readonly entries: readonly ShownEntry[];
  readonly types: readonly GgmlTypeInfo[];
  /** Undefined until the checks have run. */
  readonly checks: ChecksResult | undefined;
  /** The checks as a task. Undefined if they take a moment only. */
  readonly checksTask: ChecksTask | undefined;
  /** The chat templates, after editing. */
  readonly templates: readonly ChatTemplate[];
  /** What is suspicious about them. Undefined until it is known. */
  readonly templateReview: ReviewResult | undefined;
  /** The file after editing. Undefined while the file is not being edited. */
  readonly edits: EditedFile | undefined;
  /** Whether the viewer can edit the file. */
  readonly isEditable: boolean;
  /** Makes links to rows of other files. Undefined if the page around the viewer has none. */
  readonly rowLink: RowLink | undefined;
  /** Files that the page suggests to compare with. */
  readonly suggestions: readonly SuggestedGroup[];
  readonly states: PanelStates;
  /** The machine for which the panels compute what fits. */
  readonly machine: Machine;
  /** Whether the name and the figures of the file stand in a sidebar. */
  readonly hasSidebar: boolean;
}

/** The state of panels that a link to the page contains, by the name of the panel. */
export interface PanelStates {
  metadata?: MetadataState;
  tensors?: TensorsState;
  graph?: GraphState;
  tokenizer?: TokenizerState;
  memory?: MemoryState;
  template?: TemplateState;
  checks?: ChecksState;
  compare?: CompareState;
}

/** A table whose rows can be selected by a link or by another panel. */
export interface RowPanel extends LitElement {
  showRow(name: string, options: { position?: number | undefined; keepFilter?: boolean | undefined }): Promise<void>;
  focusRows(): void;
}

/** The name of a panel is the value of the attribute `view`, and of the field `view` in an address. */
export interface Panel extends Part {
  /** The number beside the title. */
  readonly count?: (file: OpenFile) => number | undefined;
  /** A mark beside the title. */
  readonly badge?: (file: OpenFile) => unknown;
  /** Whether there is a tab for the panel. Absent: always. */
  readonly isShown?: (file: OpenFile) => boolean;
  /**
   * `look`: shows what is in the file. `judge`: says what it is good for. `tool`: makes something of it; a tool has a tab once it was chosen
   * in the menu of tools.
   */
  readonly group: "look" | "judge" | "tool";
  /** Whether a tool has a tab from the beginning. Absent: never. */
  readonly isPinned?: (file: OpenFile) => boolean;
  /**
   * `kept`: stays in the document while another panel is shown, so that it keeps its scroll position. `dropped`: is rendered only while it
   * is shown.
   */
  readonly place: "kept" | "dropped";
  /** The rows of the panel: its element, and the member of a selection that names a row. */
  readonly rows?: { readonly element: string; readonly selectedBy: "key" | "tensor" };
  readonly stateFields: readonly StateField<object>[];
  /** Begins what the panel waits for, before it is rendered. Called again and again while the panel is shown. Absent: nothing. */
  readonly begin?: (gguf: Gguf) => void;
  /** Prepares the work of `begin` when the header of the file is read, while the main module is loaded. Absent: nothing. */
  readonly expect?: (header: Pick<Gguf, "tensors">) => void;
  readonly render: (file: OpenFile, isHidden: boolean) => TemplateResult;
}

/** The uses of a file, after editing. While a set is edited, those of the whole set: a shard alone has fewer. */
function usesOf({ gguf, model, edits }: OpenFile): KindUses {
  const header = model.set ? model.gguf : (edits?.header ?? gguf);
  return usesOfHeader(header);
}

/** Whether a file has tensors. Removed tensors count while the file is edited, because they can be restored. */
function hasTensors({ gguf, edits }: OpenFile): boolean {
  return (edits?.tensors ?? gguf.tensors).length > 0;
}

/** Whether a file is GGUF. The checks and the comparison are for entries and tensors of GGUF. */
function isGguf({ model }: OpenFile): boolean {
  return isGgufModel(model);
}

/** The result of a review that found nothing. */
const NO_FLAGS: Pick<ReviewResult, "flags"> = { flags: [] };

export const PANELS = [
  {
    name: "summary",
    title: "Summary",
    loadMore: loadParts,
    begin: beginMemory,
    expect: expectModel,
    group: "look",
    place: "kept",
    stateFields: [],
    render: (file) => {
      const { gguf, model, edits, fileName, page, cost, hasSidebar, checks, templates, templateReview, machine } = file;
      const { hubFile } = file;
      return html`<gguf-summary-panel
        .gguf=${gguf}
        .edited=${edits?.header}
        .changes=${edits?.changes.length ?? 0}
        .fileName=${fileName}
        .cost=${cost}
        .page=${page}
        .shards=${model.set ? shardCount(model.set) : ""}
        .checks=${checks}
        .review=${templateReview}
        .templates=${templates.length}
        .panels=${panelNames(file)}
        .machine=${machine}
        .hubFile=${hubFile}
        ?named=${!hasSidebar}
      ></gguf-summary-panel>`;
    },
  },
  {
    name: "metadata",
    load: loadModule(() => import("./metadata/metadata-table.ts")),
    title: "Metadata",
    group: "look",
    count: ({ gguf, edits }) => edits?.entryCount ?? gguf.entries.length,
    place: "kept",
    rows: { element: "gguf-metadata-table", selectedBy: "key" },
    stateFields: METADATA_STATE_FIELDS,
    render: ({ gguf, entries, edits, states }, isHidden) =>
      html`<gguf-metadata-table
        .gguf=${gguf}
        .entries=${edits?.rows ?? entries}
        .edits=${edits}
        .tableState=${states.metadata}
        ?hidden=${isHidden}
      ></gguf-metadata-table>`,
  },
  {
    name: "tensors",
    load: loadModule(() => import("./tensors/tensor-table.ts")),
    title: "Tensors",
    group: "look",
    count: ({ gguf, edits }) => edits?.tensorCount ?? gguf.tensors.length,
    isShown: hasTensors,
    place: "kept",
    rows: { element: "gguf-tensor-table", selectedBy: "tensor" },
    stateFields: TENSOR_STATE_FIELDS,
    render: ({ gguf, model, headers, types, edits, states }, isHidden) =>
      html`<gguf-tensor-table
        .gguf=${gguf}
        .tensors=${edits?.tensors ?? model.set?.tensors ?? gguf.tensors}
        .marks=${edits?.tensorMarks}
        .edits=${edits}
        .model=${model}
        .headers=${headers}
        .typeInfos=${types}
        .tableState=${states.tensors}
        ?hidden=${isHidden}
      ></gguf-tensor-table>`,
  },
  {
    name: "graph",
    load: loadModule(() => import("./graph/graph.ts")),
    title: "Graph",
    group: "look",
    isShown: (file) => usesOf(file).isComputed && hasTensors(file),
    place: "kept",
    stateFields: GRAPH_STATE_FIELDS,
    render: ({ gguf, edits, fileName, states }, isHidden) =>
      html`<gguf-graph
        .gguf=${gguf}
        .fileName=${fileName}
        .panelState=${states.graph}
        ?edited=${edits !== undefined}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-graph>`,
  },
  {
    name: "tokenizer",
    load: loadModule(() => import("./tokenizer/tokenizer.ts")),
    title: "Tokenizer",
    group: "look",
    isShown: ({ gguf: { metadata } }) => metadata.has("tokenizer.ggml.model") || metadata.has("tokenizer.ggml.tokens"),
    place: "kept",
    stateFields: TOKENIZER_STATE_FIELDS,
    render: ({ gguf, edits, states }, isHidden) =>
      html`<gguf-tokenizer
        .gguf=${gguf}
        .metadata=${edits?.metadata ?? gguf.metadata}
        .edits=${edits}
        .panelState=${states.tokenizer}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-tokenizer>`,
  },
  {
    name: "template",
    load: loadModule(() => import("./template/template.ts")),
    title: "Chat template",
    group: "look",
    isShown: (file) => usesOf(file).isChat || file.templates.length > 0,
    // Checks counts the findings of all panels. A second badge would count the same ones again.
    badge: (file) => {
      const { flags } = file.templateReview ?? NO_FLAGS;
      return flags.length > 0 && !isGguf(file) ? problemsBadge(flagCounts(flags), flagWords(flags)) : undefined;
    },
    place: "kept",
    stateFields: TEMPLATE_STATE_FIELDS,
    render: ({ gguf, entries, edits, address, headers, states }, isHidden) =>
      html`<gguf-template
        .gguf=${gguf}
        .entries=${edits?.rows ?? entries}
        .edits=${edits}
        .hubHeaders=${hubHeaders(address, headers)}
        .panelState=${states.template}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-template>`,
  },
  {
    name: "checks",
    load: loadModule(() => import("./checks/checks.ts")),
    title: "Checks",
    group: "judge",
    isShown: isGguf,
    badge: ({ checks }) => checks && findingsBadge(checks),
    place: "dropped",
    stateFields: CHECKS_STATE_FIELDS,
    render: ({ gguf, edits, checks, checksTask, templates, templateReview, isEditable, states }) =>
      html`<gguf-checks
        .findings=${checks?.findings}
        .loads=${checks?.loads}
        .programs=${checks?.programs}
        .refusedTemplate=${checks?.refusedTemplate}
        .running=${checks?.running}
        .task=${checksTask}
        .templateReviewed=${templates.length > 0 ? (templateReview?.isComplete ?? false) : undefined}
        .panelState=${states.checks}
        ?editable=${isEditable}
        ?edited=${edits !== undefined}
        ?sized=${(edits?.header ?? gguf).fileSize !== undefined}
      ></gguf-checks>`,
  },
  {
    name: "memory",
    load: loadModule(() => import("./memory/memory.ts")),
    begin: beginMemory,
    expect: expectModel,
    title: "Memory",
    group: "judge",
    isShown: (file) => usesOf(file).isLoaded && hasTensors(file),
    place: "kept",
    stateFields: MEMORY_STATE_FIELDS,
    render: ({ gguf, edits, fileName, states, machine }, isHidden) =>
      html`<gguf-memory-panel
        .gguf=${gguf}
        .fileName=${fileName}
        .machine=${machine}
        .panelState=${states.memory}
        ?edited=${edits !== undefined}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-memory-panel>`,
  },
  {
    name: "compare",
    load: loadModule(() => import("./compare/compare.ts")),
    title: "Compare",
    group: "judge",
    isShown: isGguf,
    place: "kept",
    stateFields: COMPARE_STATE_FIELDS,
    render: ({ model, fileName, address, headers, edits, rowLink, suggestions, states }, isHidden) =>
      html`<gguf-compare
        .model=${model}
        .fileName=${fileName}
        .address=${address}
        .headers=${headers}
        .edits=${edits}
        .changes=${edits?.changes}
        .rowLink=${rowLink}
        .suggestions=${suggestions}
        .panelState=${states.compare}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-compare>`,
  },
  {
    name: "changes",
    title: "Changes",
    group: "judge",
    count: ({ edits }) => edits?.changes.length ?? 0,
    isShown: ({ edits }) => edits !== undefined,
    place: "dropped",
    stateFields: [],
    render: ({ edits }) => html`${edits?.renderChanges()}`,
  },
  {
    name: "convert",
    load: loadModule(() => import("./convert/convert.ts")),
    title: "Convert",
    group: "tool",
    isShown: (file) => usesOf(file).isLoaded && hasTensors(file),
    place: "kept",
    stateFields: [],
    render: ({ model, fileName, address, headers, edits, states, machine }, isHidden) =>
      html`<gguf-convert
        .model=${model}
        .fileName=${fileName}
        .address=${address}
        .headers=${headers}
        .memory=${states.memory}
        .machine=${machine}
        ?edited=${edits !== undefined}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-convert>`,
  },
  {
    name: "migrate",
    load: loadModule(() => import("./legacy/migrate.ts")),
    title: "Migrate",
    group: "tool",
    isPinned: () => true,
    isShown: ({ model }) => model.legacy !== undefined,
    place: "kept",
    stateFields: [],
    render: ({ model }, isHidden) =>
      html`<gguf-migrate .legacy=${model.legacy} ?shown=${!isHidden} ?hidden=${isHidden}></gguf-migrate>`,
  },
  {
    name: "shards",
    load: loadModule(() => import("./shards/shards.ts")),
    title: "Shards",
    group: "tool",
    isPinned: ({ model }) => model.set !== undefined,
    count: ({ model }) => model.set?.shards.length,
    isShown: (file) => file.model.set !== undefined || (usesOf(file).isSplit && hasTensors(file)),
    place: "kept",
    stateFields: [],
    render: ({ model, fileName, address, edits }, isHidden) =>
      html`<gguf-shards
        .model=${model}
        .fileName=${fileName}
        .address=${address}
        ?edited=${edits !== undefined}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-shards>`,
  },
  {
    name: "hash",
    load: loadModule(() => import("./hash/hash.ts")),
    title: "Hash",
    group: "tool",
    // For other formats, the stored files are hashed. The bytes of the GGUF file that shows the model are computed, so their hash says
    // nothing.
    isShown: (file) => isGguf(file) || file.model.stored !== undefined,
    place: "kept",
    stateFields: [],
    render: ({ model, fileName, address, headers, edits }, isHidden) =>
      html`<gguf-hash
        .model=${model}
        .fileName=${fileName}
        .address=${address}
        .headers=${headers}
        ?edited=${edits !== undefined}
        ?hidden=${isHidden}
      ></gguf-hash>`,
  },
  {
    name: "share",
    load: loadModule(() => import("./share/share.ts")),
    title: "Share",
    group: "tool",
    isShown: isGguf,
    place: "kept",
    stateFields: [],
    render: ({ model, fileName, address, hubFile, machine, checks }, isHidden) =>
      html`<gguf-share
        .model=${model}
        .fileName=${fileName}
        .address=${address}
        .hubFile=${hubFile}
        .machine=${machine}
        ?refused=${isRefused(checks)}
        ?shown=${!isHidden}
        ?hidden=${isHidden}
      ></gguf-share>`,
  },
] as const satisfies readonly Panel[];

/** The panels that a file has a use for. */
export function panelsOf(file: OpenFile): readonly (Panel & { name: View })[] {
  const panels: readonly (Panel & { name: View })[] = PANELS;
  return panels.filter(({ isShown }) => isShown?.(file) ?? true);
}

function panelNames(file: OpenFile): readonly string[] {
  return panelsOf(file).map(({ name }) => name);
}

/** The name of a panel. */
export type View = (typeof PANELS)[number]["name"];

/** The panel with a name. A page may set any name as an attribute: then it is the first panel. */
export function panelNamed(name: string): Panel & { name: View } {
  return PANELS.find((panel) => panel.name === name) ?? PANELS[0];
}
