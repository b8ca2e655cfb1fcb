//! Keys of an architecture that describe its recurrent layers: state spaces, RWKV, and linear attention.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The lowest logarithm of decay that delta attention may reach in one step.
    "{arch}.kda.gate_lower_bound" FLOAT32 UPSTREAM "KDA gate limit";
    /// The width of one head of Kimi delta attention.
    "{arch}.kda.head_dim" UINT32 UPSTREAM "KDA head width", unit "elements";
    /// Whether delta attention computes forgetting in the bounded form.
    "{arch}.kda.safe_gate" BOOL UPSTREAM "KDA bounded gate";
    /// After how many blocks RWKV halves its hidden state to avoid overflow.
    "{arch}.rescale_every_n_layers" UINT32 UPSTREAM "Rescale interval", unit "layers";
    /// How many tokens the convolution before the state space covers.
    "{arch}.ssm.conv_kernel" UINT32 ALL "SSM convolution length", unit "tokens";
    /// Whether the projected time step and input vectors are normalised.
    "{arch}.ssm.dt_b_c_rms" BOOL UPSTREAM "SSM input normalisation";
    /// The number of head groups that share input and output vectors.
    "{arch}.ssm.group_count" UINT32 UPSTREAM "SSM groups", unit "groups";
    /// The width of the hidden state inside the recurrent layer.
    "{arch}.ssm.inner_size" UINT32 ALL "SSM inner width", unit "elements";
    /// How many numbers each channel remembers from token to token.
    "{arch}.ssm.state_size" UINT32 ALL "SSM state width", unit "elements";
    /// The inner width of the projection that sets how fast the state changes.
    "{arch}.ssm.time_step_rank" UINT32 ALL "SSM time step rank", unit "elements";
    /// The inner width of the matrices that compute the decay of RWKV 6.
    "{arch}.time_decay_extra_dim" UINT32 UPSTREAM "RWKV decay width", unit "elements";
    /// The inner width of the matrices that blend a token with the previous one.
    "{arch}.time_mix_extra_dim" UINT32 UPSTREAM "RWKV mix width", unit "elements";
    /// How many earlier states of each block RWKV keeps to blend with.
    "{arch}.token_shift_count" UINT32 UPSTREAM "RWKV shift states";
    /// The width of one head of the state that RWKV carries from token to token.
    "{arch}.wkv.head_size" UINT32 UPSTREAM "RWKV head width", unit "elements";
};
