// A worker thread of Node.js, Deno and Bun that converts rows of tensors.

import { parentPort } from "node:worker_threads";
import { answerTo } from "./worker-jobs.js";

parentPort?.on("message", (data) => {
  const { message, transfer } = answerTo(data);
  parentPort?.postMessage(message, transfer);
});
