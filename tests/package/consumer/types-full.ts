// Uses the API of `gguf-wasm/full` in a strict TypeScript program. It is type-checked but not run.

import {
  Gguf,
  type GgufSet,
  GgufWriter,
  Comparison,
  compare,
  type CompareOptions,
  type ComparisonCounts,
  type EntryChange,
  type EntryDifference,
  type FormatDifference,
  type Loads,
  type TensorChange,
  type TensorDifference,
  type ValueDetails,
  Hashes,
  MetadataArray,
  NpyFile,
  Tokenizer,
  architectureInfo,
  architectures,
  dequantize,
  fileKinds,
  fileTypes,
  ggmlTypes,
  keyInfo,
  keys,
  listRepository,
  manifestAlgorithms,
  parseFileName,
  parseRepository,
  parseShardName,
  shardName,
  tensorRole,
  tokenizerModels,
  type ArchitectureInfo,
  type ChatTemplate,
  type Classification,
  type DataHashSet,
  type DecodeOptions,
  type EncodeOptions,
  type FileKind,
  type FileKindInfo,
  type FileName,
  type FileNameProblem,
  type FileNameRule,
  type FileShard,
  type FileTypeInfo,
  type Finding,
  type FindingCode,
  type Fix,
  type FixChange,
  type FixKind,
  type GgmlTypeInfo,
  type GgufError,
  type GgufJson,
  type GgufSource,
  type HashAlgorithm,
  type HashOptions,
  type KeyInfo,
  type KeySource,
  type KeyType,
  type KeyValue,
  type ListOptions,
  type ManifestCheck,
  type ManifestLine,
  type MetadataEntry,
  type MetadataValue,
  type Modality,
  type Model,
  type ModelFileType,
  type NewTensor,
  type OpenOptions,
  type OpenProgress,
  type ReadProgress,
  type Repository,
  type RepositoryAddress,
  type TokenizerModelInfo,
  type RepositoryFile,
  type RepositoryPart,
  type RepositoryRole,
  type RepositoryShards,
  type RequiredBy,
  type SetTensor,
  type Shard,
  type MemoryChoice,
  type MemoryEstimate,
  type MemoryFit,
  type MemoryDevice,
  type MemoryRange,
  type SpecialToken,
  type TensorData,
  type TensorHashes,
  type TensorInfo,
  type TensorPart,
  type TensorPreview,
  type ShardName,
  type TensorRole,
  type TensorStatistics,
  type Token,
  type TokenizedText,
  type ValueTypeName,
  type WriteProgress,
} from "gguf-wasm/full";
import { init, initSync } from "gguf-wasm/full/init";
import { fileSource, Gguf as GgufOfNode, type FileSource } from "gguf-wasm/full/node";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if `A` and `B` are the same type. `any` equals only `any`. */
declare function same<A, B>(..._: Same<A, B> extends true ? [] : [never]): void;

export async function sources(file: File, stream: ReadableStream<Uint8Array>, handle: FileSystemFileHandle) {
  const custom = { size: 3, read: async (start: number, end: number) => new Uint8Array(end - start) };
  const all: GgufSource[] = [
    "model.gguf",
    new URL("https://example.com"),
    file,
    new Uint8Array(),
    stream,
    handle,
    custom,
  ];
  const onProgress = ({ bytesRead, fileSize }: OpenProgress) => console.log(bytesRead / (fileSize ?? Infinity));
  const signal = new AbortController().signal;
  const options: OpenOptions = { signal, onProgress, headers: { Authorization: "Bearer" }, limits: { headerBytes: 1 } };
  for (const source of all) (await Gguf.open(source, options)).free();
  // @ts-expect-error: a number is not a source
  await Gguf.open(1);
}

export async function properties(source: GgufSource) {
  using gguf = await Gguf.open(source);
  same<typeof gguf.version, number>();
  same<typeof gguf.byteOrder, "little-endian" | "big-endian">();
  same<typeof gguf.alignment, number>();
  same<typeof gguf.headerSize, number>();
  same<typeof gguf.dataOffset, number>();
  same<typeof gguf.fileSize, number | undefined>();
  same<typeof gguf.parameterCount, number>();
  same<typeof gguf.metadata, ReadonlyMap<string, MetadataValue>>();
  same<typeof gguf.entries, readonly MetadataEntry[]>();
  same<typeof gguf.tensors, readonly TensorInfo[]>();
  await Gguf.open(source, { header: gguf.headerBytes() });
  // @ts-expect-error: properties are read-only
  gguf.version = 4;
}

