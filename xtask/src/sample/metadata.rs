//! The metadata that a converter and a quantizer write for a small model of the Llama family, in their order.

use gguf_format::ValueType;
use gguf_format::write::encode::OwnedValue;

use super::shape;
use super::vocabulary::{self, Vocabulary};

/// LLAMA_FTYPE_MOSTLY_Q3_K_M, named after the type of the largest tensor.
const FILE_TYPE: u32 = 12;

const DESCRIPTION: &str = "A small model whose weights were thought out, not trained: it continues a text that repeats itself. It knows no \
    language.";

/// A chat template: turns between markers, an optional system prompt, and tools as JSON.
const CHAT_TEMPLATE: &str = r#"{#- Each turn is a role, its text and an end mark. -#}
{%- if messages[0].role == 'system' -%}
    {%- set system = messages[0].content -%}
    {%- set turns = messages[1:] -%}
{%- else -%}
    {%- set system = 'You continue texts that repeat themselves.' -%}
    {%- set turns = messages -%}
{%- endif -%}
{{- '<|im_start|>system\n' + system | trim -}}
{%- if tools -%}
    {{- '\n\nThese tools can be called:' -}}
    {%- for tool in tools -%}
        {{- '\n' + tool | tojson -}}
    {%- endfor -%}
{%- endif -%}
{{- '<|im_end|>\n' -}}
{%- for message in turns -%}
    {%- if message.role not in ['user', 'assistant', 'tool'] -%}
        {{- raise_exception('There is no role ' + message.role + '.') -}}
    {%- endif -%}
    {{- '<|im_start|>' + message.role + '\n' + message.content | trim + '<|im_end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{- '<|im_start|>assistant\n' -}}
{%- endif -%}
"#;

/// The entries in file order.
pub fn entries(parameters: usize, vocabulary: &Vocabulary) -> Vec<(&'static str, OwnedValue)> {
    let Vocabulary { tokens, scores, types, .. } = vocabulary.clone();
    vec![
        ("general.architecture", "llama".into()),
        ("general.type", "model".into()),
        ("general.name", "gguf-wasm sample".into()),
        ("general.author", "gguf-wasm".into()),
        ("general.version", "v1.0".into()),
        ("general.finetune", "sample".into()),
        ("general.basename", "gguf-wasm".into()),
        ("general.description", DESCRIPTION.into()),
        ("general.size_label", format!("{}M", (parameters + 500_000) / 1_000_000).into()),
        ("general.license", "MIT OR Apache-2.0".into()),
        ("general.tags", OwnedValue::array(ValueType::String, ["sample", "induction-heads", "text-generation"])),
        (
            "general.languages",
            OwnedValue::array(ValueType::String, ["en", "fr", "ru", "el", "ar", "hi", "ja", "ko", "zh"]),
        ),
        ("llama.block_count", shape::BLOCKS.into()),
        ("llama.context_length", 8192u32.into()),
        ("llama.embedding_length", shape::EMBEDDING.into()),
        ("llama.feed_forward_length", shape::FEED_FORWARD.into()),
        ("llama.attention.head_count", shape::HEADS.into()),
        // An array with one number for each block, as converters write it for models whose blocks differ.
        (
            "llama.attention.head_count_kv",
            OwnedValue::array(ValueType::Int32, [shape::KV_HEADS as i32; shape::BLOCKS as usize]),
        ),
        ("llama.rope.freq_base", 500_000f32.into()),
        ("llama.attention.layer_norm_rms_epsilon", 1e-5f32.into()),
        ("llama.attention.key_length", shape::HEAD.into()),
        ("llama.attention.value_length", shape::HEAD.into()),
        ("general.file_type", FILE_TYPE.into()),
        ("llama.vocab_size", (vocabulary::SIZE as u32).into()),
        ("llama.rope.dimension_count", shape::HEAD.into()),
        ("tokenizer.ggml.model", "llama".into()),
        ("tokenizer.ggml.pre", "default".into()),
        ("tokenizer.ggml.tokens", OwnedValue::array(ValueType::String, tokens)),
        ("tokenizer.ggml.scores", OwnedValue::array(ValueType::Float32, scores)),
        ("tokenizer.ggml.token_type", OwnedValue::array(ValueType::Int32, types)),
        ("tokenizer.ggml.bos_token_id", vocabulary::BEGIN.into()),
        ("tokenizer.ggml.eos_token_id", vocabulary::END.into()),
        ("tokenizer.ggml.eot_token_id", vocabulary::TURN_END.into()),
        ("tokenizer.ggml.unknown_token_id", vocabulary::UNKNOWN.into()),
        ("tokenizer.ggml.padding_token_id", vocabulary::PADDING.into()),
        ("tokenizer.ggml.add_bos_token", true.into()),
        ("tokenizer.ggml.add_eos_token", false.into()),
        ("tokenizer.ggml.add_space_prefix", true.into()),
        ("tokenizer.chat_template", CHAT_TEMPLATE.into()),
        ("general.quantization_version", 2u32.into()),
    ]
}
