// Functions that run in the document that tests share. Playwright sends their text, so each is complete in itself.

/** The name of a function in the document that puts global variables back. It returns `false` if one of them cannot be put back. */
type Restoring = Record<symbol, (() => boolean) | undefined>;

/** Runs before the scripts of a document: reports violations of its policy, and remembers the globals. */
export function watchDocument(): void {
  addEventListener("securitypolicyviolation", (event) => {
    console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });
  let parts = 0;
  const before = new Map<object, Record<string, PropertyDescriptor>>();
  // The global object, objects with members that tests replace, and the prototypes of all global classes. Accessors are not called.
  const remember = () => {
    parts = document.body.childElementCount;
    const { storage, clipboard } = navigator as Partial<Navigator>;
    for (const object of [globalThis, navigator, storage, clipboard, history, document])
      if (object) before.set(object, Object.getOwnPropertyDescriptors(object));
    // The app takes the response that it is loaded with, once. The next test has another address.
    delete before.get(globalThis)?.["ggufFirstRequest"];
    for (const { value } of Object.values(before.get(globalThis) ?? {})) {
      if (typeof value !== "function" || !(value.prototype instanceof Object)) continue;
      before.set(value.prototype as object, Object.getOwnPropertyDescriptors(value.prototype));
    }
  };
  const restore = (): boolean => {
    // The app is the only part of the body that a test may change.
    let isRestored = document.body.childElementCount === parts;
    for (const [object, old] of before) {
      const found = Object.getOwnPropertyDescriptors(object) as Record<string, PropertyDescriptor>;
      for (const name of Object.keys(found))
        if (!Object.hasOwn(old, name)) isRestored = Reflect.deleteProperty(object, name) && isRestored;
      for (const [name, property] of Object.entries(old)) {
        const { value, get } = found[name] ?? {};
        const isSame = name in found && Object.is(value, property.value) && get === property.get;
        if (!isSame) isRestored = Reflect.defineProperty(object, name, property) && isRestored;
      }
    }
    return isRestored;
  };
  // The scripts of the app add globals of their own.
  addEventListener("load", remember);
  Object.defineProperty(globalThis, Symbol.for("restoreGlobals"), { value: restore });
}

/** Empties what the app's origin stores. Returns `false` if something is in use. */
export async function clearStorage(): Promise<boolean> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name = "" } of await indexedDB.databases()) {
    const isDeleted = await new Promise<boolean>((resolve) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve(true);
      request.onerror = request.onblocked = () => resolve(false);
    });
    if (!isDeleted) return false;
  }
  const folder = await navigator.storage.getDirectory();
  const names: string[] = [];
  for await (const [name] of folder.entries()) names.push(name);
  try {
    for (const name of names) await folder.removeEntry(name, { recursive: true });
  } catch {
    return false;
  }
  return true;
}

/** Removes the app. Returns `false` if globals that the test changed would remain. */
export function removeApp(): boolean {
  const { [Symbol.for("restoreGlobals")]: restore } = globalThis as unknown as Restoring;
  const app = document.querySelector("body > gguf-app");
  if (!app || !restore?.()) return false;
  app.remove();
  return true;
}

/** Adds an app to the document, which then is as if it were just loaded. */
export function addApp(): void {
  delete document.documentElement.dataset["theme"];
  document.title = "GGUF viewer";
  history.replaceState(null, "", "#");
  document.body.prepend(document.createElement("gguf-app"));
  scrollTo(0, 0);
}
