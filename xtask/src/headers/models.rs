//! The models: their metadata, and the names, dimensions and types of their tensors.

use gguf_format::{GgmlType, ValueType};

use super::builder::Builder;
use super::tokens::{self, Spelling, Vocabulary};

const F32: GgmlType = GgmlType::F32;
const Q4_K: GgmlType = GgmlType::Q4_K;
const Q6_K: GgmlType = GgmlType::Q6_K;

/// A tensor of a block: the name after `blk.N.`, its dimensions and its type.
type Part = (&'static str, &'static [u64], GgmlType);

const LLAMA3_BLOCK: [Part; 9] = [
    ("attn_norm.weight", &[4096], F32),
    ("ffn_down.weight", &[14336, 4096], Q6_K),
    ("ffn_gate.weight", &[4096, 14336], Q4_K),
    ("ffn_up.weight", &[4096, 14336], Q4_K),
    ("ffn_norm.weight", &[4096], F32),
    ("attn_k.weight", &[4096, 1024], Q4_K),
    ("attn_output.weight", &[4096, 4096], Q4_K),
    ("attn_q.weight", &[4096, 4096], Q4_K),
    ("attn_v.weight", &[4096, 1024], Q6_K),
];

const LLAMA2_BLOCK: [Part; 9] = [
    ("attn_norm.weight", &[4096], F32),
    ("ffn_down.weight", &[11008, 4096], Q6_K),
    ("ffn_gate.weight", &[4096, 11008], Q4_K),
    ("ffn_up.weight", &[4096, 11008], Q4_K),
    ("ffn_norm.weight", &[4096], F32),
    ("attn_k.weight", &[4096, 4096], Q4_K),
    ("attn_output.weight", &[4096, 4096], Q4_K),
    ("attn_q.weight", &[4096, 4096], Q4_K),
    ("attn_v.weight", &[4096, 4096], Q6_K),
];

const GEMMA3_BLOCK: [Part; 13] = [
    ("attn_k.weight", &[2560, 1024], Q4_K),
    ("attn_k_norm.weight", &[256], F32),
    ("attn_norm.weight", &[2560], F32),
    ("attn_output.weight", &[2048, 2560], Q4_K),
    ("attn_q.weight", &[2560, 2048], Q4_K),
    ("attn_q_norm.weight", &[256], F32),
    ("attn_v.weight", &[2560, 1024], Q6_K),
    ("ffn_down.weight", &[10240, 2560], Q6_K),
    ("ffn_gate.weight", &[2560, 10240], Q4_K),
    ("ffn_norm.weight", &[2560], F32),
    ("ffn_up.weight", &[2560, 10240], Q4_K),
    ("post_attention_norm.weight", &[2560], F32),
    ("post_ffw_norm.weight", &[2560], F32),
];

const DEEPSEEK_ATTENTION: [Part; 8] = [
    ("attn_kv_a_mqa.weight", &[7168, 576], Q4_K),
    ("attn_kv_a_norm.weight", &[512], F32),
    ("attn_kv_b.weight", &[512, 32768], Q4_K),
    ("attn_norm.weight", &[7168], F32),
    ("attn_output.weight", &[16384, 7168], Q4_K),
    ("attn_q_a.weight", &[7168, 1536], Q4_K),
    ("attn_q_a_norm.weight", &[1536], F32),
    ("attn_q_b.weight", &[1536, 24576], Q4_K),
];

const DEEPSEEK_DENSE: [Part; 4] = [
    ("ffn_down.weight", &[18432, 7168], Q6_K),
    ("ffn_gate.weight", &[7168, 18432], Q4_K),
    ("ffn_norm.weight", &[7168], F32),
    ("ffn_up.weight", &[7168, 18432], Q4_K),
];

const DEEPSEEK_EXPERTS: [Part; 9] = [
    ("exp_probs_b.bias", &[256], F32),
    ("ffn_down_exps.weight", &[2048, 7168, 256], Q4_K),
    ("ffn_down_shexp.weight", &[2048, 7168], Q6_K),
    ("ffn_gate_exps.weight", &[7168, 2048, 256], Q4_K),
    ("ffn_gate_inp.weight", &[7168, 256], F32),
    ("ffn_gate_shexp.weight", &[7168, 2048], Q4_K),
    ("ffn_norm.weight", &[7168], F32),
    ("ffn_up_exps.weight", &[7168, 2048, 256], Q4_K),
    ("ffn_up_shexp.weight", &[7168, 2048], Q4_K),
];

const CHAT_TEMPLATE: &str = "{% for message in messages %}{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' \
    + message.content | trim + '<|eot_id|>' }}{% endfor %}\
    {% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}";

/// The counts of Llama 3 8B that determine the size of its header.
const LLAMA3_TOKENS: usize = 128_256;
const LLAMA3_CONTROL: usize = 256;
const LLAMA3_MERGES: usize = 280_147;
const LLAMA3_BLOCKS: usize = 32;
/// The size of the header of Llama 3 8B in bytes.
const LLAMA3_LENGTH: usize = 7_800_000;

