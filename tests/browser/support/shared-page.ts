import type { Browser, BrowserContextOptions, CDPSession, Page } from "@playwright/test";
import { addApp, clearStorage, removeApp, watchDocument } from "./document-state.ts";
import type { TestServer } from "./server.ts";

/** Pages in which the app shows its start page, and which nobody has used since. */
const UNUSED = new WeakSet<Page>();

/** Where each page comes from. */
const OWNERS = new WeakMap<Page, SharedPage>();

/** The events that tests and fixtures listen to. Playwright has listeners of its own for others. */
const EVENTS = [
  "console",
  "dialog",
  "domcontentloaded",
  "download",
  "framenavigated",
  "pageerror",
  "request",
  "requestfailed",
  "requestfinished",
];

/** An empty page of the app's origin: the same process of the browser loads the app again. */
const BETWEEN = "/between-tests.html";

/** Whether the page shows the start page of the app, as if it were just loaded. The caller is then its first user. */
export function takeUnused(page: Page): boolean {
  return UNUSED.delete(page);
}

/** Leaves the document, for a test that looks at what the app loads. */
export async function leaveDocument(page: Page): Promise<void> {
  await page.goto("about:blank");
}

/**
 * Changes global variables that the app asks for when it needs them, such as pickers of files. An unused document is changed at once, and
 * each document that the test loads before its scripts run. The next test finds the variables as they were.
 */
export async function changeGlobals<Arg = undefined>(
  page: Page,
  change: (arg: Arg) => void | Promise<void>,
  arg?: Arg,
): Promise<void> {
  await OWNERS.get(page)?.changeGlobals(change as (arg: unknown) => void, arg);
}

/** The test leaves something that runs, so the next one gets another document. */
export function loseDocument(page: Page): void {
  OWNERS.get(page)?.loseDocument();
}

/**
 * One page for the tests of a worker process. Loading the app takes three quarters of the processor time of a short test, so the document
 * stays, and each test gets a new `<gguf-app>` in it. After a test that changes the document in a way that cannot be undone, the next test
 * loads the app again, in the same process of the browser. A clock, or a change of the context, costs the page.
 */
export class SharedPage {
  readonly #browser: Browser;
  readonly #app: TestServer;
  #page: Page | undefined;
  #devTools: CDPSession | undefined;
  #addInitScript: Page["addInitScript"] | undefined;
  #options = "";
  /** The page has to be closed. */
  #isSpoilt = false;
  /** The document has to be left. */
  #isLost = false;
  #isRouted = false;
  /** The requests of a page with routes that are not answered yet. */
  readonly #requests = new Set<unknown>();
  /** What ends the changes of a test. */
  readonly #undo: (() => Promise<void>)[] = [];

