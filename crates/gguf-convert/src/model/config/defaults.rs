//! The values that classes of transformers give to missing members of `config.json`.
//!
//! The values are facts of transformers 4.57.6, the release that the converter of llama.cpp pins. Only members that the converter
//! reads are here.

/// The defaults of a class.
pub(super) struct Defaults {
    /// The `model_type`.
    pub model_type: &'static str,
    /// The values of members that are missing, as JSON. A member that is `null` keeps this value.
    pub values: &'static str,
    /// Members that follow from others, if they are missing or `null`.
    pub derived: &'static [(&'static str, Derived)],
    /// Other names of members, and the names that the class gives them.
    pub aliases: &'static [(&'static str, &'static str)],
}

/// How a value follows from others.
#[derive(Clone, Copy)]
pub(super) enum Derived {
    /// It is the same as another member.
    Same(&'static str),
    /// The hidden size divided by the number of heads.
    HeadSize,
    /// As `HeadSize`, but `null` stays.
    HeadSizeUnlessNull,
    /// The types of the layers: each layer whose number is a multiple of the period sees everything, others have a sliding window.
    Windows(u64),
    /// The types of the layers: each layer whose number is a multiple of a member, or of the number, sees everything, others have linear
    /// attention.
    LinearOf(&'static str, u64),
    /// As `Windows`. The period is another member.
    WindowsOf(&'static str),
}

/// The defaults for a `model_type`.
pub(super) fn defaults_of(model_type: &str) -> Option<&'static Defaults> {
    TABLE.iter().find(|row| row.model_type == model_type)
}

const KEY_VALUE_HEADS: (&str, Derived) = ("num_key_value_heads", Derived::Same("num_attention_heads"));

const NO_DERIVED: &[(&str, Derived)] = &[];

const GPT2_NAMES: &[(&str, &str)] = &[
    ("hidden_size", "n_embd"),
    ("max_position_embeddings", "n_positions"),
    ("num_attention_heads", "n_head"),
    ("num_hidden_layers", "n_layer"),
];

const T5_NAMES: &[(&str, &str)] = &[
    ("hidden_size", "d_model"),
    ("num_attention_heads", "num_heads"),
    ("num_hidden_layers", "num_layers"),
    ("head_dim", "d_kv"),
];

const fn row(model_type: &'static str, values: &'static str, derived: &'static [(&'static str, Derived)]) -> Defaults {
    Defaults { model_type, values, derived, aliases: &[] }
}

impl Defaults {
    const fn with_aliases(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        Self { aliases, ..self }
    }
}

/// Qwen 2 VL and 2.5 VL.
#[rustfmt::skip]
const QWEN2_VL: &str = r#"{"vocab_size":152064,"max_position_embeddings":32768,"hidden_size":8192,"intermediate_size":29568,"num_hidden_layers":80,"num_attention_heads":64,"sliding_window":null,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":1000000.0,"rope_scaling":null,"tie_word_embeddings":false}"#;

