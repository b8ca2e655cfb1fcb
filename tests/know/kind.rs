//! `classify` tells what a file is.

use std::collections::BTreeSet;

use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, Header, ValueType, parse};
use gguf_models::architectures::architecture_info;
use gguf_models::kind::{FILE_KINDS, FileKind, Modality, classify};

use crate::corpus;

fn header_of(entries: &[(&str, OwnedValue)], tensors: &[(&str, &[u64])]) -> Header {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, entries.len() as u64);
    entries.iter().for_each(|(key, value)| _ = file.kv(key.as_bytes(), value));
    tensors.iter().for_each(|(name, dimensions)| _ = file.tensor_info(name.as_bytes(), dimensions, 0, 0));
    parse(file.as_bytes()).unwrap()
}

/// A header with tensors of 4 rows.
fn header(entries: &[(&str, OwnedValue)], tensors: &[&str]) -> Header {
    let tensors: Vec<_> = tensors.iter().map(|name| (*name, &[32, 4][..])).collect();
    header_of(entries, &tensors)
}

fn kind(entries: &[(&str, OwnedValue)], tensors: &[&str]) -> FileKind {
    classify(&header(entries, tensors)).kind
}

fn architecture(name: &str) -> (&'static str, OwnedValue) {
    ("general.architecture", name.into())
}

fn declared(name: &str) -> (&'static str, OwnedValue) {
    ("general.type", name.into())
}

