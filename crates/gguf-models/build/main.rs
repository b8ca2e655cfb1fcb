//! Compiles the texts of `src/architectures/families` and the categories of characters to the tables that the crate contains.

use std::path::Path;
use std::{env, fs, process};

use language::{Source, compile};

mod categories;
mod language;

const FOLDER: &str = "src/architectures/families";

fn main() {
    println!("cargo::rerun-if-changed={FOLDER}");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/architectures/opcodes.rs");
    let compiled = match compile(&sources()) {
        Ok(compiled) => compiled,
        Err(mistakes) => {
            mistakes.iter().for_each(|mistake| println!("cargo::error={mistake}"));
            process::exit(1);
        }
    };
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |name: &str, bytes: &[u8]| fs::write(Path::new(&out).join(name), bytes).expect("OUT_DIR is writable");
    write("categories.bin", &categories::category_runs());
    write("groups.bin", &categories::group_runs());
    write("rules.bin", &compiled.rules);
    write("graphs.bin", &compiled.graphs);
    write("required_keys.txt", compiled.required_keys.as_bytes());
    write("rows.rs", compiled.rows.as_bytes());
    write("architectures.rs", compiled.lists.as_bytes());
}

/// The texts in the order of their names.
fn sources() -> Vec<Source> {
    let mut paths: Vec<_> = fs::read_dir(FOLDER).expect(FOLDER).map(|file| file.expect(FOLDER).path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Source { name: path.display().to_string(), text }
    };
    paths.iter().map(read).collect()
}
