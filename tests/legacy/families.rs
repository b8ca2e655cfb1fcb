//! Families that fit equally well are named, and the caller can choose.

use gguf_format::Result;
use gguf_legacy::{Decoder, Family, LegacyHeader, Options};

use super::support::{decode, models};

fn decode_as(file: &[u8], family: Family) -> Result<LegacyHeader> {
    let mut options = Options::default();
    options.family = Some(family);
    let mut decoder = Decoder::new(options);
    decoder.push(file)?;
    decoder.finish()
}

#[test]
fn the_caller_chooses_among_families_that_fit() {
    let mut ambiguous = 0;
    for model in models() {
        let file = &model.parts[0];
        let found = decode(file).unwrap();
        for family in found.alternatives.iter().copied().chain([found.family]) {
            let chosen = decode_as(file, family).unwrap();
            assert_eq!((chosen.family, &chosen.tensors), (family, &found.tensors), "{}", model.name);
            assert!(chosen.alternatives.iter().all(|other| *other != family));
            assert_eq!(chosen.alternatives.len(), found.alternatives.len(), "{}", model.name);
        }
        ambiguous += usize::from(!found.alternatives.is_empty());
    }
    assert!(ambiguous > 5 || models().is_empty());
}

#[test]
fn a_family_that_does_not_fit_is_refused() {
    for model in models().iter().filter(|model| model.name.starts_with("gpt2")) {
        for family in [Family::Whisper, Family::Rwkv, Family::Lora] {
            let refused = decode_as(&model.parts[0], family).unwrap_err();
            assert!(refused.code() == "bad-structure" && refused.offset().is_some(), "{refused}");
        }
    }
}

/// A `ggml` file with the seven hyperparameters of LLaMA and BLOOM, two tokens, and these tensors of one f32.
fn file_with_tensors(names: &[&str]) -> Vec<u8> {
    let mut file = b"lmgg".to_vec();
    let mut put = |numbers: &[u32]| file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    put(&[2, 8, 1, 2, 1, 4, 0, 0, 0]);
    for name in names {
        [1, name.len() as u32, 0, 1].iter().for_each(|number| file.extend(number.to_le_bytes()));
        file.extend(name.bytes());
        file.extend(1_f32.to_le_bytes());
    }
    file
}

#[test]
fn all_tensors_tell_the_family() {
    let family = |names: &[&str]| {
        let header = decode(&file_with_tensors(names)).unwrap();
        (header.family, header.alternatives)
    };
    assert_eq!(family(&["tok_embeddings.weight", "layers.0.attention.wq.weight"]), (Family::Llama, vec![]));
    assert_eq!(family(&["tok_embeddings.weight", "norm.bias"]), (Family::Bloom, vec![]));
    // Both have these tensors.
    assert_eq!(family(&["tok_embeddings.weight", "norm.weight"]), (Family::Llama, vec![Family::Bloom]));
    assert_eq!(decode(&file_with_tensors(&["unknown"])).unwrap_err().code(), "bad-structure");
}
