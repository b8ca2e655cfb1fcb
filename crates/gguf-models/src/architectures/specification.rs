//! The keys that the specification requires of each architecture that it describes ("Each key specified must be present").
//!
//! Some of them llama.cpp never reads, and some that llama.cpp needs are not among them: the keys of MPT have other names in
//! llama.cpp, and the lists of MPT, GPT-NeoX, GPT-J, GPT-2 and Falcon lack `feed_forward_length`.

#[rustfmt::skip]
pub(super) const LLAMA: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.feed_forward_length",
    "{arch}.rope.dimension_count", "{arch}.attention.head_count", "{arch}.attention.layer_norm_rms_epsilon",
];

#[rustfmt::skip]
pub(super) const MPT: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.attention.head_count",
    "{arch}.attention.alibi_bias_max", "{arch}.attention.clip_kqv", "{arch}.attention.layer_norm_epsilon",
];

#[rustfmt::skip]
pub(super) const GPTNEOX: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.use_parallel_residual",
    "{arch}.rope.dimension_count", "{arch}.attention.head_count", "{arch}.attention.layer_norm_epsilon",
];

#[rustfmt::skip]
pub(super) const GPTJ: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.rope.dimension_count",
    "{arch}.attention.head_count", "{arch}.attention.layer_norm_epsilon",
];

pub(super) const GPT2: &[&str] = &[
    "{arch}.context_length",
    "{arch}.embedding_length",
    "{arch}.block_count",
    "{arch}.attention.head_count",
    "{arch}.attention.layer_norm_epsilon",
];

#[rustfmt::skip]
pub(super) const BLOOM: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.feed_forward_length",
    "{arch}.attention.head_count", "{arch}.attention.layer_norm_epsilon",
];

#[rustfmt::skip]
pub(super) const FALCON: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.attention.head_count",
    "{arch}.attention.head_count_kv", "{arch}.attention.use_norm", "{arch}.attention.layer_norm_epsilon",
];

#[rustfmt::skip]
pub(super) const MAMBA: &[&str] = &[
    "{arch}.context_length", "{arch}.embedding_length", "{arch}.block_count", "{arch}.ssm.conv_kernel",
    "{arch}.ssm.inner_size", "{arch}.ssm.state_size", "{arch}.ssm.time_step_rank",
    "{arch}.attention.layer_norm_rms_epsilon",
];

pub(super) const RWKV: &[&str] = &[
    "{arch}.architecture_version",
    "{arch}.context_length",
    "{arch}.block_count",
    "{arch}.embedding_length",
    "{arch}.feed_forward_length",
];

#[rustfmt::skip]
pub(super) const WHISPER: &[&str] = &[
    "{arch}.encoder.context_length", "{arch}.encoder.embedding_length", "{arch}.encoder.block_count",
    "{arch}.encoder.mels_count", "{arch}.encoder.attention.head_count", "{arch}.decoder.context_length",
    "{arch}.decoder.embedding_length", "{arch}.decoder.block_count", "{arch}.decoder.attention.head_count",
];
