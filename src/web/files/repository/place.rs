//! A place in a repository of a hub, and its URLs.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::files::repository::address::{HUB, RepositoryAddress, encode_address_part};

/// What is listed.
pub(super) struct Place {
    /// The address of the hub, without a slash at its end.
    pub hub: String,
    pub address: RepositoryAddress,
    pub revision: String,
}

impl Place {
    /// The page of the repository, or of the folder.
    pub fn page(&self) -> String {
        let Self { hub, address, revision } = self;
        let page = format!("{hub}/{}", address.id);
        let folder = address.folder();
        if folder.is_empty() && revision == "main" {
            return page;
        }
        let slash = if folder.is_empty() { "" } else { "/" };
        format!("{page}/tree/{}{slash}{}", encode_address_part(revision), encode_path(folder))
    }

    /// The URL of a file.
    pub fn file(&self, path: &str) -> String {
        let revision = encode_address_part(&self.revision);
        format!("{}/{}/resolve/{revision}/{}", self.hub, self.address.id, encode_path(path))
    }

    /// The URL of what the hub's interface says about the repository.
    pub fn interface(&self) -> String {
        format!("{}/api/{}/{}", self.hub, self.address.kind(), self.address.name())
    }

    /// The URL of the first page of the list of files.
    pub fn first_page(&self) -> String {
        let folder = self.address.folder();
        let slash = if folder.is_empty() { "" } else { "/" };
        let revision = encode_address_part(&self.revision);
        format!("{}/tree/{revision}{slash}{}?recursive=true", self.interface(), encode_path(folder))
    }

    /// The next page at this hub, if the address of the page is one of the hub. A mirror passes on addresses of the Hugging Face
    /// Hub itself.
    pub fn own_page(&self, url: &str) -> Option<String> {
        let below = |hub: &str| url.strip_prefix(hub).filter(|path| path.starts_with('/')).map(ToString::to_string);
        below(&self.hub).or_else(|| below(HUB)).map(|path| format!("{}{path}", self.hub))
    }
}

/// The parts of a path, each percent-encoded.
fn encode_path(path: &str) -> String {
    path.split('/').map(encode_address_part).collect::<Vec<_>>().join("/")
}
