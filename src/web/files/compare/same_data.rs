//! Whether two ranges are the same bytes of the same file, so that they need not be read.
//!
//! The plan of an edit copies the data from the file that is edited. So an edited model can be compared with the original without
//! reading any data.

use alloc::rc::Rc;
use core::ops::Range;

use super::model;
use crate::web::source::range_reader::RangeReader;
use crate::write::plan::Part;

/// How many plans can be made one from another: an edit of merged shards is a plan of a plan.
const MOST_PLANS: usize = 8;

/// Whether both ranges are the same bytes of one file.
pub(super) fn is_same_data(
    a: &Rc<RangeReader>,
    range_a: &Range<u64>,
    b: &Rc<RangeReader>,
    range_b: &Range<u64>,
) -> bool {
    let (file_a, start_a) = origin(a.clone(), range_a.clone());
    let (file_b, start_b) = origin(b.clone(), range_b.clone());
    Rc::ptr_eq(&file_a, &file_b) && start_a == start_b && range_a.end - range_a.start == range_b.end - range_b.start
}

/// The file from which the bytes are read in the end, and the position of the first one in it.
fn origin(mut file: Rc<RangeReader>, mut range: Range<u64>) -> (Rc<RangeReader>, u64) {
    for _ in 0..MOST_PLANS {
        let Some(plan) = file.custom_source().and_then(model::plan) else { break };
        let mut parts = plan.plan.parts(range.clone());
        let (Some(Part::Copy { source, range: copied }), None) = (parts.next(), parts.next()) else { break };
        file = plan.originals[source].ranges.clone();
        range = copied;
    }
    (file, range.start)
}
