//! The file types that tensors show.

use std::collections::BTreeSet;
use std::fs;

use gguf_format::format::GGML_TYPES;
use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Header, parse};
use gguf_models::file_types::{
    FILE_TYPES, GUESSED_FILE_TYPE, contradicts_file_type, file_type_info, file_types_of_tensors, guessed_file_type,
    main_tensor_type,
};
use serde_json::Value as Json;

use crate::corpus;

/// A header with tensors: name, dimensions and type.
fn header(tensors: &[(&str, &[u64], GgmlType)]) -> Header {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, 0);
    for (name, dimensions, ggml_type) in tensors {
        file.tensor_info(name.as_bytes(), dimensions, ggml_type.0, 0);
    }
    parse(file.as_bytes()).unwrap()
}

/// A header with one matrix in each block: types with the row length.
fn blocks(row_length: u64, types: &[GgmlType]) -> Header {
    let names: Vec<_> = (0..types.len()).map(|block| format!("blk.{block}.ffn_down.weight")).collect();
    let dimensions = [row_length, 4];
    let tensors: Vec<_> = names.iter().zip(types).map(|(name, t)| (name.as_str(), &dimensions[..], *t)).collect();
    header(&tensors)
}

/// The names of the file types that the tensors contradict.
fn contradicted(header: &Header) -> BTreeSet<&'static str> {
    let wrong = FILE_TYPES.iter().filter(|info| contradicts_file_type(header, info.id));
    wrong.map(|info| info.name).collect()
}

fn fitting(header: &Header) -> Vec<&'static str> {
    file_types_of_tensors(header).map(|info| info.name).collect()
}

fn id_of(name: &str) -> u32 {
    FILE_TYPES.iter().find(|info| info.name == name).unwrap_or_else(|| panic!("{name}")).id
}

fn type_of(name: &str) -> GgmlType {
    GgmlType(GGML_TYPES.iter().find(|info| info.name == name).unwrap_or_else(|| panic!("{name}")).id)
}

#[test]
fn some_matrices_of_glm5_next_have_8_bits_in_every_file_type() {
    let of = |architecture: &str| {
        let mut file = Encoder::new(Format::default());
        file.header(2, 1).kv(b"general.architecture", &architecture.into());
        file.tensor_info(b"blk.0.attn_q_a.weight", &[256, 2], GgmlType::Q8_0.0, 0).tensor_info(
            b"blk.0.ffn_up_exps.weight",
            &[256, 2, 2],
            GgmlType::IQ2_XS.0,
            544,
        );
        fitting(&parse(file.as_bytes()).unwrap())
    };
    assert!(of("glm5-next").contains(&"IQ2_XS"));
    assert_eq!(of("llama"), [""; 0]);
}

#[test]
fn the_guess_is_the_type_with_the_most_tensors() {
    let guess = |types: &[GgmlType]| {
        let value = guessed_file_type(&blocks(256, types));
        assert_eq!(value & GUESSED_FILE_TYPE, GUESSED_FILE_TYPE);
        file_type_info(value).unwrap().name
    };
    use GgmlType as T;
    assert_eq!(guess(&[]), "F32");
    assert_eq!(guess(&[T::Q8_0, T::F32, T::F32]), "F32");
    assert_eq!(guess(&[T::Q3_K]), "Q3_K_M");
    assert_eq!(guess(&[T::Q4_K]), "Q4_K_M");
    assert_eq!(guess(&[T::Q5_K]), "Q5_K_M");
    // llama.cpp has no guess for MXFP4 (which has a file type of another name), or for types that are not weights.
    for ggml_type in [T::MXFP4, T::I8, T::Q8_K, T::Q4_2, T::Q4_0_4_4, GgmlType(137), GgmlType(u32::MAX)] {
        assert_eq!(guess(&[ggml_type]), "F32", "{ggml_type}");
    }
    // Every other type of weights has the file type of the same name.
    let same = GGML_TYPES.iter().filter(|info| guess(&[GgmlType(info.id)]) == info.name);
    assert_eq!(same.count(), 24);
}

