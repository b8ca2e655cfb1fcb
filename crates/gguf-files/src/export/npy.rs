//! The `.npy` files of NumPy: a header, and the elements of an array, the last dimension fastest.
//!
//! ```text
//! magic           6 bytes  "\x93NUMPY"
//! version         2 bytes  1.0, or 2.0 if the description is longer than 65,535 bytes
//! length          u16, in version 2.0 u32, little-endian: of the description
//! description     a literal of Python, padded with spaces so that the data begins at a multiple of 64, and a line feed
//! data
//! ```

use alloc::{string::String, vec::Vec};

use gguf_format::format::ggml_type::{GgmlType, Layout};
use gguf_format::format::header::TensorInfo;
use gguf_format::format::version::Endian;

/// The alignment of the data in the file.
const ALIGNMENT: usize = 64;

/// The first bytes of each file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// A tensor as the array of an `.npy` file.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_files::export::{NpyArray, NpyElements};
/// use gguf_format::Endian;
///
/// let header = gguf_format::parse(&file)?;
/// let tensor = header.tensor("output.weight").unwrap(); // Q4_0
/// let array = NpyArray::of_values(&tensor);
/// assert_eq!((array.dtype.as_str(), &array.shape[..]), ("<f4", &[2, 32][..]));
/// assert_eq!(array.elements, NpyElements::Floats);
/// let array = NpyArray::of_stored(&tensor, Endian::Little, 36);
/// assert_eq!((array.dtype.as_str(), &array.shape[..]), ("|u1", &[2, 18][..]));
/// assert_eq!(array.header().len(), 128);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NpyArray {
    /// NumPy's name of the type of the elements: `<f4`.
    pub dtype: String,
    /// The extents, slowest first: the reverse of the tensor's dimensions.
    pub shape: Vec<u64>,
    /// What becomes of the bytes of the tensor.
    pub elements: NpyElements,
}

/// How the elements of an `.npy` file are made of the bytes of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NpyElements {
    /// They are the same bytes.
    Stored,
    /// They are the same numbers, which are little-endian in the `.npy` file. See
    /// [`GgmlTypeInfo::swap_byte_order`](gguf_format::format::GgmlTypeInfo::swap_byte_order) for files of the other byte order.
    LittleEndian,
    /// They are `f32`s, which a kernel makes of the blocks.
    Floats,
}

impl NpyArray {
    /// The values of a tensor. F32, F64 and integers keep their types. All other types become `f32`s.
    pub fn of_values(tensor: &TensorInfo<'_>) -> Self {
        let (dtype, elements) = match plain_type(tensor.ggml_type()) {
            Some("i1") => ("|i1".into(), NpyElements::LittleEndian),
            Some(plain) if plain != "f2" => (format!("<{plain}"), NpyElements::LittleEndian),
            _ => ("<f4".into(), NpyElements::Floats),
        };
        Self { dtype, shape: shape(tensor), elements }
    }

    /// The bytes of a tensor as they are stored, with the type and the shape that gguf-py gives them. Plain numbers keep their
    /// type and byte order. Blocks become bytes: the last extent is the number of bytes in a row. If the size of the blocks
    /// is not known, the shape is that of one row of `byte_length` bytes.
    pub fn of_stored(tensor: &TensorInfo<'_>, endian: Endian, byte_length: u64) -> Self {
        let order = match endian {
            Endian::Little => '<',
            Endian::Big => '>',
        };
        let (dtype, shape) = match (plain_type(tensor.ggml_type()), tensor.type_info()) {
            (Some("i1"), _) => ("|i1".into(), shape(tensor)),
            (Some(plain), _) => (format!("{order}{plain}"), shape(tensor)),
            (None, Some(info)) if tensor.byte_length().is_some() && info.layout == Layout::BLOCKS => {
                let mut shape = shape(tensor);
                match shape.last_mut() {
                    Some(row) => *row = *row / u64::from(info.block_size) * u64::from(info.type_size),
                    None => shape.push(info.type_size.into()),
                }
                ("|u1".into(), shape)
            }
            _ => ("|u1".into(), vec![byte_length]),
        };
        Self { dtype, shape, elements: NpyElements::Stored }
    }

