//! Statements that many architectures share.

use super::parser::Group;

/// The groups: the name, the parameters, and the statements.
pub(super) const GROUPS: &[Group] = &[
    ("ends", &[], "token_embd[embd, vocab] output_norm[embd] output[embd, vocab]"),
    ("ends_tied", &[], "token_embd[embd, vocab] output_norm[embd] @tied"),
    ("tied", &[], "output[embd, vocab]? ? !has(output) { token_embd[embd, vocab]= }"),
    // The weights of queries, keys and values are one tensor or three. Blocks that are not loaded may have neither.
    (
        "qkv",
        &["n", "q", "k", "v"],
        "? i<blocks {
            attn_qkv[n, q+k+v]?
            ? has(attn_qkv) { attn_qkv.bias[q+k+v]? } : {
                attn_q[n, q] attn_k[n, k] attn_v[n, v] attn_q.bias[q]? attn_k.bias[k]? attn_v.bias[v]?
            }
        } : {
            attn_qkv[n, q+k+v]? attn_qkv.bias[q+k+v]? attn_q[n, q]? attn_k[n, k]? attn_v[n, v]?
            attn_q.bias[q]? attn_k.bias[k]? attn_v.bias[v]?
        }",
    ),
    ("qk_norms", &["n"], "attn_q_norm[n] attn_k_norm[n]"),
    ("rope", &[], "? longrope { @rope_factors } : { @rope_freqs }"),
    ("rope_factors", &[], "/rope_factors_long[rot/2]?* /rope_factors_short[rot/2]?*"),
    ("rope_freqs", &[], "/rope_freqs[rot/2]?*"),
    ("ffn", &["f"], "ffn_gate[embd, f] ffn_down[f, embd] ffn_up[embd, f]"),
    ("ffn_biases", &[], "ffn_gate.bias[ff]? ffn_down.bias[embd]? ffn_up.bias[ff]?"),
    (
        "experts",
        &["f"],
        "ffn_gate_exps[embd, f, experts] ffn_down_exps[f, embd, experts] ffn_up_exps[embd, f, experts]",
    ),
    (
        "experts_gate_optional",
        &["f"],
        "ffn_gate_exps[embd, f, experts]? ffn_down_exps[f, embd, experts] ffn_up_exps[embd, f, experts]",
    ),
    (
        "gate_up_exps",
        &["n", "f", "x"],
        "ffn_gate_up_exps[n, f*2, x]? ? !has(ffn_gate_up_exps) { ffn_gate_exps[n, f, x] ffn_up_exps[n, f, x] }",
    ),
    ("shared_expert", &["f"], "ffn_gate_shexp[embd, f] ffn_down_shexp[f, embd] ffn_up_shexp[embd, f]"),
    ("ssm_keys", &[], "ssm.conv_kernel:u ssm.inner_size:u ssm.state_size:u ssm.time_step_rank:u ssm.group_count:u"),
    ("next_token_key", &[], "nextn_predict_layers:u? assert(next<all_blocks)"),
    (
        "next_token",
        &[],
        "nextn.eh_proj[2*embd, embd] nextn.enorm[embd] nextn.hnorm[embd] nextn.embed_tokens[embd, vocab]?
         nextn.shared_head_head[embd, vocab]? nextn.shared_head_norm[embd]?",
    ),
    (
        "hyper_connections",
        &[],
        "hc_attn_fn[hyper_connection.count*embd, (2+hyper_connection.count)*hyper_connection.count]
         hc_attn_base[(2+hyper_connection.count)*hyper_connection.count] hc_attn_scale[3]
         hc_ffn_fn[hyper_connection.count*embd, (2+hyper_connection.count)*hyper_connection.count]
         hc_ffn_base[(2+hyper_connection.count)*hyper_connection.count] hc_ffn_scale[3]",
    ),
    (
        "hyper_connection_head",
        &[],
        "output_hc_fn[hyper_connection.count*embd, hyper_connection.count] output_hc_base[hyper_connection.count]
         output_hc_scale[1]",
    ),
];
