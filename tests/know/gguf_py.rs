//! Every key, file type and tensor type of the PyPI package gguf is known.

use std::ffi::OsString;
use std::io::Write;
use std::process::Command;

use gguf_format::{GgmlType, ValueType};
use gguf_models::file_types::{FILE_TYPES, GUESSED_FILE_TYPE, file_type_info};
use gguf_models::keys::{KeySource, KeyType, key_info};

/// The Python interpreter that has the PyPI package gguf. `None` if it is not there, which is an error with `CI=true`.
pub fn interpreter() -> Option<OsString> {
    let python = std::env::var_os("GGUF_PYTHON");
    if python.is_none() {
        let message = "the PyPI package gguf is not compared: `cargo xtask test native` sets GGUF_PYTHON";
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        // Not eprintln!, which the test harness keeps to itself when a test passes.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {message}");
    }
    python
}

/// What `tests/python/names.py` prints: lines of fields with tabs between them. `None` if Python is not there.
fn names(kind: &str) -> Option<Vec<Vec<String>>> {
    let python = interpreter()?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/names.py");
    let output = Command::new(python).args([script, kind]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// The types that a method of `GGUFWriter` writes, by its name without `add_`. Elements of arrays may have several types.
fn value_type(method: &str) -> Option<KeyType> {
    Some(match method {
        "uint16" => KeyType::Single(ValueType::Uint16),
        "uint32" => KeyType::Single(ValueType::Uint32),
        "int32" => KeyType::Single(ValueType::Int32),
        "float32" => KeyType::Single(ValueType::Float32),
        "bool" => KeyType::Single(ValueType::Bool),
        "string" => KeyType::Single(ValueType::String),
        "array" => return None,
        other => panic!("gguf-py writes a key with add_{other}: add the type to this test"),
    })
}

#[test]
fn every_key_of_gguf_py_is_known_with_the_types_that_it_writes() {
    let Some(lines) = names("keys") else { return };
    let (mut found, mut typed) = (0, 0);
    for line in lines {
        let key = line[0].replace("{arch}", "llama").replace("{id}", "0").replace("{name}", "rag");
        let key = key.replace("{dense}", "dense_2");
        let info = key_info(key.as_bytes()).unwrap_or_else(|| panic!("gguf-py has {key}"));
        assert!(info.sources.contains(&KeySource::GgufPy), "{key}");
        found += 1;
        for method in &line[1..] {
            typed += 1;
            let accepted = match value_type(method) {
                Some(key_type) => info.types.accept(key_type),
                None => info.types.iter().any(|key_type| matches!(key_type, KeyType::Array(_))),
            };
            assert!(accepted, "gguf-py writes {key} with add_{method}, but here its types are {}", info.types);
        }
    }
    assert!(found > 200, "only {found} keys were found");
    assert!(typed > 150, "only {typed} types were found");
}

#[test]
fn every_file_type_of_gguf_py_is_known_by_its_name() {
    let Some(lines) = names("LlamaFileType") else { return };
    assert!(lines.len() > 30);
    for line in lines {
        let id: u32 = line[0].parse().unwrap();
        if line[1] == "GUESSED" {
            assert_eq!(id, GUESSED_FILE_TYPE);
            continue;
        }
        let name = line[1].trim_start_matches("MOSTLY_").trim_start_matches("ALL_");
        let info = file_type_info(id).unwrap_or_else(|| panic!("gguf-py has {id} {name}"));
        assert_eq!(info.name, name);
        assert!(!info.is_removed, "{name}");
    }
    assert!(FILE_TYPES.len() >= 41);
}

#[test]
fn every_tensor_type_of_gguf_py_is_known_by_its_name() {
    let Some(lines) = names("GGMLQuantizationType") else { return };
    assert!(lines.len() > 30);
    for line in lines {
        assert_eq!(GgmlType(line[0].parse().unwrap()).to_string(), line[1]);
    }
}
