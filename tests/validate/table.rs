//! The table of checks.

use std::collections::BTreeSet;

use gguf_wasm::{CHECKS, Severity};

#[test]
fn the_table_of_checks_has_unique_codes_and_complete_meanings() {
    let mut seen = BTreeSet::new();
    for info in CHECKS {
        assert_eq!(info.check.code(), info.code);
        assert_eq!(info.check.severity(), info.severity);
        assert!(seen.insert(info.code), "{} is there twice", info.code);
        assert!(info.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{}", info.code);
        assert!(info.meaning.ends_with('.') && info.meaning == info.meaning.trim(), "{}", info.meaning);
    }
    assert_eq!([Severity::Error, Severity::Warning, Severity::Info].map(Severity::name), ["error", "warning", "info"]);
}
