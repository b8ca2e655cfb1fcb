//! The error of everything that the crate does besides decoding a header.

use alloc::{string::String, string::ToString, sync::Arc};
use core::any::Any;
use core::fmt;

use super::code::ErrorCode;
use super::header_error::HeaderError;
use super::shown::{bounded, without_query};

/// The result of everything but decoding a header.
pub type Result<T> = core::result::Result<T, Error>;

/// The error value of a host or a caller, of any type.
pub type Cause = Arc<dyn Any + Send + Sync>;

/// Why something was refused or failed: a code for programs, a message for people, and what else is known.
///
/// # Examples
///
/// ```
/// use gguf_format::{ErrorCode, edit::Edit};
///
/// # let file = gguf_format::example_file();
/// let mut edit = Edit::new(gguf_format::parse(&file)?);
/// let error = edit.remove("llama.bock_count").unwrap_err();
/// assert_eq!(error.code(), ErrorCode::UnknownKey);
/// assert!(error.to_string().contains("no entry with the key \"llama.bock_count\""));
/// # Ok::<(), gguf_format::Error>(())
/// ```
// Shared, so that an error that several callers wait for is not copied, and the code that drops one is small.
#[derive(Clone, Debug)]
pub struct Error(Arc<Reason>);

#[derive(Clone, Debug)]
struct Reason {
    code: ErrorCode,
    message: String,
    offset: Option<u64>,
    status: Option<u16>,
    url: Option<String>,
    cause: Option<Cause>,
    is_passed_on: bool,
}

/// An [`Error`]: the name of its code, and its message as `format!` takes it.
#[doc(hidden)]
#[macro_export]
macro_rules! __error {
    ($code:ident: $($message:tt)+) => {
        $crate::error::error::Error::formatted($crate::error::code::ErrorCode::$code, format_args!($($message)+))
    };
}
#[doc(hidden)]
pub use __error as error;

impl Error {
    /// An error of a source, for example.
    #[cold]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::with_message(code, message.into())
    }

    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn formatted(code: ErrorCode, message: fmt::Arguments<'_>) -> Self {
        Self::with_message(code, message.to_string())
    }

    #[cold]
    #[inline(never)]
    fn with_message(code: ErrorCode, message: String) -> Self {
        Self(Arc::new(Reason {
            code,
            message: bounded(message),
            offset: None,
            status: None,
            url: None,
            cause: None,
            is_passed_on: false,
        }))
    }

    /// The error value of a caller's own function. The caller gets this value back, not an error that describes it.
    #[cold]
    #[inline(never)]
    pub fn of_caller(cause: Cause) -> Self {
        let mut error = Self::new(ErrorCode::ReadFailed, "a function of the caller failed").caused_by(cause);
        Arc::make_mut(&mut error.0).is_passed_on = true;
        error
    }

    /// Sets the offset in the file.
    #[cold]
    #[inline(never)]
    pub fn at(mut self, offset: u64) -> Self {
        Arc::make_mut(&mut self.0).offset = Some(offset);
        self
    }

    /// Says at the beginning of the message what the error is about.
    #[cold]
    #[doc(hidden)]
    pub fn about(mut self, subject: &str) -> Self {
        let reason = Arc::make_mut(&mut self.0);
        reason.message = bounded(format!("{subject}: {}", reason.message));
        self
    }

    /// Sets the URL that was requested, and the HTTP status if there was a response. The message then ends with the URL without its
    /// query and fragment, which can hold a key or a signature.
    #[cold]
    #[inline(never)]
    pub fn of_url(mut self, url: &str, status: Option<u16>) -> Self {
        let reason = Arc::make_mut(&mut self.0);
        let place = without_query(url);
        let rest = if place.len() < url.len() { "?…" } else { "" };
        reason.message = bounded(format!("{} ({}{rest})", reason.message, place));
        (reason.url, reason.status) = (Some(url.to_string()), status);
        self
    }

    /// Sets the error value of the host.
    pub fn caused_by(mut self, cause: Cause) -> Self {
        Arc::make_mut(&mut self.0).cause = Some(cause);
        self
    }

    /// The stable code of the reason: `key-taken`.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The offset in the file, in bytes, of what caused the error.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The HTTP status of the response that caused the error.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The URL that was requested.
    pub fn url(&self) -> Option<&str> {
        self.0.url.as_deref()
    }

    /// The error value of the host or the caller.
    pub fn cause(&self) -> Option<&Cause> {
        self.0.cause.as_ref()
    }

    /// Whether the error is [that of a caller's own function](Self::of_caller).
    pub fn is_of_caller(&self) -> bool {
        self.0.is_passed_on
    }
}

/// Memory could not be allocated.
#[cold]
#[inline(never)]
#[doc(hidden)]
pub fn no_memory(bytes: u64) -> Error {
    error!(TooLarge: "{bytes} bytes of memory could not be allocated")
}

impl From<HeaderError> for Error {
    #[cold]
    #[inline(never)]
    fn from(error: HeaderError) -> Self {
        Self::new(error.code(), error.to_string()).at(error.offset())
    }
}

/// Two errors are equal if all but their causes is.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        let fields = |error: &Self| {
            let Reason { code, offset, status, is_passed_on, .. } = *error.0;
            (code, offset, status, is_passed_on)
        };
        fields(self) == fields(other) && self.0.message == other.0.message && self.0.url == other.0.url
    }
}

impl Eq for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl core::error::Error for Error {}