  constructor(browser: Browser, app: TestServer) {
    this.#browser = browser;
    this.#app = app;
    app.on(BETWEEN, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Between tests</title>");
    });
  }

  /** The page for one test. */
  async take(options: BrowserContextOptions): Promise<Page> {
    if (this.#options !== JSON.stringify(options)) await this.close();
    const page = (this.#page ??= await this.#create(options));
    page.on("framenavigated", () => UNUSED.delete(page));
    // Changes that were made before the document was loaded cannot be undone in it.
    page.on("domcontentloaded", () => {
      if (this.#undo.length > 0) this.#isLost = true;
    });
    return page;
  }

  /** Prepares the page for the next test, or closes it if that is not possible. */
  async giveBack(options: BrowserContextOptions): Promise<void> {
    const page = this.#page;
    if (!page) return;
    if (this.#isSpoilt || page.isClosed() || !(await this.#clean(page).catch(() => false))) {
      await this.close();
      return;
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null, media: null });
    const { viewport } = options;
    if (viewport && JSON.stringify(page.viewportSize()) !== JSON.stringify(viewport))
      await page.setViewportSize(viewport);
  }

  async close(): Promise<void> {
    await this.#page?.context().close();
    this.#page = undefined;
    this.#isSpoilt = this.#isLost = this.#isRouted = false;
    this.#requests.clear();
    this.#undo.length = 0;
  }

  /** See the function of this name. */
  async changeGlobals(change: (arg: unknown) => void, arg: unknown): Promise<void> {
    const page = this.#page;
    if (!page || !this.#addInitScript) return;
    const script = await this.#addInitScript.call(page, change, arg);
    this.#undo.push(() => script.dispose());
    if (UNUSED.has(page)) await page.evaluate(change, arg);
  }

  loseDocument(): void {
    this.#isLost = true;
  }

  /** Removes the traces of a test. Returns `false` if some remain. */
  async #clean(page: Page): Promise<boolean> {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    for (const undo of this.#undo.splice(0)) await undo();
    // An answer that is still to come would arrive in the next test.
    const isLost = this.#isLost || this.#requests.size > 0;
    const stays =
      !isLost &&
      page.url().startsWith(`${this.#app.origin}/#`) &&
      (await page.evaluate(removeApp)) &&
      (await page.evaluate(clearStorage));
    if (!stays) {
      page.removeAllListeners("dialog");
      await page.goto(this.#app.origin + BETWEEN);
      if (!(await page.evaluate(clearStorage))) return false;
    }
    if (this.#isRouted) await page.unrouteAll({ behavior: "ignoreErrors" });
    this.#isLost = this.#isRouted = false;
    this.#requests.clear();
    if (stays) await page.evaluate(addApp);
    // A browser keeps 50 entries, and tests count them.
    await this.#devTools?.send("Page.resetNavigationHistory");
    for (const event of EVENTS) page.removeAllListeners(event);
    if (stays) UNUSED.add(page);
    return true;
  }

  async #create(options: BrowserContextOptions): Promise<Page> {
    this.#options = JSON.stringify(options);
    const context = await this.#browser.newContext(options);
    await context.addInitScript(watchDocument);
    // A service worker would fetch all files of the page while tests count requests. `page/offline.spec.ts` has contexts of its own.
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
    const page = await context.newPage();
    OWNERS.set(page, this);
    this.#devTools = await context.newCDPSession(page);
    this.#addInitScript = page.addInitScript;
    // A change acts on the next document, so an unused one is left.
    const leaveUnused = async () => {
      this.#isLost = true;
      if (takeUnused(page)) await leaveDocument(page);
    };
    replace(page, "goto", (goto) => async (url, more) => {
      // An unused document shows the start page already.
      const isStart = url === this.#app.origin || url === `${this.#app.origin}/`;
      return isStart && takeUnused(page) ? null : goto(url, more);
    });
    replace(page, "addInitScript", (add) => async (script, arg) => {
      await leaveUnused();
      const added = await add(script, arg);
      this.#undo.push(() => added.dispose());
      return added;
    });
    replace(page, "route", (route) => async (pattern, handler, more) => {
      // The routes of another origin have no part in loading the app.
      const isOther = typeof pattern === "string" && /^https?:/.test(pattern) && !pattern.startsWith(this.#app.origin);
      if (!isOther) await leaveUnused();
      // The app remembers answers in its modules.
      this.#isLost = true;
      if (!this.#isRouted) this.#watchRequests(page);
      return route(pattern, handler, more);
    });
    replace(context, "grantPermissions", (grant) => async (names, more) => {
      this.#undo.push(() => context.clearPermissions());
      return grant(names, more);
    });
    const spoil = async () => {
      this.#isSpoilt = true;
      await leaveUnused();
    };
    for (const name of ["exposeFunction", "exposeBinding"] as const) before(page, name, spoil);
    for (const name of [
      "addCookies",
      "addInitScript",
      "exposeFunction",
      "exposeBinding",
      "route",
      "setOffline",
    ] as const)
      before(context, name, spoil);
    for (const name of ["install", "setFixedTime", "setSystemTime", "pauseAt"] as const)
      before(page.clock, name, spoil);
    return page;
  }

  #watchRequests(page: Page): void {
    this.#isRouted = true;
    page.on("request", (request) => this.#requests.add(request));
    page.on("requestfinished", (request) => this.#requests.delete(request));
    page.on("requestfailed", (request) => this.#requests.delete(request));
  }
}

/** Replaces a method of an object by one that can call it. */
function replace<T extends object, K extends keyof T>(object: T, name: K, by: (method: T[K]) => T[K]): void {
  const method = object[name] as (...args: unknown[]) => unknown;
  Object.assign(object, { [name]: by(method.bind(object) as T[K]) });
}

/** Does something before each call of a method. */
function before<T extends object>(object: T, name: keyof T, action: () => Promise<void>): void {
  const method = object[name] as (...args: unknown[]) => unknown;
  Object.assign(object, {
    [name]: async (...args: unknown[]) => {
      await action();
      return method.apply(object, args);
    },
  });
}
