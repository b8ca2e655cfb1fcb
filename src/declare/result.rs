//! Structs that are results.

/// Declares a struct. With the feature `web`, it is also a plain JavaScript object, and has a TypeScript interface.
///
/// - Names are converted: the member `element_type` is `elementType` in JavaScript.
/// - The object does not have a member that is `None`.
/// - The documentation is also that of TypeScript, up to the heading `# Examples`.
/// - `#[typescript("Name")]` before the struct gives the interface another name, and before a member it gives another type.
/// - `#[rust]` before a member: JavaScript does not have it.
/// - `fn member(&self) -> Type,` is a member of the object only: the result of this method. So is
///   `give member: Type = |object| expression,`.
/// - The members are `readonly` and the objects frozen. `#[open true]` before the struct makes them ordinary.
///
/// ```ignore
/// result! {
///     /// A type of tensors.
///     #[derive(Clone, Copy, Debug)]
///     pub struct GgmlTypeInfo {
///         /// The name of the type.
///         pub name: &'static str,
///         /// Bytes in a block.
///         pub type_size: Option<u32>,
///     }
/// }
/// ```
macro_rules! result {
    (@struct
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),* $(,)?)])?
        $(#[typescript($typescript:literal)])?
        $(#[open $open:literal])?
        $visibility:vis struct $name:ident $(<$lifetime:lifetime>)? { $($body:tt)* }
    ) => {
        $crate::declare::result! { @members [
            [$(#[doc = $doc])* $(#[derive($($derive),*)])?] [$visibility] [$name] [$(<$lifetime>)?]
            [$($doc),*] [$($typescript)?] [$($open)?]
        ] [] [] $($body)* }
    };

    (@members $head:tt [$($fields:tt)*] $members:tt
        $(#[doc = $doc:literal])* #[rust] $visibility:vis $field:ident: $type:ty, $($rest:tt)*
    ) => {
        $crate::declare::result! {
            @members $head [$($fields)* $(#[doc = $doc])* $visibility $field: $type,] $members $($rest)*
        }
    };
    (@members $head:tt $fields:tt [$($members:tt)*]
        $(#[doc = $doc:literal])* $(#[typescript($typescript:literal)])? fn $method:ident(&self) -> $type:ty,
        $($rest:tt)*
    ) => {
        // So that the type is used without the feature `web`, too.
        const _: Option<$type> = None;
        $crate::declare::result! {
            @members $head $fields
            [$($members)* ($method [|object| object.$method()] $type [$($doc),*] [$($typescript)?])] $($rest)*
        }
    };
    (@members $head:tt $fields:tt [$($members:tt)*]
        $(#[doc = $doc:literal])* $(#[typescript($typescript:literal)])?
        give $member:ident: $type:ty = |$object:ident| $given:expr, $($rest:tt)*
    ) => {
        $crate::declare::result! {
            @members $head $fields
            [$($members)* ($member [|$object| $given] $type [$($doc),*] [$($typescript)?])] $($rest)*
        }
    };
    (@members $head:tt [$($fields:tt)*] [$($members:tt)*]
        $(#[doc = $doc:literal])* $(#[typescript($typescript:literal)])? $visibility:vis $field:ident: $type:ty,
        $($rest:tt)*
    ) => {
        $crate::declare::result! {
            @members $head [$($fields)* $(#[doc = $doc])* $visibility $field: $type,]
            [$($members)* ($field [|object| object.$field] $type [$($doc),*] [$($typescript)?])] $($rest)*
        }
    };

    (@members [
        [$($attributes:tt)*] [$visibility:vis] [$name:ident] [$($lifetime:tt)*]
        $doc:tt [$($typescript:literal)?] [$($open:literal)?]
    ] [$($fields:tt)*] [$(($member:ident [|$object:ident| $given:expr] $type:ty [$($member_doc:tt)*] [$($member_typescript:literal)?]))*]) => {
        $($attributes)*
        #[non_exhaustive]
        $visibility struct $name $($lifetime)* {
            $($fields)*
        }

        #[cfg(feature = "web")]
        impl $($lifetime)* $crate::declare::value::TypeScript for $name $($lifetime)* {
            const TYPE: $crate::declare::typescript::Type =
                $crate::declare::typescript::Type::Named($crate::declare::result!(@name $name $($typescript)?));
        }

        #[cfg(feature = "web")]
        impl $($lifetime)* $crate::declare::value::Value for $name $($lifetime)* {
            fn give<S: serde::Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                #[allow(unused_mut, reason = "an object may have no members")]
                let mut object = serializer.serialize_struct(stringify!($name), 0)?;
                $({
                    let $object = self;
                    let member: &$type = &$given;
                    if !$crate::declare::value::Value::is_absent(member) {
                        let name = $crate::declare::typescript::member_name!($member);
                        object.serialize_field(name, &$crate::declare::value::Given(member))?;
                    }
                })*
                object.end()
            }
        }

        #[cfg(feature = "web")]
        impl $($lifetime)* $crate::declare::value::Declared for $name $($lifetime)* {
            const IS_READONLY: bool = !matches!(stringify!($($open)?).as_bytes(), b"true");
            const DECLARATION: $crate::declare::typescript::ConstText = $crate::declare::typescript::interface(
                &$doc,
                $crate::declare::result!(@name $name $($typescript)?),
                &[],
                <Self as $crate::declare::value::Declared>::IS_READONLY,
                &[$(
                    $crate::declare::typescript::Member {
                        doc: &[$($member_doc)*],
                        name: stringify!($member),
                        is_optional: <$type as $crate::declare::value::TypeScript>::IS_OPTIONAL,
                        typescript: $crate::declare::result!(@type $type $(, $member_typescript)?),
                    }
                ),*],
            );
        }
    };
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $typescript:literal) => { $typescript };
    (@type $type:ty) => { <$type as $crate::declare::value::TypeScript>::TYPE };
    (@type $type:ty, $typescript:literal) => { $crate::declare::typescript::Type::Named($typescript) };

    (@members $head:tt $fields:tt $members:tt $($rest:tt)*) => {
        compile_error!(concat!("this is not a member of a result: ", stringify!($($rest)*)));
    };
    ($($declaration:tt)*) => {
        $crate::declare::result! { @struct $($declaration)* }
    };
}
pub(crate) use result;
