//! Which items of two lists are equal.

use alloc::vec::Vec;

use xxhash_rust::xxh64::xxh64;

use gguf_format::order::{sort_by, sorted};

/// For each item of two lists, a number. Two items have the same number if their bytes are equal, and only then. The numbers
/// begin at 0 and have no gaps.
pub(super) struct EqualItems {
    pub a: Vec<u32>,
    pub b: Vec<u32>,
    /// How many different numbers there are.
    pub count: usize,
}

/// Numbers the items of two lists. `bytes_at` returns the bytes of an item: first those of the first list, then those of the
/// second one.
pub(super) fn equal_items<'a>(length_a: usize, length_b: usize, bytes_at: impl Fn(usize) -> &'a [u8]) -> EqualItems {
    let by_hash: Vec<(u64, usize)> = (0..length_a + length_b).map(|place| (xxh64(bytes_at(place), 0), place)).collect();
    let by_hash = sorted(&by_hash);
    let mut numbers = vec![0; length_a + length_b];
    let mut count = 0;
    let mut places = Vec::new();
    for same_hash in by_hash.chunk_by(|(hash, _), (next, _)| hash == next) {
        places.clear();
        places.extend(same_hash.iter().map(|(_, place)| *place));
        let mut previous = bytes_at(places[0]);
        // Other bytes with the same hash do not happen by chance, but a file can be made that has them.
        if places.iter().any(|place| bytes_at(*place) != previous) {
            sort_by(&mut places, &|a, b| bytes_at(a).cmp(bytes_at(b)));
            previous = bytes_at(places[0]);
        }
        for place in &places {
            let bytes = bytes_at(*place);
            if bytes != previous {
                count += 1;
                previous = bytes;
            }
            numbers[*place] = count as u32;
        }
        count += 1;
    }
    let b = numbers.split_off(length_a);
    EqualItems { a: numbers, b, count }
}

impl EqualItems {
    /// For each item of the first list, the position of an equal item of the second one: of several equal items, the first one
    /// belongs to the first one of the other list, and so on.
    pub fn pairs(&self) -> Vec<Option<usize>> {
        // The positions in the second list, sorted by number.
        let mut starts = vec![0_usize; self.count + 1];
        for number in &self.b {
            starts[*number as usize + 1] += 1;
        }
        for number in 0..self.count {
            starts[number + 1] += starts[number];
        }
        let ends = starts[1..].to_vec();
        let mut sorted = vec![0; self.b.len()];
        let mut next = starts.clone();
        for (position, number) in self.b.iter().enumerate() {
            sorted[next[*number as usize]] = position;
            next[*number as usize] += 1;
        }
        self.a
            .iter()
            .map(|number| {
                let number = *number as usize;
                let place = starts[number];
                (place < ends[number]).then(|| {
                    starts[number] += 1;
                    sorted[place]
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::equal_items;

    #[test]
    fn items_with_equal_bytes_have_the_same_number() {
        let items = ["a", "b", "a", "", "c", "b", "a", ""];
        let numbered = equal_items(4, 4, |place| items[place].as_bytes());
        assert_eq!(numbered.count, 4);
        let numbers = [&numbered.a[..], &numbered.b].concat();
        for (item, number) in items.iter().zip(&numbers) {
            for (other, other_number) in items.iter().zip(&numbers) {
                assert_eq!(item == other, number == other_number);
            }
        }
        assert_eq!(numbered.pairs(), [Some(2), Some(1), None, Some(3)]);
    }
}