    /// The bytes of the file before the elements.
    pub fn header(&self) -> Vec<u8> {
        let mut extents = String::new();
        for extent in &self.shape {
            extents += &format!("{extent}, ");
        }
        // A tuple of one element has a comma, longer ones need none.
        let extents = if self.shape.len() == 1 { extents.trim_end() } else { extents.trim_end_matches(", ") };
        let description =
            format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({extents}), }}", self.dtype).into_bytes();
        let padded = |length_size: usize| {
            let start = MAGIC.len() + 2 + length_size;
            (start + description.len() + 1).next_multiple_of(ALIGNMENT) - start
        };
        let mut header = MAGIC.to_vec();
        match u16::try_from(padded(2)) {
            Ok(length) => {
                header.extend([1, 0]);
                header.extend(length.to_le_bytes());
            }
            Err(_) => {
                header.extend([2, 0]);
                header.extend((padded(4) as u32).to_le_bytes());
            }
        }
        header.extend(description);
        header.resize((header.len() + 1).next_multiple_of(ALIGNMENT) - 1, b' ');
        header.push(b'\n');
        header
    }
}

/// NumPy's name of a plain number, without its byte order. `None` for types that NumPy does not have.
fn plain_type(ggml_type: GgmlType) -> Option<&'static str> {
    Some(match ggml_type {
        GgmlType::F16 => "f2",
        GgmlType::F32 => "f4",
        GgmlType::F64 => "f8",
        GgmlType::I8 => "i1",
        GgmlType::I16 => "i2",
        GgmlType::I32 => "i4",
        GgmlType::I64 => "i8",
        _ => return None,
    })
}

fn shape(tensor: &TensorInfo<'_>) -> Vec<u64> {
    let mut shape: Vec<u64> = tensor.dimension_iter().collect();
    shape.reverse();
    shape
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::{NpyArray, NpyElements};
    use gguf_format::decode::decoder::parse;
    use gguf_format::format::version::{Endian, Format};
    use gguf_format::write::encode::Encoder;

    fn array(dtype: &str, shape: &[u64]) -> NpyArray {
        NpyArray { dtype: dtype.to_string(), shape: shape.to_vec(), elements: NpyElements::Stored }
    }

    #[test]
    fn headers_are_those_that_numpy_writes() {
        for (shape, text) in [(&[][..], "()"), (&[3], "(3,)"), (&[2, 3], "(2, 3)"), (&[0, 1, 2], "(0, 1, 2)")] {
            let header = array("<f4", shape).header();
            assert_eq!(header[..10], *b"\x93NUMPY\x01\x00\x76\x00");
            assert_eq!(header.len(), 128);
            let description = core::str::from_utf8(&header[10..]).unwrap();
            let expected = alloc::format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {text}, }}");
            assert_eq!(description.trim_end(), expected);
            assert!(description.ends_with(" \n"));
        }
    }

    #[test]
    fn every_length_of_the_description_is_aligned() {
        for digits in 0..130 {
            let header = array("<f4", &vec![1; digits]).header();
            assert_eq!(header.len() % 64, 0);
            assert_eq!(u16::from_le_bytes([header[8], header[9]]) as usize, header.len() - 10);
            assert!(header.ends_with(b"\n"));
        }
        let long = array("<f4", &[u64::MAX; 5000]).header();
        assert_eq!(long[6..8], [2, 0]);
        assert_eq!(u32::from_le_bytes([long[8], long[9], long[10], long[11]]) as usize, long.len() - 12);
        assert_eq!(long.len() % 64, 0);
    }

    #[test]
    fn types_and_shapes_are_those_of_gguf_py() {
        let mut file = Encoder::new(Format::default());
        /// A type, dimensions, the type of the values, and the type and the shape of the stored bytes.
        type Case = (u32, &'static [u64], &'static str, &'static str, &'static [u64]);
        let types: [Case; 9] = [
            (0, &[2, 3], "<f4", ">f4", &[3, 2]),
            (1, &[2, 3], "<f4", ">f2", &[3, 2]),
            (24, &[2], "|i1", "|i1", &[2]),
            (27, &[], "<i8", ">i8", &[]),
            (28, &[0, 2], "<f8", ">f8", &[2, 0]),
            (30, &[2, 3], "<f4", "|u1", &[3, 4]),
            (30, &[], "<f4", "|u1", &[2]),
            (12, &[512, 2], "<f4", "|u1", &[2, 288]),
            (137, &[5, 5], "<f4", "|u1", &[99]),
        ];
        file.header(types.len() as u64, 0);
        for (ggml_type, dimensions, ..) in types {
            file.tensor_info(b"t", dimensions, ggml_type, 0);
        }
        let header = parse(file.as_bytes()).unwrap();
        for (tensor, (_, dimensions, values, stored, shape)) in header.tensors().zip(types) {
            let array = NpyArray::of_values(&tensor);
            assert_eq!(array.dtype, values);
            assert_eq!(array.shape, dimensions.iter().rev().copied().collect::<Vec<_>>());
            let array = NpyArray::of_stored(&tensor, Endian::Big, 99);
            assert_eq!((array.dtype.as_str(), &array.shape[..]), (stored, shape));
        }
    }
}
