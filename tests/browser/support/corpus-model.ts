import { json, read } from "../../package/corpus.mjs";

/** A model whose data are zeros, for `answerWithZeros`. */
export interface Model {
  readonly header: Uint8Array;
  readonly size: number;
}

/** A header of the corpus, and the size of the whole file. */
export function corpusModel(file: string): Model {
  const { models } = json("memory/index.json") as { models: { file: string; file_size: number }[] };
  return { header: read(`memory/${file}`), size: models.find((row) => row.file === file)?.file_size ?? 0 };
}
