import type { EncodeOptions, Gguf, Token, TokenizedText } from "gguf-wasm";
import type { ReactiveControllerHost } from "lit";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { whenIdle } from "../ui/idle.ts";
import type { HeaderJobs } from "./header-jobs.ts";
import { HEADER_SCRIPT } from "./header-script.ts";
import {
  type CallName,
  type CallRequest,
  type CallResponse,
  madeTokenizer,
  TOKENIZER_CALLS,
  type TokenizerFacts,
  type TokenizerProblem,
} from "./tokenizer-calls.ts";
import { LARGE_HEADER, WorkerClient } from "./worker-client.ts";

type Call = <Name extends CallName>(name: Name, request: CallRequest<Name>) => Promise<CallResponse<Name>>;

/** The tokenizer of a file. That of a large header is made and runs in a worker. */
export class FileTokenizer implements TokenizerFacts {
  readonly tokenCount: number;
  readonly added: readonly number[];
  readonly #call: Call;

  constructor({ tokenCount, added }: TokenizerFacts, call: Call) {
    this.tokenCount = tokenCount;
    this.added = added;
    this.#call = call;
  }

  encode(text: string, options: EncodeOptions): Promise<Int32Array> {
    return this.#call("encode", { text, options });
  }

  tokenize(text: string, options: EncodeOptions): Promise<TokenizedText> {
    return this.#call("tokenize", { text, options });
  }

  /** The text of tokens, special ones included. */
  decode(ids: readonly number[]): Promise<string> {
    return this.#call("decode", ids);
  }

  /** The tokens with these ids. Undefined for an id that the vocabulary does not have. */
  tokens(ids: readonly number[]): Promise<(Token | undefined)[]> {
    return this.#call("tokens", ids);
  }
}

/** A tokenizer that is made, or being made, and what ends its worker. */
interface Making {
  readonly made: Promise<FileTokenizer | TokenizerProblem>;
  result?: FileTokenizer | TokenizerProblem;
  readonly abort: AbortController;
}

/** The tokenizers of the open files. Making one reads the whole vocabulary, so panels share it. */
const TOKENIZERS = new WeakMap<Gguf, Making>();

function makingOf(gguf: Gguf): Making {
  let making = TOKENIZERS.get(gguf);
  if (making === undefined) {
    const abort = new AbortController();
    making = { made: make(gguf, abort.signal), abort };
    TOKENIZERS.set(gguf, making);
    const keeping = making;
    void making.made.then((result) => (keeping.result = result));
  }
  return making;
}

/**
 * The tokenizer of a file, or why it cannot be run. It is made when the page is idle, because that takes a few hundred milliseconds for the
 * largest vocabularies, and the panel that asks for it should be visible before.
 */
export function makeTokenizer(gguf: Gguf): Promise<FileTokenizer | TokenizerProblem> {
  return makingOf(gguf).made;
}

/** The tokenizer of a file. Undefined until it is made, which updates `host`. */
export function tokenizerOf(gguf: Gguf, host: ReactiveControllerHost): FileTokenizer | TokenizerProblem | undefined {
  const { made, result } = makingOf(gguf);
  if (result === undefined) void made.then(() => host.requestUpdate());
  return result;
}

/** Ends the workers of a model's tokenizers. A tokenizer that is needed again is made again. */
export function endTokenizers({ gguf, set }: Pick<OpenedModel, "gguf" | "set">): void {
  // A set has the vocabulary in its first shard, which the panels show while it is edited.
  for (const file of [gguf, set?.shards[0]?.gguf]) {
    const making = file && TOKENIZERS.get(file);
    making?.abort.abort(new DOMException("the file was closed", "AbortError"));
    if (file) TOKENIZERS.delete(file);
  }
}

async function make(gguf: Gguf, signal: AbortSignal): Promise<FileTokenizer | TokenizerProblem> {
  await whenIdle();
  const made = signal.aborted ? undefined : await makeInWorker(gguf, signal).catch(() => undefined);
  if (signal.aborted) return { problem: "The file was closed." };
  return made ?? makeHere(gguf);
}

/** Undefined if the header is small, or if the page cannot start a worker. */
async function makeInWorker(gguf: Gguf, signal: AbortSignal): Promise<FileTokenizer | TokenizerProblem | undefined> {
  if (gguf.headerSize <= LARGE_HEADER) return undefined;
  const worker = await WorkerClient.start<HeaderJobs>(HEADER_SCRIPT, signal);
  if (!worker) return undefined;
  let made: FileTokenizer | undefined;
  try {
    const facts = await worker.request(
      "makeTokenizer",
      { header: gguf.headerBytes(), size: gguf.fileSize },
      { signal },
    );
    if ("problem" in facts) return facts;
    made = new FileTokenizer(facts, ((name, request) => worker.request("tokenizer", { name, request })) as Call);
    worker.endWith(signal);
    return made;
  } finally {
    if (!made) worker.stop();
  }
}

function makeHere(gguf: Gguf): FileTokenizer | TokenizerProblem {
  const made = madeTokenizer(gguf);
  if ("problem" in made) return made;
  const { tokenizer, facts } = made;
  const call = async (name: CallName, request: never) => TOKENIZER_CALLS[name](tokenizer, request);
  return new FileTokenizer(facts, call as Call);
}
