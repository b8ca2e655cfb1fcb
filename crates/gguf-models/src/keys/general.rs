//! Keys of the section `general` that say what the file is and who made it.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The byte multiple at which the data of every tensor begins; 32 when absent.
    "general.alignment" UINT32 ALL "Alignment", unit "bytes",
        note "The specification asks for a multiple of 8. llama.cpp asks for a power of two.";
    /// The model design that decides which other keys and tensors a program expects.
    "general.architecture" STRING ALL "Architecture",
        note "The specification allows only a to z and digits. Many names in use also have - or _.";
    /// The person or company that created the model.
    "general.author" STRING SPEC_GGUF_PY "Author";
    /// The family name without size, version or fine-tune, used to build file names.
    "general.basename" STRING SPEC_GGUF_PY "Base name";
    /// The number of training data sets that numbered entries describe.
    "general.dataset.count" UINT32 GGUF_PY "Number of data sets";
    /// Links or references to the data on which the model was trained.
    "general.datasets" STRINGS SPEC "Training data",
        note "gguf-py writes the numbered entries general.dataset.{id} instead.";
    /// Free text about the model: purpose, training, limits.
    "general.description" STRING ALL "Description";
    /// The digital object identifier under which a publication about this model is registered.
    "general.doi" STRING SPEC_GGUF_PY "DOI";
    /// The quantization that most tensors have, as one number for the whole file.
    "general.file_type" UINT32 ALL "File type", values FILE_TYPES,
        note "The draft stored it as STRING, and some files still do.";
    /// The purpose for which training continued, such as chat or instruct.
    "general.finetune" STRING SPEC_GGUF_PY "Fine-tune";
    /// The human languages that the model understands, as ISO 639 two-letter codes.
    "general.languages" STRINGS SPEC_GGUF_PY "Languages";
    /// The terms of use as an SPDX expression, such as Apache-2.0.
    "general.license" STRING SPEC_GGUF_PY "Licence";
    /// The web address at which the full legal text can be read.
    "general.license.link" STRING SPEC_GGUF_PY "Licence link";
    /// What people call the legal terms, if SPDX has no identifier for them.
    "general.license.name" STRING SPEC_GGUF_PY "Licence name";
    /// What people call the model, in lists and in titles.
    "general.name" STRING ALL "Name";
    /// The company, group or account that published the model.
    "general.organization" STRING SPEC_GGUF_PY "Organisation";
    /// The revision of the block layouts of quantized tensors; required if any tensor has one.
    "general.quantization_version" UINT32 SPEC_GGUF_PY "Quantization version",
        note "ggml has only written 2 since May 2023.";
    /// The person who turned the original weights into this smaller file.
    "general.quantized_by" STRING SPEC_GGUF_PY "Quantized by";
    /// The web address of the repository that holds this model.
    "general.repo_url" STRING SPEC_GGUF_PY "Repository";
    /// The class of parameter count, such as 7B or 8x7B.
    "general.size_label" STRING SPEC_GGUF_PY "Size label";
    /// Words under which search engines and model hubs list the model.
    "general.tags" STRINGS SPEC_GGUF_PY "Tags";
    /// The tensors to which the entries of general.tensor_extra belong.
    "general.tensor_extra.name" STRINGS UPSTREAM "Tensors with precisions";
    /// For each named tensor, whether its inputs may be computed with 4 bits.
    "general.tensor_extra.prec_a4" BOOL_ARRAY UPSTREAM "4-bit inputs allowed";
    /// The kind of content: a whole model, or something that belongs to one.
    "general.type" STRING UPSTREAM "Kind of file", values FILE_KINDS;
    /// The web address of the home page or paper about this model.
    "general.url" STRING SPEC_GGUF_PY "Home page";
    /// A universally unique identifier that tells this model apart from all others.
    "general.uuid" STRING SPEC_GGUF_PY "UUID";
    /// The release of the model, such as v1.0.
    "general.version" STRING SPEC_GGUF_PY "Version";
};
