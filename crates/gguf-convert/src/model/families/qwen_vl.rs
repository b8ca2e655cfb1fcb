//! The models of the text of Qwen 2 VL, 2.5 VL and 3 VL.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NORMS, QUERY_KEY_NORMS};
use super::qwen::{EXPERT_KEYS, QWEN_KEYS, ROUTER, refuse_reranker};
use super::row::{DECODER, Family, without_model};
use super::rule::{Change, Found, Piece, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// All experts in one tensor, with a row for each input.
const FUSED_EXPERTS: Rules = rules![
    whole("layers.#.mlp.experts.down_proj", "blk.#.ffn_down_exps.weight").with(Change::Custom(turned)),
    whole("layers.#.mlp.experts.down_proj.weight", "blk.#.ffn_down_exps.weight").with(Change::Custom(turned)),
    whole("layers.#.mlp.experts.gate_up_proj", "").with(Change::Custom(turned_halves)),
    whole("layers.#.mlp.experts.gate_up_proj.weight", "").with(Change::Custom(turned_halves)),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["Qwen2VLForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration"],
        architecture: "qwen2vl",
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        // The members of the text are in an object of their own in newer files only.
        config: ConfigRules::TextOrFlat(&["qwen2_vl_text", "qwen2_5_vl_text", "qwen2_vl", "qwen2_5_vl"]),
        adjust: default_rope,
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        ..DECODER
    },
    Family {
        classes: &["Qwen2_5OmniModel"],
        architecture: "qwen2vl",
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        config: ConfigRules::Text(&["qwen2_5_omni_text"]),
        rename: |config, name| {
            let own = name.replace("thinker.", "");
            without_model(config, if name.starts_with("thinker.") { &own } else { name })
        },
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        ..DECODER
    },
    Family {
        classes: &["Qwen3VLForConditionalGeneration"],
        architecture: "qwen3vl",
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        config: ConfigRules::Text(&["qwen3_vl_text"]),
        check: refuse_reranker,
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED],
        keys: &[Key::List(QWEN_KEYS), Key::Call(deepstack)],
        ..DECODER
    },
    Family {
        classes: &["Qwen3VLMoeForConditionalGeneration"],
        architecture: "qwen3vlmoe",
        config: ConfigRules::Text(&["qwen3_vl_moe_text"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED, ROUTER, EXPERTS, FUSED_EXPERTS],
        keys: &[Key::List(EXPERT_KEYS), Key::Call(deepstack)],
        ..DECODER
    },
];

/// The class reads the type `mrope` as the default.
fn default_rope(config: &mut Config) -> Result<()> {
    let Some(Value::Object(mut rope)) = config.get("rope_scaling").cloned() else { return Ok(()) };
    if rope.get("type").and_then(Value::as_str) == Some("mrope") {
        rope.insert("type".into(), "default".into());
        rope.insert("rope_type".into(), "default".into());
        config.set("rope_scaling", Value::Object(rope));
    }
    Ok(())
}

/// `n_deepstack_layers`: how many blocks get features of the images. The class has three without the member.
fn deepstack(keys: &mut Keys<'_>) -> Result<()> {
    let vision = keys.config.get("vision_config");
    let blocks = vision.and_then(|vision| vision.get("deepstack_visual_indexes")).and_then(Value::as_array);
    keys.put("n_deepstack_layers", EntryValue::U32(blocks.map_or(3, Vec::len) as u32));
    Ok(())
}

pub(super) fn turned(found: &Found<'_>) -> Result<Vec<Piece>> {
    Ok(vec![found.piece(found.view.clone().with_rank(3)?.swapped(1, 2)?)])
}

/// The tensor is transposed. The first half of its columns becomes the gate, the second half the up projection.
pub(super) fn turned_halves(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(3)?;
    let columns = view.axes[2].length;
    if !columns.is_multiple_of(2) {
        return Err(error!(BadSafetensors:
            "its shape is {:?}: expected an even number of columns, of which one half is the gate", view.shape()));
    }
    let half = |target, start| {
        let half = view.clone().sliced(2, start, 1, columns / 2).and_then(|half| half.swapped(1, 2));
        half.map(|half| found.piece_named(target, half))
    };
    Ok(vec![half("blk.#.ffn_gate_exps.weight", 0)?, half("blk.#.ffn_up_exps.weight", columns / 2)?])
}
