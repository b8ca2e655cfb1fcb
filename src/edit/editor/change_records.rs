//! The changes of an edit as JavaScript objects, which are made once.

use alloc::{rc::Rc, sync::Arc, vec::Vec};

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use super::change_record::change_record;
use crate::reader::decoded_header::DecodedHeader;
use gguf_format::edit::{Edit, RecordedChange};
use gguf_format::format::header::Header;

/// The object of each change. An object shows values from before its change, so it is made while this replay of the edit has
/// made all changes before it.
pub(super) struct ChangeRecords {
    replay: Edit,
    records: Vec<JsValue>,
}

impl ChangeRecords {
    pub fn new(header: Arc<Header>) -> Self {
        Self { replay: Edit::new(header), records: Vec::new() }
    }

    /// The objects of these changes. Those of changes that were listed before are kept, up to the first difference.
    pub fn update(&mut self, header: &Rc<DecodedHeader>, changes: &[RecordedChange]) -> JsArray {
        let same = self.replay.changes().iter().zip(changes).take_while(|(listed, made)| listed.id == made.id).count();
        while self.replay.changes().len() > same && self.replay.undo() {}
        self.records.truncate(same);
        for made in &changes[same..] {
            self.records.push(change_record(header, &self.replay, made));
            self.replay.make(made.clone());
        }
        self.records.iter().collect()
    }
}