fn strings<const N: usize>(texts: [&'static str; N]) -> OwnedValue {
    OwnedValue::array(ValueType::String, texts)
}

const WEIGHTS: &[&str] = &["token_embd.weight", "blk.0.attn_norm.weight", "blk.0.attn_q.weight"];

#[test]
fn every_kind_has_its_row() {
    for (index, info) in FILE_KINDS.iter().enumerate() {
        assert_eq!(info.kind as usize, index);
        assert_eq!((info.kind.name(), info.kind.title()), (info.name, info.title));
        assert!(info.description.ends_with('.') && info.description.split_whitespace().count() <= 16, "{}", info.name);
    }
    let names: BTreeSet<_> = FILE_KINDS.iter().map(|info| info.name).collect();
    let titles: BTreeSet<_> = FILE_KINDS.iter().map(|info| info.title).collect();
    assert_eq!((names.len(), titles.len()), (FILE_KINDS.len(), FILE_KINDS.len()));
    let complete = FILE_KINDS.iter().filter(|info| info.kind.is_complete_model());
    let complete: Vec<_> = complete.map(|info| info.name).collect();
    assert_eq!(complete, ["model", "embedding", "reranker", "classifier", "text-diffusion", "text-to-speech"]);
}

#[test]
fn models() {
    assert_eq!(kind(&[architecture("llama")], WEIGHTS), FileKind::Model);
    assert_eq!(kind(&[declared("model"), architecture("llama")], WEIGHTS), FileKind::Model);
    // A model of an architecture that nobody knows yet.
    assert_eq!(kind(&[declared("model"), architecture("llama9")], WEIGHTS), FileKind::Model);
    assert_eq!(kind(&[architecture("llama9"), ("llama9.block_count", 1_u32.into())], WEIGHTS), FileKind::Model);
    // A file that says it is a model, but lost its tensors.
    assert_eq!(kind(&[declared("model"), architecture("llama")], &[]), FileKind::Model);

    assert_eq!(kind(&[architecture("llama9")], WEIGHTS), FileKind::Unknown);
    assert_eq!(kind(&[architecture("llama9"), ("llama.block_count", 1_u32.into())], WEIGHTS), FileKind::Unknown);
    assert_eq!(kind(&[architecture("llama9"), ("llama9.block_count", "1".into())], WEIGHTS), FileKind::Unknown);
    assert_eq!(kind(&[architecture("llama")], &[]), FileKind::Unknown);
    assert_eq!(kind(&[declared("something"), architecture("llama")], WEIGHTS), FileKind::Unknown);
    assert_eq!(kind(&[], WEIGHTS), FileKind::Unknown);
    assert_eq!(kind(&[], &[]), FileKind::Unknown);
}

#[test]
fn adapters() {
    let lora = &["blk.0.attn_q.weight.lora_a", "blk.0.attn_q.weight.lora_b"][..];
    let header = header(&[declared("adapter"), architecture("llama"), ("adapter.type", "lora".into())], lora);
    let found = classify(&header);
    assert_eq!(found.kind, FileKind::Adapter);
    assert_eq!(found.evidence, ["`general.type` is `adapter`.", "`adapter.type` is `lora`."]);
    assert_eq!(kind(&[architecture("llama")], lora), FileKind::Adapter);
    let with_norm = ["blk.0.attn_norm.weight", lora[0], lora[1]];
    assert_eq!(kind(&[architecture("llama")], &with_norm), FileKind::Adapter);

    assert_eq!(kind(&[architecture("llama")], &["blk.0.attn_norm.weight"]), FileKind::Model);
    assert_eq!(kind(&[architecture("llama")], &["token_embd.weight", lora[0], lora[1]]), FileKind::Model);
    assert_eq!(kind(&[declared("model"), architecture("llama")], lora), FileKind::Model);
}

#[test]
fn projectors() {
    let has = |modality: &'static str| (modality, OwnedValue::Bool(true));
    let (vision, audio) = (has("clip.has_vision_encoder"), has("clip.has_audio_encoder"));
    let modalities = |entries: &[(&str, OwnedValue)]| {
        let found = classify(&header(entries, &["v.patch_embd.weight"]));
        assert_eq!(found.kind, FileKind::Projector);
        let has = |modality| found.modalities.contains(&modality);
        (has(Modality::Vision), has(Modality::Audio), has(Modality::Speech))
    };
    assert_eq!(modalities(&[declared("mmproj"), architecture("clip"), vision.clone()]), (true, false, false));
    assert_eq!(modalities(&[architecture("clip"), audio.clone()]), (false, true, false));
    assert_eq!(modalities(&[vision.clone(), audio.clone()]), (true, true, false));
    let speech = has("clip.has_gen_audio_encoder");
    assert_eq!(modalities(&[declared("mmproj"), audio, speech]), (false, true, true));
    let off = ("clip.has_audio_encoder", OwnedValue::Bool(false));
    assert_eq!(modalities(&[architecture("clip"), off.clone(), vision.clone()]), (true, false, false));
    assert_eq!(modalities(&[declared("mmproj")]), (false, false, false));

    assert_eq!(kind(&[off], WEIGHTS), FileKind::Unknown);
    // CLIP itself, which compares texts with images.
    let clip = [architecture("clip"), vision, has("clip.has_text_encoder")];
    assert_eq!(kind(&clip, &["v.patch_embd.weight"]), FileKind::Clip);
    let vision_only = [architecture("clip"), has("clip.has_vision_encoder")];
    assert_eq!(kind(&vision_only, &["v.patch_embd.weight", "visual_projection.weight"]), FileKind::Clip);
    // LLaVA's conversion of 2023 says whether there is a projector.
    let llava = [architecture("clip"), has("clip.has_text_encoder"), has("clip.has_llava_projector")];
    assert_eq!(kind(&llava, &["v.patch_embd.weight"]), FileKind::Projector);
    let model = classify(&header(&[architecture("llama"), has("clip.has_vision_encoder")], WEIGHTS));
    assert_eq!((model.kind, model.modalities), (FileKind::Model, vec![]));
}

#[test]
fn importance_matrices() {
    let statistics = &["blk.0.attn_q.weight.in_sum2", "blk.0.attn_q.weight.counts"][..];
    assert_eq!(kind(&[declared("imatrix")], statistics), FileKind::Imatrix);
    assert_eq!(kind(&[], statistics), FileKind::Imatrix);
    // What llama-quantize notes about the importance matrix that it used.
    let noted = [architecture("llama"), ("quantize.imatrix.file", "imatrix.gguf".into())];
    assert_eq!(kind(&noted, WEIGHTS), FileKind::Model);
    assert_eq!(kind(&[], &[statistics[0], "token_embd.weight"]), FileKind::Unknown);
}

#[test]
fn control_vectors() {
    let header = header(&[architecture("controlvector")], &["direction.1", "direction.2"]);
    let found = classify(&header);
    assert_eq!(found.kind, FileKind::ControlVector);
    assert_eq!(found.evidence, ["`general.architecture` is `controlvector`."]);
    let header = self::header(&[], &["direction.1", "direction.2"]);
    let found = classify(&header);
    assert_eq!(found.kind, FileKind::ControlVector);
    assert_eq!(found.evidence, ["2 tensors have names such as `direction.1`."]);
    for name in ["direction.0", "direction.", "direction.x", "direction.1.weight", "directions.1"] {
        assert_eq!(kind(&[], &[name]), FileKind::Unknown, "{name}");
    }
}

#[test]
fn vocabularies() {
    let tokens = ("tokenizer.ggml.tokens", strings(["a", "b"]));
    let header = header(&[architecture("bert"), tokens.clone()], &[]);
    let found = classify(&header);
    assert_eq!(found.kind, FileKind::Vocabulary);
    assert_eq!(found.evidence, ["`tokenizer.ggml.tokens` is present.", "The file has no tensors."]);
    assert_eq!(kind(&[architecture("dream"), tokens.clone()], &[]), FileKind::Vocabulary);
    assert_eq!(kind(&[declared("model"), architecture("llama"), tokens.clone()], &[]), FileKind::Vocabulary);

    assert_eq!(kind(&[architecture("llama"), tokens], WEIGHTS), FileKind::Model);
    assert_eq!(kind(&[architecture("llama"), ("tokenizer.ggml.tokens", strings([]))], &[]), FileKind::Unknown);
    assert_eq!(kind(&[architecture("llama"), ("tokenizer.ggml.tokens", "a".into())], &[]), FileKind::Unknown);
    assert_eq!(kind(&[architecture("llama"), ("tokenizer.ggml.model", "none".into())], &[]), FileKind::Unknown);
}

#[test]
fn shards() {
    let split = |no: u16, count: u16| {
        [("split.no", no.into()), ("split.count", count.into()), ("split.tensors.count", 30_i32.into())]
    };
    let first = header(&[&split(0, 3)[..], &[declared("model"), architecture("llama")]].concat(), &[]);
    let found = classify(&first);
    let shard = found.shard.unwrap();
    assert_eq!((found.kind, shard.set_kind), (FileKind::Shard, FileKind::Model));
    assert_eq!((shard.number, shard.count, shard.tensor_count), (Some(1), 3, Some(30)));
    assert_eq!(found.evidence[..2], ["`split.count` is 3.", "`general.type` is `model`."]);
    let second = classify(&header(&split(1, 3), &["blk.5.attn_q.weight"]));
    assert_eq!((second.kind, second.shard.unwrap().set_kind), (FileKind::Shard, FileKind::Unknown));
    assert_eq!(second.shard.unwrap().number, Some(2));
    let no_number = classify(&header(&[("split.count", 2_u16.into())], WEIGHTS)).shard.unwrap();
    assert_eq!((no_number.number, no_number.tensor_count), (None, None));

    // A merged file has 0, and a set of one file is a whole file.
    for whole in [0, 1] {
        let found = classify(&header(&[&split(0, whole)[..], &[architecture("llama")]].concat(), WEIGHTS));
        assert_eq!((found.kind, found.shard), (FileKind::Model, None));
    }
    // The first shard can have no tensors and all entries. It is neither a vocabulary nor a draft model.
    let entries = [architecture("qwen35"), ("qwen35.nextn_predict_layers", 1_u32.into())];
    let tokens = [("tokenizer.ggml.tokens", strings(["a"]))];
    let found = classify(&header(&[&split(0, 3)[..], &entries, &tokens].concat(), &[]));
    assert_eq!((found.kind, found.shard.unwrap().set_kind), (FileKind::Shard, FileKind::Model));
    assert_eq!(kind(&[("split.count", "3".into()), architecture("llama")], WEIGHTS), FileKind::Model);
}

#[test]
fn draft_models() {
    for name in ["eagle3", "dflash", "gemma4-assistant"] {
        assert_eq!(kind(&[declared("model"), architecture(name)], WEIGHTS), FileKind::Draft, "{name}");
    }
    let layers =
        |count: u32| [declared("model"), architecture("qwen35"), ("qwen35.nextn_predict_layers", count.into())];
    let alone = &["token_embd.weight", "blk.9.attn_norm.weight", "blk.9.nextn.eh_proj.weight"][..];
    let header = header(&layers(1), alone);
    let found = classify(&header);
    assert_eq!(found.kind, FileKind::Draft);
    assert_eq!(
        found.evidence,
        [
            "`qwen35.nextn_predict_layers` is 1.",
            "There is a tensor `blk.9.nextn.eh_proj.weight`.",
            "There is no tensor `blk.0.attn_norm.weight`.",
        ]
    );
    // A model with prediction layers of its own.
    let with_model = [alone, &["blk.0.attn_norm.weight"]].concat();
    assert_eq!(kind(&layers(1), &with_model), FileKind::Model);
    // Models of EXAONE 4 have no norm before attention.
    let without_norm = [alone, &["blk.0.attn_q.weight"]].concat();
    assert_eq!(kind(&layers(1), &without_norm), FileKind::Model);
    assert_eq!(kind(&layers(0), alone), FileKind::Model);
    assert_eq!(kind(&layers(1), &["token_embd.weight"]), FileKind::Model);
    assert_eq!(kind(&[architecture("qwen35")], alone), FileKind::Model);
}

#[test]
fn embedding_models_and_rerankers() {
    let pooled = |name: &'static str, pooling: u32| {
        kind(
            &[
                architecture(name),
                (["bert.pooling_type", "qwen3.pooling_type"][usize::from(name == "qwen3")], pooling.into()),
            ],
            WEIGHTS,
        )
    };
    for name in ["bert", "qwen3"] {
        assert_eq!(
            [1, 2, 3, 4].map(|pooling| pooled(name, pooling)),
            [FileKind::Embedding, FileKind::Embedding, FileKind::Embedding, FileKind::Reranker,]
        );
    }
    // Without pooling, a decoder writes text, and an encoder still only encodes.
    assert_eq!([0, 5].map(|pooling| pooled("qwen3", pooling)), [FileKind::Model; 2]);
    assert_eq!([0, 5].map(|pooling| pooled("bert", pooling)), [FileKind::Embedding; 2]);
    assert_eq!(kind(&[architecture("qwen3"), ("bert.pooling_type", 4_u32.into())], WEIGHTS), FileKind::Model);
    assert_eq!(kind(&[architecture("qwen3"), ("qwen3.pooling_type", "4".into())], WEIGHTS), FileKind::Model);
}

