//! Options that callers give: objects whose members are read by their names.
//!
//! [`options!`] declares the members of one kind of options. From it come the TypeScript interface, and the check for members
//! that are misspelt or belong to another method. So each member stands once.

use alloc::{string::String, vec::Vec};

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::validate::spelling::nearest;
use crate::web::interop::describe::describe;
use crate::web::interop::error::failure;
use crate::web::interop::objects::{AnyObject, as_object, keys};

/// Declares the options of a method: a TypeScript interface, and the type of the argument in Rust.
///
/// - `name?: "type";` declares an option, `name: "type";` one that must be given.
/// - `extends Other` adds the options of `Other`. `extends Other<"Argument">` gives its type parameter.
/// - `interface Name<"Parameter">` declares a type parameter of the interface.
///
/// ```ignore
/// options! {
///     /// Which elements of a tensor are read.
///     pub interface ReadOptions extends AbortOptions {
///         /// The first element; 0 by default.
///         start?: "number";
///     }
/// }
/// ```
macro_rules! options {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis interface $name:ident $(<$parameter:literal>)?
        $(extends $($parent:ident $(<$argument:literal>)?),+)? {
            $(
                $(#[doc = $member_doc:literal])*
                $member:ident $(?: $optional:literal)? $(: $required:literal)?;
            )*
        }
    ) => {
        #[wasm_bindgen::prelude::wasm_bindgen]
        extern "C" {
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_type = $name)]
            $visibility type $name;
        }

        impl $crate::web::interop::options::OptionsType for $name {
            const MEMBERS: $crate::web::interop::options::Members = $crate::web::interop::options::Members {
                own: &[$(stringify!($member)),*],
                inherited: &[$($(&<$parent as $crate::web::interop::options::OptionsType>::MEMBERS),+)?],
            };
        }

        $crate::web::interop::typescript::declare!($crate::declare::typescript::interface(
            &[$($doc),*],
            concat!(stringify!($name) $(, "<", $parameter, ">")?),
            &[$($(concat!(stringify!($parent) $(, "<", $argument, ">")?)),+)?],
            false,
            &[$(
                $crate::declare::typescript::Member {
                    doc: &[$($member_doc),*],
                    name: stringify!($member),
                    is_optional: !concat!($($optional)?).is_empty(),
                    typescript: $crate::declare::typescript::Type::Named(concat!($($optional,)? $($required)?)),
                }
            ),*],
        ));
    };
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
    const MEMBERS: Members;
}

/// The options of one call.
#[derive(Clone, Default)]
pub(crate) struct Options {
    given: Option<AnyObject>,
    /// The error of a member that the method does not have as an option. Reading any option fails with it.
    unknown: Option<JsValue>,
}

impl Options {
    /// Takes what a caller has given as options. A value that is not an object has no options: `JSON.stringify` passes a key to
    /// `toJSON`, for example.
    pub fn new<T: OptionsType>(given: Option<T>) -> Self {
        given.map_or_else(Self::default, |given| Self::with_members(given.as_ref(), &T::MEMBERS))
    }

    fn with_members(given: &JsValue, members: &'static Members) -> Self {
        let given = as_object(given).cloned();
        let unknown = given.as_ref().and_then(|given| check(given, members).err());
        Self { given, unknown }
    }

    /// The object that the caller has given, if its members are known.
    fn given(&self) -> Result<Option<&AnyObject>, JsValue> {
        self.unknown.clone().map_or(Ok(self.given.as_ref()), Err)
    }

    /// An option; `None` if it is absent, `undefined` or `null`.
    pub fn get(&self, name: &str) -> Result<Option<JsValue>, JsValue> {
        self.given()?.map_or(Ok(None), |options| options.present(name))
    }

    /// An option, if it is a function.
    pub fn function(&self, name: &str) -> Result<Option<Function>, JsValue> {
        self.given()?.map_or(Ok(None), |options| options.function(name))
    }

    /// An option that is a number.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the value is not a number, or less than `least`.
    pub fn number(&self, name: &str, least: f64) -> Result<Option<f64>, JsValue> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        match value.as_f64().filter(|number| *number >= least) {
            Some(number) => Ok(Some(number)),
            None => Err(self.refused(name, &value, &format!("a number from {} on", describe(&least.into())))),
        }
    }

    /// An option that is true or false.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the value is neither.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, JsValue> {
        let Some(given) = self.get(name)? else { return Ok(default) };
        given.as_bool().ok_or_else(|| self.refused(name, &given, "true or false"))
    }

    /// An option that is a text.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if it is not a string.
    pub fn text(&self, name: &str) -> Result<Option<String>, JsValue> {
        let Some(given) = self.get(name)? else { return Ok(None) };
        given.as_string().map(Some).ok_or_else(|| self.refused(name, &given, "a string"))
    }

    /// An option that is one of several names. The first one is the default.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if it is none of the names.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<T, JsValue> {
        let Some(given) = self.get(name)? else { return Ok(choices[0].1) };
        let found = choices.iter().find(|(choice, _)| given.as_string().is_some_and(|given| given == *choice));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<String> = choices.iter().map(|(choice, _)| format!("\"{choice}\"")).collect();
            let (last, others) = names.split_last().unwrap_throw();
            self.refused(name, &given, &format!("{} or {last}", others.join(", ")))
        })
    }

    /// The error of an option that has a value of no use.
    #[cold]
    pub fn refused(&self, name: &str, found: &JsValue, expected: &str) -> JsValue {
        failure!(InvalidArgument: "options.{name} is {}, expected {expected}", describe(found))
    }
}

/// The most characters of a member's name that an error quotes.
const MOST_CHARACTERS: usize = 60;

/// Fails with `invalid-argument` if an object has a member that is no option.
fn check(given: &AnyObject, members: &Members) -> Result<(), JsValue> {
    let mut known = Vec::new();
    members.add_to(&mut known);
    for name in keys(given)?.iter().filter_map(|name| name.as_string()) {
        if !known.contains(&&*name) {
            return Err(unknown_option(&name, &known));
        }
    }
    Ok(())
}

#[cold]
fn unknown_option(name: &str, known: &[&str]) -> JsValue {
    // Slicing a text would add 3.6 kB to the reader: the message of its panic quotes characters.
    let shown: String = name.chars().take(MOST_CHARACTERS).collect();
    let message = match nearest(name, known) {
        Some(nearest) => format!("options.{shown} is not known; did you mean {nearest}?"),
        None => format!("options.{shown} is not known; the options are {}", known.join(", ")),
    };
    failure!(InvalidArgument: "{message}")
}
