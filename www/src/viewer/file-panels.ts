import type { Finding, GgmlTypeInfo, Gguf } from "gguf-wasm";
import { html, nothing } from "lit";
import type { EditSession } from "../edit/edit-session.ts";
import type { View } from "./address.ts";
import type { ShownEntry } from "../gguf/edit-rows.ts";
import type { TablesState } from "./table-state.ts";
import type { FileValues } from "../values/file-values.ts";

/** An open file, and what of it is looked at. */
interface OpenFile {
  gguf: Gguf;
  /** Its entries as they are. */
  entries: readonly ShownEntry[];
  values: FileValues;
  types: readonly GgmlTypeInfo[];
  /** While it is edited. */
  session: EditSession | undefined;
  /** What is wrong with it; undefined until that is known. */
  findings: readonly Finding[] | undefined;
  view: View;
  /** What was chosen in the tables. */
  tables: TablesState;
}

/** What is behind the tabs, but for the summary: tables keep where they are while others are looked at. */
export function filePanels({ gguf, entries, values, types, session, findings, view, tables }: OpenFile) {
  return html`<gguf-metadata-table
      .gguf=${gguf}
      .entries=${session?.rows ?? entries}
      .session=${session}
      .tableState=${tables.metadata}
      ?hidden=${view !== "metadata"}
    ></gguf-metadata-table>
    <gguf-tensor-table
      .gguf=${gguf}
      .tensors=${session?.tensors ?? gguf.tensors}
      .marks=${session?.tensorMarks}
      .session=${session}
      .values=${values}
      .typeInfos=${types}
      .tableState=${tables.tensors}
      ?hidden=${view !== "tensors"}
    ></gguf-tensor-table>
    ${
      view === "checks"
        ? html`<gguf-checks
            .findings=${findings}
            ?edited=${session !== undefined}
            ?sized=${session?.sized ?? gguf.fileSize !== undefined}
          ></gguf-checks>`
        : nothing
    }
    ${
      view === "changes" && session
        ? html`<gguf-changes
            .changes=${session.changes}
            .undone=${session.undone}
            .typeOf=${session.typeOf}
            .isListed=${session.isListed}
            .revert=${session.revert}
          ></gguf-changes>`
        : nothing
    }`;
}
