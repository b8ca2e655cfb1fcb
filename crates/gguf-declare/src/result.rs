//! Structs that are results.

/// Declares a struct. With the feature `js`, it is also a plain JavaScript object, and has a TypeScript interface.
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
#[macro_export]
macro_rules! result {
    (@struct
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),* $(,)?)])?
        $(#[typescript($typescript:literal)])?
        $(#[open $open:literal])?
        $visibility:vis struct $name:ident $(<$lifetime:lifetime>)? { $($body:tt)* }
    ) => {
        $crate::result! { @members [
            [$(#[doc = $doc])* $(#[derive($($derive),*)])?] [$visibility] [$name] [$(<$lifetime>)?]
            [$($doc),*] [$($typescript)?] [$($open)?]
        ] [] [] $($body)* }
    };

    (@members $head:tt [$($fields:tt)*] $members:tt
        $(#[doc = $doc:literal])* #[rust] $visibility:vis $field:ident: $type:ty, $($rest:tt)*
    ) => {
        $crate::result! {
            @members $head [$($fields)* $(#[doc = $doc])* $visibility $field: $type,] $members $($rest)*
        }
    };
    (@members $head:tt $fields:tt [$($members:tt)*]
        $(#[doc = $doc:literal])* $(#[typescript($typescript:literal)])? fn $method:ident(&self) -> $type:ty,
        $($rest:tt)*
    ) => {
        // So that the type is used without the feature `js`, too.
        const _: Option<$type> = None;
        $crate::result! {
            @members $head $fields
            [$($members)* ($method [|object| object.$method()] $type [$($doc),*] [$($typescript)?])] $($rest)*
        }
    };
    (@members $head:tt $fields:tt [$($members:tt)*]
        $(#[doc = $doc:literal])* $(#[typescript($typescript:literal)])?
        give $member:ident: $type:ty = |$object:ident| $given:expr, $($rest:tt)*
    ) => {
        $crate::result! {
            @members $head $fields
            [$($members)* ($member [|$object| $given] $type [$($doc),*] [$($typescript)?])] $($rest)*
        }
    };
    (@members $head:tt [$($fields:tt)*] [$($members:tt)*]
        $(#[doc = $doc:literal])* $(#[typescript($typescript:literal)])? $visibility:vis $field:ident: $type:ty,
        $($rest:tt)*
    ) => {
        $crate::result! {
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

        $crate::js! {
            impl $($lifetime)* $crate::value::TypeScript for $name $($lifetime)* {
                const TYPE: $crate::typescript::Type =
                    $crate::typescript::Type::Named($crate::result!(@name $name $($typescript)?));
            }

            impl $($lifetime)* $crate::value::Value for $name $($lifetime)* {
                fn give<S: $crate::serde::Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
                    use $crate::serde::ser::SerializeStruct;
                    #[allow(unused_mut, reason = "an object may have no members")]
                    let mut object = serializer.serialize_struct(stringify!($name), 0)?;
                    $({
                        let $object = self;
                        let member: &$type = &$given;
                        if !$crate::value::Value::is_absent(member) {
                            let name = $crate::member_name!($member);
                            object.serialize_field(name, &$crate::value::Given(member))?;
                        }
                    })*
                    object.end()
                }
            }

            impl $($lifetime)* $crate::value::Declared for $name $($lifetime)* {
                const IS_READONLY: bool = !matches!(stringify!($($open)?).as_bytes(), b"true");
                const DECLARATION: $crate::typescript::ConstText = $crate::typescript::interface(
                    &$doc,
                    $crate::result!(@name $name $($typescript)?),
                    &[],
                    <Self as $crate::value::Declared>::IS_READONLY,
                    &[$(
                        $crate::typescript::Member {
                            doc: &[$($member_doc)*],
                            name: stringify!($member),
                            is_optional: <$type as $crate::value::TypeScript>::IS_OPTIONAL,
                            is_given: false,
                            typescript: $crate::result!(@type $type $(, $member_typescript)?),
                        }
                    ),*],
                );
            }
        }
    };
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $typescript:literal) => { $typescript };
    (@type $type:ty) => { <$type as $crate::value::TypeScript>::TYPE };
    (@type $type:ty, $typescript:literal) => { $crate::typescript::Type::Named($typescript) };

    (@members $head:tt $fields:tt $members:tt $($rest:tt)*) => {
        compile_error!(concat!("this is not a member of a result: ", stringify!($($rest)*)));
    };
    ($($declaration:tt)*) => {
        $crate::result! { @struct $($declaration)* }
    };
}
