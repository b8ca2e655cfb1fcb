//! Makes each change in the model, or lists the reasons for a refusal.

use std::ops::Range;

use gguf_format::{Endian, ValueType};

use super::{ALIGNMENT, Entry, Model, Refusal, Selector};
use crate::model_value::ModelValue;

impl Model {
    /// The errors of a value for a key.
    pub fn misfits(&self, key: Option<&[u8]>, value: &ModelValue) -> Refusal {
        let mut refusal = Refusal::new();
        if !value.is_uniform() {
            refusal.push("does-not-fit");
        }
        if value.depth() > 64 {
            refusal.push("limit-exceeded");
        }
        if self.format.version == 1 && value.needs_version_2() {
            refusal.push("does-not-fit");
        }
        if key.is_some_and(|key| is_bad_alignment(key, value)) {
            refusal.push("bad-alignment");
        }
        refusal
    }

    pub fn bad_key(&self, entry: Option<usize>, key: &[u8]) -> Refusal {
        let mut refusal = Refusal::new();
        if key.is_empty() || key.len() > 65_535 {
            refusal.push("bad-key");
        }
        if self.find(&Selector::Name(key.to_vec())).is_some_and(|other| Some(other) != entry) {
            refusal.push("key-taken");
        }
        refusal
    }

    pub fn make_change(&mut self, refusal: Refusal, change: impl FnOnce(&mut Self)) -> Result<(), Refusal> {
        if !refusal.is_empty() {
            return Err(refusal);
        }
        let before = self.clone();
        change(self);
        self.changes += 1;
        if self.equals(&before) {
            *self = before;
        }
        Ok(())
    }

    /// Whether entries, tensors and format equal those of `before`.
    pub fn equals(&self, before: &Self) -> bool {
        let entries = |model: &Self| -> Vec<_> {
            model.entries.iter().map(|entry| (entry.origin, entry.key.clone(), entry.value.clone())).collect()
        };
        let names = |model: &Self| -> Vec<_> { model.tensors.iter().map(|tensor| tensor.name.clone()).collect() };
        (self.format, self.is_repacked) == (before.format, before.is_repacked)
            && entries(self) == entries(before)
            && names(self) == names(before)
    }

    pub fn set(&mut self, at: &Selector, value: &ModelValue) -> Result<(), Refusal> {
        let found = self.find(at);
        if let (None, Selector::Name(key)) = (found, at) {
            return self.add(None, key, value);
        }
        let mut refusal = self.misfits(found.map(|entry| &*self.entries[entry].key), value);
        let Some(entry) = found else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        if !refusal.is_empty() {
            return Err(refusal);
        }
        // A value that equals the old one is a change, too.
        self.changes += 1;
        let entry = &mut self.entries[entry];
        // 4 bytes of type, and the value.
        entry.new_bytes += 4 + value.size();
        entry.is_value_new = true;
        entry.value = value.clone();
        Ok(())
    }

    pub fn add(&mut self, position: Option<usize>, key: &[u8], value: &ModelValue) -> Result<(), Refusal> {
        let mut refusal = self.misfits(Some(key), value);
        refusal.extend(self.bad_key(None, key));
        let position = position.unwrap_or(self.entries.len());
        if position > self.entries.len() {
            refusal.push("out-of-range");
        }
        self.make_change(refusal, |model| {
            let entry = Entry {
                origin: None,
                addition: Some(model.changes),
                key: key.to_vec(),
                value: value.clone(),
                is_key_new: true,
                is_value_new: true,
                new_bytes: 12 + key.len() + value.size(),
            };
            model.entries.insert(position, entry);
        })
    }

    pub fn remove(&mut self, at: &Selector) -> Result<(), Refusal> {
        let entry = self.find(at).ok_or(["unknown-key"])?;
        self.make_change(Vec::new(), |model| {
            model.entries.remove(entry);
        })
    }

    pub fn rename(&mut self, at: &Selector, key: &[u8]) -> Result<(), Refusal> {
        let found = self.find(at);
        let mut refusal = self.bad_key(found, key);
        let Some(entry) = found else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        if is_bad_alignment(key, &self.entries[entry].value) {
            refusal.push("bad-alignment");
        }
        self.make_change(refusal, |model| {
            let entry = &mut model.entries[entry];
            entry.key = key.to_vec();
            entry.is_key_new = true;
            entry.new_bytes += 12 + key.len();
        })
    }

