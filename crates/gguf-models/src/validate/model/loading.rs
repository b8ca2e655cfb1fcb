//! The keys and tensors of a model, compared with the rules of llama.cpp's loader.

use alloc::vec::Vec;
use core::cell::OnceCell;

use super::complete_model::Model;
use super::problems::{fix_of_block_count, report, report_missing_key, report_wrong_key};
use crate::architectures::rules::{Extent, Loading, Problem, Rules, Shape, Summary, key_named};
use crate::architectures::table_reader::lists::KEYS;
use crate::architectures::{ArchitectureInfo, KeyNeed, MOST_BLOCKS, block_count_of_tensors};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use gguf_format::format::header::Header;
use gguf_format::order::sort_by;

/// The most wrong keys that are found by the tensors that agree against them.
const MOST_WRONG_KEYS: usize = 4;

/// The most values of keys that are tried.
const MOST_TRIED: usize = 8;

/// The most values of keys that are compared by their numbers of tensors.
const MOST_TALLIED: usize = 100;

/// Reports the keys that the first shard of a model lacks. It has the metadata of all shards, and only some of the tensors.
pub(super) fn check_first_shard(model: &Model<'_>, findings: &mut Findings) {
    let Some(rules) = model.rules() else { return };
    for (name, need) in Summary::of(&rules).keys {
        if need == KeyNeed::Always && model.header.get(model.key_of(name)).is_none() {
            report_missing_key(model, &model.key_of(name), &|| None, findings);
        }
    }
}

/// The number of problems that llama.cpp has with a file as a model of an architecture. `None` if it does not load the
/// architecture.
pub(in crate::validate) fn problem_count(header: &Header, info: &ArchitectureInfo) -> Option<usize> {
    let rules = Rules::of(info.name)?;
    Some(Loading::run(&rules, header, info.name.as_bytes(), &[], Extent::Counted).problem_count)
}

/// Reports what llama.cpp refuses. Returns the keys that are wrong by their tensors, with the values that these have.
pub(super) fn check(model: &Model<'_>, findings: &mut Findings) -> Vec<(&'static str, u64)> {
    let Some(rules) = model.rules() else { return Vec::new() };
    let run =
        |assumed: &[(usize, i64)], extent| Loading::run(&rules, model.header, &model.architecture, assumed, extent);
    let mut assumed = Vec::new();
    let mut explained = Vec::new();
    // `blocks` reports the number of blocks.
    if let Some(blocks) = number_of_blocks(model) {
        assumed.push((key_named("block_count").unwrap_or(0), blocks));
    }
    let mut problems = run(&assumed, Extent::All);
    if has_no_heads(model, &problems.problems, findings) {
        return Vec::new();
    }
    // A wrong key is found by its tensors: with the right value, most of their problems are gone.
    while explained.len() < MOST_WRONG_KEYS
        && let Some((key, value, agreeing)) = wrong_key(model, &problems, &assumed, &run)
    {
        explained.push((key, value, agreeing));
        assumed.push((key, value));
        problems = run(&assumed, Extent::All);
    }
    if model.entry("{arch}.block_count").is_none() && number_of_blocks(model).is_some() {
        // The tensors of an incomplete block do not tell how many blocks there should be.
        let is_complete = !problems.problems.iter().any(|problem| matches!(problem, Problem::MissingTensor { .. }));
        let fix = || fix_of_block_count(model).filter(|_| is_complete);
        report_missing_key(model, &model.key_of("block_count"), &fix, findings);
    }
    let groups = OnceCell::new();
    let is_explained = |name: &str| explained.iter().any(|(key, ..)| KEYS[*key] == name);
    let is_reported = |name: &str| {
        let is_it = |problem: &Problem| matches!(problem, Problem::MissingKey { name: own, .. } if *own == name);
        name == "block_count" || is_explained(name) || problems.problems.iter().any(is_it)
    };
    let is_of_key = |problem: &&Problem| {
        matches!(problem, Problem::MissingKey { .. } | Problem::KeyType(_) | Problem::KeyLength { .. })
    };
    // llama.cpp reads all keys before it creates a tensor.
    for problem in problems.problems.iter().filter(is_of_key) {
        report(model, problem, &groups, findings);
    }
    for (key, value, agreeing) in &explained {
        let is_certain = !problems.problems.iter().any(|problem| is_about(problem, *key));
        report_wrong_key(model, KEYS[*key], *value, *agreeing, is_certain, findings);
    }
    // Without these keys, dimensions are 0.
    for (name, need) in Summary::of(&rules).keys {
        let key = model.key_of(name);
        let is_missing = need == KeyNeed::Always && model.header.get(&*key).is_none();
        if is_missing && problems.problem_count > 0 && !is_reported(name) {
            report_missing_key(model, &key, &|| None, findings);
        }
    }
    for problem in problems.problems.iter().filter(|problem| !is_of_key(problem)) {
        report(model, problem, &groups, findings);
    }
    explained.iter().filter_map(|(key, value, _)| Some((KEYS[*key], u64::try_from(*value).ok()?))).collect()
}

