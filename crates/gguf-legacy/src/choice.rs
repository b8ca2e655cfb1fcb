//! The choice of a layout among those that fit, and of the family among those that have it.

use alloc::vec::Vec;

use super::candidate::{Candidate, Preamble, State};
use super::container::{BlockRules, Container};
use super::family::{FLOAT_FIELDS, Family, FamilyForm, Layout};
use super::header::{FieldValue, LegacyHeader, MelFilters, Vocabulary};
use super::tensor::{DAMAGED, LegacyTensor};
use gguf_format::error::{Error, Result, error};

/// The layouts that fit, and in which the first tensor begins at the same position. All tensors tell which of them is right.
pub(super) struct Choices {
    preamble: Preamble,
    /// At least one, the best first.
    layouts: Vec<FittingLayout>,
    tensors_offset: u64,
    /// Families of layouts in which the first tensor begins elsewhere.
    elsewhere: Vec<Family>,
}

/// A layout that fits, and what was read in it.
struct FittingLayout {
    layout: Layout,
    fields: Vec<u32>,
    block_rules: BlockRules,
    mel_filters: Option<MelFilters>,
    vocabulary: Option<Vocabulary>,
}

/// Takes the layouts that fit, and the candidate with the best: one of a family that has the name of the first tensor, and
/// whose fields are plausible.
///
/// # Errors
///
/// If no layout fits, the error of the one that could be read furthest.
pub(super) fn choose(
    candidates: Vec<Candidate>,
    preamble: Preamble,
    wanted: Option<Family>,
    file: &[u8],
) -> Result<(Choices, Candidate)> {
    let mut fitting: Vec<(u8, Candidate)> = Vec::new();
    let mut failed: Option<(u64, Error)> = None;
    for candidate in candidates {
        match &candidate.state {
            State::Fits(first) => match rank(&candidate, preamble, wanted, first.as_ref()) {
                0 => fail(&mut failed, candidate.position(), || unknown_family(candidate.position())),
                rank => {
                    let place = fitting.iter().position(|(other, _)| *other < rank).unwrap_or(fitting.len());
                    fitting.insert(place, (rank, candidate));
                }
            },
            State::Fails(error) => fail(&mut failed, error.offset().unwrap_or(0), || error.clone()),
            _ => {}
        }
    }
    let Some((_, best)) = fitting.first() else {
        return Err(failed.map_or_else(|| unknown_family(preamble.end()), |(_, error)| error));
    };
    let mut choices = Choices { preamble, layouts: Vec::new(), tensors_offset: best.position(), elsewhere: Vec::new() };
    let has_same_tensors = |candidate: &Candidate, best: &FittingLayout| {
        candidate.position() == choices.tensors_offset
            && candidate.block_rules == best.block_rules
            && candidate.layout.type_numbers == best.layout.type_numbers
            && candidate.layout.max_dimensions == best.layout.max_dimensions
    };
    let mut taken = None;
    for (_, mut candidate) in fitting {
        match choices.layouts.first() {
            Some(best) if !has_same_tensors(&candidate, best) => {
                choices.elsewhere.extend(families_with_name(&candidate, preamble));
            }
            _ => {
                let vocabulary = candidate.take_vocabulary(file)?;
                choices.layouts.push(FittingLayout {
                    layout: candidate.layout,
                    fields: core::mem::take(&mut candidate.fields),
                    block_rules: candidate.block_rules,
                    mel_filters: candidate.mel_filters,
                    vocabulary,
                });
                taken.get_or_insert(candidate);
            }
        }
    }
    match taken {
        Some(candidate) => Ok((choices, candidate)),
        None => Err(unknown_family(preamble.end())),
    }
}

/// Keeps the error of the layout that could be read furthest.
fn fail(failed: &mut Option<(u64, Error)>, at: u64, error: impl FnOnce() -> Error) {
    if failed.as_ref().is_none_or(|(furthest, _)| at > *furthest) {
        *failed = Some((at, error()));
    }
}

#[cold]
fn unknown_family(at: u64) -> Error {
    error!(BadStructure:
        "cannot tell the family of the model: the hyperparameters and the name of the tensor at offset {at:#x} are those of no \
         family that is known. {DAMAGED}")
    .at(at)
}

