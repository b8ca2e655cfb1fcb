//! One use of the small files of a folder: its budget, and the JSON files that were parsed for it.

use alloc::{collections::BTreeMap, rc::Rc, string::String};
use core::cell::{Cell, RefCell};

use serde_json::Value;

use crate::budget::Budget;
use crate::json;
use gguf_format::error::Result;

/// The state of the use of a folder. Nothing between uses.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// How many sessions are open, one within the other.
    open: Cell<u32>,
    budget: RefCell<Rc<Budget>>,
    /// The values by the paths of their files, with the bytes that they count.
    parsed: RefCell<BTreeMap<String, (Rc<Value>, u64)>>,
}

impl Clone for Sessions {
    /// The copy of a folder has uses of its own.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A use of a folder. Sessions within a session are part of it. When the outermost one ends, its values are dropped, and the next one
/// has a new budget.
pub(crate) struct Session<'a>(&'a Sessions);

impl Sessions {
    pub fn begin(&self) -> Session<'_> {
        self.open.set(self.open.get() + 1);
        Session(self)
    }

    pub fn budget(&self) -> Rc<Budget> {
        self.budget.borrow().clone()
    }

    /// The value of a JSON file, and the bytes that it counts: at most `most`. A file is parsed once in a session.
    pub fn parsed(&self, path: &str, text: &[u8], most: u64) -> Result<(Rc<Value>, u64)> {
        let _session = self.begin();
        if let Some(known) = self.parsed.borrow().get(path) {
            return Ok(known.clone());
        }
        let budget = self.budget();
        let own = budget.part(most);
        let before = own.bytes_left();
        let value = Rc::new(json::parse_within(path, text, &own)?);
        let bytes = before - own.bytes_left();
        budget.take(bytes)?;
        self.parsed.borrow_mut().insert(path.into(), (value.clone(), bytes));
        Ok((value, bytes))
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let Sessions { open, budget, parsed } = self.0;
        open.set(open.get() - 1);
        if open.get() == 0 {
            budget.take();
            parsed.take();
        }
    }
}
