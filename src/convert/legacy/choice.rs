//! The choice of a layout among those that fit, and of the family among those that have it.

use alloc::vec::Vec;

use super::candidate::{Candidate, Preamble, State};
use super::container::BlockRules;
use super::family::{FLOAT_FIELDS, Family, FamilyForm, Layout};
use super::header::{FieldValue, LegacyHeader, MelFilters, Vocabulary};
use super::tensor::{DAMAGED, LegacyTensor};
use crate::error::{Error, Result, error};

/// The layout that was taken, and what was read in it.
pub(super) struct Choice {
    preamble: Preamble,
    layout: Layout,
    fields: Vec<u32>,
    block_rules: BlockRules,
    mel_filters: Option<MelFilters>,
    vocabulary: Option<Vocabulary>,
    tensors_offset: u64,
    /// Families whose layouts fit, too, and that have the name of the first tensor.
    other_layouts: Vec<Family>,
}

/// Takes the layout that fits best: one of a family that has the name of the first tensor, and whose fields are plausible.
///
/// # Errors
///
/// If no layout fits, the error of the one that could be read furthest.
pub(super) fn choose(
    candidates: Vec<Candidate>,
    preamble: Preamble,
    wanted: Option<Family>,
    file: &[u8],
) -> Result<(Choice, Candidate)> {
    let mut best: Option<(u8, Candidate)> = None;
    let mut others = Vec::new();
    let mut failed: Option<(u64, Error)> = None;
    for candidate in candidates {
        match &candidate.state {
            State::Fits(first) => {
                let rank = rank(&candidate, preamble, wanted, first.as_ref());
                let families = families_with_name(&candidate, preamble, first.as_ref());
                if rank == 0 {
                    let at = candidate.position();
                    fail(&mut failed, at, || unknown_family(at));
                } else if best.as_ref().is_none_or(|(best, _)| rank > *best) {
                    if let Some((_, before)) = best.replace((rank, candidate)) {
                        let State::Fits(first) = &before.state else { continue };
                        others.extend(families_with_name(&before, preamble, first.as_ref()));
                    }
                } else {
                    others.extend(families);
                }
            }
            State::Fails(error) => {
                let at = error.offset().unwrap_or(0);
                fail(&mut failed, at, || error.clone());
            }
            _ => {}
        }
    }
    let Some((_, mut candidate)) = best else {
        return Err(failed.map_or_else(|| unknown_family(preamble.end()), |(_, error)| error));
    };
    let choice = Choice {
        preamble,
        layout: candidate.layout,
        fields: core::mem::take(&mut candidate.fields),
        block_rules: candidate.block_rules,
        mel_filters: candidate.mel_filters,
        vocabulary: candidate.take_vocabulary(file)?,
        tensors_offset: candidate.position(),
        other_layouts: others,
    };
    Ok((choice, candidate))
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
        // LLaMA files with other names can still be listed. Other layouts are too weak a sign.
        let may_fit = is_wanted || has_name || form.family == Family::Llama;
        let is_plausible = form.is_plausible(&candidate.fields);
        u8::from(may_fit) * (1 + u8::from(is_plausible) + 2 * u8::from(has_name) + 4 * u8::from(is_wanted))
    });
    ranks.max().unwrap_or(0)
}

/// The families with the layout of a candidate that have the name of the first tensor.
fn families_with_name(candidate: &Candidate, preamble: Preamble, first: Option<&LegacyTensor>) -> Vec<Family> {
    let forms = forms(candidate.layout, preamble).filter(|form| form.is_plausible(&candidate.fields));
    forms.filter(|form| first.is_some_and(|tensor| form.has_name(&tensor.name))).map(|form| form.family).collect()
}

impl Choice {
    /// The header, with the family that has most of the tensors' names.
    pub fn into_header(self, tensors: Vec<LegacyTensor>, wanted: Option<Family>, end: u64) -> Result<LegacyHeader> {
        let names_of = |form: &FamilyForm| tensors.iter().filter(|tensor| form.has_name(&tensor.name)).count();
        let ranked = forms(self.layout, self.preamble).map(|form| (form, (names_of(form), form.is_plausible(&self.fields))));
        let ranked: Vec<_> = ranked.collect();
        let best = ranked.iter().map(|(_, rank)| *rank).max();
        let fitting: Vec<_> = ranked.iter().filter(|(_, rank)| Some(*rank) == best).map(|(form, _)| *form).collect();
        let form = match wanted {
            None => fitting.first().copied(),
            Some(wanted) => ranked.iter().map(|(form, _)| *form).find(|form| form.family == wanted),
        };
        let Some(form) = form else {
            let (at, family) = (self.preamble.end(), wanted.map_or("", Family::name));
            return Err(error!(BadStructure:
                "cannot read the file as a model of the family {family}: the hyperparameters at offset {at:#x} do not fit. \
                 Choose another family, or none").at(at));
        };
        let mut alternatives = Vec::new();
        for family in fitting.iter().map(|form| form.family).chain(self.other_layouts) {
            if family != form.family && !alternatives.contains(&family) {
                alternatives.push(family);
            }
        }
        let value = |name: &str, value: u32| match FLOAT_FIELDS.contains(&name) {
            true => FieldValue::Float(f32::from_bits(value)),
            false => FieldValue::Integer(value),
        };
        let fields = form.fields.iter().zip(&self.fields).map(|(name, bits)| (*name, value(name, *bits)));
        Ok(LegacyHeader {
            container: self.preamble.container,
            version: self.preamble.container.has_version().then_some(self.preamble.version),
            family: form.family,
            alternatives,
            variant: form.variant,
            block_rules: self.block_rules,
            alignment: self.preamble.container.alignment(),
            fields_offset: self.preamble.end(),
            fields: fields.collect(),
            mel_filters: self.mel_filters,
            vocabulary: self.vocabulary,
            tensors_offset: self.tensors_offset,
            tensors,
            end,
        })
    }
}
