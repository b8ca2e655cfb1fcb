//! Telling versions of a file apart by `ETag` and `Last-Modified`.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::origin::origin;

/// The validators of one response.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Validators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// An `ETag` without the prefix of weak ones.
fn opaque_tag(etag: &str) -> &str {
    etag.strip_prefix("W/").unwrap_or(etag)
}

fn is_strong(etag: &str) -> bool {
    !etag.starts_with("W/")
}

impl Validators {
    /// Whether a response with the validators `new` can be of the same version of the file.
    ///
    /// Two strong `ETag`s decide alone. Otherwise `ETag`s are compared weakly (`W/"x"` equals `"x"`), then `Last-Modified`.
    /// If a validator is missing now but was there before, the file has changed, unless the other validator is equal.
    fn allows(&self, new: &Self) -> bool {
        let (mut has_equal, mut has_vanished) = (false, false);
        match (&self.etag, &new.etag) {
            (Some(old), Some(new)) if is_strong(old) && is_strong(new) => return old == new,
            (Some(old), Some(new)) if opaque_tag(old) != opaque_tag(new) => return false,
            (Some(_), Some(_)) => has_equal = true,
            (Some(_), None) => has_vanished = true,
            (None, _) => {}
        }
        match (&self.last_modified, &new.last_modified) {
            (Some(old), Some(new)) if old != new => return false,
            (Some(_), Some(_)) => has_equal = true,
            (Some(_), None) => has_vanished = true,
            (None, _) => {}
        }
        has_equal || !has_vanished
    }

    /// Adds the validators that were not known before. A strong `ETag` replaces a weak one.
    fn add(&mut self, new: &Self) {
        let is_stronger = |new: &&String| self.etag.as_deref().is_none_or(|old| !is_strong(old) && is_strong(new));
        if let Some(etag) = new.etag.as_ref().filter(is_stronger) {
            self.etag = Some(etag.clone());
        }
        if self.last_modified.is_none() {
            self.last_modified.clone_from(&new.last_modified);
        }
    }
}

/// The validators of a file, by origin: hosts of the same file use different ones.
#[derive(Default)]
pub(crate) struct Versions(Vec<(String, Validators)>);

impl Versions {
    /// Compares a response from `url` with those before it. Returns false if the file has changed.
    pub fn check(&mut self, url: &str, new: Validators) -> bool {
        let origin = origin(url);
        match self.0.iter_mut().find(|(known, _)| known == origin) {
            Some((_, known)) => {
                let is_same = known.allows(&new);
                known.add(&new);
                is_same
            }
            None => {
                self.0.push((origin.to_owned(), new));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "https://a/file";
    const B: &str = "https://b/file";
    const MONDAY: &str = "Mon, 01 Jan 2024 00:00:00 GMT";
    const TUESDAY: &str = "Tue, 02 Jan 2024 00:00:00 GMT";

    /// Whether each response counts as the same version as those before it.
    fn check(responses: &[(&str, Option<&str>, Option<&str>)]) -> Vec<bool> {
        let mut versions = Versions::default();
        let validators = |etag: &Option<&str>, date: &Option<&str>| Validators {
            etag: etag.map(str::to_owned),
            last_modified: date.map(str::to_owned),
        };
        responses.iter().map(|(url, etag, date)| versions.check(url, validators(etag, date))).collect()
    }

    fn check_at_a(responses: &[(Option<&str>, Option<&str>)]) -> Vec<bool> {
        let at_a: Vec<_> = responses.iter().map(|(etag, date)| (A, *etag, *date)).collect();
        check(&at_a)
    }

    #[test]
    fn two_strong_etags_decide_alone() {
        assert_eq!(check_at_a(&[(Some("\"x\""), Some(MONDAY)), (Some("\"x\""), Some(TUESDAY))]), [true, true]);
        assert_eq!(check_at_a(&[(Some("\"x\""), Some(MONDAY)), (Some("\"y\""), Some(MONDAY))]), [true, false]);
    }

    #[test]
    fn other_etags_are_compared_weakly_and_then_the_dates() {
        assert_eq!(check_at_a(&[(Some("W/\"x\""), None), (Some("\"x\""), None)]), [true, true]);
        assert_eq!(check_at_a(&[(Some("W/\"x\""), None), (Some("W/\"y\""), None)]), [true, false]);
        assert_eq!(check_at_a(&[(Some("\"x\""), None), (Some("W/\"y\""), None)]), [true, false]);
        assert_eq!(check_at_a(&[(Some("W/\"x\""), Some(MONDAY)), (Some("W/\"x\""), Some(TUESDAY))]), [true, false]);
        assert_eq!(check_at_a(&[(None, Some(MONDAY)), (None, Some(TUESDAY))]), [true, false]);
    }

    #[test]
    fn validators_that_come_later_are_kept() {
        assert_eq!(check_at_a(&[(None, None), (Some("\"x\""), None), (Some("\"y\""), None)]), [true, true, false]);
        assert_eq!(check_at_a(&[(None, None), (None, Some(MONDAY)), (None, Some(TUESDAY))]), [true, true, false]);
        let weak_then_strong = [(Some("W/\"x\""), None), (Some("\"x\""), None), (Some("\"y\""), None)];
        assert_eq!(check_at_a(&weak_then_strong), [true, true, false]);
    }

    #[test]
    fn a_validator_that_vanishes_is_a_change_unless_another_is_equal() {
        assert_eq!(check_at_a(&[(Some("\"x\""), None), (None, None)]), [true, false]);
        assert_eq!(check_at_a(&[(None, Some(MONDAY)), (None, None)]), [true, false]);
        assert_eq!(check_at_a(&[(Some("\"x\""), Some(MONDAY)), (None, Some(MONDAY))]), [true, true]);
        assert_eq!(check_at_a(&[(Some("W/\"x\""), Some(MONDAY)), (Some("W/\"x\""), None)]), [true, true]);
    }

    #[test]
    fn validators_of_different_origins_are_not_compared() {
        let responses = [(A, Some("\"x\""), None), (B, Some("\"y\""), None), (B, Some("\"z\""), None), (A, None, None)];
        assert_eq!(check(&responses), [true, true, false, false]);
    }
}
