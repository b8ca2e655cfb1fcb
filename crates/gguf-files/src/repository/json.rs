//! Values of JSON, which the host parses.

use alloc::string::String;

/// A value of JSON. Nothing is known about its type.
pub trait Json: Sized {
    /// Parses a text.
    ///
    /// # Errors
    ///
    /// The reason why it is not JSON.
    fn parse(text: &str) -> Result<Self, String>;

    /// A member of an object. `None` if it is absent or `null`, or the value is no object.
    fn member(&self, name: &str) -> Option<Self>;

    /// The number of elements of an array.
    fn length(&self) -> Option<u32>;

    /// An element of an array.
    fn element(&self, index: u32) -> Option<Self>;

    /// A string.
    fn text(&self) -> Option<String>;

    /// A number that is an integer from 0 to 2^53 - 1.
    fn count(&self) -> Option<u64>;

    /// Whether the value is neither `false` nor `null`, 0 or an empty string.
    fn is_truthy(&self) -> bool;
}
