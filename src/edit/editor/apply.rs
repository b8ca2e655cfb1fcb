//! The method of `Editor` that applies the fix of a finding.

use wasm_bindgen::prelude::*;

use super::Editor;
use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, argument_type, as_object, describe, element, failure, is_array, length};
use gguf_format::write::checks::lossy;

argument_type!(GivenFix: "Fix");

#[wasm_bindgen]
impl Editor {
    /// Applies the fix of a finding of `validate()`. One `undo` undoes all its changes. In `changes` they are listed one by one.
    ///
    /// The fix must be that of a finding about the edited file as it is now. If an entry or a tensor of the fix has moved since,
    /// it is found by its key or name. A fix that is refused changes nothing. Fixes are plain data: a fix can come from a worker.
    ///
    /// @throws {GgufError} `invalid-argument` if the object is not a fix; `conflict` if an entry or a tensor of the fix is not
    /// there any more, or cannot be told from others; the errors of the methods that make the changes.
    /// @example
    /// for (const { fix } of editor.validate()) {
    ///   if (!fix?.isSafe) continue;
    ///   editor.apply(fix);
    ///   break; // Other fixes may be different now: validate again.
    /// }
    pub fn apply(&mut self, fix: &GivenFix) -> Result<(), Thrown> {
        let changes = match as_object(fix) {
            Some(fix) => fix.get("changes")?,
            None => JsValue::UNDEFINED,
        };
        if !is_array(&changes) {
            return Err(not_a_fix(fix));
        }
        let step = self.edit.open_step();
        let made = self.make_fix_changes(&changes);
        self.edit.close_step(step, made.is_ok());
        self.listing.take();
        made
    }
}

impl Editor {
    fn make_fix_changes(&mut self, changes: &JsValue) -> Result<(), Thrown> {
        (0..length(changes)?.unwrap_or(0)).try_for_each(|index| {
            let change = element(changes, index)?;
            self.make_fix_change(as_object(&change).ok_or_else(|| not_a_fix(&change))?)
        })
    }

    fn make_fix_change(&mut self, change: &AnyObject) -> Result<(), Thrown> {
        let kind = change.get("kind")?.as_string().unwrap_or_default();
        let to = change.get("to")?;
        let to_type = || Ok::<_, Thrown>(change.present("toType")?.map(JsCast::unchecked_into));
        let entry = || Ok::<JsValue, Thrown>((self.find_fixed_entry(change)? as f64).into());
        let tensor = || Ok::<JsValue, Thrown>((self.find_fixed_tensor(change)? as f64).into());
        match kind.as_str() {
            "set" => {
                let entry = entry()?;
                self.set(entry.unchecked_into(), to.unchecked_into(), to_type()?)
            }
            "add" => {
                let key = change.get("key")?;
                self.add(key.unchecked_into(), to.unchecked_into(), to_type()?, None)
            }
            "remove" => {
                let entry = entry()?;
                self.remove(entry.unchecked_into())
            }
            "rename" => {
                let entry = entry()?;
                self.rename(entry.unchecked_into(), to.unchecked_into())
            }
            "retype" => {
                let entry = entry()?;
                self.retype(entry.unchecked_into(), change.get("toType")?.unchecked_into())
            }
            "set-element" => {
                let (entry, new) = (entry()?, element_of(change, &to)?);
                self.set_element(entry.unchecked_into(), change.get("start")?.unchecked_into(), new.unchecked_into())
            }
            "remove-elements" => {
                let (entry, end) = (entry()?, change.get("end")?);
                self.remove_elements(
                    entry.unchecked_into(),
                    change.get("start")?.unchecked_into(),
                    Some(end.unchecked_into()),
                )
            }
            "rename-tensor" => {
                let tensor = tensor()?;
                self.rename_tensor(tensor.unchecked_into(), to.unchecked_into())
            }
            "remove-tensor" => {
                let tensor = tensor()?;
                self.remove_tensor(tensor.unchecked_into())
            }
            "repack" => self.repack(),
            "version" => self.set_version(to.unchecked_into()),
            "byte-order" => self.set_byte_order(to.unchecked_into()),
            _ => Err(not_a_fix(change)),
        }
    }

    /// The position of the entry that a change of a fix selects: the one at `index`, if it has the key. Otherwise the only
    /// entry that has the key.
    fn find_fixed_entry(&self, change: &AnyObject) -> Result<usize, Thrown> {
        let key = change.get("key")?.as_string().ok_or_else(|| not_a_fix(change))?;
        let has_key = |position: &usize| self.edit.entry(*position).is_some_and(|entry| lossy(&entry.key()) == key);
        selected(change, &mut (0..self.edit.entry_count()).filter(has_key))
    }

    /// The position of the tensor that a change of a fix selects, found in the same way.
    fn find_fixed_tensor(&self, change: &AnyObject) -> Result<usize, Thrown> {
        let name = change.get("tensor")?.as_string().ok_or_else(|| not_a_fix(change))?;
        let has_name = |position: &usize| self.edit.tensor_name(*position).is_some_and(|found| lossy(&found) == name);
        selected(change, &mut (0..self.edit.tensor_count()).filter(has_name))
    }
}

/// The position at `index` of a change if it is among these positions. Otherwise the only one of them. The first position is
/// not one of them if the change is about a repeated key or name: when the repetition is gone, the first one must stay.
fn selected(change: &AnyObject, positions: &mut dyn Iterator<Item = usize>) -> Result<usize, Thrown> {
    let index = change.get("index")?.as_f64();
    if change.get("isRepeated")?.is_truthy() {
        positions.next();
    }
    let (mut found, mut count) = (None, 0);
    for position in positions {
        if Some(position as f64) == index {
            return Ok(position);
        }
        (found, count) = (Some(position), count + 1);
    }
    found.filter(|_| count == 1).ok_or_else(|| {
        failure!(Conflict:
            "cannot apply the fix: the entry or tensor that it changes has been changed or removed since; validate the \
             edited file again")
    })
}

/// The only element of an array.
fn element_of(change: &AnyObject, array: &JsValue) -> Result<JsValue, Thrown> {
    match is_array(array) && length(array)? == Some(1) {
        true => element(array, 0),
        false => Err(not_a_fix(change)),
    }
}

fn not_a_fix(given: &JsValue) -> Thrown {
    failure!(InvalidArgument:
        "cannot apply {}: expected the `fix` of a finding of validate(), with its `changes`", describe(given))
}
