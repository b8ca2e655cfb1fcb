import type { Page } from "@playwright/test";
import { FORTY, type HubRepository } from "../../support/hub-server.mjs";

export const HUB = "https://huggingface.co";

/** Answers of the hub for a page. */
export interface Hub {
  /** The paths of all requests so far, with the header `Authorization` if there is one. */
  readonly asked: { path: string; token: string | undefined }[];
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "Authorization, Range",
  "access-control-expose-headers": "Link, Retry-After, RateLimit, X-Error-Code, Content-Range, Content-Length, ETag",
};

/** What the hub answers instead of a list. */
export type Refusal = { status: number; code?: string; headers?: Record<string, string> };

/**
 * Answers requests of a page to Hugging Face: lists of files, facts, and files with bytes. `refuse` returns what is answered instead of a
 * list.
 */
export async function routeHub(
  page: Page,
  repositories: Record<string, HubRepository> = { "owner/name": FORTY },
  refuse: (id: string, token: string | undefined) => Refusal | undefined = () => undefined,
): Promise<Hub> {
  const asked: Hub["asked"] = [];
  await page.route(`${HUB}/**`, async (route) => {
    const request = route.request();
    if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers: CORS });
    const { pathname } = new URL(request.url());
    const { authorization: token, range } = await request.allHeaders();
    asked.push({ path: pathname, token });
    const [, id = "", rest = ""] = /^\/api\/models\/([^/]+\/[^/]+)(.*)$/.exec(pathname) ?? [];
    const refusal = id === "" ? undefined : refuse(id, token);
    if (refusal) {
      const ofCode = refusal.code === undefined ? {} : { "x-error-code": refusal.code };
      return route.fulfill({ status: refusal.status, headers: { ...CORS, ...ofCode, ...refusal.headers }, json: {} });
    }
    const repository = repositories[id];
    if (id !== "" && !repository)
      return route.fulfill({ status: 401, headers: { ...CORS, "x-error-code": "RepoNotFound" }, json: {} });
    if (repository && rest === "")
      return route.fulfill({ headers: CORS, json: { id, gguf: repository.gguf, gated: repository.gated ?? false } });
    if (repository) {
      const files = Object.entries(repository.files).map(([path, file]) => ({
        type: "file",
        path,
        size: typeof file === "number" ? file : file.length,
      }));
      return route.fulfill({ headers: CORS, json: files });
    }
    const [, fileId = "", path = ""] = /^\/([^/]+\/[^/]+)\/resolve\/main\/(.+)$/.exec(pathname) ?? [];
    const file = repositories[fileId]?.files[decodeURIComponent(path)];
    if (!(file instanceof Uint8Array)) return route.fulfill({ status: 404, headers: CORS });
    if (range === undefined) return route.fulfill({ headers: CORS, body: Buffer.from(file) });
    const [, first = "0", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const [start, end] = [Number(first), last === "" ? file.length : Math.min(Number(last) + 1, file.length)];
    return route.fulfill({
      status: 206,
      headers: { ...CORS, "content-range": `bytes ${start}-${end - 1}/${file.length}` },
      body: Buffer.from(file.subarray(start, end)),
    });
  });
  return { asked };
}

/** A search that a page has made. */
export interface HubSearch {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly token: string | undefined;
}

/** A model as the hub lists it: `expand` says which fields it has. */
export function hubModel(id: string, more: object = {}): object {
  return {
    _id: "0",
    id,
    downloads: 1_234_567,
    likes: 345,
    lastModified: "2026-03-12T10:20:30.000Z",
    gated: false,
    ...more,
  };
}

/** Answers searches of a page, and lists of files as `routeHub` does. `answer` returns the models, or what is answered instead. */
export async function routeSearch(
  page: Page,
  answer: (search: HubSearch) => readonly object[] | Refusal,
): Promise<{ asked: Hub["asked"]; searches: HubSearch[] }> {
  const { asked } = await routeHub(page);
  const searches: HubSearch[] = [];
  await page.route(`${HUB}/api/models?*`, async (route) => {
    const request = route.request();
    if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers: CORS });
    const { authorization: token } = await request.allHeaders();
    const search = { query: Object.fromEntries(new URL(request.url()).searchParams), token };
    searches.push(search);
    const found = answer(search);
    if (!("status" in found)) return route.fulfill({ headers: CORS, json: found });
    return route.fulfill({ status: found.status, headers: { ...CORS, ...found.headers }, json: {} });
  });
  return { asked, searches };
}
