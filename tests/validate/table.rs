//! The table of checks.

use std::collections::BTreeSet;

use gguf_models::validate::{CHECKS, CheckInfo, Severity};

#[test]
fn the_table_of_checks_has_unique_codes_and_complete_meanings() {
    let mut seen = BTreeSet::new();
    for info in CHECKS {
        assert_eq!(info.check.code(), info.code);
        assert_eq!(info.check.severity(), info.severity);
        assert!(seen.insert(info.code), "{} is there twice", info.code);
        assert!(info.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{}", info.code);
        for text in [info.meaning, info.advice] {
            assert!(text.ends_with('.') && text == text.trim(), "{text}");
        }
    }
    assert_eq!([Severity::Error, Severity::Warning, Severity::Info].map(Severity::name), ["error", "warning", "info"]);
}

/// A test must cause each finding. So the name of each check is in the sources of these tests.
#[test]
fn every_check_has_a_test() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("validate");
    let sources: String =
        std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    let is_tested = |info: &&CheckInfo| {
        let names =
            [format!("Check::{:?},", info.check), format!("Check::{:?})", info.check), format!("{:?}", info.code)];
        names.iter().any(|name| sources.contains(name))
    };
    let untested: Vec<_> = CHECKS.iter().filter(|info| !is_tested(info)).map(|info| info.check).collect();
    assert_eq!(untested, []);
}