export function findings(gguf: Gguf) {
  using editor = gguf.edit();
  using plan = editor.plan();
  same<ReturnType<typeof gguf.validate>, readonly Finding[]>();
  same<ReturnType<typeof gguf.loads>, Loads>();
  same<Loads["answer"], "yes" | "no" | "unknown">();
  same<ReturnType<typeof editor.validate>, readonly Finding[]>();
  same<typeof plan.findings, readonly Finding[]>();
  for (const finding of [...gguf.validate(), ...plan.findings]) {
    same<typeof finding.code, FindingCode>();
    same<typeof finding.severity, "error" | "warning" | "info">();
    same<typeof finding.key, string | undefined>();
    same<typeof finding.tensor, string | undefined>();
    same<typeof finding.index, number | undefined>();
    same<typeof finding.offset, number | undefined>();
    if (finding.code === "duplicate-key") console.log(finding.message);
    // @ts-expect-error: this code does not exist
    if (finding.code === "no-such-code") console.log(finding);
  }
}

export function metadata(gguf: Gguf) {
  for (const [key, value] of gguf.metadata) {
    same<typeof key, string>();
    same<typeof value, number | bigint | boolean | string | MetadataArray>();
    console.log(key, value instanceof MetadataArray ? array(value) : value);
  }
  for (const entry of gguf.entries) {
    same<typeof entry.index, number>();
    same<typeof entry.key, string>();
    same<typeof entry.type, ValueTypeName>();
    same<typeof entry.elementType, ValueTypeName | undefined>();
    same<typeof entry.length, number | undefined>();
    same<typeof entry.offset, number>();
    same<typeof entry.byteLength, number>();
    same<typeof entry.value, MetadataValue>();
    const stored: Blob = new Blob([gguf.keyBytes(entry), gguf.valueBytes(entry), gguf.stringBytes(entry)]);
    console.log(stored);
  }
}

function array(values: MetadataArray) {
  same<typeof values.elementType, ValueTypeName>();
  same<typeof values.length, number>();
  same<ReturnType<typeof values.at>, MetadataValue | undefined>();
  const page: MetadataValue[] = values.slice(10, 60);
  const all: MetadataValue[] = values.toArray();
  const found: number = values.indexOf("</s>", 1);
  const bytes: Uint8Array = values.bytes(0);
  const typed = values.toTypedArray();
  const each: MetadataValue[] = [...values];
  return [each, page, all, found, bytes, typed];
}

export async function tensors(gguf: Gguf): Promise<Blob> {
  const tensor: TensorInfo | undefined = gguf.tensor("output.weight");
  if (!tensor) throw new Error("no such tensor");
  same<typeof tensor.index, number>();
  same<typeof tensor.name, string>();
  same<typeof tensor.dimensions, readonly number[]>();
  same<typeof tensor.type, string>();
  same<typeof tensor.typeId, number>();
  same<typeof tensor.elementCount, number | undefined>();
  same<typeof tensor.byteLength, number | undefined>();
  same<typeof tensor.offset, number>();
  same<typeof tensor.fileOffset, number | undefined>();
  await gguf.readBytes("output.weight", { signal: new AbortController().signal });
  return new Blob([await gguf.readBytes(tensor, { start: 0, end: 32 })]);
}

