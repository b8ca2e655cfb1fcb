//! Fixes: each removes its finding, changes nothing else, and causes no error.

use std::collections::{BTreeMap, BTreeSet};

use gguf_wasm::{Change, Edit, Finding, Fix, Header, Severity, validate};

/// Fixes of one check that are applied. A hostile file can have a hundred of each.
const MOST_FIXES: usize = 3;

/// Applies the fixes of findings, each to the header that has the findings, and checks the result.
pub fn check_fixes(header: Header, findings: &[Finding]) {
    let mut seen = BTreeMap::new();
    let mut fixes = findings.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?))).peekable();
    if fixes.peek().is_none() {
        return;
    }
    let mut edit = Edit::new(header);
    let before = validate(edit.header(), None);
    for (finding, fix) in fixes {
        let count = seen.entry(finding.check.code()).or_insert(0);
        *count += 1;
        if *count <= MOST_FIXES {
            check_fix(&mut edit, &before, finding, fix);
        }
    }
}

fn check_fix(edit: &mut Edit, before: &[Finding], finding: &Finding, fix: &Fix) {
    assert!(!fix.title.is_empty() && !fix.title.ends_with('.'), "{fix:?}");
    edit.apply(&fix.changes).unwrap_or_else(|error| panic!("{finding:?}: {error}"));
    let made: Vec<_> = edit.changes().iter().map(|made| &made.change).collect();
    assert_eq!(made, fix.changes.iter().collect::<Vec<_>>(), "{finding:?}");

    let plan = edit.plan_header(None).unwrap();
    let bytes: Vec<u8> = plan.header_pieces(0..plan.header_size()).flatten().copied().collect();
    let fixed = gguf_wasm::parse(&bytes).unwrap();
    let after = validate(&fixed, None);
    let count = |findings: &[Finding]| findings.iter().filter(|other| other.check == finding.check).count();
    // One fix may remove several findings. A list of 101 findings is cut off, and may get another one.
    assert!(count(&after) < count(before) || count(before) > 100, "{finding:?} is still there: {after:?}");
    let errors = |findings: &[Finding]| -> BTreeSet<_> {
        let errors = findings.iter().filter(|finding| finding.check.severity() == Severity::Error);
        errors.map(|finding| finding.check.code()).collect()
    };
    let new: Vec<_> = errors(&after).difference(&errors(before)).copied().collect();
    assert!(new.is_empty(), "{finding:?}: the fix causes {new:?}");
    // Tensors are removed only by the changes that say so.
    let removed = fix.changes.iter().filter(|change| matches!(change, Change::RemoveTensor { .. })).count();
    assert_eq!(fixed.tensors().len() + removed, edit.header().tensors().len(), "{finding:?}");

    assert!(edit.undo(), "{finding:?}");
    assert!(!edit.can_undo(), "one step undoes the fix: {finding:?}");
}
