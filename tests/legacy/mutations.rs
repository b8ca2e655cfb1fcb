//! Changed files: the decoder gives the same for any pieces, and nothing panics.

use proptest::prelude::*;
use proptest::sample::Index;

use gguf_legacy::Answers;
use gguf_models::validate::{LoadAnswer, Severity, loads};

use super::support::{models, try_open};
use crate::legacy_input;
use crate::long::in_long;

/// A change of a file.
#[derive(Clone, Debug)]
enum Change {
    Number(Index, u32),
    Byte(Index, u8),
    Cut(Index),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let numbers = prop_oneof![0_u32..40, Just(u32::MAX), Just(1 << 31), any::<u32>()];
    prop_oneof![
        4 => (any::<Index>(), numbers).prop_map(|(at, number)| Change::Number(at, number)),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        1 => any::<Index>().prop_map(Change::Cut),
        1 => (any::<Index>(), prop::collection::vec(any::<u8>(), 1..9)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => (any::<Index>(), 1_usize..9).prop_map(|(at, count)| Change::Remove(at, count)),
    ]
}

/// The start of a file is changed more often than its end, because the data of tensors has no structure.
fn apply(file: &mut Vec<u8>, change: &Change) {
    let position = |at: &Index| at.index(file.len().min(2000));
    match change {
        Change::Number(at, number) => {
            let at = position(at) & !3;
            if let Some(place) = file.get_mut(at..at + 4) {
                place.copy_from_slice(&number.to_le_bytes());
            }
        }
        Change::Byte(at, byte) => {
            let at = position(at);
            file[at] = *byte;
        }
        Change::Cut(at) => file.truncate(at.index(file.len())),
        Change::Insert(at, bytes) => {
            let at = position(at);
            file.splice(at..at, bytes.iter().copied());
        }
        Change::Remove(at, count) => {
            let at = position(at);
            file.drain(at..file.len().min(at + count));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: in_long(20_000, 300), failure_persistence: None, ..Default::default() })]

    #[test]
    fn changed_files_give_the_same_for_any_pieces(
        model in any::<Index>(),
        pattern in prop::collection::vec(any::<u8>(), 0..8),
        options in any::<u8>(),
        changes in prop::collection::vec(change(), 0..4),
    ) {
        // Small files: a byte that is changed in a large one is likely to lie in the data.
        let files: Vec<Vec<u8>> = SMALL.with(|files| files.clone());
        if !files.is_empty() {
            let mut file = files[model.index(files.len())].clone();
            for change in &changes {
                if !file.is_empty() {
                    apply(&mut file, change);
                }
            }
            let mut input = vec![options & !7 | pattern.len() as u8];
            // Most files are read without a wanted family and with usual limits.
            if options < 200 {
                input[0] &= 7;
            }
            input.extend(&pattern);
            input.extend(&file);
            legacy_input::run(&input);
        }
    }
}

/// A hyperparameter that is a float can be a NaN, which is equal to itself.
#[test]
fn a_hyperparameter_that_is_nan_is_read_alike_in_pieces() {
    // An mpt model with one token of two bytes. The sixth and the seventh number are floats.
    let numbers = [12, 32, 32, 2, 1, u32::MAX, u32::MAX, 0, 2];
    let file = [b"lmgg".to_vec(), numbers.map(u32::to_le_bytes).concat(), vec![5, 0]].concat();
    legacy_input::run(&[&[0], &file[..]].concat());
}

/// What llama.cpp refuses about a migrated file is said before it is written.
#[test]
fn the_notes_say_what_llama_cpp_refuses() {
    let mut refused = 0;
    let files: Vec<_> =
        SMALL.with(|files| files.iter().filter(|file| file.starts_with(b"tjgg")).take(4).cloned().collect());
    for file in files {
        for place in (4..file.len().min(600)).step_by(7) {
            let mut file = file.clone();
            file[place] = file[place].wrapping_add(1);
            let Ok(model) = try_open(&[file]) else { continue };
            let Ok(migration) = model.migrate(&Answers::default()) else { continue };
            let header = gguf_format::parse(migration.file().header_bytes()).unwrap();
            let loads = loads(&header, Some(migration.size()));
            let is_adapter = header.get("adapter.type").is_some();
            if is_adapter || loads.answer == LoadAnswer::Yes {
                continue;
            }
            refused += 1;
            let reason = loads.reason.unwrap();
            let notes = migration.notes().iter().filter(|note| note.severity() == Severity::Error);
            assert!(notes.into_iter().any(|note| note.message == reason.message), "{reason:?} {:?}", migration.notes());
        }
    }
    println!("{refused} migrated files are refused");
}

thread_local! {
    static SMALL: Vec<Vec<u8>> =
        models().into_iter().map(|model| model.parts.into_iter().next().unwrap()).filter(|file| file.len() < 24_000).collect();
}