export async function comparing(a: Gguf, b: GgufSet): Promise<readonly EntryDifference[]> {
  const options: CompareOptions = { data: true, values: true, maxBytes: 1e6, signal: AbortSignal.timeout(1000) };
  using comparison: Comparison = await compare(a, b, options);
  same<typeof comparison.isEqual, boolean>();
  same<typeof comparison.dataCoverage, "whole" | "sampled" | "none">();
  same<typeof comparison.summary, string>();
  same<typeof comparison.format, FormatDifference[]>();
  same<typeof comparison.counts, ComparisonCounts>();
  same<typeof comparison.counts.tensors.renamed, number>();
  const details: ValueDetails | undefined = comparison.entryDetails(0);
  for (const { startA, endA, startB, endB } of details?.hunks ?? []) console.log(startA, endA, startB, endB);
  for (const { text, idA, idB } of details?.tokens?.differences ?? []) console.log(text, idA, idB);
  for (const tensor of comparison.tensors(0, 100)) {
    same<typeof tensor, TensorDifference>();
    same<typeof tensor.data, "equal" | "different" | "equal-in-sample" | "not-compared" | "unreadable">();
    same<typeof tensor.change, TensorChange>();
    const dimensions: readonly number[] | undefined = tensor.a?.dimensions;
    console.log(tensor.name, tensor.nameB, dimensions, tensor.values?.nmse, tensor.values?.cosine);
  }
  const markdown: string = comparison.toMarkdown({ nameA: "a", nameB: "b", limit: 10 });
  console.log(JSON.stringify(comparison), markdown);
  const change: EntryChange | undefined = comparison.entries()[0]?.change;
  console.log(change);
  return comparison.entries(0, 10);
}

export async function repository(): Promise<readonly RepositoryFile[]> {
  const address: RepositoryAddress | undefined = parseRepository("hub:owner/name@main/folder");
  same<NonNullable<typeof address>["revision"], string | undefined>();
  const options: ListOptions = {
    revision: "main",
    hub: "https://huggingface.co",
    headers: { Authorization: "Bearer x" },
    retries: 1,
    signal: AbortSignal.timeout(1000),
  };
  const repository: Repository = await listRepository(address?.id ?? "owner/name", options);
  same<typeof repository.parameterCount, number | undefined>();
  same<typeof repository.isGated, boolean>();
  same<RepositoryFile["role"], RepositoryRole>();
  same<RepositoryFile["shards"], RepositoryShards | undefined>();
  same<RepositoryFile["parts"], readonly RepositoryPart[]>();
  same<RepositoryFile["bitsPerWeight"], number | undefined>();
  // @ts-expect-error: a repository is a string.
  void listRepository(5);
  return repository.files;
}

export async function hashes(gguf: Gguf, text: string): Promise<readonly ManifestLine[]> {
  const algorithms: readonly HashAlgorithm[] = manifestAlgorithms(text);
  const onProgress = ({ bytesRead, totalBytes }: ReadProgress) => console.log(bytesRead / totalBytes);
  const options: HashOptions = { algorithms, tensors: true, file: true, signal: AbortSignal.timeout(1000), onProgress };
  using hashes: Hashes = await gguf.hash(options);
  same<typeof hashes.data, DataHashSet>();
  same<typeof hashes.data.uuid, string | undefined>();
  same<typeof hashes.tensors, readonly TensorHashes[]>();
  same<typeof hashes.fileSha256, string | undefined>();
  const manifest: string = hashes.manifest("model.gguf");
  const check: ManifestCheck = hashes.check(manifest);
  same<typeof check.algorithm, "xxh64" | "sha1" | "sha256" | "uuid">();
  same<typeof check.result, "match" | "mismatch" | "nothing-found">();
  same<typeof check.unlisted, readonly string[]>();
  for (const line of check.lines) {
    same<typeof line.tensor, string | undefined>();
    same<typeof line.expected, string>();
    same<typeof line.actual, string | undefined>();
    same<typeof line.result, "match" | "mismatch" | "not-in-file">();
    console.log(line);
  }
  // @ts-expect-error: this algorithm does not exist
  await gguf.hash({ algorithms: ["md5"] });
  return check.lines;
}

export async function exported(gguf: Gguf, tensor: TensorInfo, writable: WritableStream): Promise<string[]> {
  const json: GgufJson = gguf.toJSON({ arrays: "short", tensors: false, fileName: "model.gguf" });
  same<typeof json.endian, "LITTLE" | "BIG">();
  const type: ValueTypeName | undefined = json.metadata["general.name"]?.array_types?.[0];
  const length: number | undefined = json.metadata["tokenizer.ggml.tokens"]?.length;
  // @ts-expect-error: this choice does not exist
  gguf.toJSON({ arrays: "all" });
  const templates: ChatTemplate[] = gguf.chatTemplates();
  using npy: NpyFile = gguf.toNpy(tensor, { as: "stored" });
  same<typeof npy.shape, readonly number[]>();
  const onProgress = ({ bytesWritten, totalBytes }: WriteProgress) => console.log(bytesWritten / totalBytes);
  const stream: ReadableStream<Uint8Array<ArrayBuffer>> = npy.stream({ signal: AbortSignal.timeout(1000), onProgress });
  await stream.pipeTo(writable);
  const texts: string[] = [gguf.toMarkdown({ tensors: true }), gguf.tensorsToCsv(), gguf.tokensToCsv()];
  return [...texts, ...templates.map(({ template }) => template), npy.dtype, `${npy.size} ${type} ${length}`];
}

