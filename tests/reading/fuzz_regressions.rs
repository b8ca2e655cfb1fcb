//! Runs the recorded inputs of the fuzz target `split_decoding` again: see `fuzz/README.md`.

use std::fs;
use std::path::Path;

use crate::fuzz_input;

#[test]
fn every_recorded_input_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        fuzz_input::run(&fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 300, "{count} inputs");
}
