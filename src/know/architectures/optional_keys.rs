//! Keys that llama.cpp reads of every model of some architectures, although it does not require them (`load_arch_hparams` in
//! `src/models` of llama.cpp, August 2026). Keys that are read under a condition are not here.

// Experts.
pub(super) const ROUTED_EXPERTS: &[&str] = &[
    "{arch}.expert_feed_forward_length",
    "{arch}.expert_gating_func",
    "{arch}.expert_shared_count",
    "{arch}.expert_weights_norm",
    "{arch}.expert_weights_scale",
];
pub(super) const LEADING_DENSE_BLOCKS: &[&str] = &["{arch}.leading_dense_block_count"];
pub(super) const SHARED_EXPERT_LENGTH: &[&str] = &["{arch}.expert_shared_feed_forward_length"];
pub(super) const EXPERT_LENGTH: &[&str] = &["{arch}.expert_feed_forward_length"];
pub(super) const EXPERT_GATING: &[&str] = &["{arch}.expert_gating_func"];
pub(super) const SHARED_EXPERTS: &[&str] = &["{arch}.expert_shared_count"];
pub(super) const EXPERT_WEIGHTS: &[&str] = &["{arch}.expert_weights_norm", "{arch}.expert_weights_scale"];
pub(super) const EXPERT_SCALE: &[&str] = &["{arch}.expert_weights_scale"];

// Attention.
pub(super) const LATENT_ATTENTION: &[&str] = &["{arch}.attention.key_length_mla", "{arch}.attention.value_length_mla"];
pub(super) const WINDOW: &[&str] = &["{arch}.attention.sliding_window"];
pub(super) const WINDOW_ROPE: &[&str] = &["{arch}.rope.freq_base_swa"];

pub(super) const NEXT_TOKEN_BLOCKS: &[&str] = &["{arch}.nextn_predict_layers"];

// Factors and limits of numbers.
/// The factors of Granite, and the length of its shared experts.
pub(super) const GRANITE: &[&str] = &[
    "{arch}.attention.scale",
    "{arch}.embedding_scale",
    "{arch}.expert_shared_feed_forward_length",
    "{arch}.logit_scale",
    "{arch}.residual_scale",
];
pub(super) const SCALES: &[&str] = &["{arch}.embedding_scale", "{arch}.logit_scale", "{arch}.residual_scale"];
pub(super) const EMBEDDING_SCALE: &[&str] = &["{arch}.embedding_scale"];
pub(super) const LOGIT_SCALE: &[&str] = &["{arch}.logit_scale"];
pub(super) const RESIDUAL_SCALE: &[&str] = &["{arch}.residual_scale"];
pub(super) const ATTENTION_SOFTCAP: &[&str] = &["{arch}.attn_logit_softcapping"];
pub(super) const OUTPUT_SOFTCAP: &[&str] = &["{arch}.final_logit_softcapping"];
pub(super) const ROUTER_SOFTCAP: &[&str] = &["{arch}.router_logit_softcapping"];
pub(super) const VOCABULARY_SIZE: &[&str] = &["{arch}.vocab_size"];
