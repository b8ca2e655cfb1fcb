import process from "node:process";
import { Worker } from "node:worker_threads";

const worker = new Worker(new URL("run.js", import.meta.url), { argv: [String(process.argv.at(-1))] });
worker.on("error", (error) => {
  throw error;
});
