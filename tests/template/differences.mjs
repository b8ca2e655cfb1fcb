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
    why: "The content is a list of parts, and the template adds it to a text. Python refuses that; @huggingface/jinja and llama.cpp add a text of the list. The template supports no images in both.",
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
      "hermes-3-tool-use",
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
];

/**
 * The values and operators of `expressions.json` in which the page differs. The renderer of the page corrects the others.
 *
 * @type {readonly { why: string, templates: readonly string[] }[]}
 */
export const EXPRESSION_DIFFERENCES = [
  {
    why: "Python adds only texts to texts. @huggingface/jinja and llama.cpp add the text of any value.",
    templates: ["{{ 'a' + 1 }}", "{{ 'a' + [1] }}"],
  },
  {
    why: "@huggingface/jinja has no arithmetic with booleans, does not repeat, compare or format texts, and says so.",
    templates: ["{{ true + 1 }}", "{{ '-' * 3 }}", "{{ 'a' < 'b' }}", "{{ '%s' % 'a' }}"],
  },
  {
    why: "In Python, none has no elements, and an element that is not there is undefined. @huggingface/jinja refuses to look for one.",
    templates: ["{{ m.content[0] }}"],
  },
  {
    why: "Numbers of @huggingface/jinja are those of JavaScript: integers above 2^53 lose digits.",
    templates: ["{{ 3 ** 50 }}"],
  },
  {
    why: "The parser of @huggingface/jinja reads no comma at the end of a tuple.",
    templates: ["{{ (1,) }}"],
  },
  {
    why: "Keys of maps are texts in @huggingface/jinja, as in JSON.",
    templates: ["{{ {1: 2} }}"],
  },
  {
    why: "@huggingface/jinja does not go through the characters of a text.",
    templates: ["{% for c in 'ab' %}{{ c }}.{% endfor %}"],
  },
];
