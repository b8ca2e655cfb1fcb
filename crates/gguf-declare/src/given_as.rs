//! Types that are given to JavaScript in a way of their own.

/// Says how the values of a type are given, and what their TypeScript type is.
///
/// ```ignore
/// given_as!(GgmlType, "string", |ggml_type, serializer| serializer.collect_str(ggml_type));
/// ```
#[macro_export]
macro_rules! given_as {
    ($type:ident, $typescript:literal, |$value:ident, $serializer:ident| $given:expr) => {
        $crate::js! {
            impl $crate::value::TypeScript for $type {
                const TYPE: $crate::typescript::Type = $crate::typescript::Type::Named($typescript);
            }

            impl $crate::value::Value for $type {
                fn give<S: $crate::serde::Serializer>(&self, $serializer: S) -> core::result::Result<S::Ok, S::Error> {
                    #[allow(unused_imports, reason = "some types are given as others")]
                    use $crate::value::Value;
                    let $value = self;
                    $given
                }
            }
        }
    };
}

/// Gives the values of a type as texts: those of [`Display`](core::fmt::Display).
#[macro_export]
macro_rules! shown_as_text {
    ($type:ident, $typescript:literal) => {
        $crate::given_as!($type, $typescript, |value, serializer| serializer.collect_str(value));
    };
}
