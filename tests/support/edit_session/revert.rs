//! The expected result of reverting one change.

use gguf_format::edit::Change;

use crate::model::{Model, OldFile, Refusal, Selector};
use crate::model_value::ModelValue;

/// The expected result of a revert.
pub enum Reverted {
    To(Box<Model>),
    Refused(Refusal),
    /// The model cannot tell the result, because it does not know the identity of array elements.
    Unknown,
}

/// The model after all changes except one.
pub fn without(old: &OldFile, changes: &[Change], position: usize) -> Reverted {
    let Some(reverted) = changes.get(position) else { return Reverted::Refused(vec!["unknown-change"]) };
    // The models before each change, and the final model.
    let mut models = vec![old.model.clone()];
    for (number, change) in changes.iter().enumerate() {
        let mut model = models[number].clone();
        model.changes = number;
        apply(&mut model, change).unwrap();
        models.push(model);
    }
    let name = |model: &Model, entry: usize| (model.entries[entry].origin, model.entries[entry].addition);
    let changed = match reverted {
        Change::Set { entry, .. } | Change::Retype { entry, .. } | Change::Splice { entry, .. } => {
            Some(name(&models[position], *entry))
        }
        _ => None,
    };
    let added = matches!(reverted, Change::Add { .. }).then_some((None, Some(position)));
    let mut model = models[position].clone();
    let mut is_changed = changed.is_some();
    let mut count = position;
    let mut conflict = Refusal::new();
    for (number, change) in changes.iter().enumerate().skip(position + 1) {
        let (before, after) = (&models[number], &models[number + 1]);
        model.changes = number;
        let mut change = change.clone();
        // The next entry that also exists without the reverted change.
        let follower = |model: &Model, at: usize| {
            let mut later = (at + 1..after.entries.len()).map(|other| name(after, other));
            later.find_map(|wanted| (0..model.entries.len()).find(|other| name(model, *other) == wanted))
        };
        match &mut change {
            Change::Set { entry, .. }
            | Change::Retype { entry, .. }
            | Change::Splice { entry, .. }
            | Change::Rename { entry, .. }
            | Change::Remove { entry }
            | Change::Move { entry, .. } => {
                let wanted = name(before, *entry);
                if Some(wanted) == added {
                    match change {
                        Change::Remove { .. } => conflict.clear(),
                        Change::Move { .. } => {}
                        _ => conflict.push("conflict"),
                    }
                    continue;
                }
                *entry = (0..model.entries.len()).find(|other| name(&model, *other) == wanted).unwrap();
            }
            Change::RenameTensor { tensor, .. } | Change::RemoveTensor { tensor } => {
                let wanted = before.tensors[*tensor].origin;
                *tensor = model.tensors.iter().position(|other| other.origin == wanted).unwrap();
            }
            _ => {}
        }
        match &mut change {
            Change::Add { position, .. } => {
                *position = follower(&model, *position).unwrap_or(model.entries.len());
            }
            Change::Move { entry, position } => {
                let mut others = model.clone();
                others.entries.remove(*entry);
                *position = follower(&others, *position).unwrap_or(others.entries.len());
            }
            Change::Set { entry, .. } if Some(name(&model, *entry)) == changed => is_changed = false,
            Change::Retype { entry, .. } if model.entries[*entry].value.has_nan() && is_changed => {
                return Reverted::Unknown;
            }
            Change::Splice { entry, .. } if Some(name(&model, *entry)) == changed && is_changed => match reverted {
                Change::Splice { .. } => return Reverted::Unknown,
                _ => return Reverted::Refused(vec!["conflict", "key-taken", "name-taken", "does-not-fit"]),
            },
            _ => {}
        }
        if let Err(refusal) = apply(&mut model, &change) {
            return Reverted::Refused(refusal);
        }
        count += model.changes - number;
    }
    model.changes = count;
    if conflict.is_empty() { Reverted::To(Box::new(model)) } else { Reverted::Refused(conflict) }
}

/// Makes a change. Its positions are positions in the model.
pub fn apply(model: &mut Model, change: &Change) -> Result<(), Refusal> {
    let at = |entry: &usize| Selector::Index(*entry);
    match change {
        Change::Set { entry, value } => model.set(&at(entry), &ModelValue::read(value.value())),
        Change::Retype { entry, types, .. } => model.retype(&at(entry), types),
        Change::Add { position, key, value } => model.add(Some(*position), key, &ModelValue::read(value.value())),
        Change::Remove { entry } => model.remove(&at(entry)),
        Change::Rename { entry, key } => model.rename(&at(entry), key),
        Change::Move { entry, position } => model.move_to(&at(entry), *position),
        Change::Splice { entry, elements, inserted } => {
            let inserted = inserted.as_ref().map(|inserted| ModelValue::read(inserted.value()));
            model.splice(&at(entry), elements.clone(), inserted.as_ref())
        }
        Change::RenameTensor { tensor, name } => model.rename_tensor(&Selector::Index(*tensor), name),
        Change::RemoveTensor { tensor } => model.remove_tensor(&Selector::Index(*tensor)),
        Change::Repack => {
            model.repack();
            Ok(())
        }
        Change::Version(version) => model.set_version(*version),
        Change::ByteOrder(endian) => {
            model.set_byte_order(*endian);
            Ok(())
        }
    }
}
