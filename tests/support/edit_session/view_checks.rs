//! Checks of the entries and tensors that an edit returns.

use std::collections::BTreeSet;

use gguf_format::edit::{Change, EditState, EntryId, EntrySelector, HeaderPlan, TensorId, TensorSelector};
use gguf_format::write::WritePlan;

use super::Session;
use super::choices::Choices;
use crate::model::Selector;
use crate::model_value::ModelValue;

impl Session<'_> {
    pub fn check(&self, choices: &mut Choices<'_>) {
        self.check_views();
        self.check_identity();
        let plan = self.plan();
        let header = self.edit.plan_header(Some(self.old.size())).unwrap();
        let pieces = |plan: &WritePlan| -> Vec<u8> {
            plan.header_pieces(self.edit.header().bytes(), 0..plan.header_size()).collect::<Vec<_>>().concat()
        };
        let header_bytes =
            |plan: &HeaderPlan| -> Vec<u8> { plan.header_pieces(0..plan.header_size()).collect::<Vec<_>>().concat() };
        match (plan, self.old.expected(&self.model)) {
            (Ok(plan), Ok(expected)) => {
                self.check_plan(&plan, &expected, choices);
                let head = &expected.bytes[..expected.header_size as usize];
                assert!(pieces(&plan) == head, "the header's pieces are others");
                assert!(header_bytes(&header) == head, "the header alone is another");
                assert_eq!((header.header_size(), header.data_offset()), (plan.header_size(), plan.data_offset()));
                assert!(header.has_final_offsets());
                self.check_positions(&header, head);
                if self.model.tensors.iter().all(|tensor| tensor.length().is_some()) {
                    let unsized_header = self.edit.plan_header(None).unwrap();
                    assert!(header_bytes(&unsized_header) == head, "without the size, the header is another");
                    assert!(unsized_header.has_final_offsets());
                    self.check_positions(&unsized_header, head);
                }
            }
            (Err(error), Err(refusal)) => {
                assert!(refusal.contains(&error.code().name()), "{} ({error}) instead of {refusal:?}", error.code());
                self.check_positions(&header, &header_bytes(&header));
            }
            (Ok(_), Err(refusal)) => panic!("not refused: {refusal:?}"),
            (Err(error), Ok(_)) => panic!("refused with {}: {error}", error.code()),
        }
    }

    /// Every entry and tensor has a unique id, which finds it, and a state.
    pub fn check_identity(&self) {
        let (edit, model) = (&self.edit, &self.model);
        let mut ids = BTreeSet::new();
        for (position, (entry, expected)) in edit.entries().zip(&model.entries).enumerate() {
            assert!(ids.insert(entry.id()), "two entries have one id");
            assert_eq!(edit.find(entry.id().into()), Ok(position));
            assert_eq!(entry.original().map(|original| original.index()), entry.origin());
            match entry.origin() {
                None => assert_eq!(entry.state(), EditState::Added),
                Some(origin) => {
                    assert_eq!(entry.id(), EntryId(origin));
                    let is_new = expected.is_key_new || expected.is_value_new;
                    assert!(!is_new || entry.state() == EditState::Changed);
                }
            }
        }
        let added = edit.changes().iter().filter(|made| matches!(made.change, Change::Add { .. }));
        let added: BTreeSet<_> = added.map(|made| edit.added_entry(made.id)).collect();
        assert!(edit.entries().all(|entry| entry.origin().is_some() || added.contains(&entry.id())));
        for removed in edit.removed_entries() {
            assert!(ids.insert(removed.id()), "an entry is removed and present");
            let before = (0..removed.id().0).rev().find_map(|origin| edit.find(EntryId(origin).into()).ok());
            assert_eq!(removed.position(), before.map_or(0, |position| position + 1));
        }
        assert!((0..edit.header().metadata().len()).all(|origin| ids.contains(&EntryId(origin))));
        for (position, tensor) in edit.tensors().enumerate() {
            assert_eq!(edit.find_tensor(tensor.id().into()), Ok(position));
            assert_eq!((tensor.id(), edit.tensor_origin(position)), (TensorId(tensor.origin()), Some(tensor.origin())));
        }
        let present = edit.tensors().map(|tensor| tensor.origin());
        let mut all: Vec<_> = present.chain(edit.removed_tensors().map(|tensor| tensor.index())).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..edit.header().tensors().len()));
    }

    /// The listed entries and tensors equal those of the model.
    pub fn check_views(&self) {
        let (edit, model) = (&self.edit, &self.model);
        assert_eq!((edit.format(), edit.alignment()), (model.format, model.alignment()));
        assert_eq!((edit.entry_count(), edit.tensor_count()), (model.entries.len(), model.tensors.len()));
        for (position, expected) in model.entries.iter().enumerate() {
            let entry = edit.entry(position).unwrap();
            assert_eq!((entry.origin(), &*entry.key()), (expected.origin, &*expected.key));
            assert_eq!(entry.value_type(), expected.value.value_type());
            let found = edit.find(EntrySelector::Key(&expected.key)).ok();
            assert_eq!(found, model.find(&Selector::Name(expected.key.clone())));
            match entry.value() {
                Some(value) => assert_eq!(ModelValue::read(value), expected.value.seen()),
                None => assert!(matches!(expected.value, ModelValue::List(..))),
            }
            if let ModelValue::List(element_type, elements) = &expected.value {
                assert_eq!(entry.array(), Some((*element_type, elements.len() as u64)));
                for (index, element) in elements.iter().enumerate() {
                    assert_eq!(ModelValue::read(entry.element(index as u64).unwrap()), element.seen());
                }
                assert!(entry.element(elements.len() as u64).is_none());
            } else {
                assert_eq!(entry.array(), None);
            }
        }
        for tensor in &model.tensors {
            let found = edit.find_tensor(TensorSelector::Name(&tensor.name)).ok();
            assert_eq!(found, model.find_tensor(&Selector::Name(tensor.name.clone())));
        }
        assert!(edit.entry(model.entries.len()).is_none());
        assert!(edit.tensor_origin(model.tensors.len()).is_none());
    }
}