#[test]
fn the_guess_between_two_types_is_the_one_that_llama_cpp_counts_first() {
    let guess = |tensors: &[(&str, GgmlType)]| {
        let tensors: Vec<_> = tensors.iter().map(|(name, ggml_type)| (*name, &[256][..], *ggml_type)).collect();
        file_type_info(guessed_file_type(&header(&tensors))).unwrap().name
    };
    use GgmlType as T;
    // llama.cpp sorts tensors by block, then by name, and takes the type that first reaches the greatest number.
    assert_eq!(guess(&[("b", T::Q8_0), ("a", T::F16)]), "F16");
    assert_eq!(guess(&[("blk.0.a", T::Q8_0), ("zzz", T::F16)]), "F16");
    assert_eq!(guess(&[("blk.10.a", T::Q8_0), ("blk.9.b", T::F16)]), "F16");
    assert_eq!(guess(&[("blk.2.a", T::Q8_0), ("blk.2.b", T::F16)]), "Q8_0");
    assert_eq!(guess(&[("a", T::Q8_0), ("b", T::F16), ("c", T::F16), ("d", T::Q8_0)]), "F16");
}

#[test]
fn the_main_type_has_the_most_bytes_of_the_matrices() {
    use GgmlType as T;
    assert_eq!(main_tensor_type(&header(&[])).map(|info| T(info.id)), None);
    assert_eq!(main_tensor_type(&header(&[("norm", &[4096], T::F32)])).map(|info| T(info.id)), None);
    let mixed = header(&[("norm", &[4096], T::F32), ("a", &[256, 2], T::Q4_K), ("b", &[256, 1, 3], T::Q4_0)]);
    assert_eq!(main_tensor_type(&mixed).map(|info| T(info.id)), Some(T::Q4_0));
    let unknown = header(&[("a", &[256, 200], GgmlType(137)), ("b", &[256, 2], T::Q4_K)]);
    assert_eq!(main_tensor_type(&unknown).map(|info| T(info.id)), Some(T::Q4_K));
}

#[test]
fn tensors_of_each_type_contradict_the_other_types() {
    for info in FILE_TYPES.iter().filter(|info| !info.is_removed) {
        let header = blocks(256, &[info.tensor_type; 3]);
        let consistent: BTreeSet<_> = FILE_TYPES.iter().map(|info| info.name).collect();
        let consistent: BTreeSet<_> = consistent.difference(&contradicted(&header)).copied().collect();
        let mut expected: BTreeSet<_> =
            FILE_TYPES.iter().filter(|other| other.tensor_type == info.tensor_type).map(|other| other.name).collect();
        match info.name {
            // A model without experts has Q8_0 as MXFP4_MOE.
            "Q8_0" => _ = expected.insert("MXFP4_MOE"),
            // The smallest files are called ternary by some publishers.
            "IQ1_S" | "IQ1_M" | "IQ2_XXS" => expected.extend(["TQ1_0", "TQ2_0"]),
            _ => {}
        }
        assert_eq!(consistent, expected, "{}", info.name);
        let fitting = fitting(&header);
        assert!(fitting.contains(&info.name), "{}: {fitting:?}", info.name);
    }
}

#[test]
fn guessed_and_unknown_file_types() {
    let header = blocks(256, &[GgmlType::Q4_K]);
    assert!(!contradicts_file_type(&header, 15 + GUESSED_FILE_TYPE));
    assert!(contradicts_file_type(&header, 7 + GUESSED_FILE_TYPE));
    for unknown in [42, 100, 1023, 2048, u32::MAX] {
        assert!(!contradicts_file_type(&header, unknown), "{unknown}");
    }
}

#[test]
fn types_of_the_output_are_no_evidence() {
    use GgmlType as T;
    let output =
        |ggml_type| header(&[("output.weight", &[256, 64], ggml_type), ("blk.0.attn_q.weight", &[256, 4], T::Q4_0)]);
    // llama-quantize gives the output 6 bits in a file of Q4_0.
    assert!(contradicts_file_type(&output(T::Q6_K), id_of("Q6_K")));
    assert!(!contradicts_file_type(&output(T::Q6_K), id_of("Q4_0")));
    // Only the embeddings keep the type if all blocks have types that a user chose.
    assert!(!contradicts_file_type(&output(T::IQ4_XS), id_of("IQ4_XS")));
    assert_eq!(fitting(&output(T::IQ4_XS)), ["Q4_0"]);
}

