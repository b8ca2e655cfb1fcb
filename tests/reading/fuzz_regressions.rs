//! Inputs that the fuzz targets found worth keeping, run again: see `fuzz/README.md`.

#[path = "support/edit_input.rs"]
mod edit_input;
#[path = "support/edit_model.rs"]
mod edit_model;
#[path = "support/fuzz_input.rs"]
mod fuzz_input;
#[path = "support/split.rs"]
mod split;
#[path = "support/written.rs"]
mod written;

use std::fs;
use std::path::Path;

/// Runs every input in a folder; says how many there are.
fn every_recorded(folder: &str, run: impl Fn(&[u8])) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.inspect(|path| println!("{}", path.display())).map(|path| run(&fs::read(path).unwrap())).count()
}

#[test]
fn every_recorded_input() {
    let count = every_recorded("fuzz", fuzz_input::run);
    assert!(count > 300, "{count} inputs");
}

#[test]
fn every_recorded_edit() {
    let count = every_recorded("fuzz-edits", edit_input::run);
    assert!(count > 100, "{count} inputs");
}
