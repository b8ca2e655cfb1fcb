//! Families that the corpus does not have: small models whose files pass the rules of llama.cpp's loader.

use std::rc::Rc;

use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan, OutputType};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::io::{Source, block_on};
use gguf_format::{Header, Result};
use gguf_models::validate::{Severity, validate};
use serde_json::{Value as Json, json};

use super::bytes::{Bytes, joined};
use super::folder::index;
use crate::corpus;

/// A model whose tensors have the elements 0, 1, 2, ….
pub struct Model {
    pub config: Json,
    tensors: Vec<(String, Vec<u64>)>,
    /// Whether the elements of a tensor begin where those of the one before it end.
    pub is_counted: bool,
    /// The model of the corpus whose vocabulary it has. `None`: a byte-level vocabulary of three tokens.
    pub vocabulary: Option<&'static str>,
    /// The files of its vocabulary. Empty: those of `vocabulary`.
    pub files: Vec<(String, String)>,
}

impl Model {
    /// `tensors` are names and shapes. `#` stands for both blocks.
    pub fn new(config: Json, tensors: &[(&str, &[u64])]) -> Self {
        let mut all = Vec::new();
        for (name, shape) in tensors {
            match name.contains('#') {
                true => all.extend((0..2).map(|block| (name.replace('#', &block.to_string()), shape.to_vec()))),
                false => all.push(((*name).into(), shape.to_vec())),
            }
        }
        Self { config, tensors: all, is_counted: false, vocabulary: None, files: Vec::new() }
    }

    pub fn open(&self) -> HubModel<Bytes> {
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, shape) in &self.tensors {
            let start = data.len();
            let first = if self.is_counted { start as u64 / 4 } else { 0 };
            for element in first..first + shape.iter().product::<u64>() {
                data.extend_from_slice(&(element as f32).to_le_bytes());
            }
            header.insert(name.clone(), json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] }));
        }
        let source = Bytes(Rc::new(joined(&Json::Object(header), &data)));
        let part = block_on(SafetensorsFile::open("model.safetensors", source)).unwrap();
        let mut files = SmallFiles::default();
        files.insert("config.json", self.config.to_string().into_bytes());
        for (name, text) in &self.files {
            files.insert(name, text.clone().into_bytes());
        }
        match (self.vocabulary, index()) {
            _ if !self.files.is_empty() => {}
            (Some(name), Some((folder, _))) => {
                for file in ["tokenizer.model", "tokenizer.json", "tokenizer_config.json"] {
                    if let Ok(bytes) = std::fs::read(folder.join("models").join(name).join(file)) {
                        files.insert(file, bytes);
                    }
                }
            }
            _ => {
                let added = |id: u32, content: &str| {
                    json!({ "id": id, "content": content, "special": true, "normalized": false, "single_word": false,
                        "lstrip": false, "rstrip": false })
                };
                let tokenizer = json!({
                    "added_tokens": [
                        added(3, "<|endoftext|>"), added(4, "<|user|>"), added(5, "[gMASK]"), added(6, "<|observation|>"),
                    ],
                    "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
                    "pre_tokenizer": { "type": "ByteLevel" },
                    "decoder": { "type": "ByteLevel" },
                });
                files.insert("tokenizer.json", tokenizer.to_string().into_bytes());
                let config = json!({ "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|endoftext|>" });
                files.insert("tokenizer_config.json", config.to_string().into_bytes());
            }
        }
        let tensors = SafetensorsModel::new(vec![part], None).unwrap();
        HubModel { folder: "Tiny-Test".into(), files, tensors }
    }

    pub fn converted(&self) -> Result<(Header, Vec<u8>)> {
        let mut options = ModelOptions::default();
        options.output_type = OutputType::F32;
        options.pre = Some("gpt-2".into());
        let plan = block_on(ModelPlan::new(&self.open(), &options))?;
        let file = block_on(plan.file().read(0..plan.size()))?.as_slice().to_vec();
        Ok((gguf_format::parse(&file)?, file))
    }

    /// Converts the model, and checks that llama.cpp's rules find no error.
    #[track_caller]
    pub fn assert_loads(&self) -> (Header, Vec<u8>) {
        let (header, file) =
            self.converted().unwrap_or_else(|error| panic!("{}: {error}", self.config["architectures"]));
        let errors: Vec<String> = validate(&header, Some(file.len() as u64))
            .into_iter()
            .filter(|finding| finding.check.severity() == Severity::Error)
            .map(|finding| format!("{:?}: {}", finding.subject, finding.message))
            .collect();
        assert!(errors.is_empty(), "{}:\n{}", self.config["architectures"], errors.join("\n"));
        (header, file)
    }
}

