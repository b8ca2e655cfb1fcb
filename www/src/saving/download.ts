/** Starts the download of a file. */
export function startDownload(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // If the browser asks where to save, it reads the file only after the answer.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60 * 1000);
}
