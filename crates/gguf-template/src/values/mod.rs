//! Values of templates: what they are, how they are compared, and how they are written.

pub(crate) mod ascii;
pub(crate) mod bytes;
pub(crate) mod compare;
pub(crate) mod dict;
pub(crate) mod escaped;
pub(crate) mod finder;
pub(crate) mod floats;
pub(crate) mod order;
pub(crate) mod parts;
pub(crate) mod places;
pub(crate) mod read_numbers;
pub(crate) mod shown;
pub(crate) mod value;
pub(crate) mod written_numbers;
