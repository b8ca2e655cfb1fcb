//! The keys and tensors of a model, compared with the rules of llama.cpp's loader.

use alloc::vec::Vec;
use core::cell::OnceCell;

use super::complete_model::Model;
use crate::error::shown::Shown;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::Value;
use crate::know::architectures::rules::{Extent, Loading, Problem, Rules, Shape, Summary};
use crate::know::architectures::{
    ArchitectureInfo, KeyNeed, MOST_BLOCKS, RequiredTensor, TensorGroup, block_count_of_tensors, split_place,
};
use crate::know::keys::key_info;
use crate::know::tensor_names::tensor_role;
use crate::order::sort_by;
use crate::validate::check::Check;
use crate::validate::findings::{Counted, Finding, Findings, Subject};
use crate::validate::fix::{self, Fix};

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

/// The number of problems that llama.cpp has with a model of another architecture.
pub(super) fn problem_count(header: &Header, rules: &Rules, architecture: &[u8]) -> usize {
    Loading::run(rules, header, architecture, &[], Extent::Counted).problem_count
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
        assumed.push((rules.key("block_count").unwrap_or(0), blocks));
    }
    let mut problems = run(&assumed, Extent::All);
    if has_no_heads(model, &problems.problems, findings) {
        return Vec::new();
    }
    // A wrong key is found by its tensors: with the right value, most of their problems are gone.
    while explained.len() < MOST_WRONG_KEYS
        && let Some((key, value, agreeing)) = wrong_key(model, &rules, &problems, &assumed, &run)
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
    let is_explained = |name: &str| explained.iter().any(|(key, ..)| rules.keys[*key] == name);
    let is_reported = |name: &str| {
        let is_it = |problem: &Problem| matches!(problem, Problem::MissingKey { name: own, .. } if *own == name);
        name == "block_count" || is_explained(name) || problems.problems.iter().any(is_it)
    };
    // Without these keys, dimensions are 0.
    for (name, need) in Summary::of(&rules).keys {
        let key = model.key_of(name);
        let is_missing = need == KeyNeed::Always && model.header.get(&*key).is_none();
        if is_missing && problems.problem_count > 0 && !is_reported(name) {
            report_missing_key(model, &key, &|| None, findings);
        }
    }
    for (key, value, agreeing) in &explained {
        let is_certain = !problems.problems.iter().any(|problem| is_about(problem, *key));
        report_wrong_key(model, rules.keys[*key], *value, *agreeing, is_certain, findings);
    }
    for problem in &problems.problems {
        report(model, problem, &groups, findings);
    }
    explained.iter().filter_map(|(key, value, _)| Some((rules.keys[*key], u64::try_from(*value).ok()?))).collect()
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
                "the number of attention heads is 0, but every block has attention, expected at least 1. The tensors do not \
                 fit, and llama.cpp refuses the file. Set it to the number of heads that the model was trained with."
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
    rules: &'r Rules,
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
    sort_by(&mut tally, &|(.., a), (.., b)| b.cmp(&a));
    // Types stay wrong.
    let types = loading.problems.iter().filter(|problem| matches!(problem, Problem::KeyType(_))).count();
    let mut best: Option<(usize, (usize, i64, u64))> = None;
    for candidate in tally.into_iter().take(MOST_TRIED) {
        let (key, value, agreeing) = candidate;
        let is_missing = model.header.get(model.key_of(rules.keys[key])).is_none();
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

fn report_wrong_key(
    model: &Model<'_>,
    name: &'static str,
    value: i64,
    agreeing: u64,
    is_certain: bool,
    findings: &mut Findings,
) {
    let set = || u32::try_from(value).ok();
    let tensors = Counted(agreeing, "tensor");
    let Some(entry) = model.header.get(model.key_of(name)) else {
        let key = model.key_of(name);
        let fix = || {
            if !is_certain {
                return None;
            }
            let title = format!("Add the entry with the value {value}");
            Some(Fix::safe(title, fix::add(model.header, &key, set()?)?))
        };
        return report_missing_key(model, &key, &fix, findings);
    };
    let found = Number(&entry);
    findings.report_with_fix(
        Check::TensorShape,
        Some(Subject::Entry(entry.index())),
        Some(entry.value_range().start),
        format_args!("the value is {found}, but {tensors} fit {value}. llama.cpp refuses the file. Set it to {value}."),
        &|| Some(Fix::to_confirm(format!("Set it to {value}"), fix::set(entry.index(), set()?)?)),
    );
}

/// The number of an entry.
struct Number<'a>(&'a MetadataKv<'a>);

impl core::fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0.value().as_u64() {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("no number"),
        }
    }
}

