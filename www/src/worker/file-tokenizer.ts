import type { EncodeOptions, Gguf, Token, TokenizedText } from "gguf-wasm/explain";
import type { ReactiveControllerHost } from "lit";
import type { OpenedModel } from "../gguf/opened-model.ts";
import { whenIdle } from "../ui/idle.ts";
import type { HeaderJobs } from "./header-jobs.ts";
import { HEADER_SCRIPT } from "./header-script.ts";
import { headerFile } from "./header-file.ts";
import {
  type CallName,
  type CallRequest,
  type CallResponse,
  madeTokenizer,
  sentenceOf,
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

/**
 * The files that are no longer shown. No tokenizer is made for them, because nothing would end its worker. The values are the hosts that
 * wait for a tokenizer, in case the file is shown again.
 */
const HIDDEN = new WeakMap<Gguf, Set<ReactiveControllerHost>>();

const CLOSED: TokenizerProblem = { problem: "The file was closed." };

function makingOf(gguf: Gguf): Making {
  return TOKENIZERS.get(gguf) ?? beginMaking(gguf, false);
}

function beginMaking(gguf: Gguf, isAnew: boolean): Making {
  const abort = new AbortController();
  const making: Making = {
    made: make(gguf, abort.signal, isAnew).catch((error: unknown) => ({
      problem: sentenceOf(error),
      hasStopped: true,
    })),
    abort,
  };
  TOKENIZERS.set(gguf, making);
  void making.made.then((result) => (making.result = result));
  return making;
}

/**
 * Makes the tokenizer of a file anew, in a worker with a module of its own. The module of the page may have stopped: its memory cannot be
 * relied on then. The page and its unsaved changes stay.
 */
export function restartTokenizer(gguf: Gguf): void {
  if (HIDDEN.has(gguf)) return;
  TOKENIZERS.get(gguf)?.abort.abort(new DOMException("the tokenizer is made anew", "AbortError"));
  beginMaking(gguf, true);
}

/**
 * The tokenizer of a file, or why it cannot be run. It is made when the page is idle, because that takes a few hundred milliseconds for the
 * largest vocabularies, and the panel that asks for it should be visible before.
 */
export async function makeTokenizer(gguf: Gguf): Promise<FileTokenizer | TokenizerProblem> {
  return HIDDEN.has(gguf) ? CLOSED : makingOf(gguf).made;
}

/** The tokenizer of a file. Undefined until it is made, which updates `host`. */
export function tokenizerOf(gguf: Gguf, host: ReactiveControllerHost): FileTokenizer | TokenizerProblem | undefined {
  const waiting = HIDDEN.get(gguf);
  if (waiting) {
    waiting.add(host);
    return undefined;
  }
  const { made, result } = makingOf(gguf);
  if (result === undefined) void made.then(() => host.requestUpdate());
  return result;
}

type Model = Pick<OpenedModel, "gguf" | "set">;

/**
 * The files of a model that have its vocabulary. For a set, these are the merged file and the first shard, which the panels show while it
 * is edited.
 */
function vocabularyFiles({ gguf, set }: Model): Gguf[] {
  const first = set?.shards[0]?.gguf;
  return first ? [gguf, first] : [gguf];
}

/** Ends the workers of the tokenizers of a model that is not shown any more. None is made until it is shown again. */
export function endTokenizers(model: Model): void {
  for (const file of vocabularyFiles(model)) {
    TOKENIZERS.get(file)?.abort.abort(new DOMException("the file was closed", "AbortError"));
    TOKENIZERS.delete(file);
    if (!HIDDEN.has(file)) HIDDEN.set(file, new Set());
  }
}

/** Allows the tokenizers of a model that is shown again. They are made when they are needed. */
export function allowTokenizers(model: Model): void {
  for (const file of vocabularyFiles(model)) {
    const waiting = HIDDEN.get(file) ?? [];
    HIDDEN.delete(file);
    for (const host of waiting) host.requestUpdate();
  }
}

/** `isAnew`: in a worker, however small the header is. */
async function make(gguf: Gguf, signal: AbortSignal, isAnew: boolean): Promise<FileTokenizer | TokenizerProblem> {
  await whenIdle();
  const made = signal.aborted ? undefined : await makeInWorker(gguf, signal, isAnew).catch(() => undefined);
  if (signal.aborted) return CLOSED;
  return made ?? makeHere(gguf);
}

/** Undefined if the header is small and the tokenizer is not made anew, or if the page cannot start a worker. */
async function makeInWorker(
  gguf: Gguf,
  signal: AbortSignal,
  isAnew: boolean,
): Promise<FileTokenizer | TokenizerProblem | undefined> {
  if (gguf.headerSize <= LARGE_HEADER && !isAnew) return undefined;
  const worker = await WorkerClient.start<HeaderJobs>(HEADER_SCRIPT, signal);
  if (!worker) return undefined;
  let made: FileTokenizer | undefined;
  try {
    const facts = await worker.request("makeTokenizer", headerFile(gguf), { signal });
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