fn forms(layout: Layout, preamble: Preamble) -> impl Iterator<Item = &'static FamilyForm> {
    let forms = FamilyForm::of(preamble.container, preamble.version);
    forms.filter(move |form| form.layout(preamble.container) == layout)
}

/// How well a layout fits; 0 if it does not. The family that the caller wants counts most, then names, then fields.
fn rank(candidate: &Candidate, preamble: Preamble, wanted: Option<Family>, first: Option<&LegacyTensor>) -> u8 {
    let ranks = forms(candidate.layout, preamble).map(|form| {
        let is_wanted = wanted.is_some_and(|wanted| wanted == form.family);
        let has_name = first.is_none_or(|tensor| form.has_name(&tensor.name));
        // GGMF and GGJT were made for LLaMA, so files with other names can still be listed. Other layouts are too weak a sign.
        let is_usual = form.family == Family::Llama && preamble.container != Container::Ggml;
        let may_fit = is_wanted || has_name || is_usual;
        let is_plausible = form.is_plausible(&candidate.fields);
        u8::from(may_fit) * (1 + u8::from(is_plausible) + 2 * u8::from(has_name) + 4 * u8::from(is_wanted))
    });
    ranks.max().unwrap_or(0)
}

/// The families with the layout of a candidate that have the name of the first tensor.
fn families_with_name(candidate: &Candidate, preamble: Preamble) -> Vec<Family> {
    let State::Fits(Some(first)) = &candidate.state else { return Vec::new() };
    let forms = forms(candidate.layout, preamble).filter(|form| form.is_plausible(&candidate.fields));
    forms.filter(|form| form.has_name(&first.name)).map(|form| form.family).collect()
}

impl Choices {
    /// The header, with the family that has most of the tensors' names.
    pub fn into_header(mut self, tensors: Vec<LegacyTensor>, wanted: Option<Family>, end: u64) -> Result<LegacyHeader> {
        let names_of = &|form: &FamilyForm| tensors.iter().filter(|tensor| form.has_name(&tensor.name)).count();
        let ranked = self.layouts.iter().enumerate().flat_map(|(index, fitting)| {
            let forms = forms(fitting.layout, self.preamble);
            forms.map(move |form| (index, form, (names_of(form), form.is_plausible(&fitting.fields))))
        });
        let ranked: Vec<_> = ranked.collect();
        let best = ranked.iter().map(|(_, _, rank)| *rank).max();
        let fitting: Vec<_> = ranked.iter().filter(|(_, _, rank)| Some(*rank) == best).collect();
        let chosen = match wanted {
            None => fitting.first().copied(),
            Some(wanted) => ranked.iter().find(|(_, form, _)| form.family == wanted),
        };
        let Some((index, form, _)) = chosen else {
            let (at, family) = (self.preamble.end(), wanted.map_or("", Family::name));
            return Err(error!(BadStructure:
                "cannot read the file as a model of the family {family}: the hyperparameters at offset {at:#x} do not fit. \
                 Choose another family, or none").at(at));
        };
        let mut alternatives = Vec::new();
        for family in fitting.iter().map(|(_, form, _)| form.family).chain(self.elsewhere) {
            if family != form.family && !alternatives.contains(&family) {
                alternatives.push(family);
            }
        }
        let fitting = self.layouts.swap_remove(*index);
        let value = |name: &str, value: u32| match FLOAT_FIELDS.contains(&name) {
            true => FieldValue::Float(f32::from_bits(value)),
            false => FieldValue::Integer(value),
        };
        let fields = form.fields.iter().zip(&fitting.fields).map(|(name, bits)| (*name, value(name, *bits)));
        Ok(LegacyHeader {
            container: self.preamble.container,
            version: self.preamble.container.has_version().then_some(self.preamble.version),
            family: form.family,
            alternatives,
            variant: form.variant,
            block_rules: fitting.block_rules,
            alignment: self.preamble.container.alignment(),
            fields_offset: self.preamble.end(),
            fields: fields.collect(),
            mel_filters: fitting.mel_filters,
            vocabulary: fitting.vocabulary,
            tensors_offset: self.tensors_offset,
            tensors,
            end,
        })
    }
}
