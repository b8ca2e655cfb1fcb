//! Files that llama.cpp b11549 of October 2026 makes and that the reference corpus does not have: `october.json`.
//!
//! `runs` convert small models of this file, or models of the corpus. With `GGUF_WRITE_MODELS=FOLDER`, the models are written there,
//! and `llama-quantize` can convert them: so the hashes were recorded. `changed` are runs of the corpus whose files have other bytes
//! since then.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use gguf_convert::requantize::{CallingThread, Plan};
use gguf_format::io::{FileSource, block_on};
use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Limits, OpenedFile};
use serde_json::Value as Json;

use super::conversions::{convert, sha256};
use super::runs::{self, File, Matrices, Run};
use crate::corpus;

/// A model with the entries of another one.
struct SmallModel {
    name: &'static str,
    /// The model in the corpus whose entries it has.
    base: &'static str,
    /// Names, which may be several for each block, and dimensions.
    tensors: &'static [(&'static str, &'static [u64])],
}

/// The codes of the errors with which a conversion is refused.
const REFUSALS: [&str; 2] = ["invalid-argument", "does-not-fit"];

const SMALL_MODELS: &[SmallModel] = &[
    // Rows of few elements, and of 288, which no large block fits.
    SmallModel {
        name: "odd-rows",
        base: "llama-cpp-2026-08/loader/bases/llama.gguf",
        tensors: &[
            ("output.weight", &[288, 4]),
            ("token_embd.weight", &[288, 4]),
            ("blk.0.attn_k.weight", &[40, 3]),
            ("blk.0.attn_norm.weight", &[256]),
            ("blk.0.attn_output.weight", &[64, 3]),
            ("blk.0.attn_q.weight", &[48, 3]),
            ("blk.0.attn_v.weight", &[32, 3]),
            ("blk.0.ffn_down.weight", &[8, 3]),
            ("blk.0.ffn_gate.weight", &[128, 3]),
            ("blk.0.ffn_up.weight", &[256, 3]),
        ],
    },
    SmallModel {
        name: "embeddings-of-layers",
        base: "llama-cpp-2026-08/loader/bases/gemma3n.gguf",
        tensors: &[
            ("per_layer_token_embd.weight", &[256, 4]),
            ("token_embd.weight", &[256, 4]),
            ("blk.0.attn_q.weight", &[256, 2]),
            ("blk.0.attn_v.weight", &[256, 2]),
        ],
    },
    SmallModel {
        name: "glm5-next",
        base: "llama-cpp-2026-10/loader/bases/glm5-next-moe.gguf",
        tensors: &[
            ("output.weight", &[256, 3]),
            ("token_embd.weight", &[256, 3]),
            ("blk.0.attn_k.weight", &[256, 2]),
            ("blk.0.attn_k_b.weight", &[256, 2, 2]),
            ("blk.0.attn_kv_a_mqa.weight", &[256, 2]),
            ("blk.0.attn_output.weight", &[256, 2]),
            ("blk.0.attn_q.weight", &[256, 2]),
            ("blk.0.attn_q_a.weight", &[256, 2]),
            ("blk.0.attn_q_a_norm.weight", &[256]),
            ("blk.0.attn_q_b.weight", &[256, 2]),
            ("blk.0.attn_v.weight", &[256, 2]),
            ("blk.0.attn_v_b.weight", &[256, 2, 2]),
            ("blk.0.ffn_down_exps.weight", &[256, 2, 2]),
            ("blk.0.ffn_gate_inp.weight", &[256, 2]),
            ("blk.0.ffn_up_exps.weight", &[256, 2, 2]),
            ("blk.0.ffn_up_shexp.weight", &[256, 2]),
            ("blk.0.hc_attn_fn.weight", &[256, 2]),
            ("blk.0.indexer.attn_k.weight", &[256, 2]),
            ("blk.0.indexer.attn_q_b.weight", &[256, 2]),
            ("blk.0.indexer.proj.weight", &[256, 2]),
            ("blk.0.indexer_compressor_ape.weight", &[256, 2]),
            ("blk.0.indexer_compressor_gate.weight", &[256, 2]),
            ("blk.0.nextn.eh_proj.weight", &[256, 2]),
            ("blk.0.nextn.hc_head_down.weight", &[256, 2]),
            ("blk.0.ssm_beta.weight", &[256, 2]),
            ("blk.0.ssm_conv1d_q.weight", &[256, 2]),
            ("blk.0.ssm_f_a.weight", &[256, 2]),
            ("blk.0.ssm_f_b.weight", &[256, 2]),
            ("blk.0.ssm_g_a.weight", &[256, 2]),
            ("blk.0.ssm_g_b.weight", &[256, 2]),
        ],
    },
];

