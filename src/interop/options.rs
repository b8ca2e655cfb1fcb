//! Options that callers give: objects whose members are read by their names.
//!
//! [`options!`] declares one kind of options. From it come the TypeScript interface, the check for members that are misspelt or
//! belong to another method, and the reader: a struct with the values, their defaults and their checks.

use alloc::{string::String, vec::Vec};

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::interop::bytes::Bytes;
use crate::interop::describe::describe;
use crate::interop::error::failure;
use crate::interop::objects::{AnyObject, as_object};
use crate::interop::thrown::Thrown;
use gguf_format::error::add_name;
use gguf_models::validate::spelling::nearest;

/// Declares the options of a method: a TypeScript interface, the type of the argument in Rust, and a struct of values, which
/// `Name::read` or `Name::take` reads.
///
/// - `name?: "type" => Type;` declares an option and a field, an `Option<Type>`. The type says how it is read: [`FromOption`].
///   `file_name` is `fileName` in JavaScript.
/// - `=> Type = default;` has a default, and the field is a `Type`.
/// - `, number from 1` takes numbers from 1 on, `, integer from 1` whole numbers; `, by function` reads with a function.
/// - `-> part.field: Type;` stores the value, if it is given, in a field of the struct that `fills part: Struct` names. The struct
///   has the defaults.
/// - `name?: Type of ["a" => value, "b" => other];` takes one of several names. The first one is the default.
/// - `name: "type" => Type, number from 1;` must be given. `, by function` reads with a function, which fails if it is absent.
/// - `extends Other` adds the options of `Other`, which another part of the program reads. `extends Other as other` reads them,
///   too, into the field `other`. `extends Other<"Argument">` gives its type parameter.
/// - `interface Name<"Parameter">` declares a type parameter of the interface.
///
/// ```ignore
/// options! {
///     /// What is written.
///     pub interface TextOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress {
///         /// The name of the file.
///         file_name?: "string" => String;
///         /// The most rows; 200 by default.
///         limit?: "number" => usize = 200, number from 0;
///     }
/// }
/// ```
macro_rules! options {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis interface $name:ident $(<$parameter:literal>)?
        $(extends $($parent:ident $(<$argument:literal>)? $(as $inherited:ident)?),+)?
        $(fills $part:ident: $filled:path)? {
            $(
                $(#[doc = $member_doc:literal])*
                $member:ident
                $(?: $choice_type:ident of [$($choice:literal => $chosen:expr),+])?
                $(: $required:literal => $required_type:ty, $(number from $least:literal)? $(by $required_reader:ident)?)?
                $(?: $optional:literal
                    $(-> $target:ident.$field:ident: $field_type:ty
                        $(, number from $field_number:literal)? $(, integer from $field_integer:literal)?
                        $(, by $field_reader:path)?)?
                    $(=> $type:ty $(= $default:expr)?
                        $(, number from $number:literal)? $(, integer from $integer:literal)? $(, by $reader:path)?)?
                )?
                ;
            )*
        }
    ) => {
        #[wasm_bindgen::prelude::wasm_bindgen]
        extern "C" {
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_type = $name)]
            $visibility type $name;
        }

        const _: () = {
            use $crate::interop::options::{Members, Options, OptionsType};

            pub struct OptionValues {
                $(pub $part: $filled,)?
                $($($(pub $inherited: <$parent as OptionsType>::Values,)?)+)?
                $(
                    $(pub $member: $choice_type,)?
                    $(pub $member: $required_type,)?
                    $($(pub $member: options!(@field $type $(, $default)?),)?)?
                )*
            }

            impl OptionsType for $name {
                type Values = OptionValues;

                const MEMBERS: Members = Members {
                    own: &[$(gguf_declare::member_name!($member)),*],
                    inherited: &[$($(&<$parent as OptionsType>::MEMBERS),+)?],
                };
            }

            #[allow(dead_code, reason = "options are read in one of two ways")]
            impl $name {
                /// Reads the options of a call, those of other kinds that are read with them included.
                pub(crate) fn read(options: &Options) -> Result<OptionValues, $crate::interop::thrown::Thrown> {
                    $(let mut $part = <$filled as Default>::default();)?
                    $($($(
                        let value = options!(@value options $member $field_type,
                            $(number $field_number)? $(integer $field_integer)? $(by $field_reader)?);
                        if let Some(value) = value {
                            $target.$field = value.into();
                        }
                    )?)?)*
                    Ok(OptionValues {
                        $($part,)?
                        $($($($inherited: <$parent>::read(options)?,)?)+)?
                        $(
                            $($member: {
                                let index = options.choice(gguf_declare::member_name!($member), &[$($choice),+])?;
                                [$($chosen),+][index.unwrap_or(0)]
                            },)?
                            $($member: options!(@required options $member $required_type,
                                $(number $least)? $(by $required_reader)?),)?
                            $($($member: options!(@default options!(@value options $member $type,
                                $(number $number)? $(integer $integer)? $(by $reader)?) $(, $default)?),)?)?
                        )*
                    })
                }

                /// Reads what a caller has given.
                pub(crate) fn take(given: Option<Self>) -> Result<OptionValues, $crate::interop::thrown::Thrown> {
                    Self::read(&Options::new(given))
                }
            }
        };

        $crate::interop::typescript::declare!(gguf_declare::typescript::interface(
            &[$($doc),*],
            concat!(stringify!($name) $(, "<", $parameter, ">")?),
            &[$($(concat!(stringify!($parent) $(, "<", $argument, ">")?)),+)?],
            false,
            &[$(
                gguf_declare::typescript::Member {
                    doc: &[$($member_doc),*],
                    name: stringify!($member),
                    is_optional: concat!($($required)?).is_empty(),
                    is_given: true,
                    typescript: $crate::interop::options::options!(@typescript
                        $($optional)? $([$($choice),+])? $($required)?),
                }
            ),*],
        ));
    };
    (@field $type:ty) => { Option<$type> };
    (@field $type:ty, $default:expr) => { $type };
    (@default $value:expr) => { $value };
    (@default $value:expr, $default:expr) => { $value.unwrap_or_else(|| $default) };
    (@value $options:ident $member:ident $type:ty,) => {
        <$type as $crate::interop::options::FromOption>::from_option(
            $options, gguf_declare::member_name!($member))?
    };
    (@value $options:ident $member:ident $type:ty, number $least:literal) => {
        $options.number(gguf_declare::member_name!($member), f64::from($least))?.map(|number| number as $type)
    };
    (@value $options:ident $member:ident $type:ty, integer $least:literal) => {
        $options.integer(gguf_declare::member_name!($member), f64::from($least))?.map(|number| number as $type)
    };
    (@value $options:ident $member:ident $type:ty, by $reader:path) => {
        $reader($options, gguf_declare::member_name!($member))?
    };
    (@required $options:ident $member:ident $type:ty, number $least:literal) => {
        $options.required_number(gguf_declare::member_name!($member), f64::from($least))? as $type
    };
    (@required $options:ident $member:ident $type:ty, by $reader:ident) => {
        $reader($options, gguf_declare::member_name!($member))?
    };
    (@typescript $type:literal) => { gguf_declare::typescript::Type::Named($type) };
    (@typescript [$($choice:literal),+]) => { gguf_declare::typescript::Type::Union(&[$($choice),+]) };
}
pub(crate) use options;