export async function values(gguf: Gguf, tensor: TensorInfo) {
  const signal = new AbortController().signal;
  const floats: Float32Array<ArrayBuffer> = await gguf.read(tensor, { start: 1, end: 2, signal });
  const doubles: Float64Array<ArrayBuffer> = await gguf.read(tensor, { as: "float64" });
  const integers: BigInt64Array<ArrayBuffer> = await gguf.read("ids", { as: "bigint64" });
  // @ts-expect-error: this name of an array type does not exist
  await gguf.read(tensor, { as: "int8" });
  const onProgress = ({ bytesRead, totalBytes }: ReadProgress) => console.log(bytesRead / totalBytes);
  const options = { rows: 8, columns: 8, maxBytes: 1 << 20, signal, onProgress };
  const preview: TensorPreview = await gguf.preview(tensor, options);
  same<typeof preview.mean, Float32Array<ArrayBuffer>>();
  const statistics: TensorStatistics = await gguf.statistics("output.weight", { signal, onProgress });
  same<typeof statistics.histogram.counts, Float64Array<ArrayBuffer>>();
  const out: Float32Array = dequantize("Q4_K", new Uint8Array(144), new Float32Array(256));
  const all: Float32Array = dequantize(tensor.typeId, await gguf.readBytes(tensor));
  return [floats, doubles, integers, out, all, preview.sampledRows[0]?.start, statistics.mean];
}

export async function written(file: File, handle: FileSystemFileHandle): Promise<Blob> {
  using writer = new GgufWriter({ byteOrder: "little-endian", alignment: 64, version: 3 });
  writer.set("general.name", "My model");
  writer.set("llama.rope.freq_base", 500000, "FLOAT32");
  const data: TensorData[] = [new Float32Array(4), new ArrayBuffer(16), file, () => file, async () => () => file];
  for (const [index, given] of data.entries()) {
    const tensor: NewTensor = { dimensions: [4], type: index === 0 ? "F32" : 0, data: given };
    writer.addTensor(`t.${index}`, tensor);
  }
  same<typeof writer.tensors, readonly TensorInfo[]>();
  writer.reserve();
  const header: Uint8Array<ArrayBuffer> = writer.headerBytes();
  console.log(header, writer.dataOffset - writer.headerSize, writer.size);
  const onProgress = ({ bytesWritten, totalBytes }: WriteProgress) => console.log(bytesWritten / totalBytes);
  await writer.stream({ onProgress }).pipeTo(await handle.createWritable());
  // @ts-expect-error: a string is not tensor data
  writer.addTensor("t", { dimensions: [1], type: "F32", data: "abcd" });
  // @ts-expect-error: new files must have version 2 or 3
  return new GgufWriter({ version: 1 }).toBlob();
}

export function types(): Map<string, GgmlTypeInfo> {
  return new Map(ggmlTypes().map((type) => [type.name, type]));
}

