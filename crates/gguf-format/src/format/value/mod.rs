//! Metadata values: views of the header's bytes that decode on request.

gguf_declare::js! {
    mod given;
}
mod stored_end;
mod text;
mod value_type;
mod view;

pub use text::Str;
pub use value_type::ValueType;
#[doc(hidden)]
pub use value_type::stored_type;
pub use view::{Array, Elements, Value};
