//! Every kernel gives the bits that ggml's own C code gives.
//!
//! `fixtures/golden` comes from the reference corpus, whose README says how ggml was compiled. `TYPE.kind.blocks.bin`
//! holds blocks, `TYPE.kind.f32.bin` the elements that ggml's `to_float` makes of them.

use gguf_format::GgmlType;
use gguf_format::format::{GGML_TYPES, GgmlTypeInfo};
use gguf_format::tensor::kernels;
use std::fs;
use std::path::{Path, PathBuf};

/// Types without golden elements: ggml has no `to_float` for them, or copies the stored bits. `tests/values/numbers.rs` tests
/// these by a rule.
const WITHOUT_GOLDEN: [GgmlType; 7] =
    [GgmlType::F32, GgmlType::F64, GgmlType::I8, GgmlType::I16, GgmlType::I32, GgmlType::I64, GgmlType::Q8_1];

fn types() -> impl Iterator<Item = &'static GgmlTypeInfo> {
    GGML_TYPES.iter().filter(|info| !info.is_removed())
}

/// The files with golden blocks of a type.
fn golden_files(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_of_type = |path: &PathBuf| {
        let file = path.file_name().unwrap().to_str().unwrap();
        file.ends_with(".blocks.bin") && file.split('.').next() == Some(name)
    };
    paths.filter(is_of_type).collect()
}

#[test]
fn every_type_has_kernels_and_golden_elements() {
    for info in types() {
        let name = info.name;
        assert!(
            kernels(GgmlType(info.id)).is_some(),
            "{name} has no kernels: write them in crates/gguf-format/src/tensor/quant and add the type to `kernels` in its mod.rs"
        );
        if !WITHOUT_GOLDEN.contains(&GgmlType(info.id)) {
            assert!(
                !golden_files(name).is_empty(),
                "{name} has no golden elements: add {name}.random.blocks.bin and {name}.random.f32.bin, made by ggml's \
                 own to_float, to tests/fixtures/golden"
            );
        }
    }
}

#[test]
fn kernels_give_the_bits_of_ggml() {
    let mut differences = Vec::new();
    for info in types() {
        differences.extend(golden_files(info.name).iter().filter_map(|file| first_difference(info, file)));
    }
    assert!(differences.is_empty(), "\n{}\n", differences.join("\n"));
}

/// The first element of a golden file for which the kernel gives other bits, as a message. Two NaNs are equal.
fn first_difference(info: &GgmlTypeInfo, file: &Path) -> Option<String> {
    let blocks = fs::read(file).unwrap();
    let expected = fs::read(file.to_str().unwrap().replace(".blocks.", ".f32.")).unwrap();
    let block_count = blocks.len() / info.type_size as usize;
    assert_eq!(blocks.len(), block_count * info.type_size as usize, "{}", file.display());
    assert_eq!(expected.len(), 4 * block_count * info.block_size as usize, "{}", file.display());
    let mut elements = vec![7.0; expected.len() / 4];
    (kernels(GgmlType(info.id))?.to_f32)(&blocks, &mut elements);
    let expected = expected.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let (i, (found, expected)) = elements.iter().zip(expected).enumerate().find(|(_, (found, expected))| {
        found.to_bits() != expected.to_bits() && !(found.is_nan() && expected.is_nan())
    })?;
    let block = i / info.block_size as usize;
    Some(format!("{}: element {i} in block {block} is {found:e}, ggml gives {expected:e}", file.display()))
}
