/** Lets a person choose a file. Undefined if they cancel. Must be called during a click or a key press. */
export function chooseFile(): Promise<File | undefined> {
  // The field stays outside of the document: no one has to find it there.
  const field = Object.assign(document.createElement("input"), { type: "file" });
  return new Promise((resolve) => {
    field.onchange = () => resolve(field.files?.[0]);
    field.oncancel = () => resolve(undefined);
    field.click();
  });
}
