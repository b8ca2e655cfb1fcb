//! Bytes of texts, whose memory is counted.

use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::error::Outcome;
use crate::limits::Meter;

/// What the allocator and the counters of one shared value take, about.
pub(crate) const OVERHEAD: usize = 48;

/// Bytes of a text. They can be invalid UTF-8, because llama.cpp cuts texts by bytes.
#[derive(Debug)]
pub(crate) struct Bytes {
    data: Vec<u8>,
    meter: Rc<Meter>,
}

impl Bytes {
    #[inline(never)]
    pub fn new(meter: &Rc<Meter>) -> Outcome<Bytes> {
        meter.take(OVERHEAD)?;
        Ok(Bytes { data: Vec::new(), meter: meter.clone() })
    }

    #[inline(never)]
    pub fn of(bytes: &[u8], meter: &Rc<Meter>) -> Outcome<Bytes> {
        let mut new = Bytes::new(meter)?;
        new.push(bytes)?;
        Ok(new)
    }

    #[inline(never)]
    pub fn push(&mut self, bytes: &[u8]) -> Outcome<()> {
        let (length, capacity) = (self.data.len() + bytes.len(), self.data.capacity());
        if length > capacity {
            // As much as is taken is counted, and given back when the text is dropped.
            let wanted = length.max(2 * capacity);
            self.meter.take(wanted - capacity)?;
            self.data.reserve_exact(wanted - self.data.len());
        }
        self.data.extend_from_slice(bytes);
        self.meter.look(bytes.len())
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.data
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.data
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.meter.give(OVERHEAD + self.data.capacity());
    }
}
