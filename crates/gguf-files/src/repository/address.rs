//! The names and the addresses of repositories.
//!
//! The forms of addresses are those of the Hugging Face Hub: `/OWNER/NAME`, then `/tree/REVISION/FOLDER` for a folder, or
//! `/blob/REVISION/FILE`, `/resolve/REVISION/FILE` or `/raw/REVISION/FILE` for a file. Datasets and spaces are below
//! `/datasets` and `/spaces`.
//!
//! The parts of an address end up in requests that carry an access token. So a revision or a path that could lead to another place of
//! the hub is refused: `..`, `.`, empty parts, slashes in a part, `?` and `#`.

use alloc::{string::String, string::ToString, vec::Vec};
use gguf_format::error::shown::without_query;

/// The address of the Hugging Face Hub.
pub const HUB: &str = "https://huggingface.co";

/// The other hosts of the Hugging Face Hub.
const HOSTS: &[&str] = &["huggingface.co", "www.huggingface.co", "hf.co", "www.hf.co"];

/// The kinds of repositories that are not models: the first part of their addresses and of their ids.
const OTHER_KINDS: &[&str] = &["datasets", "spaces"];

/// First parts of the Hub's addresses that are no owners of repositories.
const NO_OWNERS: &[&str] = &[
    "api",
    "blog",
    "chat",
    "collections",
    "docs",
    "join",
    "learn",
    "login",
    "models",
    "new",
    "organizations",
    "papers",
    "posts",
    "pricing",
    "search",
    "settings",
    "tasks",
];

/// The most characters of an owner or a name.
const LONGEST_NAME: usize = 96;

/// A repository, and a place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepositoryAddress {
    /// `owner/name`, `datasets/owner/name` or `spaces/owner/name`.
    pub id: String,
    /// A branch, a tag or a commit, if the text names one.
    pub revision: Option<String>,
    /// The path of a folder or of a file, if the text names one.
    pub path: Option<String>,
}

impl RepositoryAddress {
    /// Reads a name or an address of a repository. `None` if the text names none.
    ///
    /// | text | |
    /// | --- | --- |
    /// | `owner/name` | the name must not end in `.gguf`: that would be a path |
    /// | `hub:owner/name@revision/path/file.gguf` | revision and path are optional |
    /// | `https://huggingface.co/owner/name/tree/main/folder` | also `blob`, `resolve` and `raw`, and without `https://` |
    ///
    /// Addresses of `hub` are read too. `hub` is the address of a hub without a slash at its end.
    ///
    /// No revision and no path has a part that is empty, `.` or `..`, or one with `\\`, `?` or `#`, encoded or not.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_files::repository::{HUB, RepositoryAddress};
    ///
    /// let address = RepositoryAddress::parse("huggingface.co/owner/name/blob/main/Q4%20K/m.gguf", HUB).unwrap();
    /// assert_eq!(address.id, "owner/name");
    /// assert_eq!((address.revision.as_deref(), address.path.as_deref()), (Some("main"), Some("Q4 K/m.gguf")));
    /// assert_eq!(RepositoryAddress::parse("models/model.gguf", HUB), None);
    /// ```
    pub fn parse(text: &str, hub: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(name) = strip_start(text, "hub:") {
            return of_name(name);
        }
        match path_on_hub(text, hub) {
            Some(path) => of_address(path),
            None => of_name(text).filter(|address| address.path.is_none() && !is_file(&address.id)),
        }
    }

    /// The path of the folder that holds the place: of a file its folder, otherwise the place itself. Empty for the top.
    pub fn folder(&self) -> &str {
        match self.path.as_deref() {
            Some(path) if is_file(path) => path.rsplit_once('/').map_or("", |(folder, _)| folder),
            path => path.unwrap_or_default(),
        }
    }

    /// Whether the path ends in `.gguf`.
    pub fn is_file(&self) -> bool {
        self.path.as_deref().is_some_and(is_file)
    }

    /// The URL at which a hub answers with the bytes of a file. Each part is percent-encoded, and the revision is one part.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_files::repository::{HUB, RepositoryAddress};
    ///
    /// let address = RepositoryAddress::parse("hub:owner/name", HUB).unwrap();
    /// let url = address.file_url(HUB, "refs/pr/1", "Q4 K/m.gguf");
    /// assert_eq!(url, "https://huggingface.co/owner/name/resolve/refs%2Fpr%2F1/Q4%20K/m.gguf");
    /// ```
    pub fn file_url(&self, hub: &str, revision: &str, path: &str) -> String {
        format!("{hub}/{}/resolve/{}/{}", self.id, encode_address_part(revision), encode_address_path(path))
    }

    /// The kind of the repository, as the Hub's interface names it.
    pub fn kind(&self) -> &'static str {
        let first = self.id.split('/').next().unwrap_or_default();
        OTHER_KINDS.iter().find(|kind| **kind == first && self.id.matches('/').count() > 1).unwrap_or(&"models")
    }

    /// The id without the kind.
    pub fn name(&self) -> &str {
        self.id.strip_prefix(self.kind()).and_then(|name| name.strip_prefix('/')).unwrap_or(&self.id)
    }
}

/// The path of an address of the Hub, without its first slash, query and fragment.
fn path_on_hub<'a>(text: &'a str, hub: &str) -> Option<&'a str> {
    let text = without_query(text);
    if let Some(path) = strip_start(text, hub)
        && (path.is_empty() || path.starts_with('/'))
    {
        return Some(path.strip_prefix('/').unwrap_or(path));
    }
    let rest = strip_start(text, "https://").or_else(|| strip_start(text, "http://")).unwrap_or(text);
    let (host, path) = rest.split_once('/')?;
    HOSTS.iter().any(|known| known.eq_ignore_ascii_case(host)).then_some(path)
}