#[test]
fn short_rows_have_other_types() {
    use GgmlType as T;
    for (row_length, ggml_type, name) in [
        (288, T::Q5_0, "Q4_K_M"),
        (288, T::Q5_1, "Q5_K_S"),
        (288, T::Q8_0, "Q6_K"),
        (288, T::Q4_0, "Q3_K_L"),
        (288, T::IQ4_NL, "IQ2_XS"),
        (288, T::IQ4_NL, "IQ4_XS"),
        (40, T::F16, "Q4_K_M"),
        (40, T::F16, "Q8_0"),
        (128, T::F16, "TQ2_0"),
    ] {
        let header = blocks(row_length, &[ggml_type, ggml_type]);
        assert!(!contradicts_file_type(&header, id_of(name)), "{row_length} {name}");
        assert!(fitting(&header).contains(&name), "{row_length} {name}");
        // The same types in rows that fit contradict the file type.
        let header = blocks(512, &[ggml_type, ggml_type]);
        assert!(contradicts_file_type(&header, id_of(name)), "{name}");
        assert!(!fitting(&header).contains(&name), "{name}");
    }
}

#[test]
fn floats_are_contradicted_by_a_majority() {
    use GgmlType as T;
    let mixed = |a, b| header(&[("blk.0.a.weight", &[256, 64], a), ("blk.0.b.weight", &[256, 8], b)]);
    for name in ["F32", "F16", "BF16"] {
        assert!(contradicts_file_type(&mixed(T::Q8_0, type_of(name)), id_of(name)), "{name}");
        assert!(!contradicts_file_type(&mixed(type_of(name), T::Q8_0), id_of(name)), "{name}");
        // A converter takes over the experts of gpt-oss as they are.
        assert!(!contradicts_file_type(&mixed(T::MXFP4, type_of(name)), id_of(name)), "{name}");
        assert!(!contradicts_file_type(&mixed(T::NVFP4, type_of(name)), id_of(name)), "{name}");
    }
    assert!(contradicts_file_type(&mixed(T::F16, T::F32), id_of("F32")));
    assert!(!contradicts_file_type(&mixed(T::F32, T::F16), id_of("F16")));
    // Routers stay F32.
    assert!(contradicts_file_type(&mixed(T::Q4_K, T::F32), id_of("F32")));
    assert!(!contradicts_file_type(&mixed(T::Q4_K, T::F32), id_of("Q4_K_M")));
}

#[test]
fn mixtures_that_users_chose_do_not_contradict() {
    use GgmlType as T;
    let mixed = |a: u64, b: u64, t| header(&[("blk.0.a.weight", &[256, a], T::Q8_0), ("blk.0.b.weight", &[256, b], t)]);
    // Attention of 8 bits and experts of fewer bits, made as Q8_0.
    assert!(!contradicts_file_type(&mixed(2, 100, T::Q4_K), id_of("Q8_0")));
    assert!(contradicts_file_type(&mixed(2, 1000, T::Q4_K), id_of("Q8_0")));
    // Higher precision does no harm.
    assert!(!contradicts_file_type(&mixed(2, 1000, T::BF16), id_of("Q8_0")));
    assert!(!contradicts_file_type(&mixed(1000, 100, T::Q4_K), id_of("Q4_K_M")));
}