    pub fn retype(&mut self, at: &Selector, types: &[ValueType]) -> Result<(), Refusal> {
        let entry = self.find(at).ok_or(["unknown-key"])?;
        match self.entries[entry].value.cast(types) {
            Some(value) => self.set(&Selector::Index(entry), &value),
            None => Err(vec!["does-not-fit"]),
        }
    }

    pub fn move_to(&mut self, at: &Selector, position: usize) -> Result<(), Refusal> {
        let found = self.find(at);
        let mut refusal = Refusal::new();
        if position >= self.entries.len() {
            refusal.push("out-of-range");
        }
        let Some(entry) = found else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        self.make_change(refusal, |model| {
            let entry = model.entries.remove(entry);
            model.entries.insert(position, entry);
        })
    }

    pub fn splice(&mut self, at: &Selector, range: Range<u64>, inserted: Option<&ModelValue>) -> Result<(), Refusal> {
        let mut refusal = inserted.map_or(Vec::new(), |value| self.misfits(None, value));
        let Some(entry) = self.find(at) else {
            refusal.push("unknown-key");
            return Err(refusal);
        };
        let ModelValue::List(element_type, elements) = &self.entries[entry].value else {
            refusal.push("does-not-fit");
            return Err(refusal);
        };
        if range.start > range.end || range.end > elements.len() as u64 {
            refusal.push("out-of-range");
        }
        let more = match inserted {
            None => Vec::new(),
            Some(ModelValue::List(inserted_type, elements)) if inserted_type == element_type => elements.clone(),
            Some(_) => {
                refusal.push("does-not-fit");
                Vec::new()
            }
        };
        if !refusal.is_empty() {
            return Err(refusal);
        }
        // Equal elements are a change, too.
        if !range.is_empty() || !more.is_empty() {
            self.changes += 1;
            let entry = &mut self.entries[entry];
            // Element type, length, and the elements.
            entry.new_bytes += 16 + inserted.map_or(0, ModelValue::size);
            entry.is_value_new = true;
            if let ModelValue::List(_, elements) = &mut entry.value {
                elements.splice(range.start as usize..range.end as usize, more);
            }
        }
        Ok(())
    }

    pub fn rename_tensor(&mut self, at: &Selector, name: &[u8]) -> Result<(), Refusal> {
        let found = self.find_tensor(at);
        let mut refusal = Refusal::new();
        if name.len() > 63 || name.contains(&0) {
            refusal.push("bad-name");
        }
        if self.find_tensor(&Selector::Name(name.to_vec())).is_some_and(|other| Some(other) != found) {
            refusal.push("name-taken");
        }
        let Some(tensor) = found else {
            refusal.push("unknown-tensor");
            return Err(refusal);
        };
        self.make_change(refusal, |model| {
            model.tensors[tensor].name = name.to_vec();
            model.tensors[tensor].is_name_new = true;
        })
    }

    pub fn remove_tensor(&mut self, at: &Selector) -> Result<(), Refusal> {
        let tensor = self.find_tensor(at).ok_or(["unknown-tensor"])?;
        self.make_change(Vec::new(), |model| {
            model.tensors.remove(tensor);
        })
    }

    pub fn repack(&mut self) {
        // Never refused.
        let _ = self.make_change(Vec::new(), |model| model.is_repacked = true);
    }

    pub fn set_alignment(&mut self, alignment: u32) -> Result<(), Refusal> {
        let (at, value) = (Selector::Name(ALIGNMENT.to_vec()), ModelValue::of(&alignment.into()));
        if self.find(&at).is_some() { self.set(&at, &value) } else { self.add(None, ALIGNMENT, &value) }
    }

    pub fn set_version(&mut self, version: u32) -> Result<(), Refusal> {
        let is_possible = version == 3 || version == self.format.version;
        let refusal = if is_possible { Vec::new() } else { vec!["unsupported-version"] };
        self.make_change(refusal, |model| model.format.version = version)
    }

    pub fn set_byte_order(&mut self, endian: Endian) {
        // Never refused here: a plan refuses it if a tensor has no byte order.
        let _ = self.make_change(Vec::new(), |model| model.format.endian = endian);
    }
}

fn is_bad_alignment(key: &[u8], value: &ModelValue) -> bool {
    let is_good = |alignment: i128| alignment >= 8 && (alignment as u64).is_power_of_two();
    key == ALIGNMENT && !(value.value_type() == ValueType::Uint32 && value.integer().is_some_and(is_good))
}
