//! Writes a statement of rules that was written before as its place: most architectures have many tensors and keys alike. The table has half
//! the size then.

use std::collections::BTreeMap;
use std::ops::Range;

use super::opcodes;
use super::table::push_number;

/// What a reference to one statement takes at most: its code, a place and a count.
const REFERENCE: usize = 5;

/// The table with references, and the new places of its bodies. `statements` are the places of all statements, `bodies` those where bodies
/// begin, in order.
pub fn share(bytes: &[u8], mut statements: Vec<Range<usize>>, bodies: &[usize]) -> (Vec<u8>, Vec<usize>) {
    // A statement stands before those that it contains.
    statements.sort_by_key(|statement| (statement.start, usize::MAX - statement.end));
    let mut writer =
        Writer { bytes, statements: &statements, shared: Vec::new(), known: BTreeMap::new(), reference: None };
    let ends = bodies.iter().skip(1).copied().chain([bytes.len()]);
    let places = bodies.iter().zip(ends).map(|(start, end)| {
        let place = writer.shared.len();
        writer.copy(*start..end);
        place
    });
    let places = places.collect();
    // The program reads places as 16 bits.
    assert!(writer.shared.len() <= usize::from(u16::MAX), "the table of rules is too large");
    (writer.shared, places)
}

struct Writer<'a> {
    bytes: &'a [u8],
    /// The statements that come next.
    statements: &'a [Range<usize>],
    shared: Vec<u8>,
    /// Where the statements begin and end that were written, by their bytes.
    known: BTreeMap<&'a [u8], Range<usize>>,
    reference: Option<Reference>,
}

/// The reference at the end of what was written.
struct Reference {
    /// Where it begins.
    at: usize,
    /// The statements that it stands for.
    place: Range<usize>,
    count: usize,
}

impl Writer<'_> {
    /// Writes some bytes with the statements in them.
    fn copy(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(statement) = self.statements.first().filter(|statement| statement.start < range.end).cloned() {
            self.append(at..statement.start);
            self.statement(statement.clone());
            at = statement.end;
        }
        self.append(at..range.end);
    }

    /// Writes bytes that are no statement.
    fn append(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.shared.extend(&self.bytes[range]);
            self.reference = None;
        }
    }

    fn statement(&mut self, statement: Range<usize>) {
        let own = &self.bytes[statement.clone()];
        let known = self.known.get(own).cloned();
        let last = self.reference.take();
        match (known, last) {
            (Some(known), Some(last)) if last.place.end == known.start => {
                self.shared.truncate(last.at);
                self.refer(last.place.start..known.end, last.count + 1);
            }
            (Some(known), _) if own.len() > REFERENCE => self.refer(known, 1),
            (known, _) => {
                let start = self.shared.len();
                self.statements = &self.statements[1..];
                self.copy(statement);
                self.reference = None;
                if known.is_none() {
                    self.known.insert(own, start..self.shared.len());
                }
                return;
            }
        }
        let inner = self.statements.iter().take_while(|inner| inner.start < statement.end).count();
        self.statements = &self.statements[inner..];
    }

    fn refer(&mut self, place: Range<usize>, count: usize) {
        self.reference = Some(Reference { at: self.shared.len(), place: place.clone(), count });
        self.shared.push(opcodes::AGAIN);
        push_number(&mut self.shared, place.start);
        push_number(&mut self.shared, count);
    }
}
