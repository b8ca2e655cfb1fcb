//! Every malformed file is treated as the corpus says.

use gguf_format::io::block_on;
use gguf_legacy::{Answers, LegacyModel, Options, read_header};

use super::support::{MemorySource, decode, folder, try_open};
use crate::corpus;

/// The parts of a malformed model: the file, and those with `.1`, … after its name.
fn parts(name: &str) -> Vec<Vec<u8>> {
    let path = |number: usize| match number {
        0 => folder().unwrap().join("malformed").join(name),
        _ => folder().unwrap().join("malformed").join(format!("{name}.{number}")),
    };
    (0..).map(path).take_while(|path| path.is_file()).map(|path| corpus::read(&path)).collect()
}

#[test]
fn every_malformed_file_is_treated_as_expected() {
    let Some(folder) = folder() else { return };
    let index = corpus::json(&folder.join("index.json"));
    let rows = index["malformed"].as_array().unwrap();
    assert!(rows.len() > 90);
    for row in rows {
        let (name, expect) = (row["name"].as_str().unwrap(), row["expect"].as_str().unwrap());
        let parts = parts(row["file"].as_str().unwrap());
        let opened = try_open(&parts);
        match (expect, &opened) {
            ("error", Err(error)) => {
                let size = parts.iter().map(Vec::len).max().unwrap() as u64;
                assert!(error.offset().is_some_and(|offset| offset <= size), "{name}: {error}");
                assert!(error.to_string().contains("offset"), "{name}: {error}");
            }
            ("list-only" | "ok", Ok(_)) | ("either", _) => {}
            // The name is there, but its length says that it is not: the next header is not where it should be.
            ("list-only", Err(error)) if row["stage"] == "tensor header" => {
                assert_eq!(error.code(), "bad-structure", "{name}")
            }
            (_, opened) => panic!("{name} ({expect}): {:?}", opened.as_ref().map(|model| model.header())),
        }
        if let (Ok(model), "list-only") = (&opened, expect) {
            let refused = model.migrate(&Answers::default()).err().unwrap_or_else(|| panic!("{name} was migrated"));
            assert_eq!(refused.code(), "unsupported", "{name}: {refused}");
        }
        // A source that does not tell its size gives the same.
        let sources = parts.iter().map(|part| MemorySource { tells_size: false, ..part.clone().into() }).collect();
        let unsized_ = block_on(LegacyModel::open(sources, Options::default()));
        assert_eq!(
            unsized_.as_ref().map(|model| model.parts()).map_err(|error| error.code()),
            opened.as_ref().map(|model| model.parts()).map_err(|error| error.code()),
            "{name}"
        );
        // Nor do pushed bytes.
        let pushed = decode(&parts[0]);
        let read = block_on(read_header(&MemorySource::from(parts[0].clone()), Options::default()));
        assert_eq!(pushed, read, "{name}");
    }
}

#[test]
fn a_session_and_files_of_other_formats_are_named() {
    let Some(_) = folder() else { return };
    for (name, expected) in [("session", "saved session"), ("gguf-magic", "Open it as GGUF"), ("zip", "PyTorch")] {
        let error = decode(&parts(&format!("{name}.bin"))[0]).unwrap_err();
        assert!(error.code() == "bad-magic" && error.to_string().contains(expected), "{error}");
    }
}
