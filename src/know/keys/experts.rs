//! Keys of an architecture that describe its mixture of experts.

use super::row::{KeyInfo, keys};

pub(super) const KEYS: &[KeyInfo] = keys! {
    /// The inner width of the small networks that GroveMoE adds for each group.
    "{arch}.expert_chunk_feed_forward_length" UINT32 UPSTREAM "Group expert width", unit "elements";
    /// The number of feed-forward networks among which a router chooses for each token.
    "{arch}.expert_count" UINT32 ALL "Expert count", unit "experts";
    /// The inner width of one of the networks among which the router chooses.
    "{arch}.expert_feed_forward_length" UINT32 UPSTREAM "Expert width", unit "elements";
    /// How the router turns its scores into weights.
    "{arch}.expert_gating_func" UINT32 UPSTREAM "Expert gating", values GATING;
    /// Into how many teams the router divides the networks before it chooses.
    "{arch}.expert_group_count" UINT32 UPSTREAM "Expert groups", unit "groups";
    /// The factor for the result of the small networks of GroveMoE.
    "{arch}.expert_group_scale" FLOAT32 UPSTREAM "Group expert scale";
    /// From how many teams the router may choose for one token.
    "{arch}.expert_group_used_count" UINT32 UPSTREAM "Expert groups used", unit "groups";
    /// The reduced width at which Kimi K3 runs its routed networks.
    "{arch}.expert_latent_length" UINT32 UPSTREAM "Expert latent width", unit "elements";
    /// The number of networks that every token passes, besides the chosen ones.
    "{arch}.expert_shared_count" UINT32 UPSTREAM "Shared experts", unit "experts";
    /// The inner width of the network that every token passes.
    "{arch}.expert_shared_feed_forward_length" UINT32 UPSTREAM "Shared expert width", unit "elements";
    /// How many networks the router chooses for one token.
    "{arch}.expert_used_count" UINT32 ALL "Experts used", unit "experts";
    /// Whether the weights of the chosen networks are divided by their sum.
    "{arch}.expert_weights_norm" BOOL UPSTREAM "Normalise expert weights";
    /// The factor for the combined result of the chosen networks.
    "{arch}.expert_weights_scale" FLOAT32 UPSTREAM "Expert weights scale";
    /// How many routed networks share one small network in GroveMoE.
    "{arch}.experts_per_group" UINT32 UPSTREAM "Experts per group", unit "experts";
    /// How far apart layers with routed networks are in Llama 4.
    "{arch}.interleave_moe_layer_step" UINT32 UPSTREAM "Expert layer step", unit "layers";
    /// The number of first blocks that have one ordinary network and no router.
    "{arch}.leading_dense_block_count" UINT32 UPSTREAM "Leading dense blocks", unit "blocks";
    /// Which share of layers has routed networks: every second, every third and so on.
    "{arch}.moe_every_n_layers" UINT32 UPSTREAM "Expert layer interval", unit "layers";
    /// The reduced width at which Nemotron-H runs its routed networks.
    "{arch}.moe_latent_size" UINT32 UPSTREAM "Mixture latent width", unit "elements";
    /// The limit that a tanh curve puts on the scores that choose networks.
    "{arch}.router_logit_softcapping" FLOAT32 UPSTREAM "Router soft cap";
};
