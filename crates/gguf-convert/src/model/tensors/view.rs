//! Views: how the elements of a new tensor lie in the stored tensors.

use alloc::string::String;
use alloc::vec::Vec;

use gguf_format::error::{Result, error};
use gguf_format::order::sort_items;

/// A view of a stored tensor: an array whose elements lie at regular distances. Nothing is moved until it is read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    /// The position of the stored tensor among the inputs.
    pub input: usize,
    /// The position of the first element.
    pub offset: u64,
    /// The axes, slowest first.
    pub axes: Vec<Axis>,
    /// Factors of all elements, applied one after the other.
    pub factors: [f32; 2],
}

/// The factors of a view whose elements stay as they are.
pub(crate) const UNSCALED: [f32; 2] = [1.0; 2];

/// An axis of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    /// The number of elements.
    pub length: u64,
    /// The distance of two elements, in elements of the stored tensor.
    pub stride: u64,
}

impl View {
    /// The view of a whole tensor.
    pub fn whole(input: usize, shape: &[u64]) -> Self {
        let mut axes: Vec<Axis> = shape.iter().map(|length| Axis { length: *length, stride: 1 }).collect();
        let mut stride = 1;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.length;
        }
        Self { input, offset: 0, axes, factors: UNSCALED }
    }

    /// The number of elements in each dimension, slowest first.
    pub fn shape(&self) -> Vec<u64> {
        self.axes.iter().map(|axis| axis.length).collect()
    }

    /// The number of elements.
    pub fn element_count(&self) -> u64 {
        self.axes.iter().map(|axis| axis.length).product()
    }

    /// Divides an axis into several. One of the lengths may be `None`: it follows from the others.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if the product of the lengths is not that of the axis, or if there is no such axis.
    pub fn divided(mut self, axis: usize, lengths: &[Option<u64>]) -> Result<Self> {
        let Some(old) = self.axes.get(axis).copied() else { return Err(self.wrong_rank(axis + 1)) };
        let known = lengths.iter().flatten().try_fold(1_u64, |product, length| product.checked_mul(*length));
        let rest =
            known.filter(|known| *known > 0 && old.length.is_multiple_of(*known)).map(|known| old.length / known);
        let rest = rest.filter(|rest| *rest == 1 || lengths.contains(&None));
        let Some(rest) = rest else {
            let wanted: Vec<String> =
                lengths.iter().map(|length| length.map_or("?".into(), |length| format!("{length}"))).collect();
            return Err(error!(BadSafetensors:
                "its shape is {:?}, and {} rows cannot be divided into {}; check that config.json belongs to the model",
                self.shape(), old.length, wanted.join(" x ")));
        };
        let mut stride = old.stride;
        let mut new: Vec<Axis> = Vec::new();
        for length in lengths.iter().rev() {
            let length = length.unwrap_or(rest);
            new.insert(0, Axis { length, stride });
            stride *= length;
        }
        self.axes.splice(axis..=axis, new);
        Ok(self)
    }

    /// Swaps two axes.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if there is no such axis.
    pub fn swapped(mut self, a: usize, b: usize) -> Result<Self> {
        if a.max(b) >= self.axes.len() {
            return Err(self.wrong_rank(a.max(b) + 1));
        }
        self.axes.swap(a, b);
        Ok(self)
    }

    /// Every `step`-th element of an axis, from `start` on, `length` in all.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if the axis has too few elements.
    pub fn sliced(mut self, axis: usize, start: u64, step: u64, length: u64) -> Result<Self> {
        let shape = self.shape();
        let Some(old) = self.axes.get_mut(axis) else { return Err(self.wrong_rank(axis + 1)) };
        let last = length.checked_sub(1).and_then(|last| last.checked_mul(step)?.checked_add(start));
        if last.is_none_or(|last| last >= old.length) {
            return Err(error!(BadSafetensors:
                "its shape is {shape:?}, but {length} elements from {start} on are needed of dimension {axis}; check that \
                 config.json belongs to the model"));
        }
        self.offset += start * old.stride;
        old.length = length;
        old.stride *= step;
        Ok(self)
    }

    /// One element of an axis, which is left out.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if the axis has too few elements.
    pub fn picked(self, axis: usize, element: u64) -> Result<Self> {
        let mut view = self.sliced(axis, element, 1, 1)?;
        view.axes.remove(axis);
        Ok(view)
    }

    /// One of the equal parts of the first axis, of which there are `count`.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if the axis cannot be divided into so many parts.
    pub fn part(self, part: u64, count: u64) -> Result<Self> {
        self.divided(0, &[Some(count), None])?.picked(0, part)
    }

    /// The view with another axis of one element at its end.
    pub fn with_last_axis(mut self) -> Self {
        self.axes.push(Axis { length: 1, stride: 1 });
        self
    }

    /// The view with its elements multiplied.
    pub fn scaled(self, factors: [f32; 2]) -> Self {
        Self { factors, ..self }
    }

    /// The view without dimensions of one element.
    pub fn squeezed(mut self) -> Self {
        self.axes.retain(|axis| axis.length != 1);
        self
    }

    /// Checks the number of dimensions.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if there is another number.
    pub fn with_rank(self, rank: usize) -> Result<Self> {
        if self.axes.len() == rank { Ok(self) } else { Err(self.wrong_rank(rank)) }
    }

    #[cold]
    fn wrong_rank(&self, rank: usize) -> gguf_format::error::Error {
        error!(BadSafetensors: "its shape is {:?}: expected {rank} dimensions; download the file again", self.shape())
    }

    /// The longest stretch of elements that lie side by side both in the view and in the stored tensor.
    fn stretch(&self) -> u64 {
        let mut length = 1;
        for axis in self.axes.iter().rev() {
            if axis.length != 1 && axis.stride != length {
                break;
            }
            length *= axis.length;
        }
        length
    }

    /// How rows are read, if a row has `row_length` elements.
    pub fn order(&self, row_length: u64) -> Order {
        let [.., rows, columns] = &self.axes[..] else { return Order::Stretches(self.stretch()) };
        if columns.length == row_length && rows.stride < columns.stride && rows.length > 1 {
            return Order::Transposed { rows: rows.length };
        }
        Order::Stretches(self.stretch())
    }

    /// The position in the stored tensor of an element of the view.
    pub fn position(&self, mut element: u64) -> u64 {
        let mut position = self.offset;
        for axis in self.axes.iter().rev() {
            position += element % axis.length * axis.stride;
            element /= axis.length;
        }
        position
    }

    /// The runs of some rows. For a transposed view, the rows are within one matrix: see [`Order::Transposed`].
    pub fn runs(&self, row_length: u64, first_row: u64, row_count: u64) -> Vec<Run> {
        let mut runs = Vec::new();
        match self.order(row_length) {
            Order::Stretches(stretch) => {
                let (start, end) = (first_row * row_length, (first_row + row_count) * row_length);
                let mut element = start;
                while element < end {
                    let length = (stretch - element % stretch).min(end - element);
                    runs.push(Run {
                        start: self.position(element),
                        step: 1,
                        length,
                        target: element - start,
                        target_step: 1,
                    });
                    element += length;
                }
            }
            Order::Transposed { .. } => {
                let [.., rows, columns] = &self.axes[..] else { return runs };
                let start = self.position(first_row * row_length);
                for column in 0..row_length {
                    runs.push(Run {
                        start: start + column * columns.stride,
                        step: rows.stride,
                        length: row_count,
                        target: column,
                        target_step: row_length,
                    });
                }
            }
        }
        sort_items(&mut runs, &|a: Run, b| a.start.cmp(&b.start));
        runs
    }
}