/// A header like that of Llama 3 8B.
pub fn llama3() -> Vec<u8> {
    llama3_of(LLAMA3_TOKENS, LLAMA3_MERGES, LLAMA3_BLOCKS)
}

/// A header of about this number of million bytes, in the proportions of [`llama3`].
pub fn scale(megabytes: usize) -> Vec<u8> {
    let scaled = |count: usize| (count * megabytes * 1_000_000).div_ceil(LLAMA3_LENGTH);
    llama3_of(scaled(LLAMA3_TOKENS), scaled(LLAMA3_MERGES), scaled(LLAMA3_BLOCKS))
}

fn llama3_of(tokens: usize, merges: usize, blocks: usize) -> Vec<u8> {
    let mut header = Builder::new();
    general("llama", "Meta-Llama-3-8B-like", &mut header);
    header.kv("llama.block_count", blocks as u32);
    header.kv("llama.context_length", 8192u32);
    header.kv("llama.embedding_length", 4096u32);
    header.kv("llama.feed_forward_length", 14336u32);
    header.kv("llama.attention.head_count", 32u32);
    header.kv("llama.attention.head_count_kv", 8u32);
    header.kv("llama.rope.freq_base", 500_000f32);
    header.kv("llama.attention.layer_norm_rms_epsilon", 1e-5f32);
    header.kv("llama.vocab_size", tokens as u32);
    header.kv("llama.rope.dimension_count", 128u32);
    header.kv("tokenizer.ggml.model", "gpt2");
    header.kv("tokenizer.ggml.pre", "llama-bpe");
    Vocabulary { spelling: Spelling::Bytes, tokens, control: LLAMA3_CONTROL }.add_to(&mut header);
    tokens::add_merges(merges, &mut header);
    header.kv("tokenizer.ggml.bos_token_id", (tokens - LLAMA3_CONTROL) as u32);
    header.kv("tokenizer.ggml.eos_token_id", (tokens - LLAMA3_CONTROL + 1) as u32);
    header.kv("tokenizer.chat_template", CHAT_TEMPLATE);
    header.kv("general.quantization_version", 2u32);

    header.tensor("token_embd.weight", &[4096, tokens as u64], Q4_K);
    for block in 0..blocks {
        parts(block, &LLAMA3_BLOCK, &mut header);
    }
    header.tensor("output_norm.weight", &[4096], F32);
    header.tensor("output.weight", &[4096, tokens as u64], Q6_K);
    header.finish()
}

/// A header like that of Llama 2 7B.
pub fn spm() -> Vec<u8> {
    let mut header = Builder::new();
    general("llama", "Llama-2-7B-like", &mut header);
    header.kv("llama.block_count", 32u32);
    header.kv("llama.context_length", 4096u32);
    header.kv("llama.embedding_length", 4096u32);
    header.kv("llama.feed_forward_length", 11008u32);
    header.kv("llama.attention.head_count", 32u32);
    header.kv("llama.attention.head_count_kv", 32u32);
    header.kv("llama.attention.layer_norm_rms_epsilon", 1e-5f32);
    header.kv("llama.rope.dimension_count", 128u32);
    header.kv("tokenizer.ggml.model", "llama");
    Vocabulary { spelling: Spelling::Pieces, tokens: 32_000, control: 0 }.add_to(&mut header);
    header.kv("tokenizer.ggml.bos_token_id", 1u32);
    header.kv("tokenizer.ggml.eos_token_id", 2u32);
    header.kv("tokenizer.ggml.unknown_token_id", 0u32);
    header.kv("general.quantization_version", 2u32);

    header.tensor("token_embd.weight", &[4096, 32_000], Q4_K);
    for block in 0..32 {
        parts(block, &LLAMA2_BLOCK, &mut header);
    }
    header.tensor("output_norm.weight", &[4096], F32);
    header.tensor("output.weight", &[4096, 32_000], Q6_K);
    header.finish()
}

/// A header like that of Gemma 3 4B.
pub fn gemma() -> Vec<u8> {
    let mut header = Builder::new();
    general("gemma3", "Gemma-3-4B-like", &mut header);
    header.kv("gemma3.context_length", 131_072u32);
    header.kv("gemma3.embedding_length", 2560u32);
    header.kv("gemma3.block_count", 34u32);
    header.kv("gemma3.feed_forward_length", 10240u32);
    header.kv("gemma3.attention.head_count", 8u32);
    header.kv("gemma3.attention.layer_norm_rms_epsilon", 1e-6f32);
    header.kv("gemma3.attention.key_length", 256u32);
    header.kv("gemma3.attention.value_length", 256u32);
    header.kv("gemma3.rope.freq_base", 1_000_000f32);
    header.kv("gemma3.attention.sliding_window", 1024u32);
    header.kv("gemma3.attention.head_count_kv", 4u32);
    header.kv("tokenizer.ggml.model", "llama");
    header.kv("tokenizer.ggml.pre", "default");
    Vocabulary { spelling: Spelling::Pieces, tokens: 262_144, control: 6_000 }.add_to(&mut header);
    header.kv("tokenizer.ggml.bos_token_id", 1u32);
    header.kv("tokenizer.ggml.eos_token_id", 2u32);
    header.kv("tokenizer.ggml.unknown_token_id", 0u32);
    header.kv("tokenizer.ggml.add_bos_token", true);
    header.kv("tokenizer.ggml.add_eos_token", false);
    header.kv("tokenizer.chat_template", CHAT_TEMPLATE);
    header.kv("general.quantization_version", 2u32);

    header.tensor("output_norm.weight", &[2560], F32);
    header.tensor("token_embd.weight", &[2560, 262_144], Q6_K);
    for block in 0..34 {
        parts(block, &GEMMA3_BLOCK, &mut header);
    }
    header.finish()
}