/// The members of one kind of options.
pub(crate) struct Members {
    pub own: &'static [&'static str],
    /// The members of the kinds that this one extends.
    pub inherited: &'static [&'static Members],
}

impl Members {
    fn add_to(&self, names: &mut Vec<&'static str>) {
        names.extend(self.own);
        self.inherited.iter().for_each(|members| members.add_to(names));
    }
}

/// A type that [`options!`] declares.
pub(crate) trait OptionsType: AsRef<JsValue> {
    /// The struct of the values.
    type Values;

    const MEMBERS: Members;
}

/// The values of one kind of options.
pub(crate) type Values<T> = <T as OptionsType>::Values;

/// A type that options can have. Numbers have none of their own: `options!` says from which one on they can be used.
pub(crate) trait FromOption: Sized {
    /// The option with a name; `None` if it is absent, `undefined` or `null`.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the value cannot be used. The message names the option.
    fn from_option(options: &Options, name: &str) -> Result<Option<Self>, Thrown>;
}

macro_rules! from_option {
    ($($type:ty: |$options:ident, $name:ident| $read:expr;)*) => {
        $(impl FromOption for $type {
            #[inline(never)]
            fn from_option($options: &Options, $name: &str) -> Result<Option<Self>, Thrown> {
                $read
            }
        })*
    };
}

from_option! {
    JsValue: |options, name| options.get(name);
    // Other values are ignored.
    Function: |options, name| options.given()?.map_or(Ok(None), |given| given.function(name));
    bool: |options, name| options.converted(name, "true or false", JsValue::as_bool);
    String: |options, name| options.converted(name, "a string", JsValue::as_string);
    Bytes: |options, name| options.converted(name, "a Uint8Array", Bytes::of);
}

/// The options of one call.
#[derive(Clone, Default)]
pub(crate) struct Options {
    given: Option<AnyObject>,
    /// The error of a member that the method does not have as an option. Reading any option fails with it.
    unknown: Option<Thrown>,
}

impl Options {
    /// Takes what a caller has given as options. A value that is not an object has no options: `JSON.stringify` passes a key to
    /// `toJSON`, for example.
    pub fn new<T: OptionsType>(given: Option<T>) -> Self {
        given.map_or_else(Self::default, |given| Self::with_members(given.as_ref(), &T::MEMBERS))
    }

