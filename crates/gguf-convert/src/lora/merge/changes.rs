//! The changes of adapters: their matrices are read, and multiplied with each other.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use super::adapter::LoraAdapter;
use super::pairs::Pair;
use super::product::{Factor, add_change, zeros};
use crate::model::queue::Queue;
use gguf_format::error::Result;
use gguf_format::io::Source;

/// The adapters, and the matrix that was used last.
pub(super) struct Changes<S: Source> {
    pub adapters: Vec<LoraAdapter<S>>,
    last: RefCell<Option<(FactorKey, Rc<Factor>)>>,
    /// The reads that need a factor. One at a time, so that reads in flight share it instead of reading it each.
    queue: Queue,
}

/// Which factor it is: the adapter, the tensor, and the number of the expert.
type FactorKey = (usize, usize, u64);

impl<S: Source> Changes<S> {
    pub fn new(adapters: Vec<LoraAdapter<S>>) -> Self {
        Self { adapters, last: RefCell::default(), queue: Queue::default() }
    }

    /// Adds the changes of all pairs of a tensor to some rows. `shape` has the number of columns and of rows of a matrix.
    pub async fn add(&self, pairs: &[Pair], shape: [u64; 2], rows: Range<u64>, elements: &mut [f32]) -> Result<()> {
        let row_length = shape[0] as usize;
        let mut sums = zeros(row_length)?;
        for pair in pairs {
            let file = &self.adapters[pair.adapter].file;
            let Some(info) = file.header().tensor_at(pair.coefficients) else { continue };
            let coefficients = file.read_f32(&info, rows.start * pair.rank..rows.end * pair.rank).await?;
            let mut factor: Option<(u64, Rc<Factor>)> = None;
            for ((row, coefficients), elements) in rows
                .clone()
                .zip(coefficients.chunks_exact(pair.rank as usize))
                .zip(elements.chunks_exact_mut(row_length))
            {
                let number = if pair.factors == 1 { 0 } else { row / shape[1] };
                let known = match factor.take().filter(|(known, _)| *known == number) {
                    Some((_, known)) => known,
                    None => self.factor(pair, number, shape[0]).await?,
                };
                add_change(elements, coefficients, &known, pair.scale, &mut sums);
                factor = Some((number, known));
            }
        }
        Ok(())
    }

    /// The factor of a pair. The last one is kept: the file is read piece by piece.
    async fn factor(&self, pair: &Pair, number: u64, columns: u64) -> Result<Rc<Factor>> {
        let _place = self.queue.wait().await;
        let key = (pair.adapter, pair.factor, number);
        if let Some((known, factor)) = &*self.last.borrow()
            && *known == key
        {
            return Ok(factor.clone());
        }
        // The memory of the old factor is free before the new one is read.
        self.last.take();
        let file = &self.adapters[pair.adapter].file;
        let count = pair.rank * columns;
        let numbers = match file.header().tensor_at(pair.factor) {
            Some(info) => file.read_f32(&info, number * count..(number + 1) * count).await?,
            None => Vec::new(),
        };
        let columns = columns as usize;
        let factor = Rc::new(match pair.is_transposed {
            true => Factor::transposed(columns, pair.rank as usize, &numbers)?,
            false => Factor { columns, numbers },
        });
        self.last.replace(Some((key, factor.clone())));
        Ok(factor)
    }
}