/// Whether the dimension of a tensor depends on a key.
fn is_about(problem: &Problem, key: usize) -> bool {
    matches!(problem, Problem::Shape(Shape { candidates, .. }) if candidates.iter().any(|(own, _)| *own == key))
}

/// Reports a model without attention heads whose architecture needs them. Most tensors do not fit then.
fn has_no_heads(model: &Model<'_>, problems: &[Problem], findings: &mut Findings) -> bool {
    const HEADS: &str = "{arch}.attention.head_count";
    let Some(entry) = model.entry(HEADS) else { return false };
    let is_empty = |problem: &Problem| matches!(problem, Problem::Shape(Shape { expected: 0, .. }));
    let has_none = model.number_of_block(HEADS, 0) == Some(0) && problems.iter().any(is_empty);
    if has_none {
        findings.report(
            Check::HeadCount,
            Some(Subject::Entry(entry.index())),
            Some(entry.value_range().start),
            format_args!(
                "the number of attention heads is 0, but every block has attention, expected at least 1. The tensors \
                 do not fit. Set it to the number of heads that the model was trained with."
            ),
        );
    }
    has_none
}

/// The number of blocks that the tensors have, if the key says another one, or is missing.
fn number_of_blocks(model: &Model<'_>) -> Option<i64> {
    let found = block_count_of_tensors(model.header)?;
    let announced = model.number("{arch}.block_count");
    let next_token = model.number("{arch}.nextn_predict_layers").unwrap_or(0).min(announced.unwrap_or(0));
    let is_right = announced.is_some_and(|announced| (announced - next_token..=announced).contains(&found));
    (!is_right && found <= MOST_BLOCKS).then_some(found as i64)
}

/// Loads a model with keys that have other values.
type Run<'f, 'r, 'a> = &'f dyn Fn(&[(usize, i64)], Extent) -> Loading<'r, 'a>;

/// A key that most of the tensors that do not fit agree against, with the value that they have, and how many they are.
fn wrong_key<'r, 'a>(
    model: &Model<'_>,
    loading: &Loading<'r, 'a>,
    assumed: &[(usize, i64)],
    run: Run<'_, 'r, 'a>,
) -> Option<(usize, i64, u64)> {
    let mut tally: Vec<(usize, i64, u64)> = Vec::new();
    for problem in &loading.problems {
        let Problem::Shape(Shape { candidates, .. }) = problem else { continue };
        for (key, value) in candidates {
            match tally.iter().position(|(own, known, _)| own == key && known == value) {
                Some(place) => tally[place].2 += 1,
                None if tally.len() < MOST_TALLIED => tally.push((*key, *value, 1)),
                None => {}
            }
        }
    }
    tally.retain(|(key, ..)| !assumed.iter().any(|(own, _)| own == key));
    // Positions are sorted, because a sort of the tuples would be a copy of 8 kB.
    let mut most_first: Vec<usize> = (0..tally.len()).collect();
    sort_by(&mut most_first, &|a, b| tally[b].2.cmp(&tally[a].2).then(a.cmp(&b)));
    // Types stay wrong.
    let types = loading.problems.iter().filter(|problem| matches!(problem, Problem::KeyType(_))).count();
    let mut best: Option<(usize, (usize, i64, u64))> = None;
    for candidate in most_first.into_iter().take(MOST_TRIED).map(|place| tally[place]) {
        let (key, value, agreeing) = candidate;
        let is_missing = model.header.get(model.key_of(KEYS[key])).is_none();
        // One tensor alone may be the one that is wrong.
        if agreeing < 2 && !is_missing {
            continue;
        }
        let with = [assumed, &[(key, value)]].concat();
        let left = run(&with, Extent::Counted).problem_count;
        if left.saturating_sub(types) * 2 <= loading.problem_count - types && best.is_none_or(|(least, _)| left < least)
        {
            best = Some((left, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
