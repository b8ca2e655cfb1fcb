//! Keys of the section `clip` for a multimodal projector (mmproj) as a whole, and for the text encoder of old CLIP files.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// Whether the file can turn sound into input for a language model.
    "clip.has_audio_encoder" BOOL UPSTREAM "Has an audio encoder";
    /// Whether the file can generate speech from the output of a language model.
    "clip.has_gen_audio_encoder" BOOL UPSTREAM "Has a speech generator";
    /// Whether the file holds the projector of a GLM-Edge model.
    "clip.has_glm_projector" BOOL TOOLS "Has a GLM projector", deprecated "clip.projector_type";
    /// Whether the file holds layers that bring image vectors to a language model.
    "clip.has_llava_projector" BOOL GGUF_PY "Has a LLaVA projector", deprecated "clip.projector_type";
    /// Whether the file holds the resampler of a MiniCPM-V model.
    "clip.has_minicpmv_projector" BOOL TOOLS "Has a MiniCPM-V projector", deprecated "clip.projector_type";
    /// Whether the file holds the word encoder of CLIP.
    "clip.has_text_encoder" BOOL TOOLS "Has a text encoder";
    /// Whether the file can turn images into input for a language model.
    "clip.has_vision_encoder" BOOL UPSTREAM "Has a vision encoder";
    /// How many vectors the resampler makes from one image slice.
    "clip.minicpmv_query_num" UINT32 LLAMA_CPP "MiniCPM-V queries", unit "vectors";
    /// The release of MiniCPM-V, which decides how images are cut.
    "clip.minicpmv_version" INT32 LLAMA_CPP "MiniCPM-V version";
    /// The design of the layers that bring encoder output to the language model.
    "clip.projector_type" STRING UPSTREAM "Projector type";
    /// The number of query heads of CLIP's word encoder.
    "clip.text.attention.head_count" UINT32 TOOLS "Text encoder heads", unit "heads";
    /// The small number that keeps normalisation in CLIP's word encoder from dividing by zero.
    "clip.text.attention.layer_norm_epsilon" FLOAT32 TOOLS "Text encoder norm epsilon";
    /// The number of layers of CLIP's word encoder.
    "clip.text.block_count" UINT32 TOOLS "Text encoder blocks", unit "blocks";
    /// The longest sentence that CLIP's word encoder reads.
    "clip.text.context_length" UINT32 TOOLS "Text encoder context length", unit "tokens";
    /// The width of the hidden state in CLIP's word encoder.
    "clip.text.embedding_length" UINT32 TOOLS "Text encoder width", unit "elements";
    /// The inner width of the feed-forward networks in CLIP's word encoder.
    "clip.text.feed_forward_length" UINT32 TOOLS "Text encoder feed-forward length", unit "elements";
    /// The width of the vectors in which CLIP compares sentences with images.
    "clip.text.projection_dim" UINT32 TOOLS "Text encoder output width", unit "elements";
    /// Whether the encoder's activation function is the Gaussian error linear unit.
    "clip.use_gelu" BOOL UPSTREAM "GELU activation";
    /// Whether the encoder's activation function is the sigmoid linear unit.
    "clip.use_silu" BOOL UPSTREAM "SiLU activation";
};