    /// As [`new`](Self::new), but a value that is no object is an error, with which reading any option fails.
    pub fn checked<T: OptionsType>(given: Option<T>) -> Self {
        let wrong = given.as_ref().map(AsRef::as_ref).filter(|given| as_object(given).is_none());
        let unknown =
            wrong.map(|given| failure!(InvalidArgument: "the options are {}, expected an object", describe(given)));
        match unknown {
            Some(_) => Self { given: None, unknown },
            None => Self::new(given),
        }
    }

    fn with_members(given: &JsValue, members: &'static Members) -> Self {
        let given = as_object(given).cloned();
        let unknown = given.as_ref().and_then(|given| check(given, members).err());
        Self { given, unknown }
    }

    /// The object that the caller has given, if its members are known.
    fn given(&self) -> Result<Option<&AnyObject>, Thrown> {
        self.unknown.clone().map_or(Ok(self.given.as_ref()), Err)
    }

    /// An option; `None` if it is absent, `undefined` or `null`.
    pub fn get(&self, name: &str) -> Result<Option<JsValue>, Thrown> {
        self.given()?.map_or(Ok(None), |options| options.present(name))
    }

    /// An option that is a number from `least` on.
    #[inline(never)]
    pub fn number(&self, name: &str, least: f64) -> Result<Option<f64>, Thrown> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        match value.as_f64().filter(|number| *number >= least) {
            Some(number) => Ok(Some(number)),
            None => Err(refused_option(name, &value, &expected_number(least))),
        }
    }

    /// An option that is a whole number from `least` on.
    #[inline(never)]
    pub fn integer(&self, name: &str, least: f64) -> Result<Option<f64>, Thrown> {
        match self.number(name, least)? {
            Some(number) if number % 1.0 != 0.0 => Err(refused_option(name, &number.into(), "a whole number")),
            number => Ok(number),
        }
    }

    /// An option that must be given: a number from `least` on.
    pub fn required_number(&self, name: &str, least: f64) -> Result<f64, Thrown> {
        self.number(name, least)?.ok_or_else(|| refused_option(name, &JsValue::UNDEFINED, &expected_number(least)))
    }

    /// An option that is one of several names: the index of the name.
    #[inline(never)]
    pub fn choice(&self, name: &str, choices: &[&str]) -> Result<Option<usize>, Thrown> {
        let Some(given) = self.get(name)? else { return Ok(None) };
        let text = given.as_string();
        match choices.iter().position(|choice| text.as_deref() == Some(choice)) {
            Some(index) => Ok(Some(index)),
            None => {
                let names: Vec<String> = choices.iter().map(|choice| format!("\"{choice}\"")).collect();
                let (last, others) = names.split_last().unwrap_throw();
                Err(refused_option(name, &given, &format!("{} or {last}", others.join(", "))))
            }
        }
    }

    /// An option that a function converts, unless the value is not what is expected.
    pub fn converted<T>(
        &self,
        name: &str,
        expected: &str,
        convert: impl FnOnce(&JsValue) -> Option<T>,
    ) -> Result<Option<T>, Thrown> {
        let Some(given) = self.get(name)? else { return Ok(None) };
        convert(&given).map(Some).ok_or_else(|| refused_option(name, &given, expected))
    }
}

fn expected_number(least: f64) -> String {
    format!("a number from {} on", describe(&least.into()))
}

/// The error of an option whose value cannot be used.
#[cold]
pub(crate) fn refused_option(name: &str, found: &JsValue, expected: &str) -> Thrown {
    failure!(InvalidArgument: "options.{name} is {}, expected {expected}", describe(found))
}

#[wasm_bindgen(raw_module = "glue/errors.js")]
extern "C" {
    /// The first member of an object whose name is not in a list such as `a, b, c`: the first characters of the name, as errors quote it.
    #[wasm_bindgen(catch, js_name = unknownMember)]
    fn unknown_member(given: &AnyObject, known: &str) -> Result<Option<String>, Thrown>;
}

/// Fails with `invalid-argument` if an object has a member that is no option.
fn check(given: &AnyObject, members: &Members) -> Result<(), Thrown> {
    let (mut known, mut list) = (Vec::new(), String::new());
    members.add_to(&mut known);
    known.iter().for_each(|name| add_name(&mut list, name));
    match unknown_member(given, &list)? {
        Some(name) => Err(unknown_option(&name, &known, &list)),
        None => Ok(()),
    }
}

#[cold]
fn unknown_option(name: &str, known: &[&str], list: &str) -> Thrown {
    match nearest(name, known) {
        Some(nearest) => failure!(InvalidArgument: "options.{name} is not known; did you mean {nearest}?"),
        None => failure!(InvalidArgument: "options.{name} is not known; the options are {list}"),
    }
}
