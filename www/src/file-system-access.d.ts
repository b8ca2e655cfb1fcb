// The parts of the File System Access API that Chromium has and TypeScript does not know: https://wicg.github.io/file-system-access/

interface FilePickerType {
  description: string;
  accept: Record<string, string[]>;
}

interface FileSystemHandle {
  queryPermission?(descriptor: { mode: "read" | "readwrite" }): Promise<PermissionState>;
  requestPermission?(descriptor: { mode: "read" | "readwrite" }): Promise<PermissionState>;
  remove?(): Promise<void>;
}

interface Window {
  showOpenFilePicker?(options?: { multiple?: boolean; types?: FilePickerType[] }): Promise<FileSystemFileHandle[]>;
  showSaveFilePicker?(options?: { suggestedName?: string; types?: FilePickerType[] }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options?: { mode?: "read" | "readwrite" }): Promise<FileSystemDirectoryHandle>;
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
