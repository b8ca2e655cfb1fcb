//! The files of the corpus.

use gguf_files::compare::compare_headers;
use gguf_format::parse;

use crate::corpus;

/// Every file equals itself, and differs from the next one in ways that can be shown.
#[test]
fn every_file_equals_itself() {
    let Some(folder) = corpus::folder() else { return };
    let headers: Vec<_> =
        corpus::every_file(&folder).into_iter().filter_map(|(name, bytes)| Some((name, parse(&bytes).ok()?))).collect();
    assert!(headers.len() > 100, "{} files", headers.len());
    for (name, header) in &headers {
        assert!(compare_headers(header, header).unwrap().is_equal(), "{name}");
    }
    for [(name_a, a), (name_b, b)] in headers.array_windows() {
        let comparison = compare_headers(a, b).unwrap();
        assert_eq!(comparison.is_equal(), comparison.summary(a, b).contains("equal"), "{name_a} {name_b}");
        for entry in 0..comparison.entries().len() {
            comparison.entry_details(entry, a, b);
        }
        comparison.to_markdown(a, b, name_a, name_b, 1000);
        let counts = comparison.counts().tensors;
        assert_eq!(counts.equal + counts.changed + counts.removed, a.tensors().len(), "{name_a} {name_b}");
    }
}
