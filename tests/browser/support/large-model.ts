// A model of 671 billion parameters, like DeepSeek V3. Only its header has bytes; the data are zeros that the server makes.

import type { IncomingMessage, ServerResponse } from "node:http";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { ALLOWED } from "./server.ts";

const BLOCKS = 61;
const DENSE_BLOCKS = 3;
const TOKENS = 129_280;

/** The numbers, the elements of a block and the bytes of a block of the tensor types of the model. */
const TYPES = {
  F32: { type: 0, elements: 1, bytes: 4 },
  Q4_K: { type: 12, elements: 256, bytes: 144 },
  Q6_K: { type: 14, elements: 256, bytes: 210 },
  IQ1_S: { type: 19, elements: 256, bytes: 50 },
} as const;

type TypeName = keyof typeof TYPES;
type Part = readonly [name: string, dimensions: readonly number[], type: TypeName];

const ATTENTION: readonly Part[] = [
  ["attn_kv_a_mqa.weight", [7168, 576], "Q4_K"],
  ["attn_kv_a_norm.weight", [512], "F32"],
  ["attn_kv_b.weight", [512, 32_768], "Q4_K"],
  ["attn_norm.weight", [7168], "F32"],
  ["attn_output.weight", [16_384, 7168], "Q4_K"],
  ["attn_q_a.weight", [7168, 1536], "Q4_K"],
  ["attn_q_a_norm.weight", [1536], "F32"],
  ["attn_q_b.weight", [1536, 24_576], "Q4_K"],
  ["ffn_norm.weight", [7168], "F32"],
];

const DENSE: readonly Part[] = [
  ["ffn_down.weight", [18_432, 7168], "Q6_K"],
  ["ffn_gate.weight", [7168, 18_432], "Q4_K"],
  ["ffn_up.weight", [7168, 18_432], "Q4_K"],
];

const EXPERTS: readonly Part[] = [
  ["exp_probs_b.bias", [256], "F32"],
  ["ffn_down_exps.weight", [2048, 7168, 256], "Q4_K"],
  ["ffn_down_shexp.weight", [2048, 7168], "Q6_K"],
  ["ffn_gate_exps.weight", [7168, 2048, 256], "Q4_K"],
  ["ffn_gate_inp.weight", [7168, 256], "F32"],
  ["ffn_gate_shexp.weight", [7168, 2048], "Q4_K"],
  ["ffn_up_exps.weight", [7168, 2048, 256], "Q4_K"],
  ["ffn_up_shexp.weight", [7168, 2048], "Q4_K"],
];

const TEMPLATE =
  "{% for message in messages %}{{ '<|' + message.role + '|>' + message.content }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}";

/** How the model differs from one that llama.cpp loads. */
interface Differences {
  /** Tensors of blocks that are left out: `attn_output.weight` leaves out one tensor in each block. */
  without?: readonly string[];
  /** The type of the experts. The declared file type is Q4_K_M in any case. */
  experts?: TypeName;
  /** The chat template. */
  template?: string;
  name?: string;
}

/** The header, and the size of the file with all data. */
export function largeModel({ without = [], experts = "Q4_K", template = TEMPLATE, name }: Differences = {}): {
  header: Uint8Array;
  size: number;
} {
  const parts = (block: number) => [...ATTENTION, ...(block < DENSE_BLOCKS ? DENSE : EXPERTS)];
  const blocks = Array.from({ length: BLOCKS }, (_, block) =>
    parts(block)
      .filter(([part]) => !without.includes(part))
      .map(([part, dimensions, type]) =>
        tensor(`blk.${block}.${part}`, dimensions, part.includes("_exps") ? experts : type),
      ),
  );
  const tensors = [
    tensor("token_embd.weight", [7168, TOKENS], "Q4_K"),
    tensor("output.weight", [7168, TOKENS], "Q6_K"),
    tensor("output_norm.weight", [7168], "F32"),
    ...blocks.flat(),
  ];
  const number = (key: string, value: number) => [`deepseek2.${key}`, uint32(value)] as const;
  const float = (key: string, value: number) => [`deepseek2.${key}`, { type: "float32", value } as const] as const;
  const header = ggufBytes(
    [
      ["general.architecture", text("deepseek2")],
      ["general.type", text("model")],
      ["general.name", text(name ?? "DeepSeek V3 Like")],
      ["general.basename", text("DeepSeek-V3")],
      ["general.size_label", text("256x20B")],
      ["general.license", text("mit")],
      ["general.file_type", uint32(15)],
      ["general.quantization_version", uint32(2)],
      number("block_count", BLOCKS),
      number("context_length", 163_840),
      number("embedding_length", 7168),
      number("feed_forward_length", 18_432),
      number("attention.head_count", 128),
      number("attention.head_count_kv", 128),
      number("attention.q_lora_rank", 1536),
      number("attention.kv_lora_rank", 512),
      number("attention.key_length", 192),
      number("attention.value_length", 128),
      float("attention.layer_norm_rms_epsilon", 1e-6),
      number("rope.dimension_count", 64),
      float("rope.freq_base", 10_000),
      number("leading_dense_block_count", DENSE_BLOCKS),
      number("expert_count", 256),
      number("expert_used_count", 8),
      number("expert_shared_count", 1),
      number("expert_feed_forward_length", 2048),
      float("expert_weights_scale", 2.5),
      ["deepseek2.expert_weights_norm", { type: "bool", value: true }],
      number("expert_gating_func", 2),
      number("vocab_size", TOKENS),
      ["tokenizer.ggml.model", text("gpt2")],
      ["tokenizer.ggml.pre", text("deepseek-v3")],
      ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS, at: (id) => `token${id}` }],
      ["tokenizer.ggml.token_type", { type: "int32s", count: TOKENS, at: (id) => (id < 2 ? 3 : 1) }],
      ["tokenizer.ggml.merges", { type: "strings", count: 1000, at: (id) => `t ${id}` }],
      ["tokenizer.ggml.bos_token_id", uint32(0)],
      ["tokenizer.ggml.eos_token_id", uint32(1)],
      ["tokenizer.chat_template", text(template)],
    ],
    tensors,
    3,
    false,
    false,
  );
  const data = tensors.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 32) * 32, 0);
  return { header, size: header.length + data };
}

function tensor(name: string, dimensions: readonly number[], typeName: TypeName) {
  const { type, elements, bytes } = TYPES[typeName];
  const count = dimensions.reduce((product, extent) => product * extent, 1);
  return { name, dimensions: [...dimensions], type, bytes: (count / elements) * bytes };
}

/** Answers range requests for a file of any size: its header, and zeros. */
export function answerWithZeros({ header, size }: { header: Uint8Array; size: number }) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    const end = Math.min(range?.[2] ? Number(range[2]) + 1 : size, size);
    const length = Math.min(end - start, 64 << 20);
    const body = new Uint8Array(length);
    if (start < header.length) body.set(header.subarray(start, Math.min(header.length, start + length)));
    response.writeHead(206, {
      ...ALLOWED,
      "content-type": "application/octet-stream",
      "content-length": length,
      "content-range": `bytes ${start}-${start + length - 1}/${size}`,
    });
    response.end(body);
  };
}
