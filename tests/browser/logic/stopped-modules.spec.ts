// What WebAssembly has stopped: how the page notices, and that the next request starts another worker.

import { expect, test } from "@playwright/test";
import { errorText } from "../../../www/src/gguf/error-texts.ts";
import { errorFrom, failureOf } from "../../../www/src/gguf/failure.ts";
import type { Jobs, ToWorker } from "../../../www/src/worker/serve.ts";
import { WorkerClient } from "../../../www/src/worker/worker-client.ts";

/** What a WebAssembly module throws that reaches the instruction `unreachable`. */
function trap(): unknown {
  const type = [1, 4, 1, 0x60, 0, 0];
  const functions = [3, 2, 1, 0];
  const exported = [7, 5, 1, 1, 0x66, 0, 0];
  const code = [10, 5, 1, 3, 0, 0, 11];
  const bytes = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...type, ...functions, ...exported, ...code);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes)) as unknown as {
    exports: { f: () => void };
  };
  try {
    exports.f();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** A worker that answers each request with a trap of its module. */
class TrappedWorker {
  static made: TrappedWorker[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault: () => void }) => void) | null = null;
  isEnded = false;

  constructor() {
    TrappedWorker.made.push(this);
    queueMicrotask(() => this.onmessage?.({ data: "ready" }));
  }

  postMessage(message: ToWorker): void {
    if (!("id" in message)) return;
    const answer = { id: message.id, failure: failureOf(trap()) };
    queueMicrotask(() => this.onmessage?.({ data: answer }));
  }

  terminate(): void {
    this.isEnded = true;
  }
}

test.beforeEach(() => {
  TrappedWorker.made = [];
  Object.assign(globalThis, { Worker: TrappedWorker });
});

test.afterEach(() => {
  Reflect.deleteProperty(globalThis, "Worker");
});

async function started(): Promise<{ client: WorkerClient<Jobs>; worker: TrappedWorker }> {
  const client = await WorkerClient.start<Jobs>({ address: "https://example.org/worker.js", name: "test" });
  const [worker] = TrappedWorker.made;
  if (!client || !worker) throw new Error("no worker");
  return { client, worker };
}

test("a trap has a code and words of its own", () => {
  const failure = failureOf(trap());
  expect(failure.code).toBe("stopped");
  expect(failureOf(errorFrom(failure)).code).toBe("stopped");
  const { title, what, next } = errorText(failure);
  expect(title).toBe("A part of the page has stopped");
  expect(what).toMatch(/^Unreachable/i);
  expect(next[0]).toBe("Reload it. Your unsaved changes and typed text are kept.");
});

test("a worker whose module has stopped is ended, so that the next request starts another one", async () => {
  const { client, worker } = await started();
  await expect(client.request("any", undefined as never)).rejects.toMatchObject({ code: "stopped" });
  expect(client.hasEnded).toBe(true);
  expect(worker.isEnded).toBe(true);
  await expect(client.request("any", undefined as never)).rejects.toMatchObject({ code: "stopped" });
});

test("a worker that has died is one that has stopped", async () => {
  const { client, worker } = await started();
  worker.postMessage = () => worker.onerror?.({ message: "out of memory", preventDefault: () => undefined });
  const asked = client.request("any", undefined as never);
  asked.catch(() => undefined);
  expect(client.hasEnded).toBe(true);
  await expect(client.request("any", undefined as never)).rejects.toMatchObject({ code: "stopped" });
});