#[test]
fn the_fitting_file_types_are_told_apart_by_their_mixtures() {
    use GgmlType as T;
    for (types, expected) in [
        (&[T::Q4_K][..], &["Q4_K_S", "Q4_K_M"][..]),
        (&[T::Q4_K, T::Q6_K], &["Q4_K_M"]),
        (&[T::Q4_K, T::Q5_K], &["Q4_K_S", "Q4_K_M"]),
        (&[T::Q5_K, T::Q6_K], &["Q5_K_M"]),
        (&[T::Q3_K, T::Q4_K], &["Q3_K_M", "Q3_K_L"]),
        (&[T::Q2_K, T::Q3_K], &["Q2_K"]),
        (&[T::IQ3_S, T::IQ3_XXS], &["IQ3_XS", "IQ3_XXS"]),
        (&[T::F16, T::F32], &["F16"]),
        (&[T::F32], &["F32"]),
        (&[T::MXFP4, T::Q8_0], &["MXFP4_MOE"]),
        (&[T::IQ4_XS, T::IQ1_S], &[]),
        (&[T::F16, T::BF16], &[]),
        (&[], &[]),
    ] {
        let names = fitting(&blocks(256, types));
        let names: Vec<_> = names.into_iter().filter(|name| types == [T::MXFP4, T::Q8_0] || *name != "NVFP4").collect();
        assert_eq!(names, expected, "{types:?}");
    }
}

#[test]
fn files_without_an_answer_contradict_nothing() {
    use GgmlType as T;
    let none = BTreeSet::new();
    assert_eq!(contradicted(&header(&[])), none);
    assert_eq!(contradicted(&header(&[("blk.0.attn_norm.weight", &[256], T::F32)])), none);
    assert_eq!(contradicted(&header(&[("blk.0.ids.weight", &[256, 4], T::I32)])), none);
    // A type of another program.
    let foreign = header(&[("blk.0.a.weight", &[256, 4], GgmlType(137)), ("blk.0.b.weight", &[256, 4], T::Q4_K)]);
    assert_eq!(contradicted(&foreign), none);
    // Sizes that cannot be computed.
    let huge = header(&[("blk.0.a.weight", &[u64::MAX, u64::MAX, u64::MAX], T::Q4_K), ("b", &[0, 9], T::F32)]);
    assert_eq!(contradicted(&huge), none);
    assert_eq!(main_tensor_type(&huge).map(|info| T(info.id)), None);
}

#[test]
fn a_shard_contradicts_nothing() {
    let with_count = |count: Option<u16>| {
        let mut file = Encoder::new(Format::default());
        file.header(1, u64::from(count.is_some()));
        if let Some(count) = count {
            file.kv(b"split.count", &count.into());
        }
        file.tensor_info(b"blk.0.attn_q.weight", &[256, 8], GgmlType::Q8_0.0, 0);
        parse(file.as_bytes()).unwrap()
    };
    assert!(!contradicts_file_type(&with_count(Some(2)), 15));
    for whole in [None, Some(0), Some(1)] {
        assert!(contradicts_file_type(&with_count(whole), 15), "{whole:?}");
    }
}

#[test]
fn no_good_file_contradicts_its_own_file_type() {
    let Some(folder) = corpus::folder() else { return };
    let mut declared = 0;
    for part in ["files", "files/shards", "quantize", "real", "tokenizer"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "gguf") {
                continue;
            }
            let header = parse(&corpus::read(&path)).unwrap();
            let Some(entry) = header.get("general.file_type") else { continue };
            let value = u32::try_from(entry.value().as_u64().unwrap()).unwrap();
            assert!(!contradicts_file_type(&header, value), "{}: {value}", path.display());
            declared += 1;
        }
    }
    assert!(declared > 15, "{declared}");
}

/// The file type that each header of the memory corpus was made for, by its types.
const MEMORY: &[(&str, &str)] = &[
    ("bge-small-en", "F16"),
    ("bloom-7b1", "Q4_K_M"),
    ("cohere-command-r7b", "Q6_K"),
    ("deepseek-v2-lite-mla", "Q4_K_M"),
    ("deepseek-v3-old", "IQ1_S"),
    ("falcon-h1-0.5b", "Q8_0"),
    ("gemma-2-9b", "Q5_K_M"),
    ("gemma-3-4b", "Q4_0"),
    ("glm-4.5-air", "Q4_K_M"),
    ("kimi-linear-48b", "Q4_K_M"),
    ("llama-2-7b", "Q4_0"),
    ("llama-3.1-8b", "Q4_K_M"),
    ("mamba-130m", "F32"),
    ("mistral-7b-v0.1", "Q5_K_M"),
    ("qwen3-0.6b", "F16"),
    ("rwkv7-1.5b", "Q8_0"),
];

