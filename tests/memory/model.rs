//! A model is converted in bounded memory, however large its tensors are.

use std::future::poll_fn;
use std::mem::replace;
use std::ops::Range;
use std::task::Poll;

use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan, OutputType};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::Result;
use gguf_format::io::{Blocking, Chunks, MemoryBuffer, Source, block_on};
use serde_json::{Value as Json, json};

use crate::counting_allocator::measured;

/// A header, and zeros after it.
struct Zeros {
    header: Vec<u8>,
    size: u64,
}

impl Source for Zeros {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        // Other reads go on meanwhile, as with a network.
        let mut has_waited = false;
        poll_fn(|_| match replace(&mut has_waited, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
        let mut bytes = vec![0; (range.end.min(self.size) - range.start) as usize];
        if let Some(header) = self.header.get(range.start as usize..) {
            let length = header.len().min(bytes.len());
            bytes[..length].copy_from_slice(&header[..length]);
        }
        Ok(bytes.into())
    }
}

/// A model with a configuration, and tensors of zeros.
fn model(config: &Json, tensors: &[(&str, &str, u64, &[u64])]) -> HubModel<Zeros> {
    let mut header = serde_json::Map::new();
    let mut end = 0;
    for (name, data_type, bytes, shape) in tensors {
        let start = end;
        end += shape.iter().product::<u64>() * bytes;
        header.insert((*name).into(), json!({ "dtype": data_type, "shape": shape, "data_offsets": [start, end] }));
    }
    let header = Json::Object(header).to_string();
    let header = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    let source = Zeros { size: header.len() as u64 + end, header };
    let part = block_on(SafetensorsFile::open("model.safetensors", source)).unwrap();
    let mut files = SmallFiles::default();
    files.insert("config.json", config.to_string().into_bytes());
    let tokenizer = json!({
        "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
        "pre_tokenizer": { "type": "ByteLevel" },
        "decoder": { "type": "ByteLevel" },
    });
    files.insert("tokenizer.json", tokenizer.to_string().into_bytes());
    files.insert("tokenizer_config.json", br#"{ "tokenizer_class": "PreTrainedTokenizerFast" }"#.to_vec());
    HubModel { folder: "model".into(), files, tensors: SafetensorsModel::new(vec![part], None).unwrap() }
}

/// The most memory that is used while a file is read piece by piece, and what is left after it.
#[track_caller]
fn assert_bounded(model: &HubModel<Zeros>, output_type: OutputType, most: u64) {
    let mut options = ModelOptions::default();
    options.output_type = output_type;
    options.pre = Some("gpt-2".into());
    let plan = block_on(ModelPlan::new(model, &options)).unwrap();
    let (written, used) = measured(|| {
        let planned = plan.planned_file().unwrap();
        let mut chunks = planned.chunks(0);
        let mut written = 0;
        while let Some(chunk) = block_on(chunks.next_chunk()).unwrap() {
            written += chunk.as_slice().len() as u64;
        }
        written
    });
    assert_eq!(written, plan.size());
    assert!(used.peak < most, "{} bytes for {written}", used.peak);
}

#[test]
fn large_tensors_take_a_few_megabytes() {
    let config = json!({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 32768, "hidden_size": 1024,
        "intermediate_size": 4096, "num_hidden_layers": 1, "num_attention_heads": 8, "max_position_embeddings": 64,
    });
    let tensors: &[(&str, &str, u64, &[u64])] = &[
        ("model.embed_tokens.weight", "BF16", 2, &[32768, 1024]),
        ("model.norm.weight", "BF16", 2, &[1024]),
        ("model.layers.0.input_layernorm.weight", "BF16", 2, &[1024]),
        ("model.layers.0.post_attention_layernorm.weight", "BF16", 2, &[1024]),
        ("model.layers.0.self_attn.q_proj.weight", "BF16", 2, &[1024, 1024]),
        ("model.layers.0.self_attn.k_proj.weight", "BF16", 2, &[1024, 1024]),
        ("model.layers.0.self_attn.v_proj.weight", "BF16", 2, &[1024, 1024]),
        ("model.layers.0.self_attn.o_proj.weight", "BF16", 2, &[1024, 1024]),
        ("model.layers.0.mlp.gate_proj.weight", "BF16", 2, &[4096, 1024]),
        ("model.layers.0.mlp.up_proj.weight", "BF16", 2, &[4096, 1024]),
        ("model.layers.0.mlp.down_proj.weight", "BF16", 2, &[1024, 4096]),
    ];
    let model = model(&config, tensors);
    assert_bounded(&model, OutputType::Q8_0, 40 << 20);
    assert_bounded(&model, OutputType::F32, 40 << 20);
}

#[test]
fn transposed_tensors_take_a_window_of_rows() {
    let config = json!({
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": 64, "n_embd": 2048, "n_layer": 1,
        "n_head": 8, "n_positions": 64, "n_ctx": 64,
    });
    let tensors: &[(&str, &str, u64, &[u64])] = &[
        ("wte.weight", "F32", 4, &[64, 2048]),
        ("wpe.weight", "F32", 4, &[64, 2048]),
        ("ln_f.weight", "F32", 4, &[2048]),
        ("ln_f.bias", "F32", 4, &[2048]),
        ("h.0.ln_1.weight", "F32", 4, &[2048]),
        ("h.0.ln_1.bias", "F32", 4, &[2048]),
        ("h.0.ln_2.weight", "F32", 4, &[2048]),
        ("h.0.ln_2.bias", "F32", 4, &[2048]),
        ("h.0.attn.c_attn.weight", "F32", 4, &[2048, 6144]),
        ("h.0.attn.c_attn.bias", "F32", 4, &[6144]),
        ("h.0.attn.c_proj.weight", "F32", 4, &[2048, 2048]),
        ("h.0.attn.c_proj.bias", "F32", 4, &[2048]),
        ("h.0.mlp.c_fc.weight", "F32", 4, &[2048, 8192]),
        ("h.0.mlp.c_fc.bias", "F32", 4, &[8192]),
        ("h.0.mlp.c_proj.weight", "F32", 4, &[8192, 2048]),
        ("h.0.mlp.c_proj.bias", "F32", 4, &[2048]),
    ];
    assert_bounded(&model(&config, tensors), OutputType::F32, 80 << 20);
}
