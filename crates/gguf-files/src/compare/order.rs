//! Which items of a list have moved: the fewest without which the others are in the same order as before.

use alloc::vec::Vec;

/// Whether each item has moved. `positions` has the position of each item in the other list; no two are equal.
///
/// The items that stay are a longest increasing subsequence of the positions.
pub(super) fn moved(positions: &[u32]) -> Vec<bool> {
    let mut is_moved = vec![false; positions.len()];
    // Most lists are in order.
    if positions.is_sorted() {
        return is_moved;
    }
    // For each length, the item that ends an increasing subsequence of this length with the lowest position.
    let mut ends: Vec<u32> = Vec::new();
    // For each item, its predecessor in the longest increasing subsequence that ends with the item.
    let mut before = vec![u32::MAX; positions.len()];
    for (item, position) in positions.iter().enumerate() {
        let length = ends.partition_point(|end| positions[*end as usize] < *position);
        if let Some(longest) = length.checked_sub(1) {
            before[item] = ends[longest];
        }
        match ends.get_mut(length) {
            Some(end) => *end = item as u32,
            None => ends.push(item as u32),
        }
    }
    is_moved.fill(true);
    let mut item = ends.last().copied();
    while let Some(stays) = item {
        is_moved[stays as usize] = false;
        item = Some(before[stays as usize]).filter(|item| *item != u32::MAX);
    }
    is_moved
}

#[cfg(test)]
mod tests {
    use super::moved;
    use alloc::vec::Vec;

    fn moved_items(positions: &[u32]) -> Vec<u32> {
        let is_moved = moved(positions);
        positions.iter().zip(is_moved).filter_map(|(position, moved)| moved.then_some(*position)).collect()
    }

    #[test]
    fn only_items_that_left_their_place_have_moved() {
        assert!(moved_items(&[]).is_empty());
        assert!(moved_items(&[3, 5, 9]).is_empty());
        assert_eq!(moved_items(&[9, 1, 2, 3]), [9]);
        assert_eq!(moved_items(&[1, 2, 3, 0]), [0]);
        assert_eq!(moved_items(&[0, 4, 1, 2, 3, 5]), [4]);
        assert_eq!(moved_items(&[3, 2, 1, 0]).len(), 3);
        assert_eq!(moved_items(&[1, 0, 3, 2, 5, 4]).len(), 3);
    }

    /// All orders of seven items, and all ways to leave some out.
    #[test]
    fn no_smaller_number_of_items_explains_the_order() {
        let mut orders = Vec::from([Vec::new()]);
        for item in 0..7 {
            orders = orders
                .iter()
                .flat_map(|order: &Vec<u32>| {
                    (0..=order.len()).map(move |at| {
                        let mut order = order.clone();
                        order.insert(at, item);
                        order
                    })
                })
                .collect();
        }
        for order in orders {
            let fewest = (0_u32..1 << order.len())
                .filter(|left_out| {
                    let stays = order.iter().enumerate().filter(|(item, _)| left_out >> item & 1 == 0);
                    stays.map(|(_, position)| position).is_sorted()
                })
                .map(u32::count_ones)
                .min();
            let is_moved = moved(&order);
            let stays = order.iter().zip(&is_moved).filter(|(_, moved)| !**moved).map(|(position, _)| position);
            assert!(stays.is_sorted(), "{order:?}");
            assert_eq!(is_moved.iter().filter(|moved| **moved).count() as u32, fewest.unwrap(), "{order:?}");
        }
    }
}