#[test]
fn encoders_with_a_head() {
    let with_head = |name: &str, dimensions: &[u64]| {
        classify(&header_of(&[architecture("bert")], &[("token_embd.weight", &[32, 4]), (name, dimensions)])).kind
    };
    assert_eq!(with_head("cls.output.weight", &[32]), FileKind::Reranker);
    assert_eq!(with_head("cls.output.weight", &[32, 1]), FileKind::Reranker);
    assert_eq!(with_head("cls.output.weight", &[32, 3]), FileKind::Classifier);
    assert_eq!(with_head("cls.weight", &[32]), FileKind::Reranker);
    // A layer before the output, which embedding models have too.
    assert_eq!(with_head("cls.weight", &[32, 32]), FileKind::Embedding);
    assert_eq!(kind(&[architecture("t5encoder")], WEIGHTS), FileKind::Embedding);
    assert_eq!(kind(&[architecture("t5")], WEIGHTS), FileKind::Model);
    assert_eq!(kind(&[architecture("llama")], &["cls.output.weight"]), FileKind::Model);
}

#[test]
fn diffusion_models() {
    for name in ["dream", "llada", "llada-moe", "rnd1"] {
        assert_eq!(kind(&[declared("model"), architecture(name)], WEIGHTS), FileKind::TextDiffusion, "{name}");
        assert!(architecture_info(name.as_bytes()).is_some(), "{name}");
    }
    let shift = ("diffusion.shift_logits", OwnedValue::Bool(true));
    assert_eq!(kind(&[architecture("llama9"), shift], WEIGHTS), FileKind::TextDiffusion);

    for name in
        ["flux", "sd1", "sdxl", "sd3", "aura", "hidream", "cosmos", "ltxv", "hyvid", "wan", "lumina2", "qwen_image"]
    {
        assert_eq!(kind(&[architecture(name)], &["a.weight"]), FileKind::ImageDiffusion, "{name}");
        assert!(architecture_info(name.as_bytes()).is_none(), "{name}");
    }
    let shape = OwnedValue::array(ValueType::Int32, [1_i32, 2]);
    assert_eq!(kind(&[("comfy.gguf.orig_shape.a.weight", shape)], &["a.weight"]), FileKind::ImageDiffusion);
    for name in ["double_blocks.0.img_attn.proj.weight", "model.diffusion_model.input_blocks.0.0.weight"] {
        assert_eq!(kind(&[], &["a.weight", name]), FileKind::ImageDiffusion, "{name}");
        assert_eq!(kind(&[architecture("pig")], &[name]), FileKind::ImageDiffusion, "{name}");
        assert_eq!(kind(&[architecture("llama")], &[name]), FileKind::Model, "{name}");
    }
    assert_eq!(kind(&[architecture("flux2x")], &["double_blocks.1.img_attn.proj.weight"]), FileKind::ImageDiffusion);
    assert_eq!(kind(&[architecture("flux2x")], &["blocks.1.img_attn.proj.weight"]), FileKind::Unknown);
    assert_eq!(kind(&[architecture("pig")], &["decoder.weight"]), FileKind::Unknown);
}

