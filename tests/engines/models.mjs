// The models that the flows open: small, and with values that have structure.

import { Gguf } from "gguf-wasm/node";
import { text, uint32 } from "../support/gguf-bytes.mjs";
import { llamaModel } from "../support/llama-model.mjs";

const SPECIAL = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"];
const MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "o r", "l d", "or ld", "Ġw orld"];
/** The vocabulary: special tokens, the characters of ASCII, and what the merges make of them. */
const TOKENS = [
  ...SPECIAL,
  ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)),
  "Ġ",
  "Ċ",
  ...MERGES.map((merge) => merge.replace(" ", "")),
];

export const TEMPLATE =
  "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/** @param {readonly string[]} values @returns {import("../support/gguf-bytes.mjs").Value} */
const strings = (values) => ({ type: "strings", count: values.length, at: (index) => values[index] ?? "" });

/**
 * A model that llama.cpp loads, of F32.
 *
 * @param {object} [options]
 * @param {string} [options.name]
 * @param {string} [options.template]
 * @param {number} [options.phase] Moves the values of all tensors.
 */
export async function model({ name = "Wave", template = TEMPLATE, phase = 0 } = {}) {
  const bytes = llamaModel({
    tokens: TOKENS.length,
    merges: MERGES.length,
    entries: [
      ["general.name", text(name)],
      ["general.file_type", uint32(0)],
      ["tokenizer.ggml.tokens", strings(TOKENS)],
      [
        "tokenizer.ggml.token_type",
        { type: "int32s", count: TOKENS.length, at: (id) => (id === 0 ? 2 : id < SPECIAL.length ? 3 : 1) },
      ],
      ["tokenizer.ggml.merges", strings(MERGES)],
      ["tokenizer.ggml.bos_token_id", uint32(1)],
      ["tokenizer.ggml.eos_token_id", uint32(2)],
      ["tokenizer.chat_template", text(template)],
    ],
  });
  fill(bytes, (await Gguf.open(bytes)).dataOffset, phase);
  return bytes;
}

/** The model with another name, another template and other values. */
export const secondModel = () => model({ name: "Other wave", template: `${TEMPLATE}\n`, phase: 0.01 });

/** A header that ends too early. */
export const brokenModel = async () => (await model()).subarray(0, 900);

/**
 * Writes a wave to the tensor data, which are of F32.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} start
 * @param {number} phase
 */
function fill(bytes, start, phase) {
  const values = new Float32Array((bytes.length - start) / 4);
  for (let at = 0; at < values.length; at += 1) values[at] = Math.sin(at / 9 + phase) * Math.cos(at / 640) * 0.5;
  bytes.set(new Uint8Array(values.buffer), start);
}
