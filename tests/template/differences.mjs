// The renderings in which @huggingface/jinja differs from Python's jinja2, and why. The tests check that there are no others, and that each
// of these still differs.

/**
 * @typedef {object} Difference
 * @property {string} why
 * @property {readonly string[]} templates
 * @property {readonly string[]} conversations
 * @property {"fails" | "renders"} there What happens with @huggingface/jinja.
 */

/** @type {readonly Difference[]} */
export const DIFFERENCES = [
  {
    why: "The content is a list of parts, and the template adds it to a text. Python refuses that; @huggingface/jinja adds the list as JSON. The template supports no images in both.",
    conversations: ["image"],
    there: "renders",
    templates: [
      "chatml",
      "deepseek-r1-distill",
      "deepseek-v2",
      "deepseek-v3.1",
      "gpt-oss",
      "granite-3.0",
      "granite-3.3",
      "llama-2",
      "mistral-7b-v0.1",
      "mistral-large-2407",
      "mistral-nemo",
      "openchat-3.5",
      "phi-3-mini",
      "phi-3.5-mini",
      "phi-4",
      "qwen2.5",
      "qwq",
      "vicuna",
      "yandexgpt-5-lite",
      "zephyr",
    ],
  },
  {
    why: "The content is a list of parts, and the template writes it. Python writes it as Python source, with single quotes; @huggingface/jinja writes JSON. The template supports no images in both.",
    conversations: ["image"],
    there: "renders",
    templates: ["command-r7b-tool-use"],
  },
  {
    why: "The content is a list of parts, and the template trims it. Python trims its Python source; @huggingface/jinja trims only texts. The template supports no images in both.",
    conversations: ["image"],
    there: "fails",
    templates: ["gemma-2", "gemma-7b", "llama-3", "llama-3.1", "llama-3.2"],
  },
  {
    why: "The template is for conversations with tools, and loops over the undefined variable tools. Jinja loops over nothing; @huggingface/jinja refuses it.",
    conversations: ["plain", "system", "turns", "thinking", "answered"],
    there: "fails",
    templates: ["hermes-3-tool-use"],
  },
];
