//! Whether two ranges are the same bytes of the same file, so that they need not be read.
//!
//! The plan of an edit copies the data from the file that is edited. So an edited model can be compared with the original without
//! reading any data.

use alloc::rc::Rc;
use core::ops::Range;

use crate::web::reader::opened_file::SourceFile;
use crate::web::source::gguf_source::Source;
use crate::write::plan::Part;

/// How many plans can be made one from another: an edit of merged shards is a plan of a plan.
const MOST_PLANS: usize = 8;

/// Whether both ranges are the same bytes of one file.
pub(super) fn is_same_data(a: &Rc<SourceFile>, range_a: &Range<u64>, b: &Rc<SourceFile>, range_b: &Range<u64>) -> bool {
    let (file_a, start_a) = origin(a, range_a.clone());
    let (file_b, start_b) = origin(b, range_b.clone());
    Rc::ptr_eq(file_a, file_b) && start_a == start_b && range_a.end - range_a.start == range_b.end - range_b.start
}

/// The file from which the bytes are read in the end, and the position of the first one in it.
fn origin(mut file: &Rc<SourceFile>, mut range: Range<u64>) -> (&Rc<SourceFile>, u64) {
    for _ in 0..MOST_PLANS {
        let Source::Planned(planned) = file.reader().source() else { break };
        let mut parts = planned.plan().parts(range.clone());
        let (Some(Part::Copy { source, range: copied }), None) = (parts.next(), parts.next()) else { break };
        file = &planned.originals()[source];
        range = copied;
    }
    (file, range.start)
}
