//! Files that are broken by chance: the editor accepts every fix that is offered, and each fix removes its finding.

use gguf_format::edit::Edit;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{ErrorCode, GgmlType, Header, ValueType};
use gguf_models::validate::{Check, Finding, validate};

use crate::validate::fixes::{errors, fixed};
use crate::validate::test_file::TestFile;
use crate::{corpus, gguf_bytes::GgufBytes};

/// The largest file that is changed. Larger ones take long, and have the same keys.
const MOST_BYTES: usize = 20_000;

/// How many changed copies of each file are checked.
const COPIES: u64 = 12;

/// The next number of a sequence without order: xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state as usize
}

/// Applies each fix to the header. Returns their number.
fn check_fixes(name: &str, header: Header, size: u64, findings: &[Finding]) -> usize {
    let fixes = findings.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?)));
    let (mut edit, mut count) = (Edit::new(header), 0);
    for (finding, fix) in fixes {
        edit.apply(&fix.changes).unwrap_or_else(|error| panic!("{name}: {finding:?}: {error}"));
        // An alignment of 2 GiB, for example, is valid, but its padding does not fit into memory.
        if edit.plan(Some(size)).is_err_and(|error| error.code() == ErrorCode::TooLarge) {
            assert!(edit.undo());
            continue;
        }
        let (_, after) = fixed(&edit, Some(size));
        let is_same = |other: &Finding| {
            (other.check, other.subject, &other.message) == (finding.check, finding.subject, &finding.message)
        };
        // When an entry is removed, the finding of the next one has its place.
        let found = |findings: &[Finding]| findings.iter().filter(|other| other.check == finding.check).count();
        let is_gone = !after.iter().any(is_same) || found(&after) < found(findings) || found(findings) > 100;
        assert!(is_gone, "{name}: {finding:?} is still there");
        // Fixes that a person confirms can show what else is wrong.
        let is_new = |code| !errors(findings).contains(code);
        assert!(!fix.is_safe || !errors(&after).into_iter().any(is_new), "{name}: {finding:?} causes {after:?}");
        assert!(edit.undo());
        count += 1;
    }
    count
}

#[test]
fn every_fix_of_a_changed_file_is_accepted_and_removes_its_finding() {
    let Some(folder) = corpus::folder() else { return };
    let (mut state, mut count) = (0x9e37_79b9_7f4a_7c15, 0);
    for (name, file) in corpus::every_file(&folder) {
        let Ok(header) = gguf_format::parse(&file) else { continue };
        let end = header.header_size() as usize;
        if file.len() > MOST_BYTES || end <= 8 {
            continue;
        }
        for copy in 0..COPIES {
            let mut changed = file.clone();
            for _ in 0..=copy % 3 {
                let place = 4 + next(&mut state) % (end - 4);
                changed[place] = match next(&mut state) % 4 {
                    0 => changed[place] ^ 1 << (next(&mut state) % 8),
                    1 => 0,
                    2 => changed[place].wrapping_add(1),
                    _ => next(&mut state) as u8,
                };
            }
            let Ok(header) = gguf_format::parse(&changed) else { continue };
            let findings = validate(&header, Some(changed.len() as u64));
            count += check_fixes(&format!("{name}, copy {copy}"), header, changed.len() as u64, &findings);
        }
    }
    assert!(count > 300, "{count} fixes");
}

/// The titles of the fixes of a check. All fixes of the file are applied.
fn fixes_of(file: &[u8], check: Check) -> Vec<Option<String>> {
    let findings = crate::validate::validate_file(file);
    let found: Vec<_> = findings.iter().filter(|finding| finding.check == check).collect();
    assert!(!found.is_empty(), "{check:?} is not in {findings:?}");
    found.iter().map(|finding| finding.fix.as_ref().map(|fix| fix.title.clone())).collect()
}

#[test]
fn an_alignment_that_the_editor_refuses_is_not_offered() {
    let misspelt = |value: OwnedValue| TestFile::with(b"general.alignmnet", value).encode().0;
    assert_eq!(fixes_of(&misspelt(7_u32.into()), Check::MisspeltKey), [None]);
    assert_eq!(fixes_of(&misspelt(64_u32.into()), Check::MisspeltKey), [Some("Rename to general.alignment".into())]);

    // A BOOL with the byte 2.
    let mut file = GgufBytes::new(gguf_format::Format::default());
    file.header(0, 1).key(b"general.alignment", ValueType::Bool.id()).bytes(&[2]);
    assert_eq!(fixes_of(&file.into_bytes(), Check::OddBool), [None]);
}

#[test]
fn a_key_that_the_editor_refuses_is_not_offered() {
    for architecture in [vec![b'a'; 65_530], b"llama\xff".to_vec()] {
        let mut file = GgufBytes::new(gguf_format::Format::default());
        file.header(1, 1).key(b"general.architecture", ValueType::String.id()).string(&architecture);
        file.tensor(b"blk.0.attn_q.weight", &[32], GgmlType::I8.0, 0).pad_to(32).bytes(&[0; 32]);
        crate::validate::validate_file(&file.into_bytes());
    }
}
