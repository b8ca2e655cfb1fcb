//! Keys of the section `general` that say where a model comes from: its source, the models that it is based on, and the
//! data sets of its training.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The number of parents: one for a fine-tune, several for a merge.
    "general.base_model.count" UINT32 SPEC_GGUF_PY "Number of base models";
    /// The creator of the parent from which this fine-tune or merge was made.
    "general.base_model.{id}.author" STRING SPEC_GGUF_PY "Base model author";
    /// Free text about the parent of this fine-tune or merge.
    "general.base_model.{id}.description" STRING GGUF_PY "Base model description";
    /// The digital object identifier of the publication about the parent.
    "general.base_model.{id}.doi" STRING SPEC_GGUF_PY "Base model DOI";
    /// What people call the parent from which this file was derived.
    "general.base_model.{id}.name" STRING SPEC_GGUF_PY "Base model name";
    /// The company, group or account that published the parent.
    "general.base_model.{id}.organization" STRING SPEC_GGUF_PY "Base model organization";
    /// The web address of the repository that holds the parent.
    "general.base_model.{id}.repo_url" STRING SPEC_GGUF_PY "Base model repository";
    /// The web address of the parent's home page or paper.
    "general.base_model.{id}.url" STRING SPEC_GGUF_PY "Base model home page";
    /// The universally unique identifier of the parent.
    "general.base_model.{id}.uuid" STRING SPEC_GGUF_PY "Base model UUID";
    /// The release of the parent, such as v0.1.
    "general.base_model.{id}.version" STRING SPEC_GGUF_PY "Base model version";
    /// The creator of one collection of training data.
    "general.dataset.{id}.author" STRING GGUF_PY "Data set author";
    /// Free text about one collection of training data.
    "general.dataset.{id}.description" STRING GGUF_PY "Data set description";
    /// The digital object identifier of the publication about the training data.
    "general.dataset.{id}.doi" STRING GGUF_PY "Data set DOI";
    /// What people call one collection of training data.
    "general.dataset.{id}.name" STRING GGUF_PY "Data set name";
    /// The company, group or account that published the training data.
    "general.dataset.{id}.organization" STRING GGUF_PY "Data set organization";
    /// The web address of the repository that holds the training data.
    "general.dataset.{id}.repo_url" STRING GGUF_PY "Data set repository";
    /// The web address of the page about the training data.
    "general.dataset.{id}.url" STRING GGUF_PY "Data set home page";
    /// The universally unique identifier of the training data.
    "general.dataset.{id}.uuid" STRING GGUF_PY "Data set UUID";
    /// The release of the training data, such as a date.
    "general.dataset.{id}.version" STRING GGUF_PY "Data set version";
    /// The digital object identifier of what this file was converted from.
    "general.source.doi" STRING SPEC_GGUF_PY "Source DOI";
    /// The model on the Hugging Face hub that this file was converted from.
    "general.source.huggingface.repository" STRING SPEC "Source on Hugging Face", deprecated "general.source.repo_url",
        note "Only an older edition of the specification has it. llama.cpp names it, but does not read it.";
    /// The web address of the repository that this file was converted from.
    "general.source.repo_url" STRING SPEC_GGUF_PY "Source repository";
    /// The web address of the home page of the model before conversion.
    "general.source.url" STRING SPEC_GGUF_PY "Source home page";
    /// The universally unique identifier of the model before conversion.
    "general.source.uuid" STRING SPEC_GGUF_PY "Source UUID";
};