export function knowledge(gguf: Gguf) {
  const info: KeyInfo | undefined = keyInfo("llama.block_count");
  same<ReturnType<typeof keyInfo>, KeyInfo | undefined>();
  same<ReturnType<typeof keys>, readonly KeyInfo[]>();
  same<KeyInfo["types"], readonly KeyType[]>();
  same<KeyInfo["values"], readonly KeyValue[] | undefined>();
  same<KeyValue["value"], number | string>();
  same<KeyInfo["sources"], readonly KeySource[]>();
  same<KeyInfo["unit"] | KeyInfo["note"] | KeyInfo["deprecatedFor"], string | undefined>();
  same<KeyInfo["requiredBy"], RequiredBy | undefined>();
  same<RequiredBy["llamaCpp"], readonly string[]>();
  const types: KeyType[] = ["UINT32", "STRING[]"];
  const source: KeySource = "llama.cpp";
  // @ts-expect-error: the types of array elements are named
  types.push("ARRAY");
  // @ts-expect-error: the table has no keys with arrays of arrays
  types.push("UINT32[][]");
  // @ts-expect-error: rows are read-only
  if (info) info.title = "Title";
  // @ts-expect-error: the list is read-only
  keys().push(info);
  // @ts-expect-error: a number is not a key
  keyInfo(5);
  if (info?.types[0]) gguf.edit().set(info.pattern, 5, info.types[0]);

  same<ReturnType<typeof architectures>, readonly ArchitectureInfo[]>();
  same<ReturnType<typeof architectureInfo>, ArchitectureInfo | undefined>();
  same<ArchitectureInfo["llamaCppKeys"], readonly string[] | undefined>();
  same<ReturnType<typeof fileTypes>, readonly FileTypeInfo[]>();
  same<FileTypeInfo["id"], number>();

  const role: TensorRole | undefined = tensorRole("blk.3.attn_q.weight");
  same<TensorRole["block"], number | undefined>();
  same<TensorRole["part"], TensorPart | undefined>();
  const part: TensorPart = "lora_a";
  const shard: ShardName | undefined = parseShardName("model-00002-of-00003.gguf");
  same<ReturnType<typeof shardName>, string>();
  // @ts-expect-error: the members cannot be changed
  if (shard) shard.number = 1;
  // @ts-expect-error: this part does not exist
  if (role?.part === "weights") console.log(role);
  return [info, types, source, role, part, shard];
}

export function named(gguf: Gguf): string {
  same<ReturnType<typeof parseFileName>, FileName>();
  const { problems } = parseFileName("Mixtral-8x7B-v0.1-Q4_K_M.gguf");
  same<FileName["isConventional"], boolean>();
  same<FileName["problems"], readonly FileNameProblem[]>();
  same<FileNameProblem, { readonly rule: FileNameRule; readonly message: string }>();
  same<FileName["baseName"] | FileName["type"], string | undefined>();
  same<FileName["shard"], FileShard | undefined>();
  same<FileShard, { readonly number: number; readonly count: number }>();
  const rule: FileNameRule = "version-missing";
  // @ts-expect-error: this rule does not exist
  if (problems[0]?.rule === "version-absent") console.log(rule);
  // @ts-expect-error: problems are read-only
  problems.push({ rule, message: "" });
  // @ts-expect-error: a number is not a name
  parseFileName(5);
  same<ReturnType<typeof gguf.suggestFileName>, string>();
  return gguf.edit().suggestFileName();
}

export function classified(gguf: Gguf) {
  same<typeof gguf.kind, FileKind>();
  same<typeof gguf.classification, Classification>();
  same<ReturnType<typeof gguf.edit>["classification"], Classification>();
  same<Classification["kind"], FileKind>();
  same<Classification["title"] | Classification["description"], string>();
  same<Classification["evidence"], readonly string[]>();
  same<Classification["shard"], Shard | undefined>();
  same<Classification["modalities"], readonly Modality[]>();
  same<Shard["number"] | Shard["tensorCount"], number | undefined>();
  same<Shard["count"], number>();
  same<Shard["setKind"], FileKind>();
  same<Modality, "vision" | "audio" | "speech">();
  same<ReturnType<typeof fileKinds>, readonly FileKindInfo[]>();
  same<FileKindInfo["name"], FileKind>();
  same<ReturnType<typeof tokenizerModels>, readonly TokenizerModelInfo[]>();
  // @ts-expect-error: this kind does not exist
  if (gguf.kind === "lora") console.log(gguf);
  // @ts-expect-error: the kind is read-only
  gguf.kind = "model";

  same<ReturnType<typeof gguf.specialTokens>, readonly SpecialToken[]>();
  same<SpecialToken["text"], string | undefined>();
  same<SpecialToken["role"] | SpecialToken["key"], string>();
  same<SpecialToken["id"], number>();

  same<ReturnType<typeof gguf.memory>, MemoryEstimate>();
  same<MemoryEstimate["compute"], MemoryRange | undefined>();
  same<ReturnType<typeof gguf.fit>, MemoryFit>();
  gguf.fit({
    gpuBytes: 8e9,
    machineBytes: 32e9,
    cacheTypes: ["F16", "Q8_0"],
    microBatch: 256,
  });
  same<MemoryFit["choices"], readonly MemoryChoice[]>();
  gguf.fit({ gpuBytes: [24e9, 12e9], gpuLayers: 3, bandwidths: [936e9, undefined, 80e9] });
  // @ts-expect-error: the tensors of an override are named by a pattern
  gguf.memory({ overrideTensors: [{ name: "output.weight", device: "CPU" }] });
  const { devices } = gguf.memory({
    overrideTensors: [{ pattern: /exps/, device: "CPU" }],
    tensorSplit: [3, 1],
  });
  // What is not known is no number.
  same<MemoryDevice["cache"], number | undefined>();
  devices[1].total satisfies MemoryRange | undefined;
  same<ReturnType<typeof gguf.largestContext>, number | undefined>();
  gguf.largestContext({ bytes: 8e9, beside: [gguf.memory({ contextLength: 4096, keyType: "Q8_0" })] });
  // @ts-expect-error: the memory of the GPU is required
  gguf.largestContext({});
}

