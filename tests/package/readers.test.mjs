// The model that edits are held against, and the readers that edited files are given to: all say the same of every file
// of the corpus as it is.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { encodeChanged, parse } from "../support/gguf-model.mjs";
import { missing as ggufPyMissing } from "../support/gguf-py.mjs";
import { startReaders } from "../support/readers.mjs";
import { json, missing, pathOf, read } from "./corpus.mjs";

test("the PyPI package gguf is there", { skip: ggufPyMissing }, () => {});

describe("files of the corpus", { skip: missing, concurrency: true }, () => {
  const readers = startReaders();
  after(readers.close);
  for (const folder of ["files", "real"]) {
    for (const { file } of json(`${folder}/index.json`).files ?? []) {
      test(file, async () => {
        const bytes = read(`${folder}/${file}`);
        const model = parse(bytes);
        assert.ok(encodeChanged(model, {}).equals(bytes));
        await readers.check(pathOf(`${folder}/${file}`), model, file);
      });
    }
  }
});
