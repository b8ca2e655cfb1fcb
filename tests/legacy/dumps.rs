//! Every file of the corpus gives its dump, in pieces of any size.

use gguf_format::tensor::block_types::block_type_info;
use gguf_legacy::{Decoder, FieldValue, LegacyHeader, LegacyTensor, Options};
use serde_json::{Value as Json, json};

use super::support::{Model, decode, models, sha256, text_bytes, vocabulary};

/// The tensors as a dump has them, without the hash of the values.
fn tensors(tensors: &[LegacyTensor], file: &[u8]) -> Json {
    let tensor = |tensor: &LegacyTensor| {
        let type_name = block_type_info(tensor.ggml_type).unwrap().name;
        json!({
            "name": String::from_utf8(tensor.name.clone()).unwrap(),
            "n_dims": tensor.dimensions.len(),
            "dims": tensor.dimensions,
            "type": type_name.trim_end_matches("_V1").trim_end_matches("_V2"),
            "type_id": tensor.type_id,
            "header_offset": tensor.header_offset,
            "offset": tensor.offset,
            "nbytes": tensor.byte_length,
            "n_elements": tensor.element_count(),
            "sha256": sha256(&file[tensor.offset as usize..tensor.end() as usize]),
        })
    };
    tensors.iter().map(tensor).collect()
}

fn without_values(tensors: &Json) -> Json {
    let mut tensors = tensors.clone();
    for tensor in tensors.as_array_mut().unwrap() {
        let tensor = tensor.as_object_mut().unwrap();
        tensor.remove("f32_sha256");
        tensor.remove("nonfinite");
    }
    tensors
}

fn fields(header: &LegacyHeader) -> Json {
    let value = |value: &FieldValue| match value {
        FieldValue::Integer(value) => json!(value),
        FieldValue::Float(value) => json!(value),
    };
    header.fields.iter().map(|(name, field)| (name.to_string(), value(field))).collect()
}

fn check(model: &Model, header: &LegacyHeader) {
    let (name, dump) = (&model.name, &model.dump);
    assert_eq!(header.container.name(), dump["container"], "{name}");
    assert_eq!(json!(header.version), dump["version"], "{name}");
    // Families that cannot be told apart by the structure: any order.
    let mut families: Vec<&str> = header.alternatives.iter().map(|family| family.name()).collect();
    families.push(header.family.name());
    families.sort();
    let mut expected: Vec<&str> =
        dump["family_alternatives"].as_array().into_iter().flatten().flat_map(Json::as_str).collect();
    expected.extend(dump["family"].as_str());
    expected.sort();
    assert_eq!(families, expected, "{name}");
    assert_eq!(json!(header.variant), dump["header_variant"], "{name}");
    assert_eq!(header.alignment, dump["alignment"].as_u64().unwrap(), "{name}");
    assert_eq!(header.fields_offset, dump["hparams_offset"], "{name}");
    assert_eq!(fields(header), dump["hparams"], "{name}");
    assert_eq!(json!(header.file_type()), dump["ftype"]["value"], "{name}");
    if header.file_type().is_some() {
        assert_eq!(json!(header.file_type_name()), dump["ftype"]["name"], "{name}");
        assert_eq!(header.file_type_numbers().name(), dump["ftype"]["numbering"], "{name}");
        assert_eq!(json!(header.quantization_version()), dump["ftype"]["quantisation_version"], "{name}");
    }
    assert_eq!(header.block_rules.name(), dump["block_rules"], "{name}");
    assert_eq!(header.tensors_offset, dump["tensors_offset"], "{name}");
    assert_eq!(header.end, dump["end"], "{name}");
    assert_eq!(tensors(&header.tensors, &model.parts[0]), without_values(&dump["tensors"]), "{name}");
    assert_eq!(header.vocabulary.is_some(), dump["vocab"].is_object(), "{name}");
    if let Some(found) = &header.vocabulary {
        let (expected, content) = (&dump["vocab"], vocabulary(dump));
        assert_eq!(found.offset(), expected["offset"], "{name}");
        assert_eq!(found.end(), expected["end"], "{name}");
        assert_eq!(json!(found.count_field()), expected["count_field"], "{name}");
        assert_eq!(found.len() as u64, expected["count"], "{name}");
        assert_eq!(found.has_scores(), expected["has_scores"], "{name}");
        let texts: Vec<Vec<u8>> = content["tokens"].as_array().unwrap().iter().map(text_bytes).collect();
        assert_eq!(found.tokens().map(|token| token.text.to_vec()).collect::<Vec<_>>(), texts, "{name}");
        let scores =
            found.tokens().map(|token| Some(format!("{:08x}", token.score?.to_bits()))).collect::<Option<String>>();
        assert_eq!(json!(scores), content["scores_hex"], "{name}");
    }
    if let Some(found) = header.mel_filters {
        let expected = &dump["mel_filters"];
        let end = found.data_offset + 4 * u64::from(found.mel_count * found.fft_count);
        assert_eq!(found.offset, expected["offset"], "{name}");
        assert_eq!(
            (found.mel_count, found.fft_count).into_json(),
            json!([expected["n_mel"], expected["n_fft"]]),
            "{name}"
        );
        assert_eq!(sha256(&model.parts[0][found.data_offset as usize..end as usize]), expected["sha256"], "{name}");
    } else {
        assert!(dump["mel_filters"].is_null(), "{name}");
    }
}

