//! Tensors of a type whose size is unknown.

use gguf_format::edit::Edit;
use gguf_models::validate::{Check, Subject, validate};

use crate::editing::small_files::file_with_tensors;
use crate::written::written;

#[test]
fn a_tensor_without_data_does_not_end_one_of_unknown_size() {
    let file = file_with_tensors(&[("a", &[8], 0, 0), ("unknown", &[4], 200, 32), ("empty", &[0], 0, 64)], 288);
    let mut edit = Edit::new(gguf_format::parse(&file).unwrap());
    edit.remove_tensor("a").unwrap();
    let plan = edit.plan(Some(file.len() as u64)).unwrap();
    assert_eq!(plan.size() - plan.data_offset(), 256, "all that can be the tensor's");
}

/// Opens a file, changes it, and returns the bytes of the new file.
fn changed(file: &[u8], change: impl FnOnce(&mut Edit)) -> Vec<u8> {
    let mut edit = Edit::new(gguf_format::parse(file).unwrap());
    change(&mut edit);
    written(&edit.plan(Some(file.len() as u64)).unwrap(), file)
}

#[test]
fn a_tensor_of_unknown_size_at_the_end_does_not_grow_when_the_file_is_realigned() {
    let mut old = file_with_tensors(&[("a", &[8], 0, 0), ("unknown", &[4], 200, 32), ("empty", &[0], 0, 64)], 128);
    for alignment in [64, 32, 256, 8, 4096, 32] {
        let new = changed(&old, |edit| edit.set_alignment(alignment).unwrap());
        let header = gguf_format::parse(&new).unwrap();
        assert_eq!(header.alignment(), u64::from(alignment));
        let unknown = header.tensor("unknown").unwrap();
        assert_eq!(unknown.offset() % u64::from(alignment), 0);
        let start = unknown.file_offset().unwrap() as usize;
        assert_eq!(new[start..], [7; 96], "alignment {alignment}");
        old = new;
    }
}

#[test]
fn a_tensor_of_unknown_size_before_others_takes_only_the_padding_that_the_alignment_needs() {
    let old = file_with_tensors(&[("unknown", &[4], 200, 0), ("a", &[8], 0, 96)], 128);
    let new = changed(&old, |edit| edit.set_alignment(64).unwrap());
    let header = gguf_format::parse(&new).unwrap();
    let data = &new[header.data_offset() as usize..];
    assert_eq!(header.tensor("a").unwrap().offset(), 128);
    assert_eq!((&data[..96], &data[96..128], &data[128..160]), (&[7; 96][..], &[0; 32][..], &[7; 32][..]));
    for alignment in [32, 64, 128, 8] {
        let again = changed(&new, |edit| edit.set_alignment(alignment).unwrap());
        assert_eq!(gguf_format::parse(&again).unwrap().tensor("a").unwrap().offset(), 128, "alignment {alignment}");
    }
}

#[test]
fn validating_and_planning_agree_on_whether_a_tensor_of_unknown_size_is_complete() {
    for (data, is_complete) in [(32, false), (33, true)] {
        let file = file_with_tensors(&[("a", &[8], 0, 0), ("unknown", &[4], 200, 32)], data);
        let header = gguf_format::parse(&file).unwrap();
        let findings = validate(&header, Some(file.len() as u64));
        let truncated = findings.iter().find(|finding| finding.check == Check::Truncated);
        assert_eq!(truncated.is_none(), is_complete, "{findings:?}");
        assert!(truncated.is_none_or(|finding| finding.subject == Some(Subject::Tensor(1))));
        let mut edit = Edit::new(header);
        edit.repack();
        let planned = edit.plan(Some(file.len() as u64)).map_err(|error| error.code().name());
        assert_eq!(planned.err(), (!is_complete).then_some("truncated"));
    }
}

#[test]
fn a_tensor_of_unknown_size_leaves_no_gap_before_the_next_tensor_with_data() {
    let file = file_with_tensors(&[("unknown", &[4], 200, 0), ("empty", &[0], 0, 32), ("a", &[8], 0, 96)], 128);
    let findings = validate(&gguf_format::parse(&file).unwrap(), Some(file.len() as u64));
    assert!(findings.iter().all(|finding| finding.check != Check::Gap), "{findings:?}");
}