export function tokenized(gguf: Gguf, text: string): string {
  const tokenizer: Tokenizer = gguf.tokenizer();
  same<typeof tokenizer.model, string>();
  same<typeof tokenizer.pre, string | undefined>();
  same<typeof tokenizer.tokenCount, number>();
  same<TokenizedText["ids"], Int32Array<ArrayBuffer>>();
  same<TokenizedText["offsets"], Uint32Array<ArrayBuffer>>();
  same<Token["type"], "normal" | "unknown" | "control" | "user-defined" | "unused" | "byte" | "undefined">();
  same<Token["bytes"], Uint8Array<ArrayBuffer>>();
  same<Token["score"], number | undefined>();
  const options: EncodeOptions = { addSpecial: false, parseSpecial: true };
  const parts: TokenizedText = tokenizer.tokenize(text, options);
  const token: Token | undefined = tokenizer.token(parts.ids[0] ?? 0);
  const decodeOptions: DecodeOptions = { skipSpecial: true, removeAdded: false };
  // @ts-expect-error: the model is read-only
  tokenizer.model = "llama";
  // @ts-expect-error: ids are numbers
  tokenizer.decode(["1"]);
  return tokenizer.decode(tokenizer.encode(text), decodeOptions) + (token?.text ?? "");
}

export function mended(gguf: Gguf): boolean {
  const editor = gguf.edit();
  const fix: Fix | undefined = editor.validate()[0]?.fix;
  same<Finding["fix"], Fix | undefined>();
  same<Fix["changes"], readonly FixChange[]>();
  same<FixChange["kind"], FixKind>();
  same<FixChange["isRepeated"], boolean | undefined>();
  if (fix) editor.apply(fix);
  // @ts-expect-error: a finding is not its fix
  editor.apply(editor.validate()[0]);
  return fix?.isSafe ?? false;
}

export function explained(error: GgufError): string {
  same<typeof error.name, "GgufError">();
  same<typeof error.offset, number | undefined>();
  same<typeof error.status, number | undefined>();
  same<typeof error.url, string | undefined>();
  const code: string = error.code;
  return `${code}: ${error.message}`;
}

export async function initialised(module: WebAssembly.Module): Promise<number> {
  initSync(module);
  return (await init("/gguf_wasm_full_bg.wasm")).memory.buffer.byteLength;
}

export async function files(): Promise<FileSource> {
  await using source = await fileSource(new URL("model.gguf", import.meta.url));
  same<typeof source.size, number | undefined>();
  const bytes: Uint8Array<ArrayBuffer> = await source.read(0, 4);
  const gguf: Gguf = await GgufOfNode.open(source);
  await Gguf.open(bytes);
  console.log(gguf.version);
  // @ts-expect-error: a number is not a path
  return fileSource(3);
}

/** The members that a file has and a set does not. */
type MissingInSets = Exclude<keyof Gguf, keyof GgufSet>;

export function sameInterface(gguf: Gguf, set: GgufSet): string[] {
  const none: [MissingInSets] extends [never] ? true : false = true;
  const models: Model[] = [gguf, set];
  same<typeof gguf.fileType, ModelFileType>();
  same<typeof set.tensors, readonly SetTensor[]>();
  return none ? models.map((model) => model.getString("general.name") ?? model.name ?? "") : [];
}
