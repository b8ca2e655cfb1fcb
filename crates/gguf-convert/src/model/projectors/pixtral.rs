//! Pixtral in the layout of Llava, and Mistral Small 3.1 and later.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::encoders::Encoders;
use super::reading::{Kind, with_class};
use super::row::{ENCODER, Projector, VISION, gelu_or_silu, kind_of_projector};
use super::siglip::LINEAR_LAYERS;
use crate::model::config::{Config, unsigned};
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, Found, Heads, Piece, name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::Key;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

const DEFAULTS: &str = r#"{"hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":24,"num_attention_heads":16,"patch_size":16,"image_size":1024,"hidden_act":"gelu"}"#;

const RULES: Rules = rules![
    name("vision_tower.patch_conv", "v.patch_embd"),
    name("vision_tower.ln_pre", "v.pre_ln"),
    name("vision_tower.transformer.layers.#.attention_norm", "v.blk.#.ln1"),
    name("vision_tower.transformer.layers.#.ffn_norm", "v.blk.#.ln2"),
    name("vision_tower.transformer.layers.#.attention.q_proj", "v.blk.#.attn_q").with(Change::Interleave(Heads::Query)),
    // There are as many heads of keys as of queries.
    name("vision_tower.transformer.layers.#.attention.k_proj", "v.blk.#.attn_k").with(Change::Interleave(Heads::Query)),
    name("vision_tower.transformer.layers.#.attention.v_proj", "v.blk.#.attn_v"),
    name("vision_tower.transformer.layers.#.attention.o_proj", "v.blk.#.attn_out"),
    name("vision_tower.transformer.layers.#.feed_forward.gate_proj", "v.blk.#.ffn_gate"),
    name("vision_tower.transformer.layers.#.feed_forward.up_proj", "v.blk.#.ffn_up"),
    name("vision_tower.transformer.layers.#.feed_forward.down_proj", "v.blk.#.ffn_down"),
    name("multi_modal_projector.norm", "mm.input_norm"),
    name("multi_modal_projector.patch_merger.merging_layer", "mm.patch_merger"),
    whole(EMBEDDING, "v.token_embd.img_break").with(Change::Custom(line_break)),
    whole(TEXT, "").with(Change::Custom(|_| Ok(Vec::new()))),
];

/// The token embedding of the text, if it has the vector of the end of a line of an image.
const EMBEDDING: &str = "embed_tokens.weight";

/// Other tensors of the text. The reference looks at their types, and does not write them.
const TEXT: &str = "text";

const NUMBER_OF_BREAK: &str = "img_break_token_id";

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["LlavaForConditionalGeneration", "Mistral3ForConditionalGeneration"],
    reads: &[
        with_class("llava", DEFAULTS, "llama").of_any_text(),
        with_class("mistral3", DEFAULTS, "mistral").of_any_text().with_global(r#"{"spatial_merge_size":2}"#),
    ],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("pixtral"),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
            Key::Call(gelu_or_silu),
            Key::Unsigned("vision.spatial_merge_size", &["spatial_merge_size"]),
        ],
    )],
    family: Family { rename, rules: &[LINEAR_LAYERS, RULES], ..ENCODER },
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    const STARTS: &[&str] = &[
        "multi_modal_projector.",
        "vision_tower.",
        "vision_encoder.",
        "vision_language_adapter.",
        "patch_merger.",
        "pre_mm_projector_norm",
    ];
    if name.contains("language_model.") {
        return None;
    }
    Some(if STARTS.iter().any(|start| name.starts_with(start)) {
        name.into()
    } else if name.contains(EMBEDDING) {
        EMBEDDING.into()
    } else {
        TEXT.into()
    })
}

fn adjust(encoders: &mut Encoders, files: &SmallFiles) -> Result<()> {
    encoders.share(Kind::Vision, "spatial_merge_size", Value::Null)?;
    let is_mistral = encoders.global.get("model_type").and_then(Value::as_str) == Some("mistral3");
    let vision = encoders.vision_mut()?;
    let kind = vision.text(&["model_type"])?.unwrap_or(if is_mistral { "pixtral" } else { "clip_vision_model" });
    if kind != "pixtral" {
        return Err(error!(UnsupportedModel:
            "the encoder is of the kind \"{}\", as \"vision_config\" in config.json says: expected pixtral. Other projectors of Llava were \
             made by programs of the time", Shown(kind.as_bytes())));
    }
    if vision.get("layer_norm_eps").is_none() {
        vision.set("layer_norm_eps", 1e-5.into());
    }
    vision.set(NUMBER_OF_BREAK, token_id(files, "[IMG_BREAK]")?.into());
    Ok(())
}

/// The number of a token that the tokenizer has besides its vocabulary.
fn token_id(files: &SmallFiles, token: &str) -> Result<u32> {
    const CONFIG: &str = "tokenizer_config.json";
    const TOKENIZER: &str = "tokenizer.json";
    let is_it = |entry: &Value| entry.get("content").and_then(Value::as_str) == Some(token);
    let lacking = |file: &str| {
        error!(IncompleteModel:
            "the folder has no file {file}, which says the number of the token {token}: download it with the other files of the model")
    };
    let config = files.json(CONFIG)?.ok_or_else(|| lacking(CONFIG))?;
    let decoder = config.get("added_tokens_decoder").and_then(Value::as_object);
    if let Some((id, _)) = decoder.into_iter().flatten().find(|(_, entry)| is_it(entry)) {
        return id.parse().map_err(|_| {
            error!(BadJson: "{CONFIG} has a token with the number \"{}\"; download the file again", Shown(id.as_bytes()))
        });
    }
    let tokenizer = files.json(TOKENIZER)?.ok_or_else(|| lacking(TOKENIZER))?;
    let added = tokenizer.get("added_tokens").and_then(Value::as_array);
    match added.into_iter().flatten().find(|entry| is_it(entry)).and_then(|entry| entry.get("id")) {
        Some(id) => unsigned("id", id),
        None => Err(error!(IncompleteModel:
            "neither {CONFIG} nor {TOKENIZER} has the token {token}, which ends the lines of an image; check that they belong to the model")),
    }
}

/// The vector of the token that ends a line of an image.
fn line_break(found: &Found<'_>) -> Result<Vec<Piece>> {
    match found.config.required(&[NUMBER_OF_BREAK])? {
        0 => Ok(Vec::new()),
        id => Ok(vec![found.piece(found.view.clone().with_rank(2)?.picked(0, id.into())?)]),
    }
}
