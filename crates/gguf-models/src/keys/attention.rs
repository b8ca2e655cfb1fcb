//! Keys of an architecture that describe attention and normalisation.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// Whether tokens see only earlier ones, as in text generation; false for embedding models.
    "{arch}.attention.causal" BOOL UPSTREAM "Causal attention";
    /// The largest absolute value that queries, keys and values may have.
    "{arch}.attention.clamp_kqv" FLOAT32 ALL "Query, key and value limit",
        note "The specification's MPT section calls it mpt.attention.clip_kqv.";
    /// For each layer of DeepSeek V4, how many positions one compressed cache cell replaces.
    "{arch}.attention.compress_ratios" INTEGERS UPSTREAM "Cache compression ratios";
    /// The rotary base frequency of positions in the compressed cache.
    "{arch}.attention.compress_rope_freq_base" FLOAT32 UPSTREAM "Compressed RoPE base";
    /// The inner width of the low-rank matrices that compute the decay of RWKV 7.
    "{arch}.attention.decay_lora_rank" UINT32 UPSTREAM "Decay rank", unit "elements";
    /// The inner width of the low-rank matrices that compute the gate of RWKV 7.
    "{arch}.attention.gate_lora_rank" UINT32 UPSTREAM "Gate rank", unit "elements";
    /// The small number that keeps group normalisation from dividing by zero.
    "{arch}.attention.group_norm_epsilon" FLOAT32 UPSTREAM "Group norm epsilon";
    /// The number of channel groups that are normalised separately.
    "{arch}.attention.group_norm_groups" UINT32 UPSTREAM "Group norm groups", unit "groups";
    /// The number of query heads, or one number for each block.
    "{arch}.attention.head_count" PER_LAYER ALL "Attention heads", unit "heads",
        note "The specification says uint64. llama.cpp refuses any type but UINT32 or 32-bit arrays.";
    /// The number of heads whose keys and values are cached; fewer than queries save memory.
    "{arch}.attention.head_count_kv" PER_LAYER ALL "Key and value heads", unit "heads",
        note "The specification says uint64. llama.cpp refuses any type but UINT32 or 32-bit arrays.";
    /// The inner width of the low-rank matrices for the learning rate of RWKV 7.
    "{arch}.attention.iclr_lora_rank" UINT32 UPSTREAM "Learning rate rank", unit "elements";
    /// How many neighbouring positions sparse attention selects together.
    "{arch}.attention.indexer.block_size" UINT32 UPSTREAM "Indexer block size", unit "tokens";
    /// The number of query heads of the small network that selects positions.
    "{arch}.attention.indexer.head_count" UINT32 UPSTREAM "Indexer heads", unit "heads";
    /// The width of one key of the small network that selects positions.
    "{arch}.attention.indexer.key_length" UINT32 UPSTREAM "Indexer key length", unit "elements";
    /// How many neighbouring keys are averaged, so that sparse attention selects them together.
    "{arch}.attention.indexer.kpool" UINT32 UPSTREAM "Indexer pool size", unit "tokens";
    /// Whether a query also sees the last positions, which do not fill a pool yet.
    "{arch}.attention.indexer.kpool_select_tail" BOOL UPSTREAM "Select the incomplete pool";
    /// How many groups of the most recent positions sparse attention always includes.
    "{arch}.attention.indexer.local_blocks" UINT32 UPSTREAM "Indexer local blocks", unit "blocks";
    /// How many positions, or groups of positions, sparse attention keeps for each token.
    "{arch}.attention.indexer.top_k" UINT32 UPSTREAM "Indexer top-k",
        note "DeepSeek counts positions. MiniMax M3 counts groups of indexer.block_size positions.";
    /// For each layer, whether it selects positions itself or reuses an earlier selection.
    "{arch}.attention.indexer.types" PATTERN UPSTREAM "Indexer layers";
    /// The width of one key or query vector; embedding length divided by heads when absent.
    "{arch}.attention.key_length" UINT32 ALL "Key length", unit "elements";
    /// The width of one key after the latent cache is expanded again.
    "{arch}.attention.key_length_mla" UINT32 UPSTREAM "Expanded key length", unit "elements";
    /// The width of one expanded latent key in layers with a sliding window.
    "{arch}.attention.key_length_mla_swa" UINT32 UPSTREAM "Expanded key length in windows", unit "elements";
    /// The width of one key in layers with a sliding window.
    "{arch}.attention.key_length_swa" UINT32 UPSTREAM "Key length in windows", unit "elements";
    /// The width of the latent vector that is cached instead of keys and values.
    "{arch}.attention.kv_lora_rank" UINT32 UPSTREAM "Latent cache width", unit "elements";
    /// The width of the cached latent vector in layers with a sliding window.
    "{arch}.attention.kv_lora_rank_swa" UINT32 UPSTREAM "Latent cache width in windows", unit "elements";
    /// The small number that keeps normalisation by mean and variance from dividing by zero.
    "{arch}.attention.layer_norm_epsilon" FLOAT32 ALL "Layer norm epsilon";
    /// The small number that keeps root-mean-square normalisation from dividing by zero.
    "{arch}.attention.layer_norm_rms_epsilon" FLOAT32 ALL "RMS norm epsilon";
    /// Sets how steeply ALiBi lowers scores with distance: larger numbers give gentler slopes.
    "{arch}.attention.max_alibi_bias" FLOAT32 ALL "Largest ALiBi bias",
        note "The specification's MPT section calls it mpt.attention.alibi_bias_max.";
    /// Into how many parts DeepSeek V4 divides the heads before its last projection.
    "{arch}.attention.output_group_count" UINT32 UPSTREAM "Output projection groups", unit "groups";
    /// The inner width of the low-rank matrices after the heads of DeepSeek V4.
    "{arch}.attention.output_lora_rank" UINT32 UPSTREAM "Output projection rank", unit "elements";
    /// The factor that Grok puts on scores before softmax.
    "{arch}.attention.output_scale" FLOAT32 UPSTREAM "Attention output scale";
    /// The width of the latent vector from which queries are expanded.
    "{arch}.attention.q_lora_rank" UINT32 UPSTREAM "Query rank", unit "elements";
    /// For each layer, whether it is recurrent instead of ordinary attention.
    "{arch}.attention.recurrent_layers" PATTERN LLAMA_CPP "Recurrent layers";
    /// The number of classes into which T5 sorts distances between tokens.
    "{arch}.attention.relative_buckets_count" UINT32 UPSTREAM "Relative position buckets";
    /// For each layer, whether it rotates queries and keys by position.
    "{arch}.attention.rope_pattern" FLAGS UPSTREAM "Layers with RoPE";
    /// The factor for scores before softmax, instead of the inverse root of key length.
    "{arch}.attention.scale" FLOAT32 UPSTREAM "Attention scale";
    /// How many last layers reuse the cached keys of earlier ones.
    "{arch}.attention.shared_kv_layers" UINT32 UPSTREAM "Layers that share a cache", unit "layers";
    /// How many recent tokens a layer with a limited view can see.
    "{arch}.attention.sliding_window" UINT32 UPSTREAM "Sliding window", unit "tokens";
    /// Which layers have a limited view: a period, or a flag for each.
    "{arch}.attention.sliding_window_pattern" PATTERN UPSTREAM "Layers with a sliding window";
    /// The context length from which scores are scaled up.
    "{arch}.attention.temperature_length" UINT32 UPSTREAM "Attention temperature length", unit "tokens";
    /// How strongly scores grow with the logarithm of the position.
    "{arch}.attention.temperature_scale" FLOAT32 UPSTREAM "Attention temperature scale";
    /// The number of value projections among which a router chooses for each token.
    "{arch}.attention.value_expert_count" UINT32 UPSTREAM "Value experts", unit "experts";
    /// How many value projections the router chooses for one token.
    "{arch}.attention.value_expert_used_count" UINT32 UPSTREAM "Value experts used", unit "experts";
    /// The width of one value vector; embedding length divided by heads when absent.
    "{arch}.attention.value_length" UINT32 ALL "Value length", unit "elements";
    /// The width of one value after the latent cache is expanded again.
    "{arch}.attention.value_length_mla" UINT32 UPSTREAM "Expanded value length", unit "elements";
    /// The width of one expanded latent value in layers with a sliding window.
    "{arch}.attention.value_length_mla_swa" UINT32 UPSTREAM "Expanded value length in windows", unit "elements";
    /// The width of one value in layers with a sliding window.
    "{arch}.attention.value_length_swa" UINT32 UPSTREAM "Value length in windows", unit "elements";
    /// The inner width of the low-rank matrices that mix first-layer values in RWKV 7.
    "{arch}.attention.value_residual_mix_lora_rank" UINT32 UPSTREAM "Value mix rank", unit "elements";
    /// The factor that MiMo puts on the summed values of each head.
    "{arch}.attention.value_scale" FLOAT32 UPSTREAM "Value scale";
};
