//! Projectors and the models of text that they belong to: the pairs of the corpus, and foreign ones.

use gguf_format::write::encode::Encoder;
use gguf_format::{Format, Header, parse};
use gguf_models::projector_fit::{ProjectorFit, projector_fit};
use gguf_models::validate::LoadAnswer;
use serde_json::Value as Json;

use super::october;

/// The header of a recorded output: its numbers and texts, and its tensors.
fn header(output: &Json) -> Header {
    let tensors = output["tensors"].as_array().unwrap();
    let entries: Vec<&Json> = output["kv"].as_array().unwrap().iter().collect();
    let is_kept = |entry: &&&Json| {
        ["STRING", "UINT32", "BOOL"].contains(&entry["type"].as_str().unwrap()) && entry["value"] != Json::Null
    };
    let kept: Vec<&&Json> = entries.iter().filter(is_kept).collect();
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, kept.len() as u64);
    for entry in kept {
        let key = entry["key"].as_str().unwrap().as_bytes();
        match &entry["value"] {
            Json::Bool(value) => file.kv(key, &(*value).into()),
            Json::String(text) => file.kv(key, &text.as_str().into()),
            number => file.kv(key, &u32::try_from(number.as_u64().unwrap()).unwrap().into()),
        };
    }
    for tensor in tensors {
        let dims: Vec<u64> = tensor["dims"].as_array().unwrap().iter().map(|length| length.as_u64().unwrap()).collect();
        // The offsets are those of F32, which every tensor may have here.
        file.tensor_info(tensor["name"].as_str().unwrap().as_bytes(), &dims, 0, tensor["offset"].as_u64().unwrap());
    }
    parse(file.as_bytes()).unwrap()
}

struct Pair {
    folder: String,
    model: Option<Header>,
    projector: Header,
}

fn pairs() -> Vec<Pair> {
    let Some((_, index)) = october::index() else { return Vec::new() };
    let mut pairs = Vec::new();
    for model in index["models"].as_array().unwrap() {
        let run = |end: &str| {
            let runs = model["runs"].as_array().unwrap();
            runs.iter().find(|run| run["id"].as_str().unwrap().ends_with(end)).map(|run| header(&run["output"]))
        };
        if let Some(projector) = run(".mmproj-f16") {
            pairs.push(Pair { folder: model["folder"].as_str().unwrap().into(), model: run(".f16"), projector });
        }
    }
    pairs
}

fn fit(model: &str, projector: &str) -> Option<ProjectorFit> {
    let pairs = pairs();
    let find = |end: &str| pairs.iter().find(|pair| pair.folder.ends_with(end));
    Some(projector_fit(find(model)?.model.as_ref().unwrap(), &find(projector).unwrap().projector))
}

#[test]
fn a_projector_belongs_to_the_model_that_it_was_made_from() {
    let mut count = 0;
    for Pair { folder, model, projector } in pairs() {
        let Some(model) = model else { continue };
        let fit = projector_fit(&model, &projector);
        assert_eq!(fit.answer, LoadAnswer::Yes, "{folder}: {}", fit.sentence);
        count += 1;
    }
    assert!(count == 0 || count > 9, "{count} pairs");
}

#[test]
fn a_projector_of_another_family_or_size_is_refused() {
    // Both have embeddings of 64 numbers.
    let Some(kind) = fit("Qwen3-VL-4X-Instruct", "gemma-3-4X-it") else { return };
    assert_eq!(kind.answer, LoadAnswer::No);
    assert!(kind.sentence.contains("gemma3, which belongs to models of the architecture gemma3"), "{}", kind.sentence);
    // The same kind and length, but with parts for two blocks of the model.
    let parts = fit("Qwen3.5-0.1B", "Qwen3-VL-4X-Instruct").unwrap();
    assert_eq!(parts.answer, LoadAnswer::No);
    assert!(parts.sentence.contains("192 numbers, and the model reads 64"), "{}", parts.sentence);
}

#[test]
fn what_is_no_model_or_no_projector_is_refused() {
    let pairs = pairs();
    let Some(pair) = pairs.iter().find(|pair| pair.folder.ends_with("Qwen3-VL-4X-Instruct")) else { return };
    let model = pair.model.as_ref().unwrap();
    let two_models = projector_fit(model, model);
    assert_eq!(
        (two_models.answer, two_models.sentence.starts_with("The file is no projector")),
        (LoadAnswer::No, true)
    );
    let two_projectors = projector_fit(&pair.projector, &pair.projector);
    assert_eq!((two_projectors.answer, two_projectors.sentence.contains("a projector too")), (LoadAnswer::No, true));
}

#[test]
fn an_unknown_kind_is_unknown() {
    let mut file = Encoder::new(Format::default());
    file.header(1, 3)
        .kv(b"general.architecture", &"clip".into())
        .kv(b"clip.has_vision_encoder", &true.into())
        .kv(b"clip.projector_type", &"from-the-future".into())
        .tensor_info(b"mm.2.weight", &[64, 64], 0, 0);
    let projector = parse(file.as_bytes()).unwrap();
    let mut file = Encoder::new(Format::default());
    file.header(1, 2)
        .kv(b"general.architecture", &"llama".into())
        .kv(b"llama.embedding_length", &64u32.into())
        .tensor_info(b"output_norm.weight", &[64], 0, 0);
    let fit = projector_fit(&parse(file.as_bytes()).unwrap(), &projector);
    assert_eq!(fit.answer, LoadAnswer::Unknown, "{}", fit.sentence);
}