impl SmallModel {
    /// The file: 16-bit floats of both signs, with a few large ones.
    fn bytes(&self, corpus: &Path) -> Vec<u8> {
        let base = gguf_format::parse(&corpus::read(&corpus.join(self.base))).unwrap();
        let mut file = Encoder::new(Format::default());
        file.header(self.tensors.len() as u64, base.metadata().len() as u64);
        for entry in base.metadata() {
            file.bytes(&base.bytes().slice(entry.range()));
        }
        let (mut data, mut state) = (Vec::new(), 1_u32);
        for (name, dimensions) in self.tensors {
            file.tensor_info(name.as_bytes(), dimensions, GgmlType::F16.0, data.len() as u64);
            for _ in 0..dimensions.iter().product() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let uniform = (state >> 8) as f32 / (1 << 24) as f32 - 0.5;
                data.extend(half::f16::from_f32(uniform * uniform * uniform).to_le_bytes());
            }
            data.resize(data.len().next_multiple_of(32), 0);
        }
        file.pad_to(32).bytes(&data);
        file.into_bytes()
    }

    fn open(&self, corpus: &Path) -> Vec<File> {
        let kept = std::env::var_os("GGUF_WRITE_MODELS");
        let folder = kept.as_ref().map_or_else(std::env::temp_dir, Into::into);
        let path = match kept {
            Some(_) => folder.join(format!("{}.gguf", self.name)),
            None => folder.join(format!("gguf-wasm-{}-{}.gguf", self.name, std::process::id())),
        };
        std::fs::write(&path, self.bytes(corpus)).unwrap();
        let opened = block_on(OpenedFile::open(FileSource::open(&path).unwrap(), Limits::default())).unwrap();
        if kept.is_none() {
            std::fs::remove_file(&path).unwrap();
        }
        vec![Rc::new(opened)]
    }
}

#[test]
fn files_are_those_of_october() {
    let Some(corpus) = corpus::folder() else { return };
    let folder = corpus.join("quantize");
    let (mut matrices, mut models, mut lines) = (Matrices::default(), BTreeMap::new(), Vec::new());
    let (mut used, mut refused) = (BTreeSet::new(), 0);
    for json in runs::october()["runs"].as_array().unwrap() {
        let run = Run { json: json.clone(), index: Rc::default(), is_later: true };
        let small = SMALL_MODELS.iter().find(|model| model.name == run.source());
        let open = || small.map_or_else(|| runs::model(&folder, run.source()), |model| model.open(&corpus));
        let files = models.entry(run.source().to_string()).or_insert_with(open);
        used.insert(run.source().to_string());
        let converted = run.options(&folder, &mut matrices).and_then(|options| {
            let plan = Plan::new(files.clone(), options)?;
            convert(&plan, 0, None, &Rc::new(CallingThread::default()))
        });
        match converted {
            Err(error) if !run.has_succeeded() && REFUSALS.contains(&error.code().name()) => refused += 1,
            Ok(bytes) if run.has_succeeded() && run.json["sha256"] == sha256(&bytes) => {}
            Ok(bytes) => lines.push(format!("{} {}: {}", run.id(), run.json["exit"], types_of(&bytes))),
            Err(error) => lines.push(format!("{}: {error}", run.id())),
        }
    }
    assert!(lines.is_empty(), "{} differences:\n{}", lines.len(), lines.join("\n"));
    assert!(SMALL_MODELS.iter().all(|model| used.contains(model.name)) && refused >= 2, "{used:?}, {refused}");
}

/// The types of the tensors of a file.
fn types_of(bytes: &[u8]) -> Json {
    let header = gguf_format::parse(bytes).unwrap();
    header.tensors().map(|tensor| (tensor.name().to_string(), Json::from(tensor.type_name().to_string()))).collect()
}
