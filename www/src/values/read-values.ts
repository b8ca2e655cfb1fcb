import type { ReadProgress } from "gguf-wasm/explain";
import type { ValuesGguf } from "../gguf/values.ts";
import { readDistribution } from "./distribution.ts";
import type { ValueResponses, ValueRequest } from "./value-messages.ts";

export interface RequestOptions {
  signal: AbortSignal;
  onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Reads values for a request: in the worker, or on the page if there is no worker. */
export async function readValues<Q extends ValueRequest>(
  gguf: ValuesGguf,
  question: Q,
  asking: RequestOptions,
): Promise<ValueResponses[Q["kind"]]>;
export async function readValues(
  gguf: ValuesGguf,
  question: ValueRequest,
  asking: RequestOptions,
): Promise<ValueResponses[ValueRequest["kind"]]> {
  const tensor = gguf.tensors[question.tensor];
  if (!tensor) throw Object.assign(new Error("no such tensor"), { name: "GgufError", code: "unknown-tensor" });
  const { signal } = asking;
  const onProgress = asking.onProgress ? { onProgress: asking.onProgress } : {};
  switch (question.kind) {
    case "preview": {
      const { rows, columns, maxBytes, start = 0, end } = question;
      const range = { start, ...(end === undefined ? {} : { end }) };
      return gguf.preview(tensor, { rows, columns, maxBytes, ...range, signal, ...onProgress });
    }
    case "statistics":
      return gguf.statistics(tensor, { signal, ...onProgress });
    case "distribution": {
      const { as } = question;
      return readDistribution(question, (start, end) =>
        as === "float64" ? gguf.read(tensor, { start, end, as, signal }) : gguf.read(tensor, { start, end, signal }),
      );
    }
    case "read": {
      const { start, end, as } = question;
      if (as === "float64") return gguf.read(tensor, { start, end, as, signal });
      if (as === "bigint64") return gguf.read(tensor, { start, end, as, signal });
      return gguf.read(tensor, { start, end, signal });
    }
  }
}
