//! The sections of a model, and the base names of the tensors of each.

use crate::text_table::{TextRow, TextTable};
use gguf_declare::given_as;

/// A section of a model: the tensors whose names have the same prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TensorSection {
    /// The prefix of the names. `{n}` stands for the number of the block. Empty for tensors outside of all sections.
    pub prefix: &'static str,
    /// The title of the section.
    pub title: &'static str,
    pub(super) bases: TextTable,
}

given_as!(TensorSection, "string", |section, serializer| serializer.serialize_str(section.title));

impl TensorSection {
    /// The base names of the tensors of the section, sorted.
    pub fn bases(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.bases.rows().map(TextRow::name)
    }
}

/// Writes the base names of a section as one text.
macro_rules! bases {
    ($($base:literal)*) => { TextTable::new(concat!($($base, "\n"),*)) };
}

/// Every section.
pub const TENSOR_SECTIONS: &[TensorSection] = &[
    TensorSection {
        prefix: "",
        title: "Model",
        bases: bases![
            "altup_proj" "altup_unembd_proj" "cls" "cls.norm" "cls.output" "conf_proj" "conv1d" "d2t" "dec.output_norm"
            "decision" "decision.field_norm" "decision.hidden_norm" "decision.option_norm" "decision.option_summary_norm"
            "decision.proj_global" "decision.proj_memory" "decision.proj_option_context" "decision.proj_option_lexical"
            "decision.proj_option_question" "decision.proj_question" "decision.scorer"
            "decision.scorer_out" "dense_2" "dense_3" "direction.{n}" "enc.output_norm" "fc" "hrm.z_l_init" "markov_w1"
            "markov_w2" "masked_embd_centroids" "masked_embd_ordering" "nextn.post_projection" "nextn.pre_projection"
            "output" "output_hc_base" "output_hc_down" "output_hc_fn" "output_hc_norm" "output_hc_scale" "output_hc_up"
            "output_norm" "output_res_score" "per_layer_model_proj" "per_layer_proj_norm" "per_layer_token_embd"
            "pos_embd" "position_embd" "rope_factors_long" "rope_factors_short" "rope_freqs" "selector_hidden"
            "selector_predecessor" "selector_successor" "token_embd" "token_embd_norm" "token_types"
        ],
    },
    TensorSection {
        prefix: "blk.{n}.",
        title: "Block",
        bases: bases![
            "altup_correct_coef" "altup_correct_scale" "altup_predict_coef" "altup_router" "altup_router_norm"
            "attn_compressor_ape" "attn_compressor_gate" "attn_compressor_kv" "attn_compressor_norm" "attn_conv_base"
            "attn_conv_proj" "attn_gate" "attn_k" "attn_k_b" "attn_k_norm" "attn_kv" "attn_kv_a_mqa" "attn_kv_a_norm"
            "attn_kv_b" "attn_norm" "attn_norm_2" "attn_output" "attn_output_a" "attn_output_b" "attn_output_norm"
            "attn_q" "attn_q_a" "attn_q_a_norm" "attn_q_b" "attn_q_norm" "attn_qkv" "attn_res_score" "attn_rot_embd"
            "attn_sinks" "attn_sub_norm" "attn_v" "attn_v_b" "attn_v_exps" "attn_v_gate" "channel_mix_key"
            "channel_mix_lerp_k" "channel_mix_lerp_r" "channel_mix_receptance" "channel_mix_value" "exp_probs_b"
            "exp_probs_b_vl" "ffn" "ffn.act" "ffn_conv_base" "ffn_conv_proj" "ffn_down" "ffn_down.{n}" "ffn_down_chexps"
            "ffn_down_exp" "ffn_down_exps" "ffn_down_shexp" "ffn_gate" "ffn_gate.{n}" "ffn_gate_chexps" "ffn_gate_exp"
            "ffn_gate_exps" "ffn_gate_inp" "ffn_gate_inp_shexp" "ffn_gate_shexp" "ffn_gate_tid2eid" "ffn_gate_up_exps"
            "ffn_latent_down" "ffn_latent_up" "ffn_norm" "ffn_norm_exps" "ffn_res_score" "ffn_routed_down"
            "ffn_routed_norm" "ffn_routed_up" "ffn_sub_norm" "ffn_up" "ffn_up.{n}" "ffn_up_chexps" "ffn_up_exp"
            "ffn_up_exps" "ffn_up_shexp" "hc_attn_base" "hc_attn_down" "hc_attn_fn" "hc_attn_inject" "hc_attn_norm"
            "hc_attn_scale" "hc_attn_up" "hc_ffn_base" "hc_ffn_down" "hc_ffn_fn" "hc_ffn_inject" "hc_ffn_norm"
            "hc_ffn_scale" "hc_ffn_up" "indexer.attn_k" "indexer.attn_q_b" "indexer.k_norm" "indexer.k_proj"
            "indexer.proj" "indexer.q_norm" "indexer.q_proj" "indexer_compressor_ape" "indexer_compressor_gate"
            "indexer_compressor_kv" "indexer_compressor_norm" "inp_gate" "laurel_l" "laurel_post_norm" "laurel_r"
            "layer_output_norm" "layer_output_scale" "nextn.eh_proj" "nextn.embed_tokens" "nextn.enorm"
            "nextn.hc_head_down" "nextn.hc_head_norm" "nextn.hc_head_up" "nextn.hnorm" "nextn.shared_head_head"
            "nextn.shared_head_norm" "ple_conv1d" "ple_key" "ple_norm_conv" "ple_norm_key" "ple_norm_query" "ple_value"
            "post_attention_norm" "post_ffw_norm" "post_ffw_norm_1" "post_ffw_norm_2" "post_norm" "pre_ffw_norm_2"
            "proj" "shortconv.conv" "shortconv.in_proj" "shortconv.out_proj" "ssm_a" "ssm_alpha" "ssm_b_norm" "ssm_ba"
            "ssm_beta" "ssm_c_norm" "ssm_conv1d" "ssm_conv1d_k" "ssm_conv1d_q" "ssm_conv1d_v" "ssm_d" "ssm_dt"
            "ssm_dt_norm" "ssm_f_a" "ssm_f_b" "ssm_g" "ssm_g_a" "ssm_g_b" "ssm_in" "ssm_norm" "ssm_out" "ssm_x"
            "time_mix_a0" "time_mix_a1" "time_mix_a2" "time_mix_decay" "time_mix_decay_w1" "time_mix_decay_w2"
            "time_mix_first" "time_mix_g1" "time_mix_g2" "time_mix_gate" "time_mix_k_a" "time_mix_k_k" "time_mix_key"
            "time_mix_lerp_fused" "time_mix_lerp_g" "time_mix_lerp_k" "time_mix_lerp_r" "time_mix_lerp_v"
            "time_mix_lerp_w" "time_mix_lerp_x" "time_mix_ln" "time_mix_output" "time_mix_r_k" "time_mix_receptance"
            "time_mix_v0" "time_mix_v1" "time_mix_v2" "time_mix_value" "time_mix_w0" "time_mix_w1" "time_mix_w2"
            "vis_attn_output" "vis_attn_qkv" "vis_down" "vis_gate" "vis_up"
        ],
    },
    TensorSection {
        prefix: "enc.blk.{n}.",
        title: "Encoder block",
        bases: bases![
            "attn_k" "attn_norm" "attn_o" "attn_q" "attn_rel_b" "attn_v" "ffn_down" "ffn_gate" "ffn_norm" "ffn_up"
        ],
    },
    TensorSection {
        prefix: "dec.blk.{n}.",
        title: "Decoder block",
        bases: bases![
            "attn_k" "attn_norm" "attn_o" "attn_q" "attn_rel_b" "attn_v" "cross_attn_k" "cross_attn_norm"
            "cross_attn_norm_kv" "cross_attn_o" "cross_attn_q" "cross_attn_rel_b" "cross_attn_v" "ffn_down" "ffn_gate"
            "ffn_norm" "ffn_up"
        ],
    },
    TensorSection {
        prefix: "convnext.{n}.",
        title: "ConvNeXt block",
        bases: bases![
            "dw" "gamma" "norm" "pw1" "pw2"
        ],
    },
    TensorSection {
        prefix: "posnet.{n}.",
        title: "PosNet block",
        bases: bases![
            "attn_k" "attn_norm" "attn_output" "attn_q" "attn_v" "conv1" "conv2" "norm" "norm1" "norm2"
        ],
    },
    TensorSection {
        prefix: "v.",
        title: "Vision encoder",
        bases: bases![
            "backbone_ln" "boi" "class_embd" "conv_stem.bn" "conv_stem.conv" "eoi" "image_newline" "msfa.ffn.pw_exp.bn"
            "msfa.ffn.pw_exp.conv" "msfa.ffn.pw_proj.bn" "msfa.ffn.pw_proj.conv" "msfa.norm" "norm_embd" "patch_embd"
            "patch_ln" "patch_norm.{n}" "position_embd" "post_ln" "pre_ln" "resample_query_1024" "resample_query_768"
            "std_bias" "std_scale" "token_embd.img_break" "token_embd.img_end" "token_embd.img_pad"
            "token_embd.img_start" "view_seperator" "vision_pos_embed"
        ],
    },
    TensorSection {
        prefix: "v.blk.{n}.",
        title: "Vision encoder block",
        bases: bases![
            "attn_k" "attn_k_norm" "attn_out" "attn_out_norm" "attn_post_norm" "attn_q" "attn_q_norm" "attn_qkv"
            "attn_sinks" "attn_v" "exp_probs_b" "ffn_down" "ffn_down_exps" "ffn_gate" "ffn_gate_exps" "ffn_gate_inp"
            "ffn_post_norm" "ffn_up" "ffn_up_exps" "ln1" "ln2" "ls1" "ls2" "out_scale"
        ],
    },
    TensorSection {
        prefix: "v.proj_blk.{n}.",
        title: "Vision Q-Former block",
        bases: bases![
            "cross_attn_k" "cross_attn_norm" "cross_attn_out" "cross_attn_q" "cross_attn_v" "ffn_down" "ffn_norm"
            "ffn_up" "img_pos" "linear" "norm" "post_norm" "query" "self_attn_k" "self_attn_norm" "self_attn_out"
            "self_attn_q" "self_attn_v"
        ],
    },
    TensorSection {
        prefix: "v.sam.",
        title: "SAM vision encoder",
        bases: bases![
            "neck.{n}" "net_2" "net_3" "patch_embd" "pos_embd"
        ],
    },
    TensorSection {
        prefix: "v.sam.blk.{n}.",
        title: "SAM vision encoder block",
        bases: bases![
            "attn.out" "attn.pos_h" "attn.pos_w" "attn.qkv" "mlp.lin1" "mlp.lin2" "post_ln" "pre_ln"
        ],
    },
    TensorSection {
        prefix: "v.vit_merger.",
        title: "Vision merger",
        bases: bases![
            "attn_k" "attn_out" "attn_q" "attn_v" "ds_ffn_down" "ds_ffn_up" "ds_ln" "ln1"
        ],
    },
    TensorSection { prefix: "v.deepstack.{n}.", title: "Deepstack layer", bases: bases!["fc1" "fc2" "norm"] },
    TensorSection {
        prefix: "a.",
        title: "Audio encoder",
        bases: bases![
            "asp_attn" "asp_tdnn" "conv1d.{n}" "conv1d.{n}.norm" "conv2d.{n}" "conv_out" "downsample.conv"
            "downsample.norm" "embd_to_logits" "enc_ctc_out" "enc_ctc_out_mid" "input_projection" "mel_filters"
            "position_embd" "position_embd_norm" "post_ln" "pre_encode.out" "pre_ln" "proj_linear" "proj_norm"
            "proj_query" "rvq.codebook" "speaker_proj" "window"
        ],
    },
    TensorSection {
        prefix: "a.blk.{n}.",
        title: "Audio encoder block",
        bases: bases![
            "attn_k" "attn_k_rel" "attn_out" "attn_post_norm" "attn_pre_norm" "attn_q" "attn_rel_pos_emb" "attn_v"
            "conv_dw" "conv_norm" "conv_norm_mean" "conv_norm_var" "conv_pw1" "conv_pw2" "ffn_down" "ffn_down_1"
            "ffn_gate" "ffn_gate_1" "ffn_norm" "ffn_norm_1" "ffn_post_norm" "ffn_post_norm_1" "ffn_scale" "ffn_scale_1"
            "ffn_up" "ffn_up_1" "layer_pre_norm" "linear_pos" "ln1" "ln2" "ls1" "ls2" "norm_conv" "per_dim_k_scale"
            "per_dim_scale" "pos_bias_u" "pos_bias_v" "res2.{n}" "se_conv1" "se_conv2"
        ],
    },
    TensorSection {
        prefix: "a.proj_blk.{n}.",
        title: "Audio Q-Former block",
        bases: bases![
            "cross_attn_k" "cross_attn_norm" "cross_attn_out" "cross_attn_q" "cross_attn_v" "ffn_down" "ffn_norm"
            "ffn_up" "self_attn_k" "self_attn_norm" "self_attn_out" "self_attn_q" "self_attn_v"
        ],
    },
    TensorSection { prefix: "a.seanet.", title: "SEANet audio encoder", bases: bases!["conv_in" "conv_out"] },
    TensorSection {
        prefix: "a.seanet.blk.{n}.",
        title: "SEANet audio encoder block",
        bases: bases![
            "res_conv1" "res_conv2" "scale_conv"
        ],
    },
    TensorSection {
        prefix: "a.gen.",
        title: "Audio generator",
        bases: bases![
            "emb_mean" "emb_std" "input_linear" "out_eos"
        ],
    },
    TensorSection {
        prefix: "a.gen.code.",
        title: "Audio code predictor",
        bases: bases![
            "embd" "head" "out_embd" "output_norm" "proj_in"
        ],
    },
    TensorSection {
        prefix: "a.gen.code.blk.{n}.",
        title: "Audio code predictor block",
        bases: bases![
            "attn_k" "attn_k_norm" "attn_out" "attn_q" "attn_q_norm" "attn_v" "ffn_down" "ffn_gate" "ffn_up" "ln1" "ln2"
        ],
    },
    TensorSection {
        prefix: "a.gen.flow.",
        title: "Audio flow network",
        bases: bases![
            "cond_embd" "final.ada" "final.proj" "input_proj"
        ],
    },
    TensorSection {
        prefix: "a.gen.flow.blk.{n}.",
        title: "Audio flow network block",
        bases: bases![
            "ada" "down" "norm" "up"
        ],
    },
    TensorSection {
        prefix: "a.gen.flow.time.{n}.",
        title: "Audio flow time embedding",
        bases: bases![
            "down" "freqs" "norm" "up"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.",
        title: "Waveform decoder",
        bases: bases![
            "pre_conv" "quant_out" "upsample"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.dac.",
        title: "DAC waveform decoder",
        bases: bases![
            "entry" "post_conv" "post_snake"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.dac.blk.{n}.",
        title: "DAC waveform decoder block",
        bases: bases![
            "conv" "res.{n}.act1" "res.{n}.act2" "res.{n}.conv1" "res.{n}.conv2" "snake"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.quant.",
        title: "Waveform quantizer",
        bases: bases![
            "first.codebook" "first.in_proj" "first.out_proj" "rest.codebook" "rest.in_proj" "rest.out_proj"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.seanet.",
        title: "SEANet waveform decoder",
        bases: bases![
            "conv_in" "conv_out"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.seanet.blk.{n}.",
        title: "SEANet waveform decoder block",
        bases: bases![
            "res_conv1" "res_conv2" "scale_conv"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.tfm.",
        title: "Waveform transformer",
        bases: bases![
            "in_proj" "out_proj" "output_norm"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.tfm.blk.{n}.",
        title: "Waveform transformer block",
        bases: bases![
            "attn_k" "attn_out" "attn_q" "attn_v" "ffn_down" "ffn_gate" "ffn_up" "ln1" "ln2" "ls1" "ls2"
        ],
    },
    TensorSection {
        prefix: "a.gen.wav.up.blk.{n}.",
        title: "Waveform upsampling block",
        bases: bases![
            "conv" "dwconv" "gamma" "norm" "pw1" "pw2"
        ],
    },
    TensorSection {
        prefix: "mm.",
        title: "Multimodal projector",
        bases: bases![
            "down" "embedding" "gate" "hard_emb_norm" "image_begin" "image_end" "input_norm" "input_projection"
            "patch_merger" "post_fc_norm" "post_norm" "pre_norm" "soft_emb_norm" "up" "{n}"
        ],
    },
    TensorSection {
        prefix: "mm.a.",
        title: "Audio projector",
        bases: bases![
            "code_embd" "embedding" "fc" "hard_emb_norm" "input_projection" "local_norm" "mlp.{n}" "norm_mid" "norm_pre"
            "soft_emb_norm"
        ],
    },
    TensorSection {
        prefix: "mm.a.local_blk.{n}.",
        title: "Audio projector block",
        bases: bases![
            "attn_k" "attn_out" "attn_q" "attn_v" "ffn_down" "ffn_gate" "ffn_up" "ln1" "ln2"
        ],
    },
    TensorSection {
        prefix: "mm.model.",
        title: "Multimodal projector network",
        bases: bases![
            "fc" "mlp.{n}" "peg.{n}"
        ],
    },
    TensorSection { prefix: "mm.merger.", title: "Multimodal merger", bases: bases!["fc1" "fc2"] },
    TensorSection {
        prefix: "resampler.",
        title: "Resampler",
        bases: bases![
            "attn.k" "attn.out" "attn.q" "attn.v" "kv" "ln_kv" "ln_post" "ln_q" "pos_embd_k" "pos_embed_k" "proj"
            "query"
        ],
    },
    TensorSection {
        prefix: "adapter.",
        title: "Multimodal adapter",
        bases: bases![
            "boi" "conv" "eoi" "linear.dense_4h_to_h" "linear.dense_h_to_4h" "linear.gate" "linear.linear"
            "linear.norm1"
        ],
    },
];
