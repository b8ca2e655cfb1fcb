//! Keys of an architecture that describe rotary position embedding (RoPE).

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// How many elements of each key and query are rotated by position.
    "{arch}.rope.dimension_count" UINT32 ALL "Rotary dimensions", unit "elements",
        note "The specification says uint64. llama.cpp refuses any type but UINT32.";
    /// How many elements are rotated in layers with a sliding window.
    "{arch}.rope.dimension_count_swa" UINT32 UPSTREAM "Rotary dimensions in windows", unit "elements";
    /// How rotated elements are shared among time, height and width of an image.
    "{arch}.rope.dimension_sections" INTEGERS UPSTREAM "Rotary sections";
    /// The base whose powers set the wavelengths of rotation; 10000 when absent.
    "{arch}.rope.freq_base" FLOAT32 ALL "RoPE base";
    /// The base whose powers set the wavelengths in layers with a sliding window.
    "{arch}.rope.freq_base_swa" FLOAT32 UPSTREAM "RoPE base in windows";
    /// The old factor by which positions are divided to reach longer contexts.
    "{arch}.rope.scale_linear" FLOAT32 SPEC_LLAMA_CPP "Linear RoPE scale", deprecated "{arch}.rope.scaling.factor";
    /// The strength of the base change that Hunyuan uses to reach longer contexts.
    "{arch}.rope.scaling.alpha" FLOAT32 UPSTREAM "RoPE scaling alpha";
    /// The factor for attention scores when positions are stretched.
    "{arch}.rope.scaling.attn_factor" FLOAT32 UPSTREAM "RoPE attention factor";
    /// How many times longer than in training a context may become.
    "{arch}.rope.scaling.factor" FLOAT32 ALL "RoPE scaling factor";
    /// Whether training continued with stretched positions.
    "{arch}.rope.scaling.finetuned" BOOL ALL "Fine-tuned with RoPE scaling";
    /// How many tokens the model could read before positions were stretched.
    "{arch}.rope.scaling.original_context_length" UINT32 ALL "Original context length", unit "tokens";
    /// The method that stretches positions to reach longer contexts.
    "{arch}.rope.scaling.type" STRING ALL "RoPE scaling", values ROPE_SCALING,
        note "The specification names none, linear and yarn. llama.cpp also reads longrope.";
    /// The extra factor that YaRN puts on attention scores.
    "{arch}.rope.scaling.yarn_attn_factor" FLOAT32 UPSTREAM "YaRN attention factor";
    /// The number of rotations above which YaRN leaves a dimension as it is.
    "{arch}.rope.scaling.yarn_beta_fast" FLOAT32 UPSTREAM "YaRN fast limit", unit "rotations";
    /// The number of rotations below which YaRN stretches a dimension in full.
    "{arch}.rope.scaling.yarn_beta_slow" FLOAT32 UPSTREAM "YaRN slow limit", unit "rotations";
    /// How much YaRN mixes unstretched positions in; negative values mean the program's default.
    "{arch}.rope.scaling.yarn_ext_factor" FLOAT32 UPSTREAM "YaRN extrapolation mix";
    /// How strongly attention scores grow with the logarithm of the context's stretch.
    "{arch}.rope.scaling.yarn_log_multiplier" FLOAT32 UPSTREAM "YaRN logarithm multiplier";
};
