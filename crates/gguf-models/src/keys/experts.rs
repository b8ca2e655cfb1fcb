//! Keys of an architecture that describe its mixture of experts.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The inner width of the small experts that GroveMoE adds, one for several others.
    "{arch}.expert_chunk_feed_forward_length" UINT32 UPSTREAM "Group expert width", unit "elements";
    /// The number of feed-forward networks among which a router chooses for each token.
    "{arch}.expert_count" UINT32 ALL "Expert count", unit "experts";
    /// The inner width of each network among which the router chooses.
    "{arch}.expert_feed_forward_length" UINT32 UPSTREAM "Expert width", unit "elements";
    /// How the router turns its scores into weights.
    "{arch}.expert_gating_func" UINT32 UPSTREAM "Expert gating", values GATING;
    /// The number of groups from which the router first chooses some.
    "{arch}.expert_group_count" UINT32 UPSTREAM "Expert groups", unit "groups";
    /// The factor for the result of the small experts of GroveMoE.
    "{arch}.expert_group_scale" FLOAT32 UPSTREAM "Group expert scale";
    /// How many groups the router chooses before it chooses experts in them.
    "{arch}.expert_group_used_count" UINT32 UPSTREAM "Expert groups used", unit "groups";
    /// The reduced width of the hidden state inside the experts of Kimi K3.
    "{arch}.expert_latent_length" UINT32 UPSTREAM "Expert latent width", unit "elements";
    /// The number of experts that every token passes, besides the chosen ones.
    "{arch}.expert_shared_count" UINT32 UPSTREAM "Shared experts", unit "experts";
    /// The inner width of the experts that every token passes.
    "{arch}.expert_shared_feed_forward_length" UINT32 UPSTREAM "Shared expert width", unit "elements";
    /// How many experts the router chooses for one token.
    "{arch}.expert_used_count" UINT32 ALL "Experts used", unit "experts";
    /// Whether the router divides the weights of the chosen experts by their sum.
    "{arch}.expert_weights_norm" BOOL UPSTREAM "Normalise expert weights";
    /// The factor for the combined result of the chosen experts.
    "{arch}.expert_weights_scale" FLOAT32 UPSTREAM "Expert weights scale";
    /// How many experts share one small expert in GroveMoE.
    "{arch}.experts_per_group" UINT32 UPSTREAM "Experts per group", unit "experts";
    /// The distance from one layer with experts to the next.
    "{arch}.interleave_moe_layer_step" UINT32 UPSTREAM "Expert layer step", unit "layers";
    /// The number of first blocks with one feed-forward network and no router.
    "{arch}.leading_dense_block_count" UINT32 UPSTREAM "Leading dense blocks", unit "blocks";
    /// The period of layers with experts: 2 means that half of them have experts.
    "{arch}.moe_every_n_layers" UINT32 UPSTREAM "Expert layer interval", unit "layers";
    /// The reduced width of the hidden state inside the experts of Nemotron-H.
    "{arch}.moe_latent_size" UINT32 UPSTREAM "Mixture latent width", unit "elements";
    /// The limit that a tanh curve puts on the scores that choose experts.
    "{arch}.router_logit_softcapping" FLOAT32 UPSTREAM "Router soft cap";
};
