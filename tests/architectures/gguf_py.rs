//! The tables against the lists of the PyPI package gguf.

use std::io::Write;
use std::process::Command;

use gguf_models::architectures::architecture_info;
use gguf_models::tensor_names::tensor_role;
use serde_json::Value as Json;

/// The names of the package, by `tests/python/architecture_names.py`. `None` if there is no Python interpreter that has the package.
fn names() -> Option<Json> {
    let Some(python) = std::env::var_os("GGUF_PYTHON") else {
        let message = "NOT COVERED: the names of the PyPI package gguf: `cargo xtask test native` sets GGUF_PYTHON";
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        let _ = writeln!(std::io::stderr(), "{message}");
        return None;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/architecture_names.py");
    let output = Command::new(python).arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn texts<'a>(names: &'a Json, list: &str) -> Vec<&'a str> {
    names[list].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn every_architecture_of_gguf_py_is_known() {
    let Some(names) = names() else { return };
    let architectures = texts(&names, "architectures");
    assert!(architectures.len() >= 126);
    for name in architectures {
        assert!(architecture_info(name.as_bytes()).is_some_and(|info| info.is_in_llama_cpp), "{name}");
    }
}

#[test]
fn every_tensor_name_of_gguf_py_is_known() {
    let Some(names) = names() else { return };
    let tensors = texts(&names, "tensors");
    assert!(tensors.len() >= 350);
    for pattern in tensors {
        let name = pattern.replace("{bid}", "12").replace("{xid}", "3");
        for suffix in ["", ".weight", ".bias"] {
            let role = tensor_role(format!("{name}{suffix}").as_bytes()).unwrap_or_else(|| panic!("{pattern}"));
            assert_eq!(role.part.map_or("", |part| part.name()), suffix.trim_start_matches('.'));
            let has_block = pattern.contains("{bid}");
            assert!(!has_block || role.block.or(role.number) == Some(12), "{pattern}: {role:?}");
        }
    }
}
