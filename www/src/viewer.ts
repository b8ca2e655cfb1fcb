/** Registers `<gguf-viewer>` and what it is made of: the entry for pages that want only the viewer. */

import { GgufAddEntry } from "./edit/add-entry.ts";
import { GgufAsk } from "./edit/ask.ts";
import { GgufChanges } from "./edit/changes-panel.ts";
import { GgufLineDiff } from "./edit/line-diff.ts";
import { GgufEditArray } from "./edit/edit-array.ts";
import { GgufEditBoolean } from "./edit/edit-boolean.ts";
import { GgufEditEntry } from "./edit/edit-entry.ts";
import { GgufEditHex } from "./edit/edit-hex.ts";
import { GgufEditNumber } from "./edit/edit-number.ts";
import { GgufEditString } from "./edit/edit-string.ts";
import { GgufEditTensor } from "./edit/edit-tensor.ts";
import { GgufEditText } from "./edit/edit-text.ts";
import { GgufFileSettings } from "./edit/file-settings.ts";
import { GgufSaveDialog } from "./edit/save-dialog.ts";
import { GgufArrayView } from "./metadata/array-view.ts";
import { GgufChecks } from "./checks/checks.ts";
import { GgufCopyButton } from "./ui/copy-button.ts";
import { GgufErrorPanel } from "./viewer/error-panel.ts";
import { GgufHeatMap } from "./values/heat-map.ts";
import { GgufHistogram } from "./ui/histogram.ts";
import { GgufMetadataTable } from "./metadata/metadata-table.ts";
import { GgufProgress } from "./viewer/progress.ts";
import { GgufSlicePicker } from "./values/slice-picker.ts";
import { GgufSmallMap } from "./values/small-map.ts";
import { GgufStatisticsTable } from "./values/statistics-table.ts";
import { GgufSummary } from "./summary/summary.ts";
import { GgufTensorBytes } from "./values/tensor-bytes.ts";
import { GgufTensorStrip } from "./tensors/tensor-strip.ts";
import { GgufTensorTable } from "./tensors/tensor-table.ts";
import { GgufTensorValues } from "./values/tensor-values.ts";
import { GgufTextBlock } from "./ui/text-block.ts";
import { GgufValueTable } from "./values/value-table.ts";
import { GgufViewer } from "./viewer/viewer.ts";

const ELEMENTS = {
  "gguf-add-entry": GgufAddEntry,
  "gguf-array-view": GgufArrayView,
  "gguf-ask": GgufAsk,
  "gguf-changes": GgufChanges,
  "gguf-line-diff": GgufLineDiff,
  "gguf-checks": GgufChecks,
  "gguf-copy-button": GgufCopyButton,
  "gguf-edit-array": GgufEditArray,
  "gguf-edit-boolean": GgufEditBoolean,
  "gguf-edit-entry": GgufEditEntry,
  "gguf-edit-hex": GgufEditHex,
  "gguf-edit-number": GgufEditNumber,
  "gguf-edit-string": GgufEditString,
  "gguf-edit-tensor": GgufEditTensor,
  "gguf-edit-text": GgufEditText,
  "gguf-error-panel": GgufErrorPanel,
  "gguf-file-settings": GgufFileSettings,
  "gguf-heat-map": GgufHeatMap,
  "gguf-histogram": GgufHistogram,
  "gguf-metadata-table": GgufMetadataTable,
  "gguf-progress": GgufProgress,
  "gguf-save-dialog": GgufSaveDialog,
  "gguf-slice-picker": GgufSlicePicker,
  "gguf-small-map": GgufSmallMap,
  "gguf-statistics-table": GgufStatisticsTable,
  "gguf-summary": GgufSummary,
  "gguf-tensor-bytes": GgufTensorBytes,
  "gguf-tensor-strip": GgufTensorStrip,
  "gguf-tensor-table": GgufTensorTable,
  "gguf-tensor-values": GgufTensorValues,
  "gguf-text-block": GgufTextBlock,
  "gguf-value-table": GgufValueTable,
  "gguf-viewer": GgufViewer,
};

for (const [name, element] of Object.entries(ELEMENTS)) {
  // A page may load the app and the viewer.
  if (!customElements.get(name)) customElements.define(name, element);
}

declare global {
  interface HTMLElementTagNameMap {
    "gguf-add-entry": GgufAddEntry;
    "gguf-array-view": GgufArrayView;
    "gguf-ask": GgufAsk;
    "gguf-changes": GgufChanges;
    "gguf-line-diff": GgufLineDiff;
    "gguf-checks": GgufChecks;
    "gguf-copy-button": GgufCopyButton;
    "gguf-edit-array": GgufEditArray;
    "gguf-edit-boolean": GgufEditBoolean;
    "gguf-edit-entry": GgufEditEntry;
    "gguf-edit-hex": GgufEditHex;
    "gguf-edit-number": GgufEditNumber;
    "gguf-edit-string": GgufEditString;
    "gguf-edit-tensor": GgufEditTensor;
    "gguf-edit-text": GgufEditText;
    "gguf-error-panel": GgufErrorPanel;
    "gguf-file-settings": GgufFileSettings;
    "gguf-heat-map": GgufHeatMap;
    "gguf-histogram": GgufHistogram;
    "gguf-metadata-table": GgufMetadataTable;
    "gguf-progress": GgufProgress;
    "gguf-save-dialog": GgufSaveDialog;
    "gguf-slice-picker": GgufSlicePicker;
    "gguf-small-map": GgufSmallMap;
    "gguf-statistics-table": GgufStatisticsTable;
    "gguf-summary": GgufSummary;
    "gguf-tensor-bytes": GgufTensorBytes;
    "gguf-tensor-strip": GgufTensorStrip;
    "gguf-tensor-table": GgufTensorTable;
    "gguf-tensor-values": GgufTensorValues;
    "gguf-text-block": GgufTextBlock;
    "gguf-value-table": GgufValueTable;
    "gguf-viewer": GgufViewer;
  }
}

export { GgufViewer };