trait IntoJson {
    fn into_json(self) -> Json;
}

impl IntoJson for (u32, u32) {
    fn into_json(self) -> Json {
        json!([self.0, self.1])
    }
}

#[test]
fn every_file_gives_its_dump() {
    for model in models() {
        let header = decode(&model.parts[0]).unwrap_or_else(|error| panic!("{}: {error}", model.name));
        check(&model, &header);
        for (part, dump) in model.parts[1..].iter().zip(model.dump["other_parts"].as_array().into_iter().flatten()) {
            let header = decode(part).unwrap();
            assert_eq!(tensors(&header.tensors, part), without_values(&dump["tensors"]), "{}", model.name);
        }
    }
}

/// Files of this size or less are split at every byte.
const SMALL: usize = 16 << 10;

#[test]
fn a_small_file_that_is_split_at_any_byte_gives_the_same() {
    let mut count = 0;
    for model in models() {
        for file in model.parts.iter().filter(|file| file.len() <= SMALL) {
            let whole = decode(file).unwrap();
            count += 1;
            for split in 0..=file.len() {
                let mut decoder = Decoder::new(Options::default());
                decoder.push(&file[..split]).unwrap();
                decoder.push(&file[split..]).unwrap();
                assert_eq!(decoder.finish().unwrap(), whole, "{} at {split}", model.name);
            }
        }
    }
    assert!(count >= 10 || super::support::folder().is_none(), "only {count} small files");
}

#[test]
fn a_file_that_is_split_anywhere_gives_the_same() {
    for model in models() {
        let file = &model.parts[0];
        let whole = decode(file).unwrap();
        // Where something changes: the header, the vocabulary, and the headers of the first tensors.
        let near = |end: u64| end.saturating_sub(40)..end + 40;
        let splits =
            (0..400).chain(near(whole.tensors_offset)).chain(near(whole.tensors[0].end())).chain(near(whole.end - 40));
        for split in splits.map(|split| (split as usize).min(file.len())) {
            let mut decoder = Decoder::new(Options::default());
            decoder.push(&file[..split]).unwrap();
            decoder.push(&file[split..]).unwrap();
            assert_eq!(decoder.finish().unwrap(), whole, "{} at {split}", model.name);
        }
        for size in [1, 7, 4096] {
            let mut decoder = Decoder::new(Options::default());
            file.chunks(size).for_each(|piece| decoder.push(piece).unwrap());
            assert_eq!(decoder.finish().unwrap(), whole, "{} in pieces of {size}", model.name);
        }
        let mut decoder = Decoder::new(Options::default());
        while decoder.position() < file.len() as u64 {
            decoder.skip_to(decoder.needed()).unwrap();
            let position = decoder.position() as usize;
            decoder.push(&file[position..file.len().min(position + 300)]).unwrap();
        }
        assert_eq!(decoder.finish().unwrap(), whole, "{} with skipped data", model.name);
    }
}
