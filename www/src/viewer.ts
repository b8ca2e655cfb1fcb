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
import { GgufArrayView } from "./elements/array-view.ts";
import { GgufChecks } from "./elements/checks.ts";
import { GgufCopyButton } from "./elements/copy-button.ts";
import { GgufErrorPanel } from "./elements/error-panel.ts";
import { GgufHeatMap } from "./elements/heat-map.ts";
import { GgufHistogram } from "./elements/histogram.ts";
import { GgufMetadataTable } from "./elements/metadata-table.ts";
import { GgufProgress } from "./elements/progress.ts";
import { GgufSlicePicker } from "./elements/slice-picker.ts";
import { GgufSmallMap } from "./elements/small-map.ts";
import { GgufStatisticsTable } from "./elements/statistics-table.ts";
import { GgufSummary } from "./elements/summary.ts";
import { GgufTensorBytes } from "./elements/tensor-bytes.ts";
import { GgufTensorStrip } from "./elements/tensor-strip.ts";
import { GgufTensorTable } from "./elements/tensor-table.ts";
import { GgufTensorValues } from "./elements/tensor-values.ts";
import { GgufTextBlock } from "./elements/text-block.ts";
import { GgufValueTable } from "./elements/value-table.ts";
import { GgufViewer } from "./elements/viewer.ts";

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
