import type { Browser, BrowserContextOptions, CDPSession, Page } from "@playwright/test";

/** Pages in which the app shows its start page, and which nobody has used since. */
const UNUSED = new WeakSet<Page>();

/** The events that tests and fixtures listen to. Playwright has listeners of its own for others. */
const EVENTS = ["console", "dialog", "download", "framenavigated", "pageerror", "request"];

/** Whether the page shows the start page of the app, as if it were just loaded. The caller is then its first user. */
export function takeUnused(page: Page): boolean {
  return UNUSED.delete(page);
}

/** Leaves the document, for a test that looks at what the app loads. */
export async function leaveDocument(page: Page): Promise<void> {
  await page.goto("about:blank");
}

/**
 * One page for the tests of a worker process. Loading the app takes three quarters of the processor time of a short test, so the document
 * stays, and each test gets a new `<gguf-app>` in it. A test that changes the document in another way, by an init script, a route, a clock or
 * a global variable, loses the page: the next test gets a new one.
 */
export class SharedPage {
  readonly #browser: Browser;
  #page: Page | undefined;
  #devTools: CDPSession | undefined;
  #options = "";
  #isSpoilt = false;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The page for one test. */
  async take(options: BrowserContextOptions): Promise<Page> {
    if (this.#options !== JSON.stringify(options)) await this.close();
    const page = (this.#page ??= await this.#create(options));
    page.on("framenavigated", () => UNUSED.delete(page));
    return page;
  }

  /** Prepares the page for the next test, or closes it if that is not possible. */
  async giveBack(origin: string, options: BrowserContextOptions): Promise<void> {
    const page = this.#page;
    if (!page) return;
    const isClean = !this.#isSpoilt && !page.isClosed() && page.url().startsWith(`${origin}/#`);
    if (!isClean || !(await page.evaluate(newApp).catch(() => false))) {
      await this.close();
      return;
    }
    // A browser keeps 50 entries, and tests count them.
    await this.#devTools?.send("Page.resetNavigationHistory");
    for (const other of page.context().pages()) if (other !== page) await other.close();
    for (const event of EVENTS) page.removeAllListeners(event);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, media: null });
    const { viewport } = options;
    if (viewport && JSON.stringify(page.viewportSize()) !== JSON.stringify(viewport))
      await page.setViewportSize(viewport);
    UNUSED.add(page);
  }

  async close(): Promise<void> {
    await this.#page?.context().close();
    this.#page = undefined;
    this.#isSpoilt = false;
  }

  async #create(options: BrowserContextOptions): Promise<Page> {
    this.#options = JSON.stringify(options);
    const context = await this.#browser.newContext(options);
    await context.addInitScript(watchDocument);
    const page = await context.newPage();
    this.#devTools = await context.newCDPSession(page);
    this.#spoilOnUse(page, ["addInitScript", "route", "exposeFunction", "exposeBinding"], page);
    this.#spoilOnUse(page.clock, ["install", "setFixedTime", "setSystemTime", "pauseAt"], page);
    return page;
  }

  /** Marks the page as spoilt when one of these methods is called. They act on the next document, so an unused one is left. */
  #spoilOnUse<T extends object>(object: T, names: (keyof T & string)[], page: Page): void {
    for (const name of names) {
      const method = object[name] as (...args: unknown[]) => Promise<unknown>;
      Object.assign(object, {
        [name]: async (...args: unknown[]) => {
          if (this.spoil()) await leaveDocument(page);
          return method.apply(object, args);
        },
      });
    }
  }

  /** The next test gets another page. Returns whether the document was unused. */
  spoil(): boolean {
    this.#isSpoilt = true;
    return this.#page !== undefined && UNUSED.delete(this.#page);
  }
}

/** Runs before the scripts of a document: reports violations of its policy, and remembers the globals. */
function watchDocument(): void {
  addEventListener("securitypolicyviolation", (event) => {
    console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });
  // The values of all global variables and of the members of all global classes. Accessors are not called.
  const globals = (): unknown[] => {
    const values: unknown[] = [];
    const add = (object: object) => {
      for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
        values.push(name, (value as unknown) ?? get);
      }
    };
    add(globalThis);
    add(navigator);
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const { value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
      if (typeof value === "function" && value.prototype instanceof Object) add(value.prototype as object);
    }
    return values;
  };
  let before: unknown[] = [];
  // The scripts of the app add globals of their own.
  addEventListener("load", () => (before = globals()));
  Object.defineProperty(globalThis, Symbol.for("changedGlobals"), {
    value: () => {
      const after = globals();
      return after.length !== before.length || after.some((value, at) => !Object.is(value, before[at]));
    },
  });
}

/** Runs in the document: replaces the app by a new one. Returns `false` if traces of the test would remain. */
async function newApp(): Promise<boolean> {
  const { [Symbol.for("changedGlobals")]: changedGlobals } = globalThis as unknown as Record<symbol, () => boolean>;
  const app = document.querySelector("body > gguf-app");
  if (!app || !changedGlobals || changedGlobals()) return false;
  app.remove();
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
  delete document.documentElement.dataset["theme"];
  document.title = "GGUF viewer";
  history.replaceState(null, "", "#");
  document.body.prepend(document.createElement("gguf-app"));
  scrollTo(0, 0);
  return true;
}