fn report_missing_key(model: &Model<'_>, key: &[u8], fix: &dyn Fn() -> Option<Fix>, findings: &mut Findings) {
    let shown = Shown(key);
    let info = key_info(key).filter(|info| model.key(info.pattern) == key);
    findings.report_with_fix(
        Check::MissingKey,
        info.map(|info| Subject::MissingEntry(info.pattern)),
        None,
        format_args!(
            "the entry {shown} is missing, and llama.cpp refuses the file. Add it, or convert the model again."
        ),
        fix,
    );
}

/// The tensors of the architecture, when they are needed.
type Groups = OnceCell<Vec<TensorGroup>>;

fn report(model: &Model<'_>, problem: &Problem, groups: &Groups, findings: &mut Findings) {
    match problem {
        Problem::MissingKey { name, is_whole: true } => report_missing_key(model, name.as_bytes(), &|| None, findings),
        Problem::MissingKey { name, .. } => report_missing_key(model, &model.key_of(name), &|| None, findings),
        Problem::KeyType(entry) => report_type(model, *entry, findings),
        Problem::KeyLength { entry, found, expected } => {
            let elements = Counted(*found, "element");
            let blocks = model.number("{arch}.block_count").filter(|blocks| i64::try_from(*blocks) == Ok(*expected));
            let length = match blocks {
                Some(blocks) => format!("the model has {}", Counted(blocks, "block")),
                None => format!("llama.cpp reads {expected}"),
            };
            findings.report(
                Check::BlockArrayLength,
                Some(Subject::Entry(*entry)),
                model.header.metadata_at(*entry).map(|entry| entry.value_range().start),
                format_args!(
                    "the array has {elements}, but {length}. llama.cpp refuses the file. \
                     Give it one element for each block, or correct block_count."
                ),
            );
        }
        Problem::Condition { text, stops } => {
            let what = if *stops { "llama.cpp stops" } else { "llama.cpp refuses the file" };
            findings.report(
                Check::UnmetCondition,
                None,
                None,
                format_args!("{text} does not hold. {what}. Correct the numbers, or convert the model again."),
            );
        }
        Problem::Undecided { text } => findings.report(
            Check::Undecided,
            None,
            None,
            format_args!(
                "{text} has no value. It is not known what llama.cpp does with the file. Correct the numbers."
            ),
        ),
        Problem::MissingTensor { name, block } => {
            let tensor = RequiredTensor::new(*name, *block);
            findings.report(
                Check::MissingTensor,
                Some(Subject::MissingTensor(tensor)),
                None,
                format_args!(
                    "the tensor {tensor} is missing, and llama.cpp refuses the file. \
                     Download the file again, or convert the model again."
                ),
            );
        }
        Problem::Shape(shape) => report_shape(model, shape, findings),
        Problem::Superfluous(index) => report_superfluous(model, *index, groups, findings),
        Problem::Count { created, found } => findings.report(
            Check::UnknownTensor,
            None,
            None,
            format_args!("the file has {found} tensors, but llama.cpp uses {created}, and refuses the file."),
        ),
    }
}