/// A header like that of DeepSeek V3.
pub fn deepseek() -> Vec<u8> {
    let mut header = Builder::new();
    general("deepseek2", "DeepSeek-V3-like", &mut header);
    header.kv("deepseek2.block_count", 61u32);
    header.kv("deepseek2.context_length", 163_840u32);
    header.kv("deepseek2.embedding_length", 7168u32);
    header.kv("deepseek2.feed_forward_length", 18432u32);
    header.kv("deepseek2.attention.head_count", 128u32);
    header.kv("deepseek2.attention.head_count_kv", 128u32);
    header.kv("deepseek2.rope.freq_base", 10_000f32);
    header.kv("deepseek2.attention.layer_norm_rms_epsilon", 1e-6f32);
    header.kv("deepseek2.expert_used_count", 8u32);
    header.kv("deepseek2.leading_dense_block_count", 3u32);
    header.kv("deepseek2.attention.q_lora_rank", 1536u32);
    header.kv("deepseek2.attention.kv_lora_rank", 512u32);
    header.kv("deepseek2.expert_feed_forward_length", 2048u32);
    header.kv("deepseek2.expert_count", 256u32);
    header.kv("deepseek2.expert_shared_count", 1u32);
    header.kv("tokenizer.ggml.model", "gpt2");
    header.kv("tokenizer.ggml.pre", "deepseek-v3");
    Vocabulary { spelling: Spelling::Bytes, tokens: 129_280, control: 818 }.add_to(&mut header);
    tokens::add_merges(127_741, &mut header);
    header.kv("tokenizer.ggml.bos_token_id", 0u32);
    header.kv("tokenizer.ggml.eos_token_id", 1u32);
    header.kv("tokenizer.chat_template", CHAT_TEMPLATE);
    header.kv("general.quantization_version", 2u32);

    header.tensor("output.weight", &[7168, 129_280], Q6_K);
    header.tensor("output_norm.weight", &[7168], F32);
    header.tensor("token_embd.weight", &[7168, 129_280], Q4_K);
    for block in 0..61 {
        parts(block, &DEEPSEEK_ATTENTION, &mut header);
        match block {
            0..3 => parts(block, &DEEPSEEK_DENSE, &mut header),
            _ => parts(block, &DEEPSEEK_EXPERTS, &mut header),
        }
    }
    header.finish()
}

/// Adds the first entries, which every model has.
fn general(architecture: &str, name: &str, header: &mut Builder) {
    header.kv("general.architecture", architecture);
    header.kv("general.type", "model");
    header.kv("general.name", name);
    header.kv("general.description", "a header without a model, for benchmarks");
    header.kv("general.license", "MIT OR Apache-2.0");
    header.array("general.languages", ValueType::String, 1).string(b"en");
    // LLAMA_FTYPE_MOSTLY_Q4_K_M
    header.kv("general.file_type", 15u32);
}

/// Adds the tensors of a block.
fn parts(block: usize, parts: &[Part], header: &mut Builder) {
    for (name, dimensions, ggml_type) in parts {
        header.tensor(&format!("blk.{block}.{name}"), dimensions, *ggml_type);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &[u8], tokens: usize, merges: usize, tensors: usize) {
        let header = gguf_format::parse(file).unwrap();
        let length = |key| header.get(key).map_or(0, |entry| entry.value().as_array().unwrap().len() as usize);
        assert_eq!(length("tokenizer.ggml.tokens"), tokens);
        assert_eq!(length("tokenizer.ggml.token_type"), tokens);
        assert_eq!(length("tokenizer.ggml.merges"), merges);
        assert_eq!(header.tensors().len(), tensors);
    }

    #[test]
    fn headers_have_the_counts_of_the_models() {
        check(&llama3(), 128_256, 280_147, 291);
        check(&gemma(), 262_144, 0, 444);
        check(&deepseek(), 129_280, 127_741, 1025);
        check(&spm(), 32_000, 0, 291);
    }

    #[test]
    fn scaled_headers_have_the_length_asked_for() {
        for megabytes in [1, 4, 16] {
            let length = scale(megabytes).len() as f64 / 1e6;
            assert!((length / megabytes as f64 - 1.0).abs() < 0.05, "{length}");
        }
        assert!((llama3().len() as f64 / LLAMA3_LENGTH as f64 - 1.0).abs() < 0.02);
    }
}
