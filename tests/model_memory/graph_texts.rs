//! The texts of the graphs: sections that can never be used, and architectures that do not exist.

use std::collections::BTreeSet;

use gguf_models::architectures::architecture_info;

/// The texts in the order in which a section is looked for.
const TEXTS: [&str; 4] = [
    include_str!("../../crates/gguf-models/src/memory/compute/graphs/other.graph"),
    include_str!("../../crates/gguf-models/src/memory/compute/graphs/latent.graph"),
    include_str!("../../crates/gguf-models/src/memory/compute/graphs/recurrent.graph"),
    include_str!("../../crates/gguf-models/src/memory/compute/graphs/common.graph"),
];

/// The titles of the sections: the name, and the architectures.
fn titles() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    TEXTS.into_iter().flat_map(str::lines).filter_map(|line| {
        let mut words = line.strip_prefix("== ")?.split(' ');
        Some((words.next()?, words.collect()))
    })
}

#[test]
fn no_section_is_hidden_by_an_earlier_one() {
    let mut seen = BTreeSet::new();
    for (name, architectures) in titles() {
        assert!(!seen.contains(&(name, "")), "{name} {architectures:?}: an earlier section is for all architectures");
        let architectures = if architectures.is_empty() { vec![""] } else { architectures };
        for architecture in architectures {
            assert!(seen.insert((name, architecture)), "{name} {architecture} is there twice");
        }
    }
}

#[test]
fn the_architectures_of_the_sections_are_known() {
    for (name, architectures) in titles() {
        for architecture in architectures {
            assert!(architecture_info(architecture.as_bytes()).is_some(), "{name} {architecture}");
        }
    }
}

#[test]
fn every_section_that_is_used_is_there_and_every_section_is_used() {
    let there: BTreeSet<_> = titles().map(|(name, _)| name).collect();
    let used = TEXTS.into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("do ")?.split(' ').next());
    let used: BTreeSet<_> = used.chain(["start", "block", "finish"]).collect();
    assert_eq!(there, used);
}
