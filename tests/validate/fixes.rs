//! Fixes: each removes its finding, changes nothing else, and causes no error. So do all safe fixes together.

use std::collections::{BTreeMap, BTreeSet};

use gguf_format::edit::{Change, Edit};
use gguf_format::{Endian, GgmlType, Header};
use gguf_models::validate::{Check, Finding, Fix, Severity, validate};

use crate::corpus;
use crate::validate::test_file::TestFile;
use crate::validate::validate_file;

/// Fixes of one check that are applied. A hostile file can have a hundred of each.
const MOST_FIXES: usize = 3;

/// Applies the fixes of findings, each to the header that has the findings, and checks the result.
pub fn check_fixes(header: Header, file_size: Option<u64>, findings: &[Finding]) {
    let mut seen = BTreeMap::new();
    let mut fixes = findings.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?))).peekable();
    if fixes.peek().is_none() {
        return;
    }
    let mut edit = Edit::new(header);
    for (finding, fix) in fixes {
        let count = seen.entry(finding.check.code()).or_insert(0);
        *count += 1;
        if *count <= MOST_FIXES {
            check_fix(&mut edit, file_size, findings, finding, fix);
        }
    }
    check_safe_fixes(&edit, file_size, findings);
}

/// The header and the findings of the edited file.
pub fn fixed(edit: &Edit, file_size: Option<u64>) -> (Header, Vec<Finding>) {
    let size = file_size.map(|size| edit.plan(Some(size)).unwrap_or_else(|error| panic!("{error}")).size());
    let plan = edit.plan_header(file_size).unwrap();
    let bytes: Vec<u8> = plan.header_pieces(0..plan.header_size()).flatten().copied().collect();
    let header = gguf_format::parse(&bytes).unwrap();
    let findings = validate(&header, size);
    (header, findings)
}

pub fn errors(findings: &[Finding]) -> BTreeSet<&str> {
    let errors = findings.iter().filter(|finding| finding.check.severity() == Severity::Error);
    errors.map(|finding| finding.check.code()).collect()
}

fn check_fix(edit: &mut Edit, file_size: Option<u64>, before: &[Finding], finding: &Finding, fix: &Fix) {
    assert!(!fix.title.is_empty() && !fix.title.ends_with('.'), "{fix:?}");
    edit.apply(&fix.changes).unwrap_or_else(|error| panic!("{finding:?}: {error}"));
    let made: Vec<_> = edit.changes().iter().map(|made| &made.change).collect();
    assert_eq!(made, fix.changes.iter().collect::<Vec<_>>(), "{finding:?}");

    let (header, after) = fixed(edit, file_size);
    let count = |findings: &[Finding]| findings.iter().filter(|other| other.check == finding.check).count();
    // One fix may remove several findings. A list of 101 findings is cut off, and may get another one.
    assert!(count(&after) < count(before) || count(before) > 100, "{finding:?} is still there: {after:?}");
    let new: Vec<_> = errors(&after).difference(&errors(before)).copied().collect();
    assert!(new.is_empty(), "{finding:?}: the fix causes {new:?}");
    // Tensors are removed only by the changes that say so.
    let removed = fix.changes.iter().filter(|change| matches!(change, Change::RemoveTensor { .. })).count();
    assert_eq!(header.tensors().len() + removed, edit.header().tensors().len(), "{finding:?}");

    assert!(edit.undo(), "{finding:?}");
    assert!(!edit.can_undo(), "one step undoes the fix: {finding:?}");
}

/// Applies safe fixes, one after the other, until none is left.
fn check_safe_fixes(edit: &Edit, file_size: Option<u64>, before: &[Finding]) {
    let (mut header, mut findings) = fixed(edit, file_size);
    let mut size = file_size;
    for _ in 0..2 * MOST_FIXES {
        let mut fixes = findings.iter().filter_map(|finding| finding.fix.clone());
        let Some(fix) = fixes.find(|fix| fix.is_safe) else { break };
        let mut edit = Edit::new(header);
        edit.apply(&fix.changes).unwrap();
        (header, findings) = fixed(&edit, size);
        size = size.map(|size| edit.plan(Some(size)).unwrap().size());
        let new: Vec<_> = errors(&findings).difference(&errors(before)).copied().collect();
        assert!(new.is_empty(), "{fix:?} after other safe fixes causes {new:?}");
    }
}

#[test]
fn fixes_of_all_files_of_the_corpus_remove_their_findings() {
    let Some(folder) = corpus::folder() else { return };
    let mut count = 0;
    for (name, file) in corpus::every_file(&folder) {
        let Ok(header) = gguf_format::parse(&file) else { continue };
        // The files of `memory` are headers without their data.
        for size in [Some(file.len() as u64), None] {
            let findings = validate(&header, size);
            count += findings.iter().filter(|finding| finding.fix.is_some()).count();
            let header = gguf_format::parse(&file).unwrap();
            let checked = std::panic::catch_unwind(|| check_fixes(header, size, &findings));
            assert!(checked.is_ok(), "{name}, {size:?}");
        }
    }
    assert!(count > 100, "{count}");
}

/// Data is moved only if its size is known, the file has all of it, and the new place is known.
#[test]
fn data_that_cannot_be_moved_has_no_fix() {
    let fix_of = |file: &TestFile<'_>, check: Check| {
        let findings = validate_file(&file.encode().0);
        let found = findings.iter().find(|finding| finding.check == check);
        found.unwrap_or_else(|| panic!("{check:?}: {findings:?}")).fix.as_ref().map(|fix| fix.title.clone())
    };
    let repack = Some("Repack the data".to_owned());
    let unaligned = |file: TestFile<'static>| file.tensor(b"t", &[8], GgmlType::F32, 8);
    assert_eq!(fix_of(&unaligned(TestFile::new()).data(40), Check::UnalignedTensor), repack);
    assert_eq!(fix_of(&unaligned(TestFile::new()).data(39), Check::UnalignedTensor), None);
    let wrong = || TestFile::with(b"general.alignment", 24u32);
    assert_eq!(fix_of(&unaligned(wrong()).data(40), Check::UnalignedTensor), None);
    let set = Some("Set the alignment to 32".to_owned());
    assert_eq!(fix_of(&unaligned(wrong()).data(40), Check::BadAlignment), set);
    assert_eq!(fix_of(&unaligned(wrong()).data(39), Check::BadAlignment), None);
    // ggml does not know the type, so nobody knows the size of the data, or its byte order.
    let unknown = |file: TestFile<'static>| file.tensor(b"t", &[8], GgmlType(99), 0).data(64);
    assert_eq!(fix_of(&unknown(wrong()), Check::BadAlignment), None);
    let big = || TestFile::new().format(3, Endian::Big);
    assert_eq!(fix_of(&unknown(big()), Check::BigEndian), None);
    assert_eq!(fix_of(&big(), Check::BigEndian), Some("Convert to little-endian".to_owned()));
}
