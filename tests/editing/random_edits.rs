//! Random edits of random files have the result that a simple model predicts.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::edit_session;
use crate::long::in_long;

/// The bytes that determine a file and its edits.
struct Input(Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(in_long(4000, 1000)) })]

    #[test]
    fn edits_come_to_what_the_model_says(input in vec(any::<u8>(), 0..700).prop_map(Input)) {
        edit_session::run(&input.0);
    }
}