#[test]
fn text_to_speech_models() {
    for name in ["wavtokenizer-dec", "qwen3tts", "pockettts"] {
        assert_eq!(kind(&[declared("model"), architecture(name)], WEIGHTS), FileKind::TextToSpeech, "{name}");
        assert!(architecture_info(name.as_bytes()).is_some(), "{name}");
    }
    // OuteTTS is a language model whose tokens stand for sound. Nothing in the file says so.
    assert_eq!(kind(&[declared("model"), architecture("qwen2")], WEIGHTS), FileKind::Model);
}

#[test]
fn evidence_is_short_and_in_the_header() {
    let long = "x".repeat(100_000);
    let header = header(
        &[
            declared("model"),
            (&*format!("{}.block_count", "é".repeat(50)), 1_u32.into()),
            architecture(&"é".repeat(50)),
        ],
        &[&long],
    );
    let found = classify(&header);
    assert_eq!(found.kind, FileKind::Model);
    for sentence in found.evidence {
        assert!(sentence.len() < 220 && sentence.ends_with('.'), "{sentence}");
    }
}

#[test]
fn hostile_entries_are_no_marks() {
    let values: [OwnedValue; 6] = [
        3_u32.into(),
        OwnedValue::Bool(true),
        strings(["adapter"]),
        OwnedValue::array(ValueType::Uint8, vec![0_u8; 1 << 20]),
        "\0".into(),
        OwnedValue::from(&*"a".repeat(1 << 20)),
    ];
    for value in values {
        for key in ["general.type", "general.architecture", "clip.has_vision_encoder", "split.no"] {
            if key == "clip.has_vision_encoder" && value == OwnedValue::Bool(true) {
                continue;
            }
            assert_eq!(kind(&[(key, value.clone())], WEIGHTS), FileKind::Unknown, "{key}");
            assert_eq!(kind(&[(key, value.clone())], &[]), FileKind::Unknown, "{key}");
        }
    }
    let huge = classify(&header(&[("split.count", u64::MAX.into()), ("split.no", u64::MAX.into())], &[]));
    assert_eq!((huge.kind, huge.shard.unwrap().number), (FileKind::Shard, Some(u64::MAX)));
}

