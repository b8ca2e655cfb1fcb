//! Runs the recorded inputs of the fuzz target `edits` again: see `fuzz/README.md`.

use std::fs;
use std::path::Path;

use crate::edit_session;

#[test]
fn every_recorded_input_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz-edits");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        edit_session::run(&fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 100, "{count} inputs");
}
