//! Folders whose small files are generated: long lists, repeated texts, nested values, many files.

use crate::long::in_long;
use crate::model_folder_input;

#[test]
fn generated_folders_are_opened_and_planned_or_refused() {
    let mut state = 1_u64;
    let mut next = move || {
        // Knuth's generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut planned = 0;
    for _ in 0..in_long(2000, 60) {
        let input: Vec<u8> = (0..4 + next() % 60).map(|_| next() as u8).collect();
        planned += usize::from(model_folder_input::run(&input, in_long(1 << 20, 4 << 10)));
    }
    assert!(planned > 0, "no folder can be converted");
    assert!(model_folder_input::run(&[], 0), "the folder without changes can be converted");
}
