//! Dicts: entries in their order, found by a hash of their key.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::compare::{check_key, equal, hash};
use super::value::{Dict, ENTRY_BYTES, Value};
use crate::error::Outcome;

/// Up to this many entries are compared one by one.
const FEW: usize = 12;

impl Dict {
    /// The value of a key. Fails if the key is of a type that cannot be one.
    pub fn get(&self, key: &Value) -> Outcome<Option<Value>> {
        check_key(key, &self.meter)?;
        Ok(self.find(key)?.map(|index| self.entries.borrow().list[index].1.clone()))
    }

    /// Sets the value of a key. A new key comes last.
    pub fn set(&self, key: Value, value: Value) -> Outcome<()> {
        check_key(&key, &self.meter)?;
        if let Some(index) = self.find(&key)? {
            let old = core::mem::replace(&mut self.entries.borrow_mut().list[index].1, value);
            drop(old);
            return Ok(());
        }
        self.meter.take(ENTRY_BYTES)?;
        self.entries.borrow_mut().list.push((key, value));
        let count = self.len();
        if count > FEW {
            if self.entries.borrow().table.len() < 2 * count { self.index_all() } else { self.index(count - 1) }?;
        }
        Ok(())
    }

    /// Gives an empty dict its entries. Their keys are different, and each can be one.
    pub fn fill(&self, entries: Vec<(Value, Value)>) -> Outcome<()> {
        self.meter.take(entries.len() * ENTRY_BYTES)?;
        self.entries.borrow_mut().list = entries;
        if self.len() > FEW { self.index_all() } else { Ok(()) }
    }

    fn find(&self, key: &Value) -> Outcome<Option<usize>> {
        let entries = self.entries.borrow();
        if entries.table.is_empty() {
            for (index, (other, _)) in entries.list.iter().enumerate() {
                if equal(other, key, &self.meter)? {
                    return Ok(Some(index));
                }
            }
            return Ok(None);
        }
        let mask = entries.table.len() - 1;
        let mut slot = spread(hash(key, &self.meter)?) & mask;
        while entries.table[slot] != 0 {
            let index = entries.table[slot] as usize - 1;
            if equal(&entries.list[index].0, key, &self.meter)? {
                return Ok(Some(index));
            }
            slot = (slot + 1) & mask;
        }
        Ok(None)
    }

    /// Makes a larger table. The table has at least twice as many places as there are entries.
    fn index_all(&self) -> Outcome<()> {
        let count = self.len();
        self.entries.borrow_mut().table = vec![0; (4 * count).next_power_of_two()];
        (0..count).try_for_each(|index| self.index(index))
    }

    fn index(&self, index: usize) -> Outcome<()> {
        let mut entries = self.entries.borrow_mut();
        let mask = entries.table.len() - 1;
        let mut slot = spread(hash(&entries.list[index].0, &self.meter)?) & mask;
        while entries.table[slot] != 0 {
            self.meter.step(1)?;
            slot = (slot + 1) & mask;
        }
        entries.table[slot] = index as u32 + 1;
        Ok(())
    }
}

/// The low bits of a product are weak, so the high ones help.
fn spread(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize
}

impl Dict {
    /// A dict in a value.
    pub fn into_value(self) -> Value {
        Value::Dict(Rc::new(self))
    }
}
