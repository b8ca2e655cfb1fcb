import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { TaskLimiter } from "../../../www/src/values/task-limiter.ts";
import { PausableFetch } from "../../../www/src/viewer/pausable-fetch.ts";

test("the request to a silent server fails after a time, but not during a pause", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    response.write("GGUF");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const transfer = new PausableFetch(200);
    const response = await transfer.fetch(`http://127.0.0.1:${port}/`, { headers: { Range: "bytes=0-99" } });
    expect(response.url).toBe(`http://127.0.0.1:${port}/`);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(4);
    const next = reader?.read().then(
      () => "read",
      () => "given up",
    );
    transfer.pause();
    const later = new Promise<string>((resolve) => setTimeout(() => resolve("waiting"), 500));
    expect(await Promise.race([next, later])).toBe("waiting");
    transfer.resume();
    expect(await next).toBe("given up");
    expect([transfer.requests, transfer.received, transfer.head.length]).toEqual([1, 4, 4]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a limited number of tasks run at the same time, in order; aborted tasks are skipped", async () => {
  const turns = new TaskLimiter(2);
  const done: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      done.push(name);
      gates.set(name, resolve);
    });
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const first = turns.run(signal, work("a"));
  void turns.run(signal, work("b"));
  const left = turns.run(leaving.signal, work("c"));
  const last = turns.run(signal, work("d"));
  expect(done).toEqual(["a", "b"]);
  leaving.abort();
  await expect(left).rejects.toThrow("aborted");
  gates.get("a")?.();
  await first;
  await expect.poll(() => done).toEqual(["a", "b", "d"]);
  gates.get("d")?.();
  await last;
  await turns.run(signal, () => Promise.resolve(done.push("e")));
  expect(done).toEqual(["a", "b", "d", "e"]);
});