/// The repository that the path of an address names.
fn of_address(path: &str) -> Option<RepositoryAddress> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let parts = path.split('/').map(decoded).collect::<Option<Vec<_>>>()?;
    let first = parts.first()?.as_str();
    let is_other_kind = OTHER_KINDS.contains(&first);
    if NO_OWNERS.contains(&first) {
        return None;
    }
    let name_start = usize::from(is_other_kind);
    let is_view = |part: &String| matches!(part.as_str(), "tree" | "blob" | "resolve" | "raw");
    // Old repositories have no owner.
    let view = [name_start + 2, name_start + 1].into_iter().find(|at| parts.get(*at).is_some_and(is_view));
    let name_end = view.unwrap_or(name_start + 2);
    let names = parts.get(name_start..name_end)?;
    if !names.iter().all(|name| is_name(name)) {
        return None;
    }
    let id = parts[..name_end].join("/");
    let Some(view) = view else {
        // The address is another page of the repository, such as its discussions.
        return parts[name_end..]
            .iter()
            .all(|part| is_part(part))
            .then_some(RepositoryAddress { id, ..RepositoryAddress::default() });
    };
    let (revision, place) = match parts[view + 1..].split_first() {
        Some((revision, place)) => (Some(revision.clone()), place),
        None => (None, &[][..]),
    };
    if !revision.as_deref().is_none_or(is_revision) || !place.iter().all(|part| is_part(part)) {
        return None;
    }
    let path = (!place.is_empty()).then(|| place.join("/"));
    Some(RepositoryAddress { id, revision, path })
}

/// The repository of a name: `owner/name@revision/path`.
fn of_name(text: &str) -> Option<RepositoryAddress> {
    let (kind, rest) = match text.split_once('/')? {
        (kind, rest) if OTHER_KINDS.contains(&kind) => (format!("{kind}/"), rest),
        _ => (String::new(), text),
    };
    let (owner, rest) = rest.split_once('/')?;
    let (name, path) = rest.split_once('/').map_or((rest, None), |(name, path)| (name, Some(path)));
    let (name, revision) = name.split_once('@').map_or((name, None), |(name, revision)| (name, Some(revision)));
    let path = path.map(|path| path.strip_suffix('/').unwrap_or(path)).filter(|path| !path.is_empty());
    let is_path = |path: &str| path.split('/').all(is_part);
    if !is_name(owner) || !is_name(name) || !path.is_none_or(is_path) {
        return None;
    }
    // A slash in a revision is written as %2F.
    let revision = match revision {
        Some(revision) => Some(decoded(revision).filter(|revision| is_revision(revision))?),
        None => None,
    };
    Some(RepositoryAddress { id: format!("{kind}{owner}/{name}"), revision, path: path.map(ToString::to_string) })
}

/// Whether a text can be the name of a branch, a tag or a commit: `refs/pr/1` has slashes.
#[doc(hidden)]
pub fn is_revision(text: &str) -> bool {
    text.split('/').all(is_part)
}

/// Whether a decoded part of a path or a revision stays where it is put. A server could decode a part twice, so that slashes that are
/// still encoded are refused too.
fn is_part(part: &str) -> bool {
    let escapes = part.split('%').skip(1).any(|rest| {
        let digits = rest.as_bytes().get(..2).unwrap_or_default();
        [b"2e", b"2f", b"5c"].iter().any(|escape| digits.eq_ignore_ascii_case(*escape))
    });
    !matches!(part, "" | "." | "..") && !part.contains(['/', '\\', '?', '#']) && !escapes
}

/// Whether the path of a URL, as it is encoded, leads below the place that its first part names.
pub(crate) fn stays_below(path: &str) -> bool {
    path.split('/').all(|part| decoded(part).is_some_and(|part| is_revision(&part)))
}

/// Whether a text can be the name of an owner or of a repository.
fn is_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(is_allowed) && !text.starts_with(['.', '-'])
}

/// Whether a path ends in `.gguf`.
fn is_file(path: &str) -> bool {
    path.len() > 5 && path.as_bytes()[path.len() - 5..].eq_ignore_ascii_case(b".gguf")
}

/// A text without its start, which is compared without case.
fn strip_start<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start).then_some(rest)
}

/// A part of an address without its percent-encoding. `None` if that is wrong, or does not give UTF-8.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digit = |index: usize| char::from(digits[index]).to_digit(16);
        bytes.push((digit(0)? * 16 + digit(1)?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// The parts of a path, each percent-encoded.
#[doc(hidden)]
pub fn encode_address_path(path: &str) -> String {
    path.split('/').map(encode_address_part).collect::<Vec<_>>().join("/")
}

/// A text as one part of an address: all but letters, digits and `-`, `_`, `.`, `~` are percent-encoded.
///
/// # Examples
///
/// ```
/// assert_eq!(gguf_files::repository::encode_address_part("refs/pr/1 ü"), "refs%2Fpr%2F1%20%C3%BC");
/// ```
pub fn encode_address_part(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::stays_below;

    #[test]
    fn paths_of_urls() {
        for path in ["main", "refs%2Fpr%2F1/Q4%20K"] {
            assert!(stays_below(path), "{path}");
        }
        for path in ["", "main/", "..", "main/%2e%2e", "main/..%2f..", "main/a%5cb", "%zz"] {
            assert!(!stays_below(path), "{path}");
        }
    }
}
