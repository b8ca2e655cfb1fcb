//! Pieces of the output.

use alloc::rc::Rc;

use crate::values::parts::Part;
use crate::values::value::List;

/// What a piece takes in a list that grows by doubling.
pub(super) const PIECE: usize = 2 * size_of::<Piece>();

/// A piece of the output.
pub(super) enum Piece {
    Part(Part),
    List(Rc<List>),
}
