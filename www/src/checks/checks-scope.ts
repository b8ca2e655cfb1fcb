/** What the checks cover, so that an empty list of findings is not read as a promise that the model works. */

import { html } from "lit";

/** What the checks cover of all files, without the size of the file. */
const CHECKED: readonly string[] = [
  "The header can be read to its end.",
  "Keys are valid and unique. They are not misspelt, deprecated, or keys of another architecture.",
  "Known keys have the value type that llama.cpp expects.",
  "Tensor names are valid and unique.",
  "Tensor types, dimensions, offsets and alignment are consistent.",
  "The file type fits the tensors.",
];

/** What the checks cover of the models of llama.cpp. */
const CHECKED_OF_MODELS: readonly string[] = [
  "A model has the keys and tensors that llama.cpp needs of its architecture, with the right types and dimensions.",
  "The number of blocks fits the tensors. The numbers of heads and experts fit each other.",
  "The tokenizer has its tokens and merges, and the ids of special tokens are in the vocabulary.",
];

const NOT_CHECKED: readonly string[] = [
  "Tensor values.",
  "The keys and tensors of files that are no whole model, such as adapters.",
  "Whether the model gives useful answers.",
];

const NOT_CHECKED_OF_OTHERS: readonly string[] = [
  "Tensor values.",
  "The keys and tensors that other programs than llama.cpp need.",
];

/** Whether the file has something that only some files have, and whether it was checked. */
export interface CheckScope {
  /** Whether the file is for other programs than llama.cpp. */
  readonly isForOthers: boolean;
  /** Whether the size of the file is known, so that missing tensor data would be found. */
  readonly hasSize: boolean;
  /** Whether the chat template was checked. Undefined if there is none. */
  readonly hasTemplateReview: boolean | undefined;
}

/** The lists of what was checked and what was not. */
export function renderScope({ isForOthers, hasSize, hasTemplateReview }: CheckScope) {
  const optional = [
    {
      isChecked: hasSize,
      done: "The file is long enough for the data of every tensor.",
      open: "Whether the file holds the data of every tensor.",
    },
    {
      isChecked: hasTemplateReview,
      done: "The chat template can be parsed, and writes the messages of test conversations.",
      open: "Whether the chat template can be parsed.",
    },
  ].filter(({ isChecked }) => isChecked !== undefined);
  const rules = isForOthers ? CHECKED : [...CHECKED, ...CHECKED_OF_MODELS];
  const checked = [...rules, ...optional.filter(({ isChecked }) => isChecked).map(({ done }) => done)];
  const never = isForOthers ? NOT_CHECKED_OF_OTHERS : NOT_CHECKED;
  const unchecked = [...never, ...optional.filter(({ isChecked }) => !isChecked).map(({ open }) => open)];
  return html`<div class="scope">
    <section aria-labelledby="checked">
      <h3 id="checked">Checked</h3>
      <ul>
        ${checked.map((line) => html`<li>${line}</li>`)}
      </ul>
    </section>
    <section aria-labelledby="unchecked">
      <h3 id="unchecked">Not checked</h3>
      <ul>
        ${unchecked.map((line) => html`<li>${line}</li>`)}
      </ul>
    </section>
  </div>`;
}