#[test]
fn real_headers_contradict_every_clearly_different_file_type() {
    let Some(folder) = corpus::folder() else { return };
    let clearly_different =
        ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_K_M", "Q5_K_M", "Q2_K", "Q3_K_M", "IQ1_S", "IQ4_XS"];
    for (file, name) in MEMORY {
        let header = parse(&corpus::read(&folder.join(format!("llama-cpp-2026-08/memory/{file}.gguf")))).unwrap();
        let own = file_type_info(id_of(name)).unwrap();
        let contradicted = contradicted(&header);
        assert!(!contradicted.contains(name), "{file}");
        assert!(fitting(&header).contains(name), "{file}: {:?}", fitting(&header));
        for other in clearly_different.into_iter().filter(|other| type_of_file(other) != own.tensor_type) {
            // Files of Deepseek and MiniLM have short rows, whose types stand for several.
            let is_in_mixture = header.tensors().any(|tensor| tensor.ggml_type() == type_of_file(other));
            let is_float = ["F32", "F16", "BF16"].contains(&other);
            assert!(contradicted.contains(other) || is_in_mixture && !is_float, "{file} is no {other}");
        }
    }
    let header = parse(&corpus::read(&folder.join("real/all-MiniLM-L6-v2-Q4_K_M.gguf"))).unwrap();
    let contradicted = contradicted(&header);
    for other in ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q2_K", "Q3_K_M", "IQ4_XS", "TQ1_0", "MXFP4_MOE", "NVFP4"] {
        assert_eq!(contradicted.contains(other), other != "MXFP4_MOE", "{other}");
    }
    assert_eq!(fitting(&header), ["Q4_K_M"]);
}

fn type_of_file(name: &str) -> GgmlType {
    file_type_info(id_of(name)).unwrap().tensor_type
}

/// The indices in a list of ranges such as `0-2,7`.
fn indices(ranges: &Json) -> BTreeSet<usize> {
    let ranges = ranges.as_str().unwrap_or("").split(',').filter(|range| !range.is_empty());
    ranges
        .flat_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            first.parse().unwrap()..=last.parse::<usize>().unwrap()
        })
        .collect()
}

#[test]
fn what_llama_quantize_makes_of_real_models_fits_its_file_type() {
    let Some(folder) = corpus::folder() else { return };
    let models = corpus::json(&folder.join("quantize/type-decisions.json"));
    let (mut files, mut contradictions) = (0, 0);
    for (model, facts) in models.as_object().unwrap() {
        let names: Vec<_> = facts["tensors"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let (experts, short) = (indices(&facts["experts_3d"]), indices(&facts["row_not_multiple_of_256"]));
        for (target, decisions) in facts["ftypes"].as_object().unwrap() {
            let mut types = vec![type_of(decisions["default"].as_str().unwrap()); names.len()];
            for (name, ranges) in decisions["exceptions"].as_object().unwrap() {
                indices(ranges).into_iter().for_each(|index| types[index] = type_of(name));
            }
            let mut file = Encoder::new(Format::default());
            file.header(names.len() as u64, 0);
            for (index, name) in names.iter().enumerate() {
                let row_length = if short.contains(&index) { 1056 } else { 1024 };
                let experts = if experts.contains(&index) { 8 } else { 1 };
                file.tensor_info(name.as_bytes(), &[row_length, 64, experts], types[index].0, 0);
            }
            let header = parse(file.as_bytes()).unwrap();
            // The list names the mixtures as llama-quantize does.
            let Some(info) = FILE_TYPES.iter().find(|info| info.name == target.as_str()) else {
                panic!("{model}: {target}")
            };
            assert!(!contradicts_file_type(&header, info.id), "{model} {target}");
            let fitting = fitting(&header);
            assert!(fitting.contains(&info.name), "{model} {target}: {fitting:?}");
            files += 1;
            contradictions += contradicted(&header).len();
        }
    }
    assert!(files > 200 && contradictions > 20 * files, "{files} files, {contradictions} contradictions");
}
