//! What a tensor is for, by its name. `llama-quantize` chooses types by these categories (`llama-quant.cpp`).

/// What a tensor is for, as far as the choice of its type depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Category {
    TokenEmbedding,
    AttentionQuery,
    AttentionKey,
    /// Values, also together with queries and keys, or with keys in latent attention.
    AttentionValue,
    AttentionOutput,
    FeedForwardUp,
    FeedForwardGate,
    FeedForwardDown,
    Output,
    Other,
}

/// The table of embeddings that each block adds to its input, in Gemma 3n and 4. It can be most of a model.
pub(super) const EMBEDDINGS_OF_LAYERS: &[u8] = b"per_layer_token_embd.weight";

/// Parts of names, the first of which decides.
const PARTS: &[(&str, Category)] = &[
    ("attn_qkv.weight", Category::AttentionValue),
    ("attn_kv_b.weight", Category::AttentionValue),
    ("attn_v.weight", Category::AttentionValue),
    ("attn_k.weight", Category::AttentionKey),
    ("attn_q.weight", Category::AttentionQuery),
    ("attn_output.weight", Category::AttentionOutput),
    ("ffn_up", Category::FeedForwardUp),
    ("ffn_gate", Category::FeedForwardGate),
    ("ffn_down", Category::FeedForwardDown),
];

impl Category {
    pub fn of(name: &[u8]) -> Self {
        match name {
            b"output.weight" => Self::Output,
            b"token_embd.weight" | EMBEDDINGS_OF_LAYERS => Self::TokenEmbedding,
            _ => PARTS.iter().find(|(part, _)| contains(name, part)).map_or(Self::Other, |(_, category)| *category),
        }
    }
}

/// Parts of the names of tensors that are never quantized: they are small, or errors in them count much.
const KEPT_PARTS: &[&str] = &[
    "_norm.weight",
    // Routers and routing tables of experts.
    "ffn_gate_inp.weight",
    "ffn_gate_tid2eid.weight",
    // Gemma 3n.
    "altup",
    "laurel",
    "per_layer_model_proj",
    // Short convolutions.
    "ssm_conv1d",
    "shortconv.conv.weight",
    // Sparse attention.
    "indexer.k_proj.weight",
    "indexer.q_proj.weight",
    // RWKV.
    "time_mix_first.weight",
    "time_mix_w0.weight",
    "time_mix_w1.weight",
    "time_mix_w2.weight",
    "time_mix_v0.weight",
    "time_mix_v1.weight",
    "time_mix_v2.weight",
    "time_mix_a0.weight",
    "time_mix_a1.weight",
    "time_mix_a2.weight",
    "time_mix_g1.weight",
    "time_mix_g2.weight",
    "time_mix_decay_w1.weight",
    "time_mix_decay_w2.weight",
    "time_mix_lerp_fused.weight",
    // T5.
    "attn_rel_b.weight",
    // Images and sound.
    ".position_embd",
    "sam.pos_embd",
    "sam.neck.",
    "sam.net_",
    ".rel_pos",
    ".patch_embd",
    ".patch_merger",
    "a.rvq.codebook",
    "mm.a.code_embd",
];

/// Parts of the names of tensors that are never quantized in a model of GLM 5 Next.
const KEPT_PARTS_OF_GLM5_NEXT: &[&str] = &[
    // Hyper-connections.
    "hc_",
    // Sparse attention.
    "indexer.attn_q_b",
    "indexer.attn_k",
    "indexer.proj",
    "indexer_compressor_gate",
    "indexer_compressor_ape",
    // Gates of linear attention.
    "ssm_f_a.weight",
    "ssm_f_b.weight",
    "ssm_g_a.weight",
    "ssm_g_b.weight",
    "ssm_beta.weight",
    // Latent attention.
    "attn_kv_a_mqa.weight",
    "attn_k_b.weight",
    "attn_v_b.weight",
];

/// Parts of the names of tensors that get at least 8 bits in a model of GLM 5 Next.
const EIGHT_BIT_PARTS_OF_GLM5_NEXT: &[&str] = &["attn_q_a", "attn_q_b", "nextn.eh_proj"];

/// Whether `llama-quantize` changes the type of tensors of this architecture with this name and this number of dimensions, not
/// counting trailing dimensions of 1.
pub(super) fn is_quantized(architecture: &[u8], name: &[u8], dimension_count: usize) -> bool {
    let contains_any = |parts: &[&str]| parts.iter().any(|part| contains(name, part));
    dimension_count >= 2
        && name.ends_with(b"weight")
        && !matches!(name, b"position_embd.weight" | b"token_types.weight")
        && !contains_any(KEPT_PARTS)
        && !(is_glm5_next(architecture) && contains_any(KEPT_PARTS_OF_GLM5_NEXT))
}

/// Whether a tensor gets at least 8 bits in every quantized file type.
pub(super) fn has_eight_bits(architecture: &[u8], name: &[u8]) -> bool {
    is_glm5_next(architecture) && EIGHT_BIT_PARTS_OF_GLM5_NEXT.iter().any(|part| contains(name, part))
}

fn is_glm5_next(architecture: &[u8]) -> bool {
    architecture == b"glm5-next"
}

/// Whether a name contains a text.
pub(super) fn contains(name: &[u8], part: &str) -> bool {
    part.is_empty() || name.windows(part.len()).any(|window| window == part.as_bytes())
}

/// The number of the block that a name begins with, as C's `sscanf("blk.%d.")` reads it.
pub(super) fn block_of(name: &[u8]) -> Option<u32> {
    number_at(name.strip_prefix(b"blk.")?).map(|(number, _)| number)
}

/// The number at the start of a text, and its length in bytes.
pub(super) fn number_at(text: &[u8]) -> Option<(u32, usize)> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = text.get(..length).filter(|digits| !digits.is_empty())?;
    let number =
        digits.iter().fold(0_u32, |number, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    Some((number, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_follow_the_first_part_that_a_name_contains() {
        assert_eq!(Category::of(b"output.weight"), Category::Output);
        assert_eq!(Category::of(b"blk.0.attn_output.weight"), Category::AttentionOutput);
        assert_eq!(Category::of(b"blk.0.attn_qkv.weight"), Category::AttentionValue);
        assert_eq!(Category::of(b"blk.0.ffn_gate_up_exps.weight"), Category::FeedForwardGate);
        assert_eq!(Category::of(b"blk.0.ffn_down_exps.weight"), Category::FeedForwardDown);
        assert_eq!(Category::of(b"blk.0.attn_k_b.weight"), Category::Other);
    }

    #[test]
    fn small_and_sensitive_tensors_are_not_quantized() {
        let is_quantized = |name: &str, dimension_count| is_quantized(b"llama", name.as_bytes(), dimension_count);
        assert!(is_quantized("blk.0.attn_q.weight", 2));
        assert!(!is_quantized("blk.0.attn_q.weight", 1));
        assert!(!is_quantized("blk.0.attn_q.bias", 2));
        assert!(!is_quantized("blk.0.ffn_gate_inp.weight", 2));
        assert!(!is_quantized("v.patch_embd.weight", 4));
    }

    #[test]
    fn blocks_are_read_as_c_reads_them() {
        assert_eq!(block_of(b"blk.12.attn_q.weight"), Some(12));
        assert_eq!(block_of(b"blk.007x"), Some(7));
        assert_eq!(block_of(b"v.blk.1.attn_q.weight"), None);
        assert_eq!(block_of(b"blk.x"), None);
    }
}