#[test]
fn files_of_the_corpus() {
    let Some(folder) = corpus::folder() else { return };
    let found = |file: &str| classify(&parse(&corpus::read(&folder.join(file))).unwrap());
    for (file, kind) in [
        ("files/model-unsplit.gguf", FileKind::Model),
        ("files/shards/tiny-merged.gguf", FileKind::Model),
        ("files/lora-adapter.gguf", FileKind::Adapter),
        ("files/imatrix.gguf", FileKind::Imatrix),
        ("quantize/tiny.imatrix-no-counts.gguf", FileKind::Imatrix),
        ("files/mmproj-clip.gguf", FileKind::Projector),
        ("files/ggml-vocab-bert-bge.gguf", FileKind::Vocabulary),
        ("tokenizer/ggml-vocab-ugm.gguf", FileKind::Vocabulary),
        ("files/shards/tiny-00001-of-00003.gguf", FileKind::Shard),
        ("files/shards/tiny-ntf-00001-of-00003.gguf", FileKind::Shard),
        ("files/shards/tiny-00003-of-00003.gguf", FileKind::Shard),
        ("real/all-MiniLM-L6-v2-Q4_K_M.gguf", FileKind::Embedding),
        ("llama-cpp-2026-08/memory/bge-small-en.gguf", FileKind::Embedding),
        ("llama-cpp-2026-08/memory/glm-4.5-air.gguf", FileKind::Model),
        ("llama-cpp-2026-08/memory/qwen3.5-27b-like.gguf", FileKind::Model),
        ("files/zero-tensors.gguf", FileKind::Unknown),
        ("files/zero-kv.gguf", FileKind::Unknown),
        ("files/empty.gguf", FileKind::Unknown),
    ] {
        assert_eq!(found(file).kind, kind, "{file}");
        assert_eq!(found(file).evidence.is_empty(), kind == FileKind::Unknown, "{file}");
    }
    assert!(found("files/mmproj-clip.gguf").modalities.contains(&Modality::Vision));
    for entry in std::fs::read_dir(folder.join("llama-cpp-2026-08/memory")).unwrap() {
        let name = format!("llama-cpp-2026-08/memory/{}", entry.unwrap().file_name().to_str().unwrap());
        if name.ends_with(".gguf") {
            assert!(found(&name).kind.is_complete_model(), "{name}");
        }
    }
}
