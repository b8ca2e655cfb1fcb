//! How `sort`, `min`, `max`, `dictsort` and the tests `lt`, `gt`, `eq` … compare values. The operators do it otherwise.

use alloc::vec::Vec;

use super::shown::shown;
use super::value::Value;
use crate::error::{Outcome, failed};
use crate::limits::Meter;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn holds<T: PartialOrd + ?Sized>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

/// Whether a comparison holds. It holds for no values of types that are not compared, not even `NotEqual`.
pub(crate) fn compare(left: &Value, right: &Value, comparison: Comparison, meter: &Meter) -> Outcome<bool> {
    use Value::{Bool, Float, Int, Text};
    meter.step(1)?;
    match (left, right) {
        (Int(_) | Float(_), Int(_) | Float(_)) => Ok(comparison.holds(&left.float()?, &right.float()?)),
        (Text(_), Text(_) | Int(_) | Float(_)) | (Int(_) | Float(_), Text(_)) => {
            let (left, right) = (shown(left, meter)?, shown(right, meter)?);
            meter.look(left.len().min(right.len()))?;
            Ok(comparison.holds(&left[..], &right[..]))
        }
        (Bool(left), Bool(right)) => match comparison {
            Comparison::Equal => Ok(left == right),
            Comparison::NotEqual => Ok(left != right),
            _ => failed("booleans have no order"),
        },
        _ => Ok(false),
    }
}

/// Up to this many elements are sorted by insertion.
const FEW: usize = 16;

/// Whether the element of the first number is less than that of the second one.
type Less<'a> = &'a mut dyn FnMut(u32, u32) -> Outcome<bool>;

/// Sorts elements. `less` gets the places that they had at first.
pub(crate) fn sort<T: Clone>(items: &mut Vec<T>, less: &mut dyn FnMut(&T, &T) -> Outcome<bool>) -> Outcome<()> {
    let mut places: Vec<u32> = (0..items.len() as u32).collect();
    sort_places(&mut places, &mut |left, right| less(&items[left as usize], &items[right as usize]))?;
    *items = places.iter().map(|place| items[*place as usize].clone()).collect();
    Ok(())
}

/// Sorts like `std::sort` of libstdc++, which llama.cpp uses: the order of equal elements is the same.
///
/// That is introsort: partitions around the median of three, a heap where the partitions do not get smaller, and an
/// insertion sort at the end. `less` need not be an order; the result then has some order.
fn sort_places(items: &mut [u32], less: Less) -> Outcome<()> {
    if items.is_empty() {
        return Ok(());
    }
    partition_all(items, 2 * items.len().ilog2(), less)?;
    let few = items.len().min(FEW);
    for index in 1..few {
        if less(items[index], items[0])? {
            items[..=index].rotate_right(1);
        } else {
            insert(items, index, less)?;
        }
    }
    (few..items.len()).try_for_each(|index| insert(items, index, less))
}

/// Moves the element at `index` to the left while it is less.
fn insert(items: &mut [u32], index: usize, less: Less) -> Outcome<()> {
    let mut place = index;
    while place > 0 && less(items[index], items[place - 1])? {
        place -= 1;
    }
    items[place..=index].rotate_right(1);
    Ok(())
}

fn partition_all(mut items: &mut [u32], mut depth: u32, less: Less) -> Outcome<()> {
    while items.len() > FEW {
        if depth == 0 {
            return heap_sort(items, less);
        }
        depth -= 1;
        let cut = partition(items, less)?;
        let (left, right) = items.split_at_mut(cut);
        partition_all(right, depth, less)?;
        items = left;
    }
    Ok(())
}

/// Puts the median of three elements first, and splits the others around it. Returns where the right part starts.
fn partition(items: &mut [u32], less: Less) -> Outcome<usize> {
    let (first, middle, last) = (1, items.len() / 2, items.len() - 1);
    let median = if less(items[first], items[middle])? {
        if less(items[middle], items[last])? {
            middle
        } else if less(items[first], items[last])? {
            last
        } else {
            first
        }
    } else if less(items[first], items[last])? {
        first
    } else if less(items[middle], items[last])? {
        last
    } else {
        middle
    };
    items.swap(0, median);
    let (mut left, mut right) = (1, items.len());
    loop {
        while left < items.len() && less(items[left], items[0])? {
            left += 1;
        }
        right -= 1;
        while right > 0 && less(items[0], items[right])? {
            right -= 1;
        }
        if left >= right {
            return Ok(left);
        }
        items.swap(left, right);
        left += 1;
    }
}

fn heap_sort(items: &mut [u32], less: Less) -> Outcome<()> {
    let count = items.len();
    for parent in (0..=(count - 2) / 2).rev() {
        let value = items[parent];
        sift(items, parent, value, less)?;
    }
    for end in (1..count).rev() {
        let value = items[end];
        items[end] = items[0];
        sift(&mut items[..end], 0, value, less)?;
    }
    Ok(())
}

/// Moves the larger children up to the last row, and then lets `value` rise from there.
fn sift(items: &mut [u32], top: usize, value: u32, less: Less) -> Outcome<()> {
    let count = items.len();
    let (mut hole, mut child) = (top, top);
    while child < (count - 1) / 2 {
        child = 2 * (child + 1);
        if less(items[child], items[child - 1])? {
            child -= 1;
        }
        items[hole] = items[child];
        hole = child;
    }
    if count.is_multiple_of(2) && count >= 2 && child == (count - 2) / 2 {
        child = 2 * child + 1;
        items[hole] = items[child];
        hole = child;
    }
    while hole > top && less(items[(hole - 1) / 2], value)? {
        items[hole] = items[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    items[hole] = value;
    Ok(())
}
