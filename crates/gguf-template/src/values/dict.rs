//! Dicts: entries in their order, found by a hash of their key.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::compare::{check_key, equal, hash};
use super::value::{Dict, ENTRY_BYTES, Entries, Host, Value};
use crate::error::Outcome;

/// Up to this many entries are compared one by one.
const FEW: usize = 12;

impl Dict {
    /// The value of a key. Fails if the key is of a type that cannot be one.
    #[inline(never)]
    pub fn get(&self, key: &Value) -> Outcome<Option<Value>> {
        check_key(key, &self.meter)?;
        Ok(self.find(key)?.map(|index| self.entries.borrow().list[index].1.clone()))
    }

    /// Sets the value of a key. A new key comes last.
    #[inline(never)]
    pub fn set(&self, key: Value, value: Value) -> Outcome<()> {
        check_key(&key, &self.meter)?;
        if let Some(index) = self.find(&key)? {
            let old = core::mem::replace(&mut self.entries.borrow_mut().list[index].1, value);
            drop(old);
            return Ok(());
        }
        self.meter.take(ENTRY_BYTES)?;
        self.entries.borrow_mut().list.push((key, value));
        if self.len() > FEW { self.index_new() } else { Ok(()) }
    }

    /// Gives an empty dict its entries. Their keys are different, and each can be one.
    #[inline(never)]
    pub fn fill(&self, entries: Vec<(Value, Value)>) -> Outcome<()> {
        self.meter.take(entries.len() * ENTRY_BYTES)?;
        self.entries.borrow_mut().list = entries;
        if self.len() > FEW { self.index_new() } else { Ok(()) }
    }

    #[inline(never)]
    fn find(&self, key: &Value) -> Outcome<Option<usize>> {
        let entries = self.entries.borrow();
        let mut is_equal = |place: usize| equal(&entries.list[place].0, key, &self.meter);
        if entries.list.len() > FEW {
            return entries.places.find(hash(key, &self.meter)?, &mut is_equal);
        }
        for place in 0..entries.list.len() {
            if is_equal(place)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Adds the entries to the table that are not yet there.
    fn index_new(&self) -> Outcome<()> {
        let Entries { list, places } = &mut *self.entries.borrow_mut();
        while places.len() < list.len() {
            places.add(&mut |place| hash(&list[place].0, &self.meter))?;
        }
        Ok(())
    }
}

impl Dict {
    /// The keys in their order.
    #[inline(never)]
    pub fn keys(&self) -> Outcome<Vec<Value>> {
        self.meter.step(self.len())?;
        Ok(self.entries.borrow().list.iter().map(|(key, _)| key.clone()).collect())
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> Outcome<Vec<Value>> {
        self.meter.step(self.len())?;
        Ok(self.entries.borrow().list.iter().map(|(_, value)| value.clone()).collect())
    }

    /// The entries in their order, as tuples.
    #[inline(never)]
    pub fn pairs(&self, host: &Host) -> Outcome<Vec<Value>> {
        self.meter.step(self.len())?;
        let mut pairs = Vec::new();
        for (key, value) in self.iter() {
            pairs.push(host.sequence(vec![key, value], true)?);
        }
        Ok(pairs)
    }

    /// A dict in a value.
    pub fn into_value(self) -> Value {
        Value::Dict(Rc::new(self))
    }
}