/// The elements of a tensor.
pub fn elements(converted: &(Header, Vec<u8>), name: &str) -> Vec<f32> {
    let (header, file) = converted;
    let tensor = header.tensor(name).unwrap_or_else(|| panic!("there is no tensor {name}"));
    let start = (header.data_offset() + tensor.offset()) as usize;
    let bytes = &file[start..start + tensor.byte_length().unwrap() as usize];
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

pub fn whole_numbers(header: &Header, key: &str) -> Vec<i64> {
    let array = header.get(key).unwrap_or_else(|| panic!("there is no key {key}")).value().as_array().unwrap();
    array.iter().map(|value| value.as_i64().unwrap()).collect()
}

pub fn unsigned(header: &Header, key: &str) -> Option<u64> {
    header.get(key)?.value().as_u64()
}

/// A configuration with the sizes that all models here have.
pub fn config(class: &str, model_type: &str, more: Json) -> Json {
    let mut config = json!({
        "architectures": [class], "model_type": model_type, "vocab_size": 8, "hidden_size": 8, "intermediate_size": 12,
        "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 16,
    });
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    config
}

/// The tensors of most decoders.
pub const ENDS: &[(&str, &[u64])] =
    &[("model.embed_tokens.weight", &[8, 8]), ("model.norm.weight", &[8]), ("lm_head.weight", &[8, 8])];
pub const ATTENTION: &[(&str, &[u64])] = &[
    ("model.layers.#.self_attn.q_proj.weight", &[8, 8]),
    ("model.layers.#.self_attn.k_proj.weight", &[4, 8]),
    ("model.layers.#.self_attn.v_proj.weight", &[4, 8]),
    ("model.layers.#.self_attn.o_proj.weight", &[8, 8]),
];
pub const NORMS: &[(&str, &[u64])] =
    &[("model.layers.#.input_layernorm.weight", &[8]), ("model.layers.#.post_attention_layernorm.weight", &[8])];
pub const LATE_NORMS: &[(&str, &[u64])] = &[
    ("model.layers.#.post_attention_layernorm.weight", &[8]),
    ("model.layers.#.post_feedforward_layernorm.weight", &[8]),
];
pub const GATED: &[(&str, &[u64])] = &[
    ("model.layers.#.mlp.gate_proj.weight", &[12, 8]),
    ("model.layers.#.mlp.up_proj.weight", &[12, 8]),
    ("model.layers.#.mlp.down_proj.weight", &[8, 12]),
];

pub fn model(config: Json, tensors: &[&[(&str, &[u64])]]) -> Model {
    Model::new(config, &tensors.concat())
}

#[test]
fn families_like_llama_are_loaded() {
    if index().is_none() {
        return;
    }
    let smollm = model(config("SmolLM3ForCausalLM", "smollm3", json!({})), &[ENDS, ATTENTION, NORMS, GATED]);
    let (header, _) = smollm.assert_loads();
    assert_eq!(unsigned(&header, "smollm3.rope.dimension_count"), Some(4));

    let arcee = model(config("ArceeForCausalLM", "arcee", json!({})), &[ENDS, ATTENTION, NORMS, &GATED[1..]]);
    arcee.assert_loads();
    model(config("SeedOssForCausalLM", "seed_oss", json!({ "head_dim": 4 })), &[ENDS, ATTENTION, NORMS, GATED])
        .assert_loads();
}

#[test]
fn the_experts_of_granite_are_halves() {
    let experts: &[(&str, &[u64])] = &[
        ("model.layers.#.block_sparse_moe.router.layer.weight", &[3, 8]),
        ("model.layers.#.block_sparse_moe.input_linear.weight", &[3, 24, 8]),
        ("model.layers.#.block_sparse_moe.output_linear.weight", &[3, 8, 12]),
    ];
    let more = json!({ "num_local_experts": 3, "num_experts_per_tok": 2, "head_dim": 4 });
    let converted =
        model(config("GraniteMoeForCausalLM", "granitemoe", more), &[ENDS, ATTENTION, NORMS, experts]).assert_loads();
    let gate = elements(&converted, "blk.1.ffn_gate_exps.weight");
    let up = elements(&converted, "blk.1.ffn_up_exps.weight");
    assert_eq!((gate[0], gate[96], gate[192]), (0.0, 192.0, 384.0), "the first elements of each expert");
    assert_eq!((up[0], up[96], up[192]), (96.0, 288.0, 480.0));
    assert!(converted.0.get("granitemoe.attention.key_length").is_none(), "llama.cpp ignores the size of a head");
}

#[test]
fn families_of_olmo_are_loaded() {
    let norms: &[(&str, &[u64])] =
        &[("model.layers.#.self_attn.q_norm.weight", &[8]), ("model.layers.#.self_attn.k_norm.weight", &[4])];
    let olmo = config("OlmoForCausalLM", "olmo", json!({ "clip_qkv": 8.0 }));
    let (header, _) = model(olmo, &[&ENDS[..1], &ENDS[2..], ATTENTION, GATED]).assert_loads();
    assert_eq!(header.get("olmo.attention.clamp_kqv").unwrap().value().as_f64(), Some(8.0));

    let olmo3 = config("Olmo3ForCausalLM", "olmo3", json!({}));
    let (header, _) = model(olmo3, &[ENDS, ATTENTION, norms, LATE_NORMS, GATED]).assert_loads();
    assert_eq!(unsigned(&header, "olmo2.attention.sliding_window"), Some(4096));
    assert_eq!(header.get("olmo2.attention.sliding_window_pattern").unwrap().value().as_array().unwrap().len(), 2);

    // llama.cpp expects as many heads of keys as of queries.
    let attention: &[(&str, &[u64])] = &[
        ("model.layers.#.self_attn.q_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.k_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.v_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.o_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.q_norm.weight", &[8]),
        ("model.layers.#.self_attn.k_norm.weight", &[8]),
        ("model.layers.#.mlp.gate.weight", &[2, 8]),
    ];
    let mut tensors = [ENDS, attention, NORMS].concat();
    for expert in ["0", "1"] {
        for (name, shape) in GATED {
            let name = name.replace(".mlp.", &format!(".mlp.experts.{expert}."));
            tensors.push((name.leak(), shape));
        }
    }
    Model::new(
        config(
            "OlmoeForCausalLM",
            "olmoe",
            json!({ "num_experts": 2, "num_experts_per_tok": 1, "num_key_value_heads": 2 }),
        ),
        &tensors,
    )
    .assert_loads();
}

#[test]
fn exaone_and_glm_are_loaded() {
    let norms: &[(&str, &[u64])] =
        &[("model.layers.#.self_attn.q_norm.weight", &[4]), ("model.layers.#.self_attn.k_norm.weight", &[4])];
    let rope = json!({ "rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192 });
    let exaone = |pattern: Json| {
        let more = json!({ "sliding_window": 4, "sliding_window_pattern": pattern, "rope_scaling": rope, "head_dim": 4,
                "rms_norm_eps": 1e-5, "rope_theta": 1e4 });
        model(config("Exaone4ForCausalLM", "exaone4", more), &[ENDS, ATTENTION, norms, LATE_NORMS, GATED])
            .assert_loads()
    };
    let pattern = |header: &Header| {
        let entry = header.get("exaone4.attention.sliding_window_pattern").unwrap();
        let array = entry.value().as_array().unwrap();
        array.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" ")
    };
    let converted = exaone(json!(2));
    assert_eq!(pattern(&converted.0), "Bool(true) Bool(false)");
    assert_eq!(elements(&converted, "rope_freqs.weight").len(), 2);
    assert_eq!(pattern(&exaone(json!("GL")).0), "Bool(false) Bool(true)");

    let rules: &[(&str, &[u64])] = &[
        ("model.layers.#.post_self_attn_layernorm.weight", &[8]),
        ("model.layers.#.post_mlp_layernorm.weight", &[8]),
        ("model.layers.#.mlp.gate_up_proj.weight", &[24, 8]),
        ("model.layers.#.mlp.down_proj.weight", &[8, 12]),
    ];
    let more = json!({ "head_dim": 4, "partial_rotary_factor": 0.5 });
    let (header, _) = model(config("Glm4ForCausalLM", "glm4", more), &[ENDS, ATTENTION, NORMS, rules]).assert_loads();
    assert_eq!(unsigned(&header, "glm4.rope.dimension_count"), Some(2));
}

#[test]
fn lfm2_has_heads_in_some_blocks_only() {
    let tensors: &[(&str, &[u64])] = &[
        ("model.embed_tokens.weight", &[8, 8]),
        ("model.embedding_norm.weight", &[8]),
        ("model.layers.#.operator_norm.weight", &[8]),
        ("model.layers.#.ffn_norm.weight", &[8]),
        ("model.layers.#.feed_forward.w1.weight", &[8, 8]),
        ("model.layers.#.feed_forward.w2.weight", &[8, 8]),
        ("model.layers.#.feed_forward.w3.weight", &[8, 8]),
        ("model.layers.0.conv.conv.weight", &[8, 1, 3]),
        ("model.layers.0.conv.in_proj.weight", &[24, 8]),
        ("model.layers.0.conv.out_proj.weight", &[8, 8]),
        ("model.layers.1.self_attn.q_proj.weight", &[8, 8]),
        ("model.layers.1.self_attn.k_proj.weight", &[4, 8]),
        ("model.layers.1.self_attn.v_proj.weight", &[4, 8]),
        ("model.layers.1.self_attn.out_proj.weight", &[8, 8]),
        ("model.layers.1.self_attn.q_layernorm.weight", &[4]),
        ("model.layers.1.self_attn.k_layernorm.weight", &[4]),
    ];
    let more = json!({ "layer_types": ["conv", "full_attention"], "intermediate_size": 9, "block_multiple_of": 4 });
    let (header, _) = Model::new(config("Lfm2ForCausalLM", "lfm2", more), tensors).assert_loads();
    // 9 * 2 / 3 = 6, and the next multiple of 4.
    assert_eq!(unsigned(&header, "lfm2.feed_forward_length"), Some(8));
    let heads = header.get("lfm2.attention.head_count_kv").unwrap();
    let heads: Vec<String> = heads.value().as_array().unwrap().iter().map(|value| format!("{value:?}")).collect();
    assert_eq!(heads, ["Int32(0)", "Int32(1)"]);
    assert_eq!(header.tensor("blk.0.shortconv.conv.weight").unwrap().dimensions().collect::<Vec<_>>(), [3, 8]);
}

#[test]
fn the_projections_of_internlm_are_separated() {
    let Some((folder, _)) = index() else { return };
    const VOCABULARY: &str = "Tiny-Llama-0.1M-Chat-v1.0";
    let size =
        corpus::json(&folder.join("models").join(VOCABULARY).join("config.json"))["vocab_size"].as_u64().unwrap();
    let tensors: &[(&str, &[u64])] = &[
        ("model.tok_embeddings.weight", &[size, 8]),
        ("model.norm.weight", &[8]),
        ("output.weight", &[size, 8]),
        ("model.layers.#.attention_norm.weight", &[8]),
        ("model.layers.#.ffn_norm.weight", &[8]),
        ("model.layers.#.attention.wqkv.weight", &[16, 8]),
        ("model.layers.#.attention.wo.weight", &[8, 8]),
        ("model.layers.#.feed_forward.w1.weight", &[12, 8]),
        ("model.layers.#.feed_forward.w2.weight", &[8, 12]),
        ("model.layers.#.feed_forward.w3.weight", &[12, 8]),
    ];
    let more = json!({ "rms_norm_eps": 1e-5, "rope_theta": 1e6, "vocab_size": size });
    let mut model = Model::new(config("InternLM2ForCausalLM", "internlm2", more), tensors);
    model.vocabulary = Some(VOCABULARY);
    let converted = model.assert_loads();
    // Rows of one group: two queries of 4 rows, a key and a value. In the heads of queries and keys, the two halves of the rows
    // are interleaved.
    let rows = |name| elements(&converted, name).iter().step_by(8).map(|first| *first as u64 / 8).collect::<Vec<_>>();
    assert_eq!(rows("blk.0.attn_q.weight"), [0, 2, 1, 3, 4, 6, 5, 7]);
    assert_eq!(rows("blk.0.attn_k.weight"), [8, 10, 9, 11]);
    assert_eq!(rows("blk.0.attn_v.weight"), [12, 13, 14, 15]);
}

#[test]
fn families_of_gpt_are_loaded() {
    let phi: &[(&str, &[u64])] = &[
        ("model.embed_tokens.weight", &[8, 8]),
        ("model.final_layernorm.weight", &[8]),
        ("model.final_layernorm.bias", &[8]),
        ("lm_head.weight", &[8, 8]),
        ("lm_head.bias", &[8]),
        ("model.layers.#.input_layernorm.weight", &[8]),
        ("model.layers.#.input_layernorm.bias", &[8]),
        ("model.layers.#.self_attn.q_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.q_proj.bias", &[8]),
        ("model.layers.#.self_attn.k_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.k_proj.bias", &[8]),
        ("model.layers.#.self_attn.v_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.v_proj.bias", &[8]),
        ("model.layers.#.self_attn.dense.weight", &[8, 8]),
        ("model.layers.#.self_attn.dense.bias", &[8]),
        ("model.layers.#.mlp.fc1.weight", &[32, 8]),
        ("model.layers.#.mlp.fc1.bias", &[32]),
        ("model.layers.#.mlp.fc2.weight", &[8, 32]),
        ("model.layers.#.mlp.fc2.bias", &[8]),
    ];
    let more = json!({ "num_key_value_heads": null, "partial_rotary_factor": 0.5 });
    let (header, _) = Model::new(config("PhiForCausalLM", "phi", more), phi).assert_loads();
    assert_eq!(unsigned(&header, "phi2.rope.dimension_count"), Some(2));

    let bloom: &[(&str, &[u64])] = &[
        ("word_embeddings.weight", &[8, 8]),
        ("word_embeddings_layernorm.weight", &[8]),
        ("word_embeddings_layernorm.bias", &[8]),
        ("ln_f.weight", &[8]),
        ("ln_f.bias", &[8]),
        ("h.#.input_layernorm.weight", &[8]),
        ("h.#.input_layernorm.bias", &[8]),
        ("h.#.post_attention_layernorm.weight", &[8]),
        ("h.#.post_attention_layernorm.bias", &[8]),
        ("h.#.self_attention.query_key_value.weight", &[24, 8]),
        ("h.#.self_attention.query_key_value.bias", &[24]),
        ("h.#.self_attention.dense.weight", &[8, 8]),
        ("h.#.self_attention.dense.bias", &[8]),
        ("h.#.mlp.dense_h_to_4h.weight", &[32, 8]),
        ("h.#.mlp.dense_h_to_4h.bias", &[32]),
        ("h.#.mlp.dense_4h_to_h.weight", &[8, 32]),
        ("h.#.mlp.dense_4h_to_h.bias", &[8]),
    ];
    let settings = json!({ "architectures": ["BloomForCausalLM"], "model_type": "bloom", "vocab_size": 8, "n_embed": 8,
        "n_layer": 2, "num_attention_heads": 2, "seq_length": 16 });
    let converted = Model::new(settings, bloom).assert_loads();
    // Rows of two heads of 4: query, key, value of the first, then of the second.
    let bias = elements(&converted, "blk.1.attn_qkv.bias");
    assert_eq!(bias[..12], [0.0, 1.0, 2.0, 3.0, 12.0, 13.0, 14.0, 15.0, 4.0, 5.0, 6.0, 7.0]);

    let starcoder: &[(&str, &[u64])] = &[
        ("transformer.wte.weight", &[8, 8]),
        ("transformer.wpe.weight", &[16, 8]),
        ("transformer.ln_f.weight", &[8]),
        ("transformer.ln_f.bias", &[8]),
        ("transformer.h.#.ln_1.weight", &[8]),
        ("transformer.h.#.ln_1.bias", &[8]),
        ("transformer.h.#.ln_2.weight", &[8]),
        ("transformer.h.#.ln_2.bias", &[8]),
        ("transformer.h.#.attn.c_attn.weight", &[16, 8]),
        ("transformer.h.#.attn.c_attn.bias", &[16]),
        ("transformer.h.#.attn.c_proj.weight", &[8, 8]),
        ("transformer.h.#.attn.c_proj.bias", &[8]),
        ("transformer.h.#.mlp.c_fc.weight", &[32, 8]),
        ("transformer.h.#.mlp.c_fc.bias", &[32]),
        ("transformer.h.#.mlp.c_proj.weight", &[8, 32]),
        ("transformer.h.#.mlp.c_proj.bias", &[8]),
    ];
    let settings = json!({ "architectures": ["GPTBigCodeForCausalLM"], "model_type": "gpt_bigcode", "vocab_size": 8,
        "n_embd": 8, "n_layer": 2, "n_head": 2, "n_positions": 16 });
    Model::new(settings, starcoder).assert_loads();
}

#[test]
fn the_text_of_gemma_3_is_converted_without_its_images() {
    let Some((folder, _)) = index() else { return };
    let path = folder.join("models/gemma-3-0.1m-it");
    let text = corpus::json(&path.join("config.json"));
    let plain = super::folder::open(&path).unwrap();
    let mut options = ModelOptions::default();
    options.output_type = OutputType::F16;
    let expected = block_on(ModelPlan::new(&plain, &options)).unwrap();

    let file = std::fs::read(path.join("model.safetensors")).unwrap();
    let (header, data) = super::bytes::parts(&file);
    let mut renamed = serde_json::Map::new();
    for (name, entry) in header.as_object().unwrap().iter().filter(|(name, _)| *name != "__metadata__") {
        renamed.insert(name.replacen("model.", "model.language_model.", 1), entry.clone());
    }
    let image = json!({ "dtype": "F32", "shape": [0], "data_offsets": [0, 0] });
    renamed.insert("model.vision_tower.vision_model.embeddings.position_embedding.weight".into(), image.clone());
    renamed.insert("model.multi_modal_projector.mm_soft_emb_norm.weight".into(), image);
    let mut model = super::bytes::with_tensors(&plain, joined(&Json::Object(renamed), data)).unwrap();
    let config = json!({ "architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "text_config": text,
        "vision_config": {} });
    let mut config = config;
    config["text_config"].as_object_mut().unwrap().shift_remove("architectures");
    model.files.insert("config.json", config.to_string().into_bytes());
    let plan = block_on(ModelPlan::new(&model, &options)).unwrap();
    assert_eq!(plan.dropped_tensors().len(), 2);
    let names = |plan: &[gguf_convert::model::NewModelTensor]| {
        plan.iter().map(|tensor| tensor.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(plan.tensors()), names(expected.tensors()));
    let data_of = |header: &[u8]| gguf_format::parse(header).unwrap().data_offset();
    let (a, b) = (data_of(plan.file().header_bytes()), data_of(expected.file().header_bytes()));
    let a = block_on(plan.file().read(a..plan.size())).unwrap();
    let b = block_on(expected.file().read(b..expected.size())).unwrap();
    assert!(a.as_slice() == b.as_slice());
}

#[test]
fn models_that_only_look_like_a_known_one_are_refused() {
    let refused = |config: Json, message: &str| {
        let error = model(config, &[ENDS, ATTENTION, NORMS, GATED]).converted().unwrap_err();
        assert_eq!(error.code(), "unsupported-model", "{error}");
        assert!(error.to_string().contains(message), "{error}");
    };
    refused(config("LlamaForCausalLM", "mistral", json!({})), "cannot be converted with the model_type \"mistral\"");
    refused(config("LlamaForCausalLM", "llama", json!({ "draft_vocab_size": 4 })), "a draft for speculative decoding");
    refused(config("LlamaForCausalLM", "llama", json!({ "text_config": {} })), "consists of several models");
    refused(
        config("LlamaForCausalLM", "llama", json!({ "rope_scaling": { "rope_type": "new", "factor": 2.0 } })),
        "has the type \"new\"",
    );
    for (method, advice) in [("awq", "stored by GPTQ"), ("bitsandbytes", "base_model"), ("hqq", "the original model")] {
        let quantization = json!({ "quantization_config": { "quant_method": method } });
        refused(config("LlamaForCausalLM", "llama", quantization.clone()), &format!("by the method \"{method}\""));
        refused(config("LlamaForCausalLM", "llama", quantization), advice);
    }
    refused(config("Qwen3ForCausalLM", "qwen3", json!({ "_name_or_path": "Qwen/Qwen3-Reranker-4B" })), "is a reranker");
    // The reference reads these files through the class of this type, which completes and renames other members.
    for (class, own) in
        [("NomicBertModel", "nomic_bert"), ("ExaoneForCausalLM", "exaone"), ("InternLM2ForCausalLM", "internlm2")]
    {
        let message = format!(
            "the class {class} cannot be converted with the model_type \"llama\" in config.json: expected {own}"
        );
        refused(config(class, "llama", json!({})), &message);
    }
    refused(
        config("LlamaForCausalLM", "llama", json!({ "quantization_config": null })),
        "the class of transformers refuses this file for its member \"quantization_config\"",
    );
    let error =
        model(config("Phi3ForCausalLM", "phi3", json!({})), &[ENDS, ATTENTION, NORMS, GATED]).converted().unwrap_err();
    assert!(error.to_string().contains("are not known to have it"), "{error}");
}

#[test]
fn a_number_that_is_too_large_for_32_bits_is_refused() {
    for (name, value) in [("rms_norm_eps", 1e300), ("rope_theta", 3.5e38)] {
        let mut more = json!({ "rms_norm_eps": 1e-5, "rope_theta": 1e4 });
        more[name] = json!(value);
        let error =
            model(config("LlamaForCausalLM", "llama", more), &[ENDS, ATTENTION, NORMS, GATED]).converted().unwrap_err();
        assert_eq!(error.code(), "bad-json", "{name}: {error}");
        assert!(error.to_string().contains("too large for 32 bits"), "{error}");
    }
    let most = json!({ "rms_norm_eps": f32::MAX, "rope_theta": 1e-60 });
    model(config("LlamaForCausalLM", "llama", most), &[ENDS, ATTENTION, NORMS, GATED]).converted().unwrap();
}
