//! The files of the corpus: every fault has its finding, and valid files have none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gguf_models::validate::{CHECKS, Finding, Severity, Subject, validate};
use serde_json::Value as Json;

use crate::corpus;
use crate::validate::{codes, validate_file};

/// The findings that the files of the corpus must have. The tests of the package use the same list.
///
/// `malformed`: for each code, the malformed files that open and have this fault. `malformedWithoutFault`: malformed files
/// that open and have no errors. `edge`: the errors and warnings of valid files that break or stretch a rule.
/// `incompleteModel`: codes of errors that a file may have although its format is valid. Most files of the corpus are small:
/// they name an architecture, and lack the entries and tensors without which llama.cpp refuses a model of it.
fn expected() -> Json {
    corpus::json(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/expected-findings.json"))
}

/// The errors that are not about incomplete models, and the warnings.
fn faults<'a>(table: &'a Json, findings: &'a [Finding]) -> impl Iterator<Item = &'a Finding> {
    let incomplete = table["incompleteModel"].as_array().unwrap();
    findings.iter().filter(|finding| finding.check.severity() != Severity::Info).filter(move |finding| {
        let is_of_model = incomplete.iter().any(|code| code == finding.check.code());
        assert!(!is_of_model || finding.check.severity() == Severity::Error);
        !is_of_model
    })
}

fn has_errors(table: &Json, findings: &[Finding]) -> bool {
    faults(table, findings).any(|finding| finding.check.severity() == Severity::Error)
}

/// The malformed files with their entries in the index.
fn malformed() -> Option<Vec<(Json, Vec<u8>)>> {
    let folder = corpus::folder()?.join("malformed");
    let index = corpus::json(&folder.join("index.json"));
    let cases = index["cases"].as_array().unwrap().iter();
    Some(cases.map(|case| (case.clone(), corpus::read(&folder.join(case["file"].as_str().unwrap())))).collect())
}

#[test]
fn every_malformed_file_that_opens_has_the_finding_for_its_fault() {
    let Some(cases) = malformed() else { return };
    let table = expected();
    let mut expected = BTreeMap::new();
    for name in table["malformedWithoutFault"].as_array().unwrap() {
        expected.insert(name.as_str().unwrap(), None);
    }
    for (code, names) in table["malformed"].as_object().unwrap() {
        assert!(CHECKS.iter().any(|info| info.code == code), "no check {code}");
        for name in names.as_array().unwrap() {
            let before = expected.insert(name.as_str().unwrap(), Some(code.as_str()));
            assert_eq!(before, None, "{name} is twice in the table");
        }
    }
    for (case, file) in &cases {
        let name = case["name"].as_str().unwrap();
        if gguf_format::parse(file).is_err() {
            continue;
        }
        let code = expected.remove(name).unwrap_or_else(|| panic!("{name} opens, and is not in the table"));
        let findings = validate_file(file);
        if let Some(code) = code {
            assert!(codes(&findings).contains(code), "{name}: {code} is not in {findings:?}");
        } else {
            assert_eq!(case["expect"], "ok", "{name} has no finding");
            assert!(!has_errors(&table, &findings), "{name}: {findings:?}");
        }
        // A file that ggml refuses has an error, unless it is refused for its byte order only, or for a type that may be newer.
        if case["c_reader"]["metadata"] == "error" && !matches!(code, Some("big-endian" | "unknown-tensor-type")) {
            assert!(has_errors(&table, &findings), "{name}: {findings:?}");
        }
    }
    assert!(expected.is_empty(), "in the table, but do not open: {expected:?}");
}

#[test]
fn valid_files_have_errors_only_if_ggml_refuses_them_and_edge_cases_have_the_listed_findings() {
    let Some(folder) = corpus::folder() else { return };
    let index = corpus::json(&folder.join("files/index.json"));
    let table = expected();
    let mut edges: BTreeMap<_, _> = table["edge"].as_object().unwrap().iter().collect();
    for entry in index["files"].as_array().unwrap() {
        let name = entry["file"].as_str().unwrap();
        let findings = validate_file(&corpus::read(&folder.join("files").join(name)));
        let is_read = entry["c_reader"]["metadata"] == "ok";
        assert!(!is_read || !has_errors(&table, &findings), "{name}: {findings:?}");
        if entry["category"] == "edge" {
            let expected = edges.remove(&name.to_owned()).unwrap_or_else(|| panic!("{name} is not in the table"));
            let found: BTreeSet<_> = faults(&table, &findings).map(|finding| finding.check.code()).collect();
            let found: Vec<_> = found.into_iter().collect();
            assert_eq!(Json::from(found), *expected, "{name}");
        }
    }
    assert!(edges.is_empty(), "in the table, but not in the corpus: {edges:?}");
}

#[test]
fn models_made_by_tools_have_no_findings() {
    let Some(folder) = corpus::folder() else { return };
    let mut count = 0;
    for (name, file) in corpus::every_file(&folder) {
        if name.starts_with("real/") || name.contains("vocab") || name.contains("shards") || name.contains("model-") {
            assert_eq!(validate_file(&file), [], "{name}");
            count += 1;
        }
    }
    assert!(count > 10);
}

#[test]
fn every_file_of_the_corpus_is_validated_at_any_size_and_any_part_of_its_header() {
    let Some(folder) = corpus::folder() else { return };
    for (name, file) in corpus::every_file(&folder) {
        let mut decoder = gguf_format::Decoder::new();
        for piece in file.chunks(file.len() / 7 + 1) {
            let _ = decoder.push(piece);
            check_sanity(&name, &validate(decoder.header(), Some(file.len() as u64)));
        }
        let Ok(header) = gguf_format::parse(&file) else { continue };
        for size in [None, Some(0), Some(header.header_size()), Some(file.len() as u64), Some(1 << 53), Some(u64::MAX)]
        {
            let findings = validate(&header, size);
            check_sanity(&name, &findings);
            for finding in findings {
                let is_in_header = match finding.subject {
                    None | Some(Subject::MissingEntry(_) | Subject::MissingTensor(_)) => true,
                    Some(Subject::Entry(index)) => index < header.metadata().len(),
                    Some(Subject::Tensor(index)) => index < header.tensors().len(),
                    Some(other) => panic!("{other:?} is not expected"),
                };
                assert!(is_in_header, "{name}: {finding:?}");
            }
        }
    }
}

fn check_sanity(name: &str, findings: &[Finding]) {
    for finding in findings {
        assert!(finding.message.ends_with('.'), "{name}: {finding:?}");
        assert!(finding.message.len() < 300, "{name}: {finding:?}");
    }
}
