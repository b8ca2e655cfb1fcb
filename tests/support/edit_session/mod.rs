//! Chooses a file and changes from random bytes or from the input of a fuzz target, and checks the results.
//!
//! Each choice takes the next byte of the input, or as many bytes as the chosen number has. After the end of the input, the
//! bytes are 0. The file is chosen first ([`choose_file`]), then one change after the other ([`Session::step`]).

mod choices;
mod file;
mod old_file;
mod plan_checks;
mod revert;
mod steps;
mod view_checks;

use gguf_format::edit::{ChangeId, Edit, EditState, EntryId, TensorId};
use gguf_format::write::WritePlan;
use gguf_format::{Error, Header};

use crate::model::{Model, OldFile, Refusal};
use choices::Choices;
use file::choose_file;
use old_file::{check_turned_twice, check_unchanged};
use revert::{Reverted, without};

/// An edit, the model of the expected result, and the states before each change.
struct Session<'a> {
    old: &'a OldFile,
    edit: Edit,
    model: Model,
    /// The models and snapshots before each change that is not undone.
    before: Vec<(Model, Snapshot)>,
    /// The models and snapshots after each undone change.
    after: Vec<(Model, Snapshot)>,
}

type Plan = Result<WritePlan, Error>;

/// Everything that undo restores.
#[derive(PartialEq)]
struct Snapshot {
    plan: Plan,
    entries: Vec<(EntryId, EditState)>,
    tensors: Vec<(TensorId, EditState)>,
}

/// Runs a session with the choices in `input`. Panics if a check fails.
pub fn run(input: &[u8]) {
    let mut choices = Choices(input);
    let old = choose_file(&mut choices);
    let header = parse(&old.bytes);
    check_unchanged(&old);
    let model = old.model.clone();
    let mut session = Session { old: &old, edit: Edit::new(header), model, before: Vec::new(), after: Vec::new() };
    let mut count = 0;
    while !choices.0.is_empty() && count < 16 {
        session.step(&mut choices);
        session.check(&mut choices);
        count += 1;
    }
    while session.undo() {}
    assert_eq!(session.edit.changes().len(), 0);
    while session.redo() {}
    check_turned_twice(&old);
}

fn parse(bytes: &[u8]) -> Header {
    gguf_format::parse(bytes).unwrap_or_else(|error| panic!("{error}"))
}

impl Drop for Session<'_> {
    /// Prints the file and the changes if a check has failed.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (header, old) = (self.edit.header(), self.old);
            let entries: Vec<_> = header.metadata().collect();
            let tensors: Vec<_> = header.tensors().map(|tensor| (tensor, tensor.byte_length())).collect();
            println!("{header:?} data at {} of {}\n{entries:#?}\n{tensors:#?}", old.data_offset, old.size());
            println!("{:#?}", self.edit.changes());
        }
    }
}

impl Session<'_> {
    pub fn plan(&self) -> Plan {
        self.edit.plan(Some(self.old.size()))
    }

    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            plan: self.plan(),
            entries: self.edit.entries().map(|entry| (entry.id(), entry.state())).collect(),
            tensors: self.edit.tensors().map(|tensor| (tensor.id(), tensor.state())).collect(),
        }
    }

    pub fn change_ids(&self) -> Vec<ChangeId> {
        self.edit.changes().iter().map(|made| made.id).collect()
    }

    pub fn undo(&mut self) -> bool {
        let Some((model, snapshot)) = self.before.pop() else {
            assert!(!self.edit.can_undo() && !self.edit.undo());
            return false;
        };
        let now = self.snapshot();
        assert!(self.edit.can_undo() && self.edit.undo());
        assert!(self.snapshot() == snapshot, "undo has not restored everything");
        self.after.push((std::mem::replace(&mut self.model, model), now));
        true
    }

    pub fn redo(&mut self) -> bool {
        let Some((model, snapshot)) = self.after.pop() else {
            assert!(!self.edit.can_redo() && !self.edit.redo());
            return false;
        };
        let now = self.snapshot();
        assert!(self.edit.can_redo() && self.edit.redo());
        assert!(self.snapshot() == snapshot, "redo has not restored everything");
        self.before.push((std::mem::replace(&mut self.model, model), now));
        true
    }

    /// Makes a change in the edit and in the model. If the model refuses it, the edit must refuse it too.
    pub fn change(
        &mut self,
        edit: impl FnOnce(&mut Edit) -> Result<(), Error>,
        model: impl FnOnce(&mut Model) -> Result<(), Refusal>,
    ) {
        let (snapshot, before) = (self.snapshot(), self.model.clone());
        let (done, undone) = (self.edit.changes().len(), self.edit.undone().len());
        let result = edit(&mut self.edit);
        match model(&mut self.model) {
            Ok(()) => {
                if let Err(error) = result {
                    panic!("refused with {}: {error}", error.code());
                }
                let count = self.model.changes - before.changes;
                assert_eq!(self.edit.changes().len(), done + count);
                if count > 0 {
                    assert_eq!(self.edit.undone().len(), 0);
                    self.after.clear();
                    self.before.push((before, snapshot));
                } else {
                    assert_eq!(self.edit.undone().len(), undone);
                }
            }
            Err(refusal) => {
                let error = result.expect_err("not refused");
                assert!(refusal.contains(&error.code().name()), "{} ({error}) instead of {refusal:?}", error.code());
                assert!(!error.to_string().is_empty());
                assert_eq!((self.edit.changes().len(), self.edit.undone().len()), (done, undone));
                assert!(self.snapshot() == snapshot, "refused, but changed");
            }
        }
    }

    /// Reverts a change. The model makes all other changes again.
    pub fn revert(&mut self, position: usize) {
        let snapshot = self.snapshot();
        let changes: Vec<_> = self.edit.changes().iter().map(|made| made.change.clone()).collect();
        let ids = self.change_ids();
        let undone = self.edit.undone().len();
        let expected = without(self.old, &changes, position);
        let error = match (self.edit.revert(position), expected) {
            (Ok(()), Reverted::To(model)) => {
                let left = self.change_ids();
                assert!(left.iter().all(|id| ids.contains(id) && *id != ids[position]));
                self.before.push((std::mem::replace(&mut self.model, *model), snapshot));
                self.after.clear();
                assert_eq!(self.edit.undone().len(), 0);
                return;
            }
            (Ok(()), Reverted::Unknown) => {
                let reverted = self.snapshot();
                assert!(self.edit.undo());
                assert!(self.snapshot() == snapshot, "the undo of a revert has not restored everything");
                assert!(self.edit.redo());
                assert!(self.snapshot() == reverted, "the redo of a revert has not restored everything");
                assert!(self.edit.undo());
                // The edit could redo the undone revert, but the model cannot. So the session starts again.
                let mut edit = Edit::new(self.edit.header().clone());
                self.before.clear();
                self.after.clear();
                self.model = self.old.model.clone();
                std::mem::swap(&mut self.edit, &mut edit);
                return;
            }
            (Ok(()), Reverted::Refused(refusal)) => panic!("not refused: {refusal:?}"),
            (Err(error), Reverted::To(_)) => panic!("refused with {}: {error}", error.code()),
            (Err(error), Reverted::Refused(refusal)) => {
                assert!(refusal.contains(&error.code().name()), "{} ({error}) instead of {refusal:?}", error.code());
                error
            }
            (Err(error), Reverted::Unknown) => error,
        };
        assert!(!error.to_string().is_empty());
        assert_eq!((self.change_ids(), self.edit.undone().len()), (ids, undone));
        assert!(self.snapshot() == snapshot, "a revert was refused, but something has changed");
    }
}
