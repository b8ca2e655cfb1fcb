//! Keys of an architecture that describe the model as a whole: its sizes, its scales, and parts that few models have.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// The saturation limit of the gated activation of Kimi K3.
    "{arch}.activation.situ_beta" FLOAT32 UPSTREAM "SiTU beta";
    /// The saturation limit that Kimi K3 puts on the ungated half of its activation.
    "{arch}.activation.situ_linear_beta" FLOAT32 UPSTREAM "SiTU linear beta";
    /// For each layer of Gemma 3n, how many deviations an input must exceed to count.
    "{arch}.activation_sparsity_scale" FLOATS GGUF_PY "Activation sparsity";
    /// The number of LoRA adapters that Granite Switch keeps inside the model file.
    "{arch}.adapters.count" UINT32 UPSTREAM "Number of built-in adapters";
    /// The largest inner dimension among the LoRA matrices inside the model file.
    "{arch}.adapters.lora_rank" UINT32 UPSTREAM "Built-in adapter rank";
    /// How strongly a control token switches its built-in adapter on.
    "{arch}.adapters.router_gain" FLOAT32 UPSTREAM "Adapter switch gain";
    /// The control tokens in a prompt that switch built-in adapters on.
    "{arch}.adapters.token_ids_activate" INTEGERS UPSTREAM "Adapter control tokens";
    /// The tokens that the model sees in place of the control tokens.
    "{arch}.adapters.token_ids_substitute" INTEGERS UPSTREAM "Adapter substitute tokens";
    /// Which of the parallel hidden states of Gemma 3n each layer computes in full.
    "{arch}.altup.active_idx" UINT32 GGUF_PY "AltUp active state";
    /// How many parallel hidden states Gemma 3n carries through its layers.
    "{arch}.altup.num_inputs" UINT32 GGUF_PY "AltUp states";
    /// The limit that a tanh curve puts on attention scores before softmax.
    "{arch}.attn_logit_softcapping" FLOAT32 UPSTREAM "Attention soft cap";
    /// After how many layers Kimi K3 stores the hidden state for later layers.
    "{arch}.attn_res.block_size" UINT32 UPSTREAM "Residual group size", unit "layers";
    /// The number of repeated transformer layers, named blk.0, blk.1 and so on.
    "{arch}.block_count" UINT32 ALL "Block count", unit "blocks",
        note "The specification says uint64. llama.cpp refuses any type but UINT32.";
    /// How many tokens a block-wise draft model proposes at once.
    "{arch}.block_size" UINT32 UPSTREAM "Draft length", unit "tokens";
    /// The function inside the head that classifies a text: gelu, silu or tanh.
    "{arch}.classifier.activation" STRING UPSTREAM "Classifier activation";
    /// The names of the classes that a classifier's outputs stand for.
    "{arch}.classifier.output_labels" STRINGS UPSTREAM "Class labels";
    /// How the vectors of all tokens become the one that is classified.
    "{arch}.classifier.pooling_type" UINT32 UPSTREAM "Classifier pooling", values POOLING;
    /// The longest text that the model was trained on.
    "{arch}.context_length" UINT32 ALL "Context length", unit "tokens",
        note "The specification says uint64. llama.cpp refuses any type but UINT32.";
    /// The number of channels that share the weights of a draft model's short convolution.
    "{arch}.conv_group_size" UINT32 UPSTREAM "Draft convolution group", unit "elements";
    /// How many tokens the short convolution of a draft model covers.
    "{arch}.conv_kernel_size" UINT32 UPSTREAM "Draft convolution length", unit "tokens";
    /// The number of ConvNeXt layers in a speech decoder.
    "{arch}.convnext.block_count" UINT32 UPSTREAM "ConvNeXt blocks", unit "blocks";
    /// The width of the hidden state in the ConvNeXt layers of a speech decoder.
    "{arch}.convnext.embedding_length" UINT32 UPSTREAM "ConvNeXt width", unit "elements";
    /// The number of blocks in which questions and options see each other.
    "{arch}.decision.block_count" UINT32 UPSTREAM "Decision blocks", unit "blocks";
    /// The number of attention heads of the blocks that score options.
    "{arch}.decision.head_count" UINT32 UPSTREAM "Decision heads", unit "heads";
    /// The number of blocks in which questions and options read the text.
    "{arch}.decision.routing_block_count" UINT32 UPSTREAM "Routing blocks", unit "blocks";
    /// The number of layers that write the answer, if it differs from the encoder.
    "{arch}.decoder_block_count" UINT32 UPSTREAM "Decoder blocks", unit "blocks";
    /// The first token that an encoder-decoder model is given to write its answer.
    "{arch}.decoder_start_token_id" UINT32 UPSTREAM "Decoder start token", is token_id;
    /// For each layer, which image feature is added there; -1 means none.
    "{arch}.deepstack_mapping" INTEGERS UPSTREAM "DeepStack layer map";
    /// The input width of the first dense layer that sentence-transformers puts after pooling.
    "{arch}.dense_2_feat_in" UINT32 UPSTREAM "First dense layer input", unit "elements";
    /// The output width of the first dense layer that sentence-transformers puts after pooling.
    "{arch}.dense_2_feat_out" UINT32 UPSTREAM "First dense layer output", unit "elements";
    /// The input width of the second dense layer that sentence-transformers puts after pooling.
    "{arch}.dense_3_feat_in" UINT32 UPSTREAM "Second dense layer input", unit "elements";
    /// The output width of the second dense layer that sentence-transformers puts after pooling.
    "{arch}.dense_3_feat_out" UINT32 UPSTREAM "Second dense layer output", unit "elements";
    /// The width of the hidden state: how many numbers stand for one token.
    "{arch}.embedding_length" UINT32 ALL "Embedding length", unit "elements",
        note "The specification says uint64. llama.cpp refuses any type but UINT32.";
    /// The width of the result vectors, if it differs from the hidden state.
    "{arch}.embedding_length_out" UINT32 UPSTREAM "Output embedding length", unit "elements";
    /// The width of the extra token vectors that Gemma feeds to every block.
    "{arch}.embedding_length_per_layer_input" UINT32 UPSTREAM "Per-layer embedding length", unit "elements";
    /// The factor by which token vectors are multiplied before the first block.
    "{arch}.embedding_scale" FLOAT32 UPSTREAM "Embedding scale";
    /// The width of the input vectors of a model that takes no tokens.
    "{arch}.features_length" UINT32 UPSTREAM "Input feature length", unit "elements";
    /// The inner width of the feed-forward network, or one width for each block.
    "{arch}.feed_forward_length" PER_LAYER ALL "Feed-forward length", unit "elements",
        note "The specification says uint64. llama.cpp refuses any type but UINT32 or 32-bit arrays.";
    /// The limit that a tanh curve puts on the scores of the next token.
    "{arch}.final_logit_softcapping" FLOAT32 UPSTREAM "Output soft cap";
    /// Every how many layers a hybrid model has ordinary attention instead of recurrence.
    "{arch}.full_attention_interval" UINT32 UPSTREAM "Full attention interval", unit "layers";
    /// The number of leading layers of DeepSeek V4 that choose experts by token id.
    "{arch}.hash_layer_count" UINT32 UPSTREAM "Hash-routed layers", unit "layers";
    /// The function between the two matrices of the feed-forward network, such as gelu.
    "{arch}.hidden_activation" STRING UPSTREAM "Activation function";
    /// How often the slow stack of HRM runs.
    "{arch}.hrm.h_cycles" UINT32 UPSTREAM "Slow cycles";
    /// How often the fast stack of HRM runs before each run of the slow one.
    "{arch}.hrm.l_cycles" UINT32 UPSTREAM "Fast cycles";
    /// The number of layers of each stack of HRM. Each run has its own cache.
    "{arch}.hrm.layers_per_stack" UINT32 UPSTREAM "Layers of a stack", unit "layers";
    /// Whether tokens of the prompt were trained to see later ones.
    "{arch}.hrm.prefix_lm" BOOL UPSTREAM "Prefix language model",
        note "llama.cpp reads it, and computes causal attention all the same.";
    /// The number of parallel residual streams of DeepSeek V4.
    "{arch}.hyper_connection.count" UINT32 UPSTREAM "Residual streams";
    /// The small number that keeps the mixing of residual streams from dividing by zero.
    "{arch}.hyper_connection.epsilon" FLOAT32 UPSTREAM "Residual mixing epsilon";
    /// The inner width of the matrices that mix residual streams.
    "{arch}.hyper_connection.low_rank" UINT32 UPSTREAM "Residual mixing rank", unit "elements";
    /// The largest weight with which a layer is added to a residual stream.
    "{arch}.hyper_connection.magnitude" FLOAT32 UPSTREAM "Residual mixing magnitude";
    /// How often rows and columns of the mixing matrix are normalised in turn.
    "{arch}.hyper_connection.sinkhorn_iterations" UINT32 UPSTREAM "Sinkhorn iterations";
    /// The factor by which the scores of the next token are multiplied or divided.
    "{arch}.logit_scale" FLOAT32 UPSTREAM "Logit scale";
    /// How many of the first layers add image features to their input.
    "{arch}.n_deepstack_layers" UINT32 UPSTREAM "DeepStack layers", unit "layers";
    /// The number of extra last blocks that guess tokens further ahead.
    "{arch}.nextn_predict_layers" UINT32 UPSTREAM "Multi-token prediction layers", unit "layers";
    /// Whether an EAGLE-3 draft model normalises before its input projection.
    "{arch}.norm_before_fc" BOOL UPSTREAM "Normalise before projection";
    /// Whether an EAGLE-3 draft model keeps the normalised state for its skip connection.
    "{arch}.norm_before_residual" BOOL UPSTREAM "Normalise before residual";
    /// How many times all blocks run, one time after another.
    "{arch}.num_loops" UINT32 UPSTREAM "Loops over the blocks";
    /// How many tokens the convolution over n-gram embeddings covers.
    "{arch}.ple.conv_kernel" UINT32 UPSTREAM "N-gram convolution length", unit "tokens";
    /// The token that ends a text, over which no n-gram reaches.
    "{arch}.ple.eos_token_id" UINT32 UPSTREAM "N-gram end token";
    /// For each head, its first row in the table of n-gram embeddings.
    "{arch}.ple.head_offsets" UINT64_ARRAY UPSTREAM "N-gram table offsets";
    /// For each head, how many rows of the table of n-gram embeddings it has.
    "{arch}.ple.head_vocab_sizes" UINT64_ARRAY UPSTREAM "N-gram table sizes";
    /// How many rows of the table are read for each length of n-gram.
    "{arch}.ple.heads_per_ngram" UINT32 UPSTREAM "Heads per n-gram";
    /// The token that stands for a part of a picture in an n-gram.
    "{arch}.ple.image_token_id" UINT32 UPSTREAM "N-gram image token";
    /// The factors that turn the tokens of an n-gram into the number of a row.
    "{arch}.ple.layer_multipliers" UINT64_ARRAY UPSTREAM "N-gram hash factors";
    /// The layers to which n-gram embeddings are added.
    "{arch}.ple.layers" INTEGERS UPSTREAM "N-gram layers";
    /// The length of the longest n-gram that has embeddings.
    "{arch}.ple.ngram_size" UINT32 UPSTREAM "Longest n-gram", unit "tokens";
    /// How the vectors of all tokens become one vector for the text.
    "{arch}.pooling_type" UINT32 UPSTREAM "Pooling", values POOLING;
    /// The number of layers of the positional network in a speech decoder.
    "{arch}.posnet.block_count" UINT32 UPSTREAM "PosNet blocks", unit "blocks";
    /// The width of the hidden state of the positional network in a speech decoder.
    "{arch}.posnet.embedding_length" UINT32 UPSTREAM "PosNet width", unit "elements";
    /// The factor for outputs of attention and feed-forward; in MiniMax-01, for the residual stream.
    "{arch}.residual_scale" FLOAT32 UPSTREAM "Residual scale";
    /// Whether a block-wise draft model also uses the prediction at its first position.
    "{arch}.sample_from_anchor" BOOL UPSTREAM "Predict the anchor token";
    /// The inner width of the matrices with which a draft model scores pairs of tokens.
    "{arch}.selector_rank" UINT32 UPSTREAM "Selector rank", unit "elements";
    /// How many tokens at each position a draft model compares as pairs.
    "{arch}.selector_top_k" UINT32 UPSTREAM "Selector top-k", unit "tokens";
    /// How many tokens the short convolution of LFM2 models covers, the current one included.
    "{arch}.shortconv.l_cache" UINT32 UPSTREAM "Short convolution length", unit "tokens";
    /// Whether looped blocks leave out normalisation between their rounds.
    "{arch}.skip_loop_final_norm" BOOL UPSTREAM "Skip norm between loops";
    /// For each layer, the limit on values inside chosen experts; 0 means none.
    "{arch}.swiglu_clamp_exp" PER_LAYER_FLOAT UPSTREAM "Expert activation limit";
    /// For each layer, the limit on values inside the network that all tokens share.
    "{arch}.swiglu_clamp_shexp" PER_LAYER_FLOAT UPSTREAM "Shared expert activation limit";
    /// Whether Chameleon normalises after attention and feed-forward instead of before.
    "{arch}.swin_norm" BOOL UPSTREAM "Swin normalisation";
    /// The width of the hidden state of the model for which a draft model guesses.
    "{arch}.target_hidden_size" UINT32 UPSTREAM "Target width", unit "elements";
    /// The blocks of the main model whose outputs a draft model reads.
    "{arch}.target_layers" INTEGERS UPSTREAM "Target layers";
    /// In which order a converter stored the rows of attention weights.
    "{arch}.tensor_data_layout" STRING SPEC_GGUF_PY "Tensor data layout", values DATA_LAYOUTS,
        note "llama.cpp names it, but does not read it.";
    /// Whether attention and feed-forward read the same input and are added together.
    "{arch}.use_parallel_residual" BOOL ALL "Parallel residual";
    /// The number of tokens for which the model has embeddings and scores.
    "{arch}.vocab_size" UINT32 UPSTREAM "Vocabulary size", unit "tokens";
};
