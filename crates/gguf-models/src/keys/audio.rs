//! Keys of the sections `clip.audio` and `clip.gen.audio`: how a multimodal projector hears and makes sound.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The number of query heads of the sound encoder.
    "clip.audio.attention.head_count" UINT32 UPSTREAM "Audio heads", unit "heads";
    /// The number of heads whose keys and values the sound encoder shares among queries.
    "clip.audio.attention.head_count_kv" UINT32 LLAMA_CPP "Audio key and value heads", unit "heads";
    /// The width of one query of the sound encoder, if not the usual share.
    "clip.audio.attention.head_dim" UINT32 LLAMA_CPP "Audio head width", unit "elements";
    /// The small number that keeps normalisation of sound features from dividing by zero.
    "clip.audio.attention.layer_norm_epsilon" FLOAT32 UPSTREAM "Audio norm epsilon";
    /// The number of layers through which sound frames pass.
    "clip.audio.block_count" UINT32 UPSTREAM "Audio blocks", unit "blocks";
    /// How many sound frames see each other at once.
    "clip.audio.chunk_size" UINT32 UPSTREAM "Audio chunk size", unit "frames";
    /// How many sound frames the convolution inside each block covers.
    "clip.audio.conv_kernel_size" UINT32 UPSTREAM "Audio convolution length", unit "frames";
    /// The width of the hidden state for one sound frame.
    "clip.audio.embedding_length" UINT32 UPSTREAM "Audio width", unit "elements";
    /// The blocks whose outputs are joined for the projector.
    "clip.audio.feature_layer" INT32_ARRAY UPSTREAM "Audio feature layers";
    /// The inner width of the feed-forward networks for sound frames.
    "clip.audio.feed_forward_length" UINT32 UPSTREAM "Audio feed-forward length", unit "elements";
    /// The number of layers that MiMo runs over one group of sound codes.
    "clip.audio.local_block_count" UINT32 UPSTREAM "Audio local blocks", unit "blocks";
    /// How many frames of sound codes MiMo joins to one input vector.
    "clip.audio.local_group_size" UINT32 UPSTREAM "Audio group size", unit "frames";
    /// The largest distance between frames for which the encoder has a position vector.
    "clip.audio.max_pos_emb" UINT32 UPSTREAM "Audio position limit", unit "frames";
    /// The number of frequency bands into which sound is divided before encoding.
    "clip.audio.num_mel_bins" UINT32 UPSTREAM "Frequency bands", unit "bands";
    /// The width of the vectors that the language model receives for sound.
    "clip.audio.projection_dim" UINT32 UPSTREAM "Audio output width", unit "elements";
    /// How many encoded frames become one vector for the language model.
    "clip.audio.projector.downsample_rate" UINT32 UPSTREAM "Audio reduction factor", unit "frames";
    /// The number of query heads of the layers after the sound encoder.
    "clip.audio.projector.head_count" UINT32 UPSTREAM "Audio projector heads", unit "heads";
    /// How many neighbouring frames are put together to one longer vector.
    "clip.audio.projector.stack_factor" UINT32 UPSTREAM "Audio stack factor", unit "frames";
    /// How many encoded frames the projector reduces together.
    "clip.audio.projector.window_size" UINT32 UPSTREAM "Audio projector window", unit "frames";
    /// The projector for sound, in files that also see images.
    "clip.audio.projector_type" STRING UPSTREAM "Audio projector type";
    /// For each quantizer, how many sound codes it chooses among.
    "clip.audio.rvq.codebook_size" INT32_ARRAY UPSTREAM "Audio codebook sizes", unit "codes";
    /// How many codes in a row describe one sound frame.
    "clip.audio.rvq.num_quantizers" UINT32 UPSTREAM "Audio quantizers", unit "quantizers";
    /// By how much the first convolutions shorten the list of sound frames.
    "clip.audio.subsampling_factor" UINT32 UPSTREAM "Audio subsampling";
    /// For each block of MiMo, whether frames see everything (-1) or a window (0).
    "clip.audio.wa_pattern_mode" INT32_ARRAY UPSTREAM "Audio window modes", values AUDIO_WINDOWS;
    /// How far a sound frame can see in blocks with a limited view.
    "clip.audio.window_size" UINT32 UPSTREAM "Audio window", unit "frames";
    /// The number of query heads of the speech generator.
    "clip.gen.audio.attention.head_count" UINT32 UPSTREAM "Speech generator heads", unit "heads";
    /// The number of heads whose keys and values the speech generator caches.
    "clip.gen.audio.attention.head_count_kv" UINT32 UPSTREAM "Speech generator key and value heads", unit "heads";
    /// The width of one query of the speech generator, if not the usual share.
    "clip.gen.audio.attention.head_dim" UINT32 LLAMA_CPP "Speech generator head width", unit "elements";
    /// The small number that keeps normalisation in the speech generator from dividing by zero.
    "clip.gen.audio.attention.layer_norm_epsilon" FLOAT32 UPSTREAM "Speech generator norm epsilon";
    /// The number of layers of the speech generator.
    "clip.gen.audio.block_count" UINT32 UPSTREAM "Speech generator blocks", unit "blocks";
    /// The width of the hidden state of the speech generator.
    "clip.gen.audio.embedding_length" UINT32 UPSTREAM "Speech generator width", unit "elements";
    /// The blocks of the speech generator whose outputs are read.
    "clip.gen.audio.feature_layer" INT32_ARRAY LLAMA_CPP "Speech generator feature layers";
    /// The inner width of the networks of the speech generator.
    "clip.gen.audio.feed_forward_length" UINT32 UPSTREAM "Speech generator feed-forward length", unit "elements";
    /// The release of the speech generator, for settings that its weights do not tell.
    "clip.gen.audio.model_variant" STRING UPSTREAM "Speech generator variant";
    /// The width of the vectors that the speech generator receives.
    "clip.gen.audio.projection_dim" UINT32 UPSTREAM "Speech generator input width", unit "elements";
    /// The design of the speech generator that follows a language model.
    "clip.gen.audio.projector_type" STRING UPSTREAM "Speech generator type";
};
