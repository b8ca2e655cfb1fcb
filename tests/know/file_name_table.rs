//! Published names have the parts that a person reads in them.

use gguf_models::file_name::{FileName, parse_file_name};

const TABLE: &str = include_str!("file_names.txt");

/// The parts of a name as the table writes them, in alphabetical order.
fn written(name: &FileName<'_>) -> Vec<String> {
    let shard = name.shard.map(|shard| format!("{}/{}", shard.number, shard.count));
    let mut parts: Vec<String> = [
        ("sidecar", name.sidecar),
        ("base", name.base_name),
        ("size", name.size_label),
        ("tune", name.fine_tune),
        ("version", name.version),
        ("enc", name.encoding),
        ("type", name.r#type),
        ("shard", shard.as_deref()),
    ]
    .into_iter()
    .filter_map(|(part, text)| Some(format!("{part}={}", text?)))
    .collect();
    parts.sort();
    parts
}

#[test]
fn published_names_have_the_parts_that_a_person_reads() {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut names, mut wrong) = (std::collections::BTreeSet::new(), Vec::new());
    for line in lines {
        let (name, expected) = line.split_once(' ').unwrap();
        let mut expected: Vec<_> = expected.split(' ').map(str::to_owned).collect();
        expected.sort();
        let found = written(&parse_file_name(name));
        if found != expected {
            wrong.push(format!("{name}: {found:?} instead of {expected:?}"));
        }
        assert!(names.insert(name), "{name} is there twice");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(names.len() >= 150, "only {} names", names.len());
}
