//! A list of names in which a name is found fast.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

/// A list of distinct names.
///
/// Names can come from a file that somebody has made to be slow. So they are found in a tree: a hash table whose hashes can be foreseen
/// becomes a list if all names have the same hash.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct NameIndex {
    names: Vec<Arc<[u8]>>,
    positions: BTreeMap<Arc<[u8]>, u32>,
}

impl NameIndex {
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| &**name)
    }

    pub fn get(&self, position: usize) -> &[u8] {
        &self.names[position]
    }

    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.positions.get(name).map(|position| *position as usize)
    }

    /// Adds a name that the list does not have.
    pub fn push(&mut self, name: &[u8]) {
        let name: Arc<[u8]> = name.into();
        self.positions.insert(name.clone(), self.names.len() as u32);
        self.names.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_at_their_positions() {
        let mut names = NameIndex::default();
        assert_eq!(names.find(b""), None);
        for i in 0..1000 {
            let name = format!("blk.{i}.weight");
            assert_eq!(names.find(name.as_bytes()), None);
            names.push(name.as_bytes());
            assert_eq!(names.find(name.as_bytes()), Some(i));
        }
        assert_eq!(names.len(), 1000);
        assert_eq!(names.find(b"blk.0.weight"), Some(0));
        assert_eq!(names.find(b"blk.999.weight"), Some(999));
        assert_eq!(names.get(12), b"blk.12.weight");
        assert_eq!(names.find(b"blk.1000.weight"), None);
    }
}
