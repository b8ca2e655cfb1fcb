//! Names in the order in which they came, each found in a step or two.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::format::header::hash;

/// A list of different names.
#[derive(Default)]
pub(super) struct Names {
    names: Vec<Box<[u8]>>,
    /// A name's position and 1, or 0, at the place that its hash says or at the next that was free. At least half of
    /// the places are.
    places: Vec<u32>,
}

impl Names {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| &**name)
    }

    pub fn get(&self, position: usize) -> &[u8] {
        &self.names[position]
    }

    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let place = self.place_of(name)?;
        (self.places[place] as usize).checked_sub(1)
    }

    /// Adds a name that is not there yet.
    pub fn push(&mut self, name: &[u8]) {
        self.names.push(name.into());
        if self.names.len() * 2 > self.places.len() {
            self.places = Vec::new();
            self.places.resize((self.names.len() * 4).next_power_of_two(), 0);
            (0..self.names.len()).for_each(|position| self.enter(position));
        } else {
            self.enter(self.names.len() - 1);
        }
    }

    fn enter(&mut self, position: usize) {
        if let Some(place) = self.place_of(&self.names[position]) {
            self.places[place] = position as u32 + 1;
        }
    }

    /// Where a name is, or would be: `None` if there are no places yet.
    fn place_of(&self, name: &[u8]) -> Option<usize> {
        let last = self.places.len().checked_sub(1)?;
        let mut place = hash(name) as usize & last;
        while let Some(position) = (self.places[place] as usize).checked_sub(1) {
            if *self.names[position] == *name {
                break;
            }
            place = (place + 1) & last;
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn names_are_found_where_they_were_put() {
        let mut names = Names::default();
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
