//! Every kernel makes the floats that ggml's own C makes.
//!
//! `fixtures/golden` is from the reference corpus, whose README says how ggml was compiled: `TYPE.kind.blocks.bin` and
//! the floats that its `to_float` makes of them, `TYPE.kind.f32.bin`.

use gguf_wasm::{GGML_TYPES, GgmlType, GgmlTypeInfo};
use std::fs;
use std::path::{Path, PathBuf};

/// Types for which ggml has no `to_float`, or whose floats are the stored bits: what their elements are.
const BY_RULE: [GgmlType; 7] =
    [GgmlType::F32, GgmlType::F64, GgmlType::I8, GgmlType::I16, GgmlType::I32, GgmlType::I64, GgmlType::Q8_1];

fn types() -> impl Iterator<Item = &'static GgmlTypeInfo> {
    GGML_TYPES.iter().filter(|info| !info.is_removed())
}

fn golden_files(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/golden");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_of_type = |path: &PathBuf| {
        let file = path.file_name().unwrap().to_str().unwrap();
        file.ends_with(".blocks.bin") && file.split('.').next() == Some(name)
    };
    paths.filter(is_of_type).collect()
}

#[test]
fn every_type_has_a_kernel_and_golden_floats() {
    for info in types() {
        let name = info.name;
        assert!(
            info.to_float().is_some(),
            "{name} has no kernel: write it in src/tensor/quant and name it in the type's row"
        );
        if !BY_RULE.contains(&GgmlType(info.id)) {
            assert!(
                !golden_files(name).is_empty(),
                "{name} has no golden floats: put {name}.random.blocks.bin and {name}.random.f32.bin, made by ggml's own \
                 to_float, into tests/fixtures/golden"
            );
        }
    }
}

#[test]
fn kernels_make_the_floats_of_ggml() {
    let mut wrong = Vec::new();
    for info in types() {
        wrong.extend(golden_files(info.name).iter().filter_map(|file| difference(info, file)));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Where a kernel's floats differ from those in a file first, if they do.
fn difference(info: &GgmlTypeInfo, file: &Path) -> Option<String> {
    let blocks = fs::read(file).unwrap();
    let expected = fs::read(file.to_str().unwrap().replace(".blocks.", ".f32.")).unwrap();
    let count = blocks.len() / info.type_size as usize;
    assert_eq!(blocks.len(), count * info.type_size as usize, "{}", file.display());
    assert_eq!(expected.len(), 4 * count * info.block_size as usize, "{}", file.display());
    let mut out = vec![7.0; expected.len() / 4];
    info.to_float()?(&blocks, &mut out);
    let expected = expected.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let (i, (out, expected)) = out
        .iter()
        .zip(expected)
        .enumerate()
        .find(|(_, (out, expected))| out.to_bits() != expected.to_bits() && !(out.is_nan() && expected.is_nan()))?;
    let block = i / info.block_size as usize;
    Some(format!("{}: element {i}, of block {block}, is {out:e} and not {expected:e}", file.display()))
}
