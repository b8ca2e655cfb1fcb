//! Random vocabularies and texts.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::long::in_long;
use crate::tokenizer_input;

/// The bytes that determine a vocabulary and its texts.
struct Input(Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A list of strings of few different bytes, so that tokens, merges and texts have parts in common.
fn list(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => proptest::sample::select(&b"ab 1'\n<|>"[..]),
        2 => proptest::sample::select("é▁Ġ日".as_bytes()),
        1 => any::<u8>(),
    ];
    vec(vec(byte, 0..8), 0..most).prop_map(|texts| {
        let mut list: Vec<u8> = texts.into_iter().flat_map(|text| [vec![text.len() as u8], text].concat()).collect();
        list.push(255);
        list
    })
}

fn input() -> impl Strategy<Value = Input> {
    (vec(any::<u8>(), 5), list(30), list(20), list(8), list(8))
        .prop_map(|(start, tokens, merges, map, texts)| Input([start, tokens, merges, map, texts].concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(in_long(4000, 1000)) })]

    #[test]
    fn every_vocabulary_covers_every_text_or_is_refused(input in input()) {
        tokenizer_input::run(&input.0);
    }
}
