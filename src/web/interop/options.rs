//! Options that callers give: objects whose members are read by their names.

use alloc::format;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::web::interop::describe::describe;
use crate::web::interop::error::failure;
use crate::web::interop::objects::{AnyObject, as_object};

/// The options of one call.
#[derive(Clone, Default)]
pub(crate) struct Options(Option<AnyObject>);

impl Options {
    /// Takes what a caller has given as options. A value that is not an object has no options.
    pub fn new(given: Option<impl AsRef<JsValue>>) -> Self {
        Self(given.and_then(|given| as_object(given.as_ref()).cloned()))
    }

    /// An option; `None` if it is absent, `undefined` or `null`.
    pub fn get(&self, name: &str) -> Result<Option<JsValue>, JsValue> {
        self.0.as_ref().map_or(Ok(None), |options| options.present(name))
    }

    /// An option, if it is a function.
    pub fn function(&self, name: &str) -> Result<Option<Function>, JsValue> {
        self.0.as_ref().map_or(Ok(None), |options| options.function(name))
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

    /// The error of an option that has a value of no use.
    #[cold]
    pub fn refused(&self, name: &str, found: &JsValue, expected: &str) -> JsValue {
        let message = format!("options.{name} is {}, expected {expected}", describe(found));
        failure(ErrorCode::InvalidArgument, &message)
    }
}
