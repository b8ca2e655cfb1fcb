import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Serves a folder with range requests, below `prefix`, and additional paths that a test adds. */
export class TestServer {
  readonly #server: Server;
  readonly #routes = new Map<string, Handler>();
  /** All requests so far. */
  readonly log: IncomingMessage[] = [];

  constructor(folder: string | undefined, prefix = "/") {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
      const route = this.#routes.get(path);
      this.log.push(request);
      void (async () => {
        if (route) {
          await route(request, response);
        } else if (folder !== undefined && path.startsWith(prefix)) {
          const file = normalize(join(folder, path === prefix ? "index.html" : path.slice(prefix.length)));
          const data = file.startsWith(folder) ? await readFile(file).catch(() => undefined) : undefined;
          // Pages of other origins may load the viewer from here.
          const anyone = { "access-control-allow-origin": "*" };
          if (data) sendRange(request, response, data, TYPES[extname(file)] ?? "application/octet-stream", anyone);
          else send(response, 404, "no such file", "text/plain");
        } else {
          send(response, 404, "no such file", "text/plain");
        }
      })().catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers requests for `path` with `handler`. Returns the URL. */
  on(path: string, handler: Handler): string {
    this.#routes.set(path, handler);
    return this.origin + path;
  }

  /** Serves bytes at `path` with range requests. */
  file(path: string, data: Uint8Array, headers: Record<string, string> = {}): string {
    return this.on(path, (request, response) =>
      sendRange(request, response, data, "application/octet-stream", headers),
    );
  }
}

/** The CORS headers that let other pages read files and all response headers. */
export const ALLOWED = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "Authorization, Range",
  "access-control-expose-headers": "Content-Range, Content-Length, ETag",
};

/** Answers a CORS preflight request. */
export function preflight(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== "OPTIONS") return false;
  response.writeHead(204, ALLOWED).end();
  return true;
}

export function send(response: ServerResponse, status: number, body: string | Uint8Array, type: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

export function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  data: Uint8Array,
  type: string,
  headers: Record<string, string> = {},
): void {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const common = { "content-type": type, "accept-ranges": "bytes", "cache-control": "no-store", ...headers };
  if (!range) {
    response.writeHead(200, { ...common, "content-length": data.length });
    response.end(data);
    return;
  }
  const start = Number(range[1]);
  const end = range[2] ? Math.min(Number(range[2]) + 1, data.length) : data.length;
  if (start >= data.length || end <= start) {
    response.writeHead(416, { ...common, "content-range": `bytes */${data.length}` });
    response.end();
    return;
  }
  response.writeHead(206, {
    ...common,
    "content-length": end - start,
    "content-range": `bytes ${start}-${end - 1}/${data.length}`,
  });
  response.end(data.subarray(start, end));
}
