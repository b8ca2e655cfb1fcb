//! Tables from characters to characters, in which characters that follow each other share a row.

/// Characters that follow each other, and what they become.
pub(super) struct Run {
    first: u32,
    count: u8,
    /// The distance between the characters.
    step: u8,
    order: Order,
    /// What the first character becomes.
    becomes: u32,
}

/// What the characters after the first one become.
enum Order {
    Same,
    /// Characters at the same distance.
    Shifted,
    /// Letters that alternate between upper case and lower case. The distance between the cases is the same as in ASCII.
    Cased,
}

const CASE_DISTANCE: u32 = 0x20;

pub(super) const fn same(first: u32, count: u8, step: u8, becomes: u32) -> Run {
    Run { first, count, step, order: Order::Same, becomes }
}

pub(super) const fn shifted(first: u32, count: u8, step: u8, becomes: u32) -> Run {
    Run { first, count, step, order: Order::Shifted, becomes }
}

pub(super) const fn cased(first: u32, count: u8, step: u8, becomes: u32) -> Run {
    Run { first, count, step, order: Order::Cased, becomes }
}

/// What a code point becomes by a table that is sorted. `None` if the table does not have it.
pub(super) fn mapped(table: &[Run], code: u32) -> Option<u32> {
    let run = table.get(table.partition_point(|run| run.first <= code).checked_sub(1)?)?;
    let (place, step) = (code - run.first, u32::from(run.step));
    let is_in_run = place.is_multiple_of(step) && place / step < run.count.into();
    let distance = match run.order {
        Order::Same => 0,
        Order::Shifted => place,
        Order::Cased => place % 2 * CASE_DISTANCE,
    };
    is_in_run.then_some(run.becomes + distance)
}
