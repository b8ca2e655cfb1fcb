//! Redoing the steps that were undone.

use super::change::HistoryStep;
use super::history::Edit;

impl Edit {
    /// Redoes the step that was undone last. Returns `false` if there is none: a new change discards the undone steps.
    pub fn redo(&mut self) -> bool {
        self.pop_undone().is_some_and(|step| self.redo_step(&step))
    }

    /// Makes a step again. The header must be as it was when the step was undone. Returns whether the step has an effect.
    #[doc(hidden)]
    pub fn redo_step(&mut self, step: &HistoryStep) -> bool {
        match step {
            HistoryStep::Make(made) => self.make_together(made.iter().cloned()),
            HistoryStep::Revert { position, .. } => self.revert_and_keep_undone(*position).is_ok(),
        }
    }
}
