//! Keys of files that are not a whole model, and keys that tools leave behind: shards, adapters, importance matrices,
//! control vectors, quantization, and architectures with keys of their own.

use super::row::keys;
use crate::text_table::TextTable;

/// Shards of a model that is split over several files.
pub(super) const SPLIT: TextTable = keys! {
    /// How many files the whole model has.
    "split.count" UINT16 UPSTREAM "Number of shards", unit "shards",
        note "A merged file keeps the key with the value 0.";
    /// The position of this file among its shards, from 0.
    "split.no" UINT16 UPSTREAM "Shard number";
    /// How many tensors all shards have together.
    "split.tensors.count" INT32 UPSTREAM "Tensors in all shards", unit "tensors";
};

/// LoRA adapters.
pub(super) const ADAPTER: TextTable = keys! {
    /// The prompt that switches an activated LoRA on.
    "adapter.alora.invocation_tokens" UINT32_ARRAY UPSTREAM "Invocation tokens";
    /// The adapter's matrices are scaled by this number divided by their rank.
    "adapter.lora.alpha" FLOAT32 UPSTREAM "LoRA alpha";
    /// The text to put before every prompt when this is in use.
    "adapter.lora.prompt_prefix" STRING UPSTREAM "Adapter prompt prefix";
    /// What the fine-tuned weights are good for.
    "adapter.lora.task_name" STRING UPSTREAM "Adapter task";
    /// The method by which the weights are changed.
    "adapter.type" STRING UPSTREAM "Adapter type", values ADAPTERS;
};

/// Importance matrices, and what `llama-quantize` notes about the one that it used.
pub(super) const IMATRIX: TextTable = keys! {
    /// How many pieces of text were evaluated to measure importance.
    "imatrix.chunk_count" UINT32 UPSTREAM "Evaluated chunks", unit "chunks";
    /// How many tokens each evaluated piece of text had.
    "imatrix.chunk_size" UINT32 UPSTREAM "Chunk size", unit "tokens";
    /// The text files on which importance was measured.
    "imatrix.datasets" STRINGS UPSTREAM "Calibration files";
};

/// What `llama-quantize` notes about the importance matrix that it used.
pub(super) const QUANTIZE: TextTable = keys! {
    /// How many pieces of text the used importance matrix was measured on.
    "quantize.imatrix.chunks_count" UINT32_OR_INT32 TOOLS "Chunks of the importance matrix", unit "chunks";
    /// The text file on which the used importance matrix was measured.
    "quantize.imatrix.dataset" STRING TOOLS "Calibration file of the importance matrix";
    /// How many tensors the used importance matrix covers.
    "quantize.imatrix.entries_count" UINT32_OR_INT32 TOOLS "Tensors in the importance matrix", unit "tensors";
    /// The path of the importance matrix with which this model was quantized.
    "quantize.imatrix.file" STRING TOOLS "Importance matrix file";
};

/// Control vectors, and keys of single tools and architectures.
pub(super) const OTHER: TextTable = keys! {
    /// The dimensions of an image model's tensor before ComfyUI-GGUF changed its shape.
    "comfy.gguf.orig_shape.{name}" INT32_ARRAY COMFY_UI "Original tensor shape";
    /// The number of blocks that the control vector changes.
    "controlvector.layer_count" INT32 TOOLS "Control vector layers", unit "layers";
    /// The architecture for which the control vector was made.
    "controlvector.model_hint" STRING TOOLS "Control vector architecture";
    /// Whether the scores of a text diffusion model belong to the next position.
    "diffusion.shift_logits" BOOL UPSTREAM "Shift diffusion scores";
    /// Whether the blocks of Falcon normalise their input.
    "falcon.attention.use_norm" BOOL SPEC "Falcon normalisation",
        note "The specification requires it for Falcon. No program reads it.";
    /// The generation of the RWKV design; the specification allows only 4.
    "rwkv.architecture_version" UINT32 SPEC "RWKV generation", values RWKV_VERSIONS,
        note "llama.cpp has no architecture rwkv. Later generations have names of their own.";
    /// The number of heads in each layer that writes the transcript.
    "whisper.decoder.attention.head_count" UINT32_OR_UINT64 SPEC "Whisper decoder heads", unit "heads",
        note "whisper.cpp does not read GGUF files.";
    /// The number of layers that write the transcript.
    "whisper.decoder.block_count" UINT32_OR_UINT64 SPEC "Whisper decoder blocks", unit "blocks",
        note "whisper.cpp does not read GGUF files.";
    /// The longest transcript of one piece of speech.
    "whisper.decoder.context_length" UINT32_OR_UINT64 SPEC "Whisper text length", unit "tokens",
        note "whisper.cpp does not read GGUF files.";
    /// The width of the hidden state in the layers that write the transcript.
    "whisper.decoder.embedding_length" UINT32_OR_UINT64 SPEC "Whisper decoder width", unit "elements",
        note "whisper.cpp does not read GGUF files.";
    /// The number of heads in each layer that reads speech.
    "whisper.encoder.attention.head_count" UINT32_OR_UINT64 SPEC "Whisper encoder heads", unit "heads",
        note "whisper.cpp does not read GGUF files.";
    /// The number of layers that read speech.
    "whisper.encoder.block_count" UINT32_OR_UINT64 SPEC "Whisper encoder blocks", unit "blocks",
        note "whisper.cpp does not read GGUF files.";
    /// The longest piece of speech that is read at once.
    "whisper.encoder.context_length" UINT32_OR_UINT64 SPEC "Whisper audio length", unit "frames",
        note "whisper.cpp does not read GGUF files.";
    /// The width of the hidden state in the layers that read speech.
    "whisper.encoder.embedding_length" UINT32_OR_UINT64 SPEC "Whisper encoder width", unit "elements",
        note "whisper.cpp does not read GGUF files.";
    /// The number of frequency bands into which sound is divided.
    "whisper.encoder.mels_count" UINT32_OR_UINT64 SPEC "Whisper frequency bands", unit "bands",
        note "whisper.cpp does not read GGUF files.";
    /// For each layer, how steep the activation of Apertus is below zero.
    "xielu.alpha_n" PER_LAYER_FLOAT UPSTREAM "xIELU negative slope";
    /// For each layer, how curved the activation of Apertus is above zero.
    "xielu.alpha_p" PER_LAYER_FLOAT UPSTREAM "xIELU positive curve";
    /// For each layer, the linear part of the activation of Apertus.
    "xielu.beta" PER_LAYER_FLOAT UPSTREAM "xIELU linear part";
    /// For each layer, the upper limit of negative inputs to the activation of Apertus.
    "xielu.eps" PER_LAYER_FLOAT UPSTREAM "xIELU epsilon";
};
