//! A list of names in which a name is found fast.

use alloc::{collections::BTreeSet, sync::Arc, vec::Vec};

/// A list of distinct names.
///
/// Names can come from a file that somebody has made to be slow. So they are found in a tree: a hash table whose hashes can be foreseen
/// becomes a list if all names have the same hash.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct DistinctNames {
    names: Vec<Arc<[u8]>>,
    /// Each name with its position.
    sorted: NameTree,
}

/// Names with a number each, in order. What reads, edits and compares files has no other tree: the compiler makes a copy of it for each type,
/// of 3 to 6 kB.
#[doc(hidden)]
pub type NameTree = BTreeSet<(Arc<[u8]>, usize)>;

impl DistinctNames {
    /// The number of names.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| &**name)
    }

    pub fn get(&self, position: usize) -> &[u8] {
        &self.names[position]
    }

    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let (own, position) = self.sorted.range((Arc::from(name), 0)..).next()?;
        (**own == *name).then_some(*position)
    }

    /// Adds a name that the list does not have.
    pub fn push(&mut self, name: &[u8]) {
        let name: Arc<[u8]> = name.into();
        self.sorted.insert((name.clone(), self.names.len()));
        self.names.push(name);
    }

    /// The position of a name, which is added if the list does not have it. Then the position is the length before.
    pub fn position(&mut self, name: &[u8]) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.push(name);
            self.names.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_at_their_positions() {
        let mut names = DistinctNames::default();
        assert_eq!(names.find(b""), None);
        for i in 0..1000 {
            let name = format!("blk.{i}.weight");
            assert_eq!(names.find(name.as_bytes()), None);
            names.push(name.as_bytes());
            assert_eq!(names.find(name.as_bytes()), Some(i));
        }
        assert_eq!(names.count(), 1000);
        assert_eq!(names.find(b"blk.0.weight"), Some(0));
        assert_eq!(names.find(b"blk.999.weight"), Some(999));
        assert_eq!(names.get(12), b"blk.12.weight");
        assert_eq!(names.find(b"blk.1000.weight"), None);
        assert_eq!(
            [names.position(b"blk.12.weight"), names.position(b"new"), names.position(b"new")],
            [12, 1000, 1000]
        );
    }
}
