//! A place in a repository of a hub, and its URLs.

use alloc::string::{String, ToString};

use super::address::{HUB, RepositoryAddress, encode_address_part, encode_address_path, stays_below};
use gguf_declare::result;
use gguf_format::error::shown::without_query;

result! {
    /// A repository, and a place in it.
    #[derive(Clone, Debug)]
    #[typescript("RepositoryAddress")]
    pub struct RepositoryPlace {
        /// The address of the hub, without a slash at its end.
        #[rust]
        pub hub: String,
        /// The repository, and the folder or the file.
        #[rust]
        pub address: RepositoryAddress,
        /// The branch, tag or commit.
        #[rust]
        pub revision: String,
        /// `"owner/name"`, or `"datasets/owner/name"`, or `"spaces/owner/name"`.
        fn id(&self) -> &str,
        /// The branch, tag or commit, if the text names one.
        fn revision(&self) -> Option<&str>,
        /// The path of a folder or of a file, if the text names one.
        fn path(&self) -> Option<&str>,
        /// The URL of the GGUF file for `Gguf.open`, if the path names one. Otherwise the page of the repository or the folder.
        fn url(&self) -> String,
    }
}

impl RepositoryPlace {
    /// The place that an address names. `revision` comes first, then the revision of the address.
    pub fn new(hub: String, address: RepositoryAddress, revision: Option<String>) -> Self {
        let revision = revision.or_else(|| address.revision.clone()).unwrap_or_else(|| "main".to_string());
        Self { hub, address, revision }
    }

    /// The id of the repository: `owner/name`.
    pub fn id(&self) -> &str {
        &self.address.id
    }

    /// The revision that the address names.
    pub fn revision(&self) -> Option<&str> {
        self.address.revision.as_deref()
    }

    /// The path that the address names.
    pub fn path(&self) -> Option<&str> {
        self.address.path.as_deref()
    }

    /// The name of the hub for messages.
    pub(super) fn hub_name(&self) -> &str {
        if self.hub == HUB { "Hugging Face" } else { &self.hub }
    }

    /// The page of the repository, or of the folder.
    pub fn page(&self) -> String {
        let Self { hub, address, revision } = self;
        let page = format!("{hub}/{}", address.id);
        let folder = address.folder();
        if folder.is_empty() && revision == "main" {
            return page;
        }
        let slash = if folder.is_empty() { "" } else { "/" };
        format!("{page}/tree/{}{slash}{}", encode_address_part(revision), encode_address_path(folder))
    }

    /// The URL of the file that the address names, otherwise the page.
    pub fn url(&self) -> String {
        match &self.address.path {
            Some(path) if self.address.is_file() => self.file(path),
            _ => self.page(),
        }
    }

    /// The URL of a file.
    pub fn file(&self, path: &str) -> String {
        self.address.file_url(&self.hub, &self.revision, path)
    }

    /// The URL of what the hub's interface says about the repository.
    pub(super) fn interface(&self) -> String {
        format!("{}/api/{}/{}", self.hub, self.address.kind(), self.address.name())
    }

    /// The URL of the first page of the list of files.
    pub(super) fn first_page(&self) -> String {
        let folder = self.address.folder();
        let slash = if folder.is_empty() { "" } else { "/" };
        let revision = encode_address_part(&self.revision);
        format!("{}/tree/{revision}{slash}{}?recursive=true", self.interface(), encode_address_path(folder))
    }

    /// The address of the next page, if it is a page of this list at this hub. `answered` is the URL of the page that links to it:
    /// a repository that was renamed answers at its new name. A mirror passes on addresses of the Hugging Face Hub itself.
    ///
    /// Both are absolute URLs without `..`, as a `URL` writes them. The request carries an access token, so that no other address of
    /// the hub is requested.
    pub(super) fn next_page(&self, url: &str, answered: &str) -> Option<String> {
        let path = below(url, &self.hub).or_else(|| below(url, HUB))?;
        let own = format!("/api/{}/{}/tree/", self.address.kind(), self.address.name());
        let place = path.strip_prefix(&own).or_else(|| path.strip_prefix(self.list_of(answered)?))?;
        let place = without_query(place);
        stays_below(place).then(|| format!("{}{path}", self.hub))
    }

    /// The start of the path of a list of files at this hub: `/api/models/owner/name/tree/`.
    fn list_of<'a>(&self, url: &'a str) -> Option<&'a str> {
        let path = below(url, &self.hub)?;
        let names = path.strip_prefix("/api/")?.strip_prefix(self.address.kind())?.strip_prefix('/')?;
        // A search in text can panic, and its message brings tables of Unicode into the module.
        let is_end = |part: &[u8]| part == b"/tree/";
        let end = names.as_bytes().windows("/tree/".len()).position(is_end)?;
        let (names, rest) = (names.get(..end)?, names.get(end + "/tree/".len()..)?);
        let is_id = names.matches('/').count() <= 1 && stays_below(names);
        is_id.then(|| path.get(..path.len() - rest.len()))?
    }
}

/// The path of a URL that is below a hub.
fn below<'a>(url: &'a str, hub: &str) -> Option<&'a str> {
    url.strip_prefix(hub).filter(|path| path.starts_with('/'))
}