/// In which order the elements of a view are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    /// Stretches of this number of elements.
    Stretches(u64),
    /// The columns of the stored matrices are the rows of the view. `rows` is the number of rows of the view in each matrix. Rows are read
    /// within one matrix.
    Transposed { rows: u64 },
}

/// Elements at regular distances, in the stored tensor and in the rows that are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// The position of the first element in the stored tensor.
    pub start: u64,
    /// The distance of two elements in the stored tensor.
    pub step: u64,
    /// The number of elements.
    pub length: u64,
    /// The position of the first element in the rows.
    pub target: u64,
    /// The distance of two elements in the rows.
    pub target_step: u64,
}

impl Run {
    /// The position after the last element in the stored tensor.
    pub fn end(&self) -> u64 {
        self.start + (self.length - 1) * self.step + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All elements of a view, read as `rows` rows at once.
    fn elements(view: &View, row_length: u64, rows_at_once: u64) -> Vec<u64> {
        let count = view.element_count() / row_length;
        let mut found = Vec::new();
        let mut row = 0;
        while row < count {
            let matrix = match view.order(row_length) {
                Order::Transposed { rows } => rows - row % rows,
                Order::Stretches(_) => count - row,
            };
            let rows = rows_at_once.min(matrix);
            let mut part = vec![u64::MAX; (rows * row_length) as usize];
            for run in view.runs(row_length, row, rows) {
                for i in 0..run.length {
                    part[(run.target + i * run.target_step) as usize] = run.start + i * run.step;
                }
            }
            found.extend(part);
            row += rows;
        }
        found
    }

    fn assert_elements(view: &View, row_length: u64, expected: &[u64]) {
        for rows in 1..=4 {
            assert_eq!(elements(view, row_length, rows), expected, "{rows} rows at once of {view:?}");
        }
        let positions: Vec<u64> = (0..view.element_count()).map(|element| view.position(element)).collect();
        assert_eq!(positions, expected);
    }

    #[test]
    fn a_whole_tensor_is_read_in_its_order() {
        let expected: Vec<u64> = (0..12).collect();
        assert_elements(&View::whole(0, &[3, 4]), 4, &expected);
        assert_eq!(View::whole(0, &[3, 4]).order(4), Order::Stretches(12));
    }

    #[test]
    fn the_halves_of_heads_are_interleaved() {
        let view = View::whole(0, &[8, 2]).divided(0, &[Some(2), Some(2), None]).unwrap().swapped(1, 2).unwrap();
        let rows = [0, 2, 1, 3, 4, 6, 5, 7];
        let expected: Vec<u64> = rows.iter().flat_map(|row| [row * 2, row * 2 + 1]).collect();
        assert_elements(&view, 2, &expected);
    }

    #[test]
    fn matrices_are_transposed_one_by_one() {
        let view = View::whole(0, &[2, 3, 2]).swapped(1, 2).unwrap();
        assert_eq!(view.order(3), Order::Transposed { rows: 2 });
        assert_elements(&view, 3, &[0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]);
    }

    #[test]
    fn every_second_row_of_a_transposed_matrix() {
        let view = View::whole(0, &[1, 2, 4]).swapped(1, 2).unwrap().sliced(1, 1, 2, 2).unwrap();
        assert_elements(&view, 2, &[1, 5, 3, 7]);
    }

    #[test]
    fn every_second_element_of_rows() {
        let view = View::whole(0, &[2, 4]).sliced(1, 1, 2, 2).unwrap();
        assert_elements(&view, 2, &[1, 3, 5, 7]);
    }

    #[test]
    fn elements_of_a_vector_are_rows() {
        let view = View::whole(0, &[4]).divided(0, &[Some(1), Some(2), None]).unwrap().swapped(1, 2).unwrap();
        assert_elements(&view, 1, &[0, 2, 1, 3]);
    }

    #[test]
    fn one_element_of_an_axis_and_a_part_of_the_rows() {
        let view = View::whole(0, &[2, 3, 2]);
        assert_eq!(view.clone().picked(1, 2).unwrap().shape(), [2, 2]);
        assert_elements(&view.clone().picked(1, 2).unwrap(), 2, &[4, 5, 10, 11]);
        assert_elements(&View::whole(0, &[6]).part(1, 3).unwrap().with_last_axis(), 1, &[2, 3]);
        assert!(view.clone().picked(1, 3).is_err());
        assert!(view.part(0, 3).is_err());
    }

    #[test]
    fn what_cannot_be_divided_or_cut_is_an_error() {
        let view = View::whole(0, &[6, 2]);
        assert!(view.clone().divided(0, &[Some(4), None]).is_err());
        assert!(view.clone().divided(0, &[Some(0), None]).is_err());
        assert!(view.clone().divided(2, &[None]).is_err());
        assert!(view.clone().divided(0, &[Some(2), Some(2)]).is_err());
        assert!(view.clone().divided(0, &[Some(u64::MAX), Some(2), None]).is_err());
        assert!(view.clone().sliced(0, 1, 1, 6).is_err());
        assert!(view.clone().sliced(0, 0, u64::MAX, 3).is_err());
        assert!(view.clone().sliced(0, 0, 1, 0).is_err());
        assert!(view.clone().swapped(0, 2).is_err());
        assert!(view.with_rank(3).is_err());
    }
}
