//! The reference corpus: files, each with a dump by an independent reader.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// The folder of the corpus: `GGUF_CORPUS`, or `shared/corpus` beside the repository. `None` if there is no such folder;
/// with `CI=true` that is an error.
pub fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let folder = std::env::var_os("GGUF_CORPUS").map_or(beside, PathBuf::from);
    if folder.join("files/index.json").is_file() {
        return Some(folder);
    }
    let message = format!("there is no corpus at {}: set GGUF_CORPUS", folder.display());
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
    // The test harness hides the output of `eprintln!` if the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {message}");
    None
}

/// Reads a JSON file.
pub fn json(path: &Path) -> Json {
    serde_json::from_slice(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a file.
pub fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every `.gguf` file of the corpus with its name, sorted: valid, malformed and real files.
pub fn every_file(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for part in ["files", "files/shards", "malformed", "real"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let name = format!("{part}/{}", entry.unwrap().file_name().to_str().unwrap());
            if name.ends_with(".gguf") {
                let bytes = read(&folder.join(&name));
                files.push((name, bytes));
            }
        }
    }
    assert!(files.len() > 200, "the corpus is not whole: {} files", files.len());
    files.sort();
    files
}