/// Reports a type that llama.cpp does not read, unless the table of keys has it and it is reported.
fn report_type(model: &Model<'_>, index: usize, findings: &mut Findings) {
    let subject = Some(Subject::Entry(index));
    let is_reported = |finding: &Finding| finding.check == Check::WrongType && finding.subject == subject;
    let Some(entry) = model.header.metadata_at(index).filter(|_| !findings.list.iter().any(is_reported)) else {
        return;
    };
    let found = match entry.value() {
        Value::Array(array) => format!("an array of {}", array.element_type()),
        value => format!("{}", value.value_type()),
    };
    findings.report(
        Check::WrongType,
        subject,
        Some(entry.value_range().start - 4),
        format_args!(
            "the type is {found}, which llama.cpp does not read here, and it refuses the file. Change the type."
        ),
    );
}

/// Adds the number of blocks that the tensors have.
fn fix_of_block_count(model: &Model<'_>) -> Option<Fix> {
    let blocks = block_count_of_tensors(model.header).filter(|count| *count <= MOST_BLOCKS)?;
    let add = fix::add(model.header, &model.key_of("block_count"), u32::try_from(blocks).ok()?)?;
    Some(Fix::safe(format!("Add the entry with the value {blocks}"), add))
}

fn report_shape(model: &Model<'_>, shape: &Shape, findings: &mut Findings) {
    let Some(tensor) = model.header.tensor_at(shape.tensor) else { return };
    let Shape { found, expected, .. } = shape;
    let meaning = shape.meaning.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
    let is_vector = tensor.dimensions().len() <= 1;
    if let (Some(index), None, 1) = (shape.dimension, &shape.meaning, *expected)
        && index >= shape.wanted
    {
        let count = Counted(shape.wanted as u64, "dimension");
        return findings.report(
            Check::TensorShape,
            Some(Subject::Tensor(shape.tensor)),
            Some(tensor.fields().dimensions + index as u64 * model.header.format().length_size()),
            format_args!(
                "dimension {index} is {found}, but the tensor has {count}, so it must be 1. llama.cpp refuses the file. \
                 Convert the model again."
            ),
        );
    }
    let (what, index) = match shape.dimension {
        Some(0) if is_vector => (format!("the tensor has {found} elements"), 0),
        Some(index) => (format!("dimension {index} is {found}"), index),
        None => (format!("the tensor has {found} elements"), 0),
    };
    findings.report(
        Check::TensorShape,
        Some(Subject::Tensor(shape.tensor)),
        Some(tensor.fields().dimensions + index as u64 * model.header.format().length_size()),
        format_args!("{what}, expected {expected}{meaning}. llama.cpp refuses the file. Convert the model again."),
    );
}

fn report_superfluous(model: &Model<'_>, index: usize, groups: &Groups, findings: &mut Findings) {
    let Some(tensor) = model.header.tensor_at(index) else { return };
    // An expert with tensors of its own is one of an old file, which lacks the tensors of all experts.
    if tensor_role(&tensor.name().to_bytes()).is_some_and(|role| role.expert.is_some()) {
        return;
    }
    let architecture = Shown(&model.architecture);
    let name = tensor.name().to_bytes();
    let (place, _, own) = split_place(&name);
    let groups = groups.get_or_init(|| model.info.and_then(ArchitectureInfo::llama_cpp_tensors).unwrap_or_default());
    let is_own = |group: &TensorGroup| group.place == place && group.names.iter().any(|name| name.as_bytes() == own);
    if !groups.iter().any(is_own) {
        return findings.report(
            Check::UnknownTensor,
            Some(Subject::Tensor(index)),
            Some(tensor.range().start),
            format_args!(
                "no model of {architecture} has a tensor of this name, so llama.cpp counts too many tensors and refuses \
                 the file. Rename the tensor if its name is misspelt, or remove it."
            ),
        );
    }
    findings.report(
        Check::UnknownTensor,
        Some(Subject::Tensor(index)),
        Some(tensor.range().start),
        format_args!(
            "llama.cpp does not look for this tensor in a model of {architecture} with these keys, so it counts too many \
             tensors and refuses the file. Rename the tensor if its name is misspelt, or remove it."
        ),
    );
}