#[rustfmt::skip]
const TABLE: &[Defaults] = &[
    row("arcee", r#"{"tie_word_embeddings":false,"vocab_size":32000,"max_position_embeddings":4096,"hidden_size":2560,"intermediate_size":18432,"num_hidden_layers":32,"num_attention_heads":32,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null}"#, &[KEY_VALUE_HEADS, ("head_dim", Derived::HeadSize)]),
    row("bert", r#"{"tie_word_embeddings":true,"vocab_size":30522,"hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"max_position_embeddings":512,"type_vocab_size":2,"layer_norm_eps":1e-12,"position_embedding_type":"absolute"}"#, NO_DERIVED),
    row("bloom", r#"{"vocab_size":250880,"hidden_size":64,"n_layer":2,"n_head":8,"layer_norm_epsilon":1e-05,"tie_word_embeddings":true}"#, NO_DERIVED).with_aliases(&[("n_embed", "hidden_size"), ("num_hidden_layers", "n_layer"), ("num_attention_heads", "n_head")]),
    row("cohere", r#"{"vocab_size":256000,"max_position_embeddings":8192,"hidden_size":8192,"logit_scale":0.0625,"intermediate_size":22528,"num_hidden_layers":40,"num_attention_heads":64,"layer_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":true}"#, &[KEY_VALUE_HEADS]),
    row("cohere2", r#"{"vocab_size":256000,"max_position_embeddings":8192,"hidden_size":8192,"logit_scale":0.0625,"intermediate_size":22528,"num_hidden_layers":40,"num_attention_heads":64,"layer_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"sliding_window":4096,"tie_word_embeddings":true}"#, &[KEY_VALUE_HEADS, ("head_dim", Derived::HeadSizeUnlessNull), ("layer_types", Derived::Windows(4))]),
    row("deepseek_v2", r#"{"tie_word_embeddings":false,"vocab_size":32000,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"head_dim":64,"first_k_dense_replace":0,"kv_lora_rank":512,"q_lora_rank":1536,"n_group":null,"n_routed_experts":64,"n_shared_experts":2,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"routed_scaling_factor":1.0,"topk_group":null,"topk_method":"greedy","v_head_dim":128,"num_experts_per_tok":null,"norm_topk_prob":false,"moe_intermediate_size":1407}"#, &[KEY_VALUE_HEADS, ("head_dim", Derived::Same("qk_rope_head_dim"))]),
    row("deepseek_v3", r#"{"vocab_size":129280,"max_position_embeddings":4096,"hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,"num_hidden_layers":61,"num_attention_heads":128,"n_shared_experts":1,"n_routed_experts":256,"routed_scaling_factor":2.5,"kv_lora_rank":512,"q_lora_rank":1536,"qk_rope_head_dim":64,"v_head_dim":128,"qk_nope_head_dim":128,"head_dim":64,"n_group":8,"topk_group":4,"num_experts_per_tok":8,"first_k_dense_replace":3,"norm_topk_prob":true,"num_key_value_heads":128,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("distilbert", r#"{"vocab_size":30522,"max_position_embeddings":512,"n_layers":6,"n_heads":12,"dim":768,"hidden_dim":3072,"tie_word_embeddings":true}"#, NO_DERIVED).with_aliases(&[("hidden_size", "dim"), ("num_attention_heads", "n_heads"), ("num_hidden_layers", "n_layers")]),
    row("dots1", r#"{"vocab_size":152064,"max_position_embeddings":2048,"hidden_size":4608,"intermediate_size":10944,"moe_intermediate_size":1408,"num_hidden_layers":62,"num_attention_heads":32,"n_shared_experts":null,"n_routed_experts":null,"num_experts_per_tok":null,"first_k_dense_replace":0,"norm_topk_prob":false,"n_group":1,"topk_group":1,"num_key_value_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"routed_scaling_factor":1.0,"sliding_window":4096,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("ernie4_5", r#"{"vocab_size":103424,"max_position_embeddings":131072,"hidden_size":1024,"intermediate_size":3072,"num_hidden_layers":18,"num_attention_heads":16,"num_key_value_heads":2,"rms_norm_eps":1e-05,"rope_theta":500000.0,"rope_scaling":null,"head_dim":128,"tie_word_embeddings":true}"#, &[("head_dim", Derived::HeadSize)]),
    row("ernie4_5_moe", r#"{"vocab_size":103424,"hidden_size":2560,"intermediate_size":12288,"num_hidden_layers":28,"num_attention_heads":20,"num_key_value_heads":4,"max_position_embeddings":131072,"rms_norm_eps":1e-05,"rope_theta":500000.0,"rope_scaling":null,"moe_intermediate_size":1536,"moe_k":6,"moe_num_experts":64,"moe_num_shared_experts":2,"moe_layer_start_index":1,"moe_layer_interval":1,"tie_word_embeddings":true}"#, NO_DERIVED)
        .with_aliases(&[("num_experts", "moe_num_experts"), ("num_experts_per_tok", "moe_k")]),
    row("exaone4", r#"{"vocab_size":102400,"hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,"intermediate_size":16384,"max_position_embeddings":2048,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"sliding_window":4096,"sliding_window_pattern":4,"tie_word_embeddings":false}"#, &[("layer_types", Derived::WindowsOf("sliding_window_pattern"))]),
    row("falcon", r#"{"vocab_size":65024,"hidden_size":4544,"num_hidden_layers":32,"num_attention_heads":71,"layer_norm_epsilon":1e-05,"max_position_embeddings":2048,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":true}"#, &[("num_kv_heads", Derived::Same("num_attention_heads"))]),
    row("gemma", r#"{"vocab_size":256000,"max_position_embeddings":8192,"hidden_size":3072,"intermediate_size":24576,"num_hidden_layers":28,"num_attention_heads":16,"head_dim":256,"num_key_value_heads":16,"rms_norm_eps":1e-06,"rope_theta":10000.0,"tie_word_embeddings":true}"#, NO_DERIVED),
    row("gemma2", r#"{"tie_word_embeddings":true,"vocab_size":256000,"max_position_embeddings":8192,"hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,"num_attention_heads":8,"head_dim":256,"num_key_value_heads":4,"rms_norm_eps":1e-06,"rope_theta":10000.0,"sliding_window":4096,"final_logit_softcapping":30.0,"attn_logit_softcapping":50.0}"#, NO_DERIVED),
    row("gemma3_text", r#"{"tie_word_embeddings":true,"vocab_size":262208,"max_position_embeddings":131072,"hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,"num_attention_heads":8,"head_dim":256,"num_key_value_heads":4,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"sliding_window":4096,"final_logit_softcapping":null,"attn_logit_softcapping":null,"rope_local_base_freq":10000.0,"rope_scaling":null}"#, NO_DERIVED),
    row("gemma3n_text", r#"{"tie_word_embeddings":true,"vocab_size":262400,"max_position_embeddings":32768,"hidden_size":2048,"intermediate_size":16384,"num_hidden_layers":35,"num_attention_heads":8,"num_key_value_heads":2,"head_dim":256,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"rope_scaling":null,"rope_local_base_freq":10000.0,"sliding_window":512,"final_logit_softcapping":30.0,"hidden_size_per_layer_input":256,"num_kv_shared_layers":15,"altup_active_idx":0,"altup_num_inputs":4}"#, &[("layer_types", Derived::Windows(5))]),
    row("glm", r#"{"vocab_size":151552,"max_position_embeddings":131072,"hidden_size":4096,"intermediate_size":13696,"num_hidden_layers":40,"num_attention_heads":32,"partial_rotary_factor":0.5,"head_dim":128,"num_key_value_heads":2,"rms_norm_eps":1.5625e-07,"rope_theta":10000.0,"tie_word_embeddings":false}"#, NO_DERIVED),
    row("glm4", r#"{"vocab_size":151552,"max_position_embeddings":131072,"hidden_size":4096,"intermediate_size":13696,"num_hidden_layers":40,"num_attention_heads":32,"partial_rotary_factor":0.5,"head_dim":128,"num_key_value_heads":2,"rms_norm_eps":1.5625e-07,"rope_theta":10000.0,"tie_word_embeddings":false}"#, NO_DERIVED),
    row("glm4_moe", r#"{"vocab_size":151552,"max_position_embeddings":131072,"hidden_size":4096,"intermediate_size":10944,"num_hidden_layers":46,"num_attention_heads":96,"partial_rotary_factor":0.5,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"moe_intermediate_size":1408,"num_experts_per_tok":8,"n_group":1,"topk_group":1,"n_shared_experts":1,"n_routed_experts":128,"routed_scaling_factor":1.0,"first_k_dense_replace":1,"norm_topk_prob":true,"tie_word_embeddings":false}"#, NO_DERIVED),
    row("glm4v_moe_text", r#"{"tie_word_embeddings":false,"vocab_size":151424,"max_position_embeddings":65536,"hidden_size":4096,"intermediate_size":10944,"num_hidden_layers":46,"num_attention_heads":96,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"partial_rotary_factor":0.5,"n_routed_experts":128,"num_experts_per_tok":8,"n_group":1,"topk_group":1,"moe_intermediate_size":1408,"n_shared_experts":1,"routed_scaling_factor":1.0,"first_k_dense_replace":1,"norm_topk_prob":true}"#, NO_DERIVED),
    row("glm4v_text", r#"{"tie_word_embeddings":false,"vocab_size":151552,"max_position_embeddings":32768,"hidden_size":4096,"intermediate_size":13696,"num_hidden_layers":40,"num_attention_heads":32,"num_key_value_heads":2,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null}"#, NO_DERIVED),
    row("gpt2", r#"{"vocab_size":50257,"n_positions":1024,"n_embd":768,"n_layer":12,"n_head":12,"n_inner":null,"layer_norm_epsilon":1e-05,"tie_word_embeddings":true}"#, NO_DERIVED).with_aliases(GPT2_NAMES),
    row("gpt_bigcode", r#"{"vocab_size":50257,"n_positions":1024,"n_embd":768,"n_layer":12,"n_head":12,"n_inner":null,"layer_norm_epsilon":1e-05,"num_key_value_heads":1,"tie_word_embeddings":true}"#, NO_DERIVED).with_aliases(GPT2_NAMES),
    row("gpt_neox", r#"{"tie_word_embeddings":false,"vocab_size":50432,"max_position_embeddings":2048,"hidden_size":6144,"num_hidden_layers":44,"num_attention_heads":64,"intermediate_size":24576,"rotary_pct":0.25,"partial_rotary_factor":0.25,"rotary_emb_base":10000,"rope_theta":10000,"layer_norm_eps":1e-05,"use_parallel_residual":true,"rope_scaling":null}"#, NO_DERIVED),
    row("gpt_oss", r#"{"vocab_size":201088,"hidden_size":2880,"intermediate_size":2880,"num_hidden_layers":36,"num_attention_heads":64,"num_local_experts":128,"sliding_window":128,"num_experts_per_tok":4,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":150000.0,"rope_scaling":{"rope_type":"yarn","factor":32.0,"beta_fast":32.0,"beta_slow":1.0,"truncate":false,"original_max_position_embeddings":4096},"head_dim":64,"max_position_embeddings":131072,"tie_word_embeddings":false}"#, &[("head_dim", Derived::HeadSize)]),
    row("granite", r#"{"vocab_size":32000,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"embedding_multiplier":1.0,"logits_scaling":1.0,"residual_multiplier":1.0,"attention_multiplier":1.0,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("granitemoe", r#"{"vocab_size":32000,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"position_embedding_type":"rope","embedding_multiplier":1.0,"logits_scaling":1.0,"residual_multiplier":1.0,"attention_multiplier":1.0,"num_local_experts":8,"num_experts_per_tok":2,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("granitemoeshared", r#"{"vocab_size":32000,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"position_embedding_type":"rope","embedding_multiplier":1.0,"logits_scaling":1.0,"residual_multiplier":1.0,"attention_multiplier":1.0,"num_local_experts":8,"num_experts_per_tok":2,"shared_intermediate_size":0,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("hunyuan_v1_dense", r#"{"vocab_size":290943,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"head_dim":null,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("hunyuan_v1_moe", r#"{"vocab_size":290943,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"num_experts":1,"moe_topk":1,"head_dim":null,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("jamba", r#"{"tie_word_embeddings":false,"vocab_size":65536,"max_position_embeddings":262144,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"rms_norm_eps":1e-06,"num_experts":16,"num_experts_per_tok":2,"expert_layer_period":2,"expert_layer_offset":1,"attn_layer_period":8,"attn_layer_offset":4,"mamba_d_state":16,"mamba_d_conv":4,"mamba_expand":2}"#, &[KEY_VALUE_HEADS]),
    row("lfm2", r#"{"vocab_size":65536,"hidden_size":2560,"num_hidden_layers":32,"rope_theta":1000000.0,"max_position_embeddings":128000,"norm_eps":1e-05,"num_attention_heads":32,"num_key_value_heads":8,"conv_L_cache":3,"intermediate_size":12288,"block_multiple_of":256,"block_ffn_dim_multiplier":1.0,"block_auto_adjust_ff_dim":true,"tie_word_embeddings":true}"#, NO_DERIVED),
    row("llama", r#"{"vocab_size":32000,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS, ("head_dim", Derived::HeadSize)]),
    row("llama4_text", r#"{"tie_word_embeddings":false,"vocab_size":202048,"max_position_embeddings":131072,"hidden_size":5120,"intermediate_size":8192,"num_hidden_layers":48,"num_attention_heads":40,"num_key_value_heads":8,"head_dim":128,"rms_norm_eps":1e-05,"rope_theta":500000,"rope_scaling":null,"num_local_experts":16,"num_experts_per_tok":1,"intermediate_size_mlp":16384,"interleave_moe_layer_step":1}"#, &[KEY_VALUE_HEADS, ("head_dim", Derived::HeadSize)]),
    // The release of transformers does not have the class.
    row("ministral3", "{}", NO_DERIVED),
    row("mistral", r#"{"vocab_size":32000,"max_position_embeddings":131072,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"sliding_window":4096,"head_dim":null,"num_key_value_heads":8,"rms_norm_eps":1e-06,"rope_theta":10000.0,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("mixtral", r#"{"vocab_size":32000,"max_position_embeddings":131072,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"sliding_window":null,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":1000000.0,"head_dim":null,"num_experts_per_tok":2,"num_local_experts":8,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("modernbert", r#"{"tie_word_embeddings":true,"vocab_size":50368,"max_position_embeddings":8192,"hidden_size":768,"intermediate_size":1152,"num_hidden_layers":22,"num_attention_heads":12,"norm_eps":1e-05,"global_rope_theta":160000.0,"hidden_activation":"gelu","global_attn_every_n_layers":3,"local_attention":128,"local_rope_theta":10000.0,"classifier_pooling":"cls","classifier_activation":"gelu"}"#, NO_DERIVED),
    row("mpt", r#"{"d_model":2048,"n_heads":16,"n_layers":24,"max_seq_len":2048,"vocab_size":50368,"logit_scale":null,"layer_norm_epsilon":1e-05,"tie_word_embeddings":true}"#, NO_DERIVED).with_aliases(&[("num_attention_heads", "n_heads"), ("hidden_size", "d_model"), ("num_hidden_layers", "n_layers")]),
    row("mt5", r#"{"tie_word_embeddings":false,"vocab_size":250112,"d_model":512,"d_kv":64,"d_ff":1024,"num_layers":8,"num_heads":6,"relative_attention_num_buckets":32,"layer_norm_epsilon":1e-06,"decoder_start_token_id":0}"#, &[("num_decoder_layers", Derived::Same("num_layers"))]).with_aliases(T5_NAMES),
    row("nemotron", r#"{"vocab_size":256000,"max_position_embeddings":4096,"hidden_size":6144,"intermediate_size":24576,"num_hidden_layers":32,"num_attention_heads":48,"num_key_value_heads":null,"norm_eps":1e-05,"rope_theta":10000.0,"partial_rotary_factor":0.5,"tie_word_embeddings":false}"#, &[("head_dim", Derived::HeadSize)]),
    row("olmo", r#"{"vocab_size":50304,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rope_theta":10000.0,"rope_scaling":null,"clip_qkv":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("olmo2", r#"{"tie_word_embeddings":false,"vocab_size":50304,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rope_theta":10000.0,"rope_scaling":null,"rms_norm_eps":1e-05}"#, &[KEY_VALUE_HEADS]),
    row("olmo3", r#"{"tie_word_embeddings":false,"vocab_size":50304,"max_position_embeddings":2048,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"rope_theta":10000.0,"rope_scaling":null,"rms_norm_eps":1e-05,"sliding_window":4096}"#, &[KEY_VALUE_HEADS, ("layer_types", Derived::Windows(4))]),
    row("olmoe", r#"{"vocab_size":50304,"max_position_embeddings":4096,"hidden_size":2048,"intermediate_size":2048,"num_hidden_layers":16,"num_attention_heads":16,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"clip_qkv":null,"num_experts_per_tok":8,"num_experts":64,"norm_topk_prob":false,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("phi", r#"{"vocab_size":51200,"hidden_size":2048,"intermediate_size":8192,"num_hidden_layers":24,"num_attention_heads":32,"max_position_embeddings":2048,"layer_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"partial_rotary_factor":0.5,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("phi3", r#"{"vocab_size":32064,"hidden_size":3072,"intermediate_size":8192,"num_hidden_layers":32,"num_attention_heads":32,"max_position_embeddings":4096,"original_max_position_embeddings":4096,"rms_norm_eps":1e-05,"rope_theta":10000.0,"rope_scaling":null,"partial_rotary_factor":1.0,"sliding_window":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("phimoe", r#"{"vocab_size":32064,"max_position_embeddings":131072,"hidden_size":4096,"intermediate_size":6400,"num_hidden_layers":32,"num_attention_heads":32,"sliding_window":null,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":1000000.0,"num_experts_per_tok":2,"num_local_experts":16,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("qwen2", r#"{"vocab_size":151936,"max_position_embeddings":32768,"hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"sliding_window":null,"num_key_value_heads":32,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("qwen2_5_omni_text", r#"{"vocab_size":152064,"max_position_embeddings":32768,"hidden_size":3584,"intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,"sliding_window":null,"num_key_value_heads":4,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"rope_scaling":{"mrope_section":[16,24,24],"rope_type":"default","type":"default"},"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("qwen2_5_vl", QWEN2_VL, &[KEY_VALUE_HEADS]),
    row("qwen2_5_vl_text", QWEN2_VL, &[KEY_VALUE_HEADS]),
    row("qwen2_moe", r#"{"vocab_size":151936,"max_position_embeddings":32768,"hidden_size":2048,"intermediate_size":5632,"num_hidden_layers":24,"num_attention_heads":16,"sliding_window":null,"num_key_value_heads":16,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"moe_intermediate_size":1408,"shared_expert_intermediate_size":5632,"num_experts_per_tok":4,"num_experts":60,"norm_topk_prob":false,"tie_word_embeddings":false}"#, NO_DERIVED),
    row("qwen2_vl", QWEN2_VL, &[KEY_VALUE_HEADS]),
    row("qwen2_vl_text", QWEN2_VL, &[KEY_VALUE_HEADS]),
    row("qwen3", r#"{"vocab_size":151936,"max_position_embeddings":32768,"hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"sliding_window":null,"num_key_value_heads":32,"head_dim":128,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("qwen3_moe", r#"{"vocab_size":151936,"max_position_embeddings":32768,"hidden_size":2048,"intermediate_size":6144,"num_hidden_layers":24,"num_attention_heads":32,"sliding_window":null,"num_key_value_heads":4,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"moe_intermediate_size":768,"num_experts_per_tok":8,"num_experts":128,"norm_topk_prob":false,"tie_word_embeddings":false}"#, NO_DERIVED),
    row("qwen3_next", r#"{"tie_word_embeddings":false,"vocab_size":151936,"max_position_embeddings":32768,"hidden_size":2048,"intermediate_size":5632,"num_hidden_layers":48,"num_attention_heads":16,"num_key_value_heads":2,"head_dim":256,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"partial_rotary_factor":0.25,"num_experts":512,"num_experts_per_tok":10,"moe_intermediate_size":512,"linear_conv_kernel_dim":4,"linear_key_head_dim":128,"linear_value_head_dim":128,"linear_num_key_heads":16,"linear_num_value_heads":32,"shared_expert_intermediate_size":512}"#, &[("layer_types", Derived::LinearOf("full_attention_interval", 4))]),
    row("qwen3_vl_moe_text", r#"{"vocab_size":151936,"max_position_embeddings":128000,"hidden_size":2048,"intermediate_size":5632,"num_hidden_layers":24,"num_attention_heads":16,"num_key_value_heads":16,"rms_norm_eps":1e-06,"rope_theta":5000000.0,"rope_scaling":null,"moe_intermediate_size":1408,"num_experts_per_tok":4,"num_experts":60,"norm_topk_prob":true,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS, ("head_dim", Derived::HeadSize)]),
    row("qwen3_vl_text", r#"{"vocab_size":151936,"max_position_embeddings":128000,"hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,"head_dim":128,"rms_norm_eps":1e-06,"rope_theta":5000000.0,"rope_scaling":null,"tie_word_embeddings":false}"#, &[KEY_VALUE_HEADS]),
    row("roberta", r#"{"tie_word_embeddings":true,"vocab_size":50265,"hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"max_position_embeddings":512,"type_vocab_size":2,"layer_norm_eps":1e-12,"position_embedding_type":"absolute","pad_token_id":1}"#, NO_DERIVED),
    row("seed_oss", r#"{"vocab_size":155136,"max_position_embeddings":524288,"hidden_size":4096,"intermediate_size":27648,"num_hidden_layers":64,"num_attention_heads":80,"num_key_value_heads":8,"rms_norm_eps":1e-06,"rope_theta":10000.0,"rope_scaling":null,"head_dim":128,"tie_word_embeddings":false}"#, &[("head_dim", Derived::HeadSize)]),
    row("smollm3", r#"{"tie_word_embeddings":true,"vocab_size":128256,"max_position_embeddings":32768,"hidden_size":2048,"intermediate_size":11008,"num_hidden_layers":36,"num_attention_heads":16,"sliding_window":null,"num_key_value_heads":4,"rms_norm_eps":1e-06,"rope_theta":2000000.0,"rope_scaling":null}"#, NO_DERIVED),
    row("stablelm", r#"{"vocab_size":50304,"max_position_embeddings":4096,"hidden_size":2560,"intermediate_size":6912,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,"layer_norm_eps":1e-05,"rope_theta":10000,"rope_scaling":null,"use_parallel_residual":false,"partial_rotary_factor":0.25,"tie_word_embeddings":false}"#, NO_DERIVED),
    row("starcoder2", r#"{"vocab_size":49152,"max_position_embeddings":4096,"hidden_size":3072,"intermediate_size":12288,"num_hidden_layers":30,"num_attention_heads":24,"sliding_window":null,"num_key_value_heads":2,"norm_epsilon":1e-05,"rope_theta":10000.0,"rope_scaling":null,"tie_word_embeddings":true}"#, NO_DERIVED),
    row("t5", r#"{"tie_word_embeddings":true,"vocab_size":32128,"d_model":512,"d_kv":64,"d_ff":2048,"num_layers":6,"num_heads":8,"relative_attention_num_buckets":32,"layer_norm_epsilon":1e-06}"#, &[("num_decoder_layers", Derived::Same("num_layers"))]).with_aliases(T5_NAMES),
    row("umt5", r#"{"tie_word_embeddings":true,"vocab_size":250112,"d_model":512,"d_kv":64,"d_ff":1024,"num_layers":8,"num_heads":6,"relative_attention_num_buckets":32,"layer_norm_epsilon":1e-06,"decoder_start_token_id":0}"#, &[("num_decoder_layers", Derived::Same("num_layers"))]).with_aliases(T5_NAMES),
    row("xlm-roberta", r#"{"tie_word_embeddings":true,"vocab_size":30522,"hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"max_position_embeddings":512,"type_vocab_size":2,"layer_norm_eps":1e-12,"position_embedding_type":"absolute","pad_token_id":1}"#, NO_DERIVED),
];
