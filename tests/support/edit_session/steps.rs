//! Chooses one change, and makes it in the edit and in the model.

use gguf_format::edit::{EntrySelector, TensorSelector};
use gguf_format::write::NewValue;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, ValueType};

use super::Session;
use super::choices::*;
use crate::model::Selector;
use crate::model_value::ModelValue;

impl Session<'_> {
    pub fn choose_entry(&self, choices: &mut Choices<'_>) -> Selector {
        let end = self.model.entries.len() + usize::from(choices.one_in(16));
        match choices.byte() % 4 {
            0 => Selector::Name(choose_key(choices)),
            _ => Selector::Index(choices.below(end)),
        }
    }

    pub fn choose_tensor(&self, choices: &mut Choices<'_>) -> Selector {
        let end = self.model.tensors.len() + usize::from(choices.one_in(16));
        match choices.byte() % 4 {
            0 => Selector::Name(choose_name(choices)),
            _ => Selector::Index(choices.below(end)),
        }
    }

    pub fn key_of(&self, at: &Selector) -> Option<Vec<u8>> {
        Some(self.model.entries[self.model.find(at)?].key.clone())
    }

    pub fn list_of(&self, at: &Selector) -> Option<(ValueType, u64)> {
        match &self.model.entries[self.model.find(at)?].value {
            ModelValue::List(element_type, elements) => Some((*element_type, elements.len() as u64)),
            _ => None,
        }
    }

    /// An entry, with its element type and length. Prefers arrays.
    pub fn choose_list(&self, choices: &mut Choices<'_>) -> (Selector, ValueType, u64) {
        let mut at = self.choose_entry(choices);
        if self.list_of(&at).is_none() {
            let lists = (0..self.model.entries.len()).map(Selector::Index).find(|at| self.list_of(at).is_some());
            at = lists.filter(|_| !choices.one_in(16)).unwrap_or(at);
        }
        let (element_type, length) = self.list_of(&at).unwrap_or((ValueType::Uint8, 0));
        let element_type = if choices.one_in(16) { choose_type(choices) } else { element_type };
        (at, element_type, length)
    }

    pub fn step(&mut self, choices: &mut Choices<'_>) {
        match choices.byte() % 26 {
            0..=2 => {
                let at = self.choose_entry(choices);
                let value = choose_new_value(choices, self.key_of(&at).as_deref());
                self.change(|edit| edit.set(as_entry(&at), &value), |model| model.set(&at, &ModelValue::of(&value)));
            }
            3 | 4 => {
                let key = choose_new_key(choices);
                let value = choose_new_value(choices, Some(&key));
                let position = choices.below(self.model.entries.len() + 3).checked_sub(1);
                self.change(
                    |edit| edit.add(position, &key, &value),
                    |model| model.add(position, &key, &ModelValue::of(&value)),
                );
            }
            5 => {
                let at = self.choose_entry(choices);
                self.change(|edit| edit.remove(as_entry(&at)), |model| model.remove(&at));
            }
            6 | 7 => {
                let (at, key) = (self.choose_entry(choices), choose_new_key(choices));
                self.change(|edit| edit.rename(as_entry(&at), &key), |model| model.rename(&at, &key));
            }
            8 => {
                let at = self.choose_entry(choices);
                let types: Vec<ValueType> = match self.list_of(&at) {
                    Some(_) if !choices.one_in(8) => vec![ValueType::Array, choose_type(choices), choose_type(choices)],
                    _ => vec![choose_type(choices)],
                };
                // Most arrays have scalar elements, whose type is the last one.
                let types = match types[..] {
                    [_, element_type, _] if element_type != ValueType::Array => types[..2].to_vec(),
                    _ => types[..choices.below(types.len() + 1).max(types.len().min(1))].to_vec(),
                };
                let found = self.model.find(&at);
                if found.is_some_and(|entry| self.model.entries[entry].value.has_nan()) {
                    return;
                }
                self.change(|edit| edit.retype(as_entry(&at), &types), |model| model.retype(&at, &types));
            }
            9 => {
                let (at, position) = (self.choose_entry(choices), choices.below(self.model.entries.len() + 1));
                self.change(|edit| edit.move_to(as_entry(&at), position), |model| model.move_to(&at, position));
            }
            10 | 11 => {
                let (at, element_type, length) = self.choose_list(choices);
                let index = choices.below(length as usize + 1) as u64;
                let value = choose_value(choices, element_type, 1).to_owned_value();
                let values = ModelValue::List(value.value_type(), vec![ModelValue::of(&value)]);
                self.change(
                    |edit| edit.set_element(as_entry(&at), index, &value),
                    |model| model.splice(&at, index..index + 1, Some(&values)),
                );
            }
            12 => {
                let (at, element_type, length) = self.choose_list(choices);
                let index = choices.below(length as usize + 2) as u64;
                let elements = (0..choices.below(4)).map(|_| choose_value(choices, element_type, 1).to_owned_value());
                let values = OwnedValue::Array { element_type, elements: elements.collect() };
                self.change(
                    |edit| edit.insert_elements(as_entry(&at), index, &values),
                    |model| model.splice(&at, index..index, Some(&ModelValue::of(&values))),
                );
            }
            13 => {
                let (at, _, length) = self.choose_list(choices);
                let range = choose_range(choices, length);
                self.change(
                    |edit| edit.remove_elements(as_entry(&at), range.clone()),
                    |model| model.splice(&at, range.clone(), None),
                );
            }
            14 => {
                let (at, element_type, length) = self.choose_list(choices);
                let range = choose_range(choices, length);
                let values = match choices.byte() % 8 {
                    0 => choose_any_value(choices),
                    _ => {
                        let elements = (0..choices.below(4)).map(|_| choose_value(choices, element_type, 1));
                        ModelValue::List(element_type, elements.collect())
                    }
                };
                let value = values.to_owned_value();
                let values = ModelValue::of(&value);
                self.change(
                    |edit| edit.splice(as_entry(&at), range.clone(), Some(NewValue::new(&value)?)),
                    |model| model.splice(&at, range.clone(), Some(&values)),
                );
            }
            15 | 16 => {
                let (at, name) = (self.choose_tensor(choices), choose_name(choices));
                self.change(|edit| edit.rename_tensor(as_tensor(&at), &name), |model| model.rename_tensor(&at, &name));
            }
            17 => {
                let at = self.choose_tensor(choices);
                self.change(|edit| edit.remove_tensor(as_tensor(&at)), |model| model.remove_tensor(&at));
            }
            18 => self.change(
                |edit| {
                    edit.repack();
                    Ok(())
                },
                |model| {
                    model.repack();
                    Ok(())
                },
            ),
            19 => {
                let alignment = choices.of(ALIGNMENTS);
                self.change(|edit| edit.set_alignment(alignment), |model| model.set_alignment(alignment));
            }
            20 => {
                let version = choices.of(&[3, 3, 3, 2, 1, 0, 4]);
                self.change(|edit| edit.set_version(version), |model| model.set_version(version));
            }
            21 => {
                let endian = choices.of(&[Endian::Big, Endian::Little]);
                self.change(
                    |edit| {
                        edit.set_byte_order(endian);
                        Ok(())
                    },
                    |model| {
                        model.set_byte_order(endian);
                        Ok(())
                    },
                );
            }
            22 => {
                self.undo();
            }
            23 | 24 => {
                let count = self.edit.changes().len() + usize::from(choices.one_in(16));
                self.revert(choices.below(count));
            }
            _ => {
                self.redo();
            }
        }
    }
}

pub fn as_entry(at: &Selector) -> EntrySelector<'_> {
    match at {
        Selector::Name(key) => EntrySelector::Key(key),
        Selector::Index(index) => EntrySelector::Index(*index),
    }
}

pub fn as_tensor(at: &Selector) -> TensorSelector<'_> {
    match at {
        Selector::Name(name) => TensorSelector::Name(name),
        Selector::Index(index) => TensorSelector::Index(*index),
    }
}
