//! Keys that llama.cpp reads of every model of some architectures, although it does not require them.

/// The patterns of keys, each with the names of the architectures whose models have the key read (`load_arch_hparams` in
/// `src/models` of llama.cpp, August 2026). Keys that are read under a condition are not in the list.
const OPTIONAL_KEYS: &[(&str, &str)] = &[
    (
        "{arch}.attention.key_length_mla",
        "bailingmoe3 deepseek2 deepseek32 dots3note glm-dsa kimi-k3 kimi-linear mistral4",
    ),
    ("{arch}.attention.scale", "granite granite_swa granitehybrid granitemoe graniteswitch"),
    (
        "{arch}.attention.sliding_window",
        "afmoe cohere2 cohere2moe deepseek4 dflash dots3note exaone-moe exaone4 gemma-embedding gemma2 gemma3 gemma3n \
         gemma4 gemma4-assistant gpt-oss granite_swa laguna lfm2 llama4 mellum mimo2 modern-bert muse-glimmer olmo2 \
         phi3 plamo3 smallthinker step35",
    ),
    (
        "{arch}.attention.value_length_mla",
        "bailingmoe3 deepseek2 deepseek32 dots3note glm-dsa kimi-k3 kimi-linear mistral4",
    ),
    ("{arch}.attn_logit_softcapping", "gemma2 grok"),
    ("{arch}.embedding_scale", "granite granite_swa granitehybrid granitemoe graniteswitch grok minicpm"),
    (
        "{arch}.expert_feed_forward_length",
        "afmoe bailingmoe bailingmoe2 bailingmoe3 cohere2moe deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 \
         dots1 dots3note exaone-moe gemma4 glm-dsa glm4moe gpt-oss grok grovemoe hunyuan-moe hy_v3 kimi-k3 \
         kimi-linear laguna lfm2moe llada-moe llama4 mellum mimo2 minimax-m2 minimax-m3 mistral4 nemotron_h \
         nemotron_h_moe qwen2moe qwen35moe qwen3moe qwen3next qwen3vlmoe rnd1 smallthinker step35",
    ),
    (
        "{arch}.expert_gating_func",
        "afmoe bailingmoe2 bailingmoe3 cohere2moe deepseek2 deepseek2-ocr deepseek32 deepseek4 dots1 dots3note \
         exaone-moe glm-dsa glm4moe hy_v3 kimi-k3 kimi-linear laguna lfm2moe minimax-m2 minimax-m3 mistral4 \
         smallthinker step35",
    ),
    (
        "{arch}.expert_shared_count",
        "afmoe bailingmoe bailingmoe2 bailingmoe3 cohere2moe deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 \
         dots1 dots3note exaone-moe glm-dsa glm4moe kimi-k3 kimi-linear laguna minimax-m3 mistral4 nemotron_h \
         nemotron_h_moe",
    ),
    (
        "{arch}.expert_shared_feed_forward_length",
        "bailingmoe2 bailingmoe3 cohere2moe exaone-moe granite granite_swa granitehybrid granitemoe graniteswitch \
         hunyuan-moe hy_v3 laguna nemotron_h nemotron_h_moe qwen2moe qwen35moe qwen3next step35",
    ),
    (
        "{arch}.expert_weights_norm",
        "afmoe bailingmoe bailingmoe2 bailingmoe3 cohere2moe deepseek2 deepseek2-ocr deepseek32 deepseek4 dots1 \
         dots3note exaone-moe glm-dsa glm4moe hy_v3 kimi-k3 laguna minimax-m3 mistral4 nemotron_h nemotron_h_moe \
         step35",
    ),
    (
        "{arch}.expert_weights_scale",
        "afmoe bailingmoe bailingmoe2 bailingmoe3 cohere2moe deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 \
         dots1 dots3note exaone-moe glm-dsa glm4moe hy_v3 kimi-k3 kimi-linear laguna minimax-m3 mistral4 nemotron_h \
         nemotron_h_moe step35",
    ),
    ("{arch}.final_logit_softcapping", "gemma2 gemma3 gemma4 grok muse-glimmer"),
    (
        "{arch}.leading_dense_block_count",
        "afmoe bailingmoe bailingmoe2 bailingmoe3 cohere2moe deepseek deepseek2 deepseek2-ocr deepseek32 dots1 \
         dots3note exaone-moe glm-dsa glm4moe kimi-k3 kimi-linear laguna lfm2moe minimax-m3 mistral4",
    ),
    (
        "{arch}.logit_scale",
        "cohere2 cohere2moe command-r granite granite_swa granitehybrid granitemoe graniteswitch grok minicpm \
         muse-glimmer talkie",
    ),
    (
        "{arch}.nextn_predict_layers",
        "bailingmoe2 bailingmoe3 cohere2moe deepseek2 deepseek32 deepseek4 dots3note exaone-moe exaone4 \
         gemma4-assistant glm-dsa glm4 glm4moe hy_v3 mimo2 mistral4 nemotron_h nemotron_h_moe qwen35 qwen35moe \
         qwen3next step35",
    ),
    ("{arch}.residual_scale", "granite granite_swa granitehybrid granitemoe graniteswitch minicpm minimax-01"),
    (
        "{arch}.rope.freq_base_swa",
        "cohere2 cohere2moe dots3note exaone-moe gemma-embedding gemma2 gemma3n gemma4 gemma4-assistant gpt-oss mimo2 \
         muse-glimmer step35",
    ),
    ("{arch}.router_logit_softcapping", "grok"),
    ("{arch}.vocab_size", "deepseek2 llama llama-embed mistral4"),
];

/// Whether llama.cpp reads an optional key of every model of an architecture.
pub(crate) fn reads_optional_key(architecture: &str, pattern: &str) -> bool {
    let is_named = |names: &str| names.split(' ').any(|name| name == architecture);
    OPTIONAL_KEYS.iter().any(|(own, names)| *own == pattern && is_named(names))
}
