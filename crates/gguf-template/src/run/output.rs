//! What a template has written so far.
//!
//! llama.cpp makes a text of what a block wrote when the block ends. So a list that is written and then changed is shown
//! as it is at the end of the block.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::machine::Machine;
use super::pieces::{PIECE, Piece};
use crate::error::{Outcome, beyond};
use crate::limits::{Meter, VALUE_DEPTH};
use crate::values::parts::{Part, Parts};
use crate::values::shown::as_text;
use crate::values::value::Value;

impl Machine<'_> {
    /// Writes a value. None, undefined values, dicts and functions write nothing.
    pub(super) fn write(&mut self, value: Value) -> Outcome<()> {
        match value {
            Value::List(list) => {
                self.open_lists += 1;
                self.push(Piece::List(list))
            }
            value => {
                let meter = self.host.meter.clone();
                write_parts(&value, &meter, VALUE_DEPTH, &mut |part| self.push(Piece::Part(part)))
            }
        }
    }

    fn push(&mut self, piece: Piece) -> Outcome<()> {
        self.host.meter.take(PIECE)?;
        self.out.push(piece);
        Ok(())
    }

    /// Drops what was written since the output had some length.
    pub(super) fn forget(&mut self, start: usize) {
        let dropped = self.out.drain(start..);
        self.host.meter.give(dropped.len() * PIECE);
        self.open_lists -= dropped.filter(|piece| matches!(piece, Piece::List(_))).count();
    }

    /// Makes texts of the lists that were written since the output had some length.
    pub(super) fn settle(&mut self, start: usize) -> Outcome<()> {
        if self.open_lists == 0 {
            return Ok(());
        }
        // Each block around a written list comes here.
        self.host.meter.step(self.out.len() - start)?;
        let pieces: Vec<Piece> = self.out.drain(start..).collect();
        self.host.meter.give(pieces.len() * PIECE);
        let meter = self.host.meter.clone();
        for piece in pieces {
            match piece {
                Piece::Part(part) => self.push(Piece::Part(part))?,
                Piece::List(list) => {
                    self.open_lists -= 1;
                    let list = Value::List(list);
                    write_parts(&list, &meter, VALUE_DEPTH, &mut |part| self.push(Piece::Part(part)))?;
                }
            }
        }
        Ok(())
    }

    /// Takes what was written since the output had some length, as one text.
    pub(super) fn take_text(&mut self, start: usize) -> Outcome<Rc<Parts>> {
        self.settle(start)?;
        let pieces = self.out.drain(start..);
        self.host.meter.give(pieces.len() * PIECE);
        let parts = pieces.filter_map(|piece| match piece {
            Piece::Part(part) => Some(part),
            Piece::List(_) => None,
        });
        Parts::new(parts.collect(), &self.host.meter)
    }
}

fn write_parts(value: &Value, meter: &Rc<Meter>, depth: u32, push: &mut dyn FnMut(Part) -> Outcome<()>) -> Outcome<()> {
    meter.step(1)?;
    let Some(depth) = depth.checked_sub(1) else { return beyond("the written list is nested too deeply") };
    match value {
        Value::Text(text) => {
            meter.step(text.parts().len())?;
            text.parts().iter().cloned().try_for_each(push)
        }
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
            as_text(value, meter)?.parts().iter().cloned().try_for_each(push)
        }
        Value::List(list) => list.borrow().iter().try_for_each(|item| write_parts(item, meter, depth, push)),
        _ => Ok(()),
    }
}
