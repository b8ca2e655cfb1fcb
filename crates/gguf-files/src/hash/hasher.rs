//! Hashes of tensor data, as llama.cpp's `gguf-hash` defines them.
//!
//! A tensor's hash covers the bytes of its data, without padding. The hash of the whole file covers the data of all tensors,
//! one after the other in the order of the file's list. Names, types, shapes and metadata are part of no hash. So two files
//! with the same weights have the same hashes, also if one of them was edited.

use alloc::{string::String, vec::Vec};
use core::fmt::Write;

#[cfg(feature = "sha")]
use sha1::Sha1;
#[cfg(feature = "sha")]
use sha2::{Digest, Sha256};
use xxhash_rust::xxh64::Xxh64;

use gguf_declare::{names, result};

/// The namespace of the UUIDs that `gguf-hash` makes: ef001206-dadc-5f6d-a15f-3359e577d4e5.
#[doc(hidden)]
pub const UUID_NAMESPACE: [u8; 16] =
    [0xef, 0x00, 0x12, 0x06, 0xda, 0xdc, 0x5f, 0x6d, 0xa1, 0x5f, 0x33, 0x59, 0xe5, 0x77, 0xd4, 0xe5];

names! {
    /// An algorithm that hashes tensor data, as llama.cpp's `gguf-hash` does: XXH64 with the seed 0, SHA-1, SHA-256, or a UUID of
    /// version 5.
    #[typescript("HashAlgorithm")]
    pub enum HashAlgorithm {
        /// `xxh64`: XXH64 with the seed 0. The fastest one. It finds damage, but no forgery.
        Xxh64 = "xxh64",
        /// `sha1`: SHA-1.
        Sha1 = "sha1",
        /// `sha256`: SHA-256. The only one that nobody can forge.
        Sha256 = "sha256",
        /// `uuid`: a UUID of version 5, which is SHA-1 of a namespace and the data. There is none of a single tensor.
        Uuid = "uuid",
    }
}

/// All algorithms, in the order in which a manifest lists them.
pub const HASH_ALGORITHMS: &[HashAlgorithm] = HashAlgorithm::ALL;

impl HashAlgorithm {
    /// The algorithm with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        HASH_ALGORITHMS.iter().copied().find(|algorithm| algorithm.name() == name)
    }

    /// Whether a single tensor has a hash of this algorithm.
    pub const fn is_of_tensors(self) -> bool {
        !matches!(self, Self::Uuid)
    }
}

/// The hashes of some data, one for each algorithm that was computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hashes {
    /// The bytes of the XXH64, the most significant one first.
    pub xxh64: Option<[u8; 8]>,
    /// The bytes of the SHA-1.
    pub sha1: Option<[u8; 20]>,
    /// The bytes of the SHA-256.
    pub sha256: Option<[u8; 32]>,
    /// The bytes of the UUID.
    pub uuid: Option<[u8; 16]>,
}

result! {
    /// Hashes over the data of all tensors. Only the algorithms that were asked for are present.
    #[derive(Clone, Debug)]
    #[typescript("DataHashSet")]
    pub struct DataHashTexts {
        /// 16 hexadecimal digits.
        pub xxh64: Option<String>,
        /// 40 hexadecimal digits.
        pub sha1: Option<String>,
        /// 64 hexadecimal digits.
        pub sha256: Option<String>,
        /// A UUID of version 5, with dashes.
        pub uuid: Option<String>,
    }
}

result! {
    /// The hashes of the data of one tensor. Only the algorithms that were asked for are present.
    #[derive(Clone, Debug)]
    #[typescript("TensorHashes")]
    pub struct TensorHashTexts {
        /// The name of the tensor.
        pub name: String,
        /// 16 hexadecimal digits.
        pub xxh64: Option<String>,
        /// 40 hexadecimal digits.
        pub sha1: Option<String>,
        /// 64 hexadecimal digits.
        pub sha256: Option<String>,
    }
}

impl Hashes {
    /// All hashes as texts.
    pub fn texts(&self) -> DataHashTexts {
        let [xxh64, sha1, sha256, uuid] =
            [HashAlgorithm::Xxh64, HashAlgorithm::Sha1, HashAlgorithm::Sha256, HashAlgorithm::Uuid]
                .map(|algorithm| self.text(algorithm));
        DataHashTexts { xxh64, sha1, sha256, uuid }
    }

    /// Whether the hash of an algorithm was computed.
    pub fn has(&self, algorithm: HashAlgorithm) -> bool {
        self.bytes(algorithm).is_some()
    }

    /// A hash as text, in lower-case hexadecimal digits. A UUID has dashes. `None` if it was not computed.
    pub fn text(&self, algorithm: HashAlgorithm) -> Option<String> {
        let mut text = String::new();
        for (index, byte) in self.bytes(algorithm)?.iter().enumerate() {
            if algorithm == HashAlgorithm::Uuid && matches!(index, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Some(text)
    }

    fn bytes(&self, algorithm: HashAlgorithm) -> Option<&[u8]> {
        match algorithm {
            HashAlgorithm::Xxh64 => self.xxh64.as_ref().map(|bytes| &bytes[..]),
            HashAlgorithm::Sha1 => self.sha1.as_ref().map(|bytes| &bytes[..]),
            HashAlgorithm::Sha256 => self.sha256.as_ref().map(|bytes| &bytes[..]),
            HashAlgorithm::Uuid => self.uuid.as_ref().map(|bytes| &bytes[..]),
        }
    }

    /// Sets the hash of an algorithm. `digest` is the result of its hash function: for a UUID, the SHA-1. A digest of another
    /// length sets nothing.
    pub(crate) fn set_digest(&mut self, algorithm: HashAlgorithm, digest: &[u8]) {
        match algorithm {
            HashAlgorithm::Xxh64 => self.xxh64 = digest.try_into().ok(),
            HashAlgorithm::Sha1 => self.sha1 = digest.try_into().ok(),
            HashAlgorithm::Sha256 => self.sha256 = digest.try_into().ok(),
            HashAlgorithm::Uuid => self.uuid = digest.first_chunk().copied().map(uuid),
        }
    }
}

/// The UUID that the first bytes of a SHA-1 make: they get the version 5 and the variant of RFC 9562.
fn uuid(mut bytes: [u8; 16]) -> [u8; 16] {
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    bytes
}

/// The hash of one stream of bytes.
///
/// # Examples
///
/// ```
/// use gguf_files::hash::{HashAlgorithm, Hasher, Hashes};
///
/// let mut hasher = Hasher::new(HashAlgorithm::Xxh64);
/// hasher.update(b"");
/// let mut hashes = Hashes::default();
/// hasher.finish(&mut hashes);
/// assert_eq!(hashes.text(HashAlgorithm::Xxh64).unwrap(), "ef46db3751d8e999");
/// ```
#[derive(Clone)]
pub struct Hasher {
    algorithm: HashAlgorithm,
    state: State,
}

#[derive(Clone)]
enum State {
    Xxh64(Xxh64),
    #[cfg(feature = "sha")]
    Sha1(Sha1),
    #[cfg(feature = "sha")]
    Sha256(Sha256),
}

impl Hasher {
    pub(super) fn algorithm(&self) -> HashAlgorithm {
        self.algorithm
    }

    /// Begins a hash.
    #[cfg(feature = "sha")]
    pub fn new(algorithm: HashAlgorithm) -> Self {
        let state = match algorithm {
            HashAlgorithm::Xxh64 => State::Xxh64(Xxh64::new(0)),
            HashAlgorithm::Sha1 => State::Sha1(Sha1::new()),
            HashAlgorithm::Sha256 => State::Sha256(Sha256::new()),
            HashAlgorithm::Uuid => State::Sha1(Sha1::new().chain_update(UUID_NAMESPACE)),
        };
        Self { algorithm, state }
    }

    /// Begins a hash. `None` for SHA-1, SHA-256 and UUIDs if this crate is compiled without its feature `sha`.
    pub fn try_new(algorithm: HashAlgorithm) -> Option<Self> {
        #[cfg(feature = "sha")]
        return Some(Self::new(algorithm));
        #[cfg(not(feature = "sha"))]
        return (algorithm == HashAlgorithm::Xxh64).then(|| Self { algorithm, state: State::Xxh64(Xxh64::new(0)) });
    }

    /// Hashes the next bytes of the stream.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Xxh64(state) => state.update(bytes),
            #[cfg(feature = "sha")]
            State::Sha1(state) => state.update(bytes),
            #[cfg(feature = "sha")]
            State::Sha256(state) => state.update(bytes),
        }
    }

    /// Ends the hash, and sets it in `hashes`.
    pub fn finish(self, hashes: &mut Hashes) {
        match self.state {
            State::Xxh64(state) => hashes.set_digest(self.algorithm, &state.digest().to_be_bytes()),
            #[cfg(feature = "sha")]
            State::Sha1(state) => hashes.set_digest(self.algorithm, &state.finalize()),
            #[cfg(feature = "sha")]
            State::Sha256(state) => hashes.set_digest(self.algorithm, &state.finalize()),
        }
    }
}

/// The hashes of the data of a file's tensors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataHashes {
    /// The hashes over the data of all tensors.
    pub data: Hashes,
    /// The name and the hashes of each tensor, in the order of the file's list. The hashes are empty if only the data of all
    /// tensors together was hashed.
    pub tensors: Vec<(String, Hashes)>,
}

impl DataHashes {
    /// The hashes of each tensor as texts, with its name.
    pub fn tensor_texts(&self) -> impl Iterator<Item = TensorHashTexts> {
        self.tensors.iter().map(|(name, hashes)| {
            let DataHashTexts { xxh64, sha1, sha256, .. } = hashes.texts();
            TensorHashTexts { name: name.clone(), xxh64, sha1, sha256 }
        })
    }
}

/// Hashes the data of tensors that arrives in pieces of any size, one tensor after the other in the order of the file's list.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_files::hash::{HashAlgorithm, TensorDataHasher};
///
/// let header = gguf_format::parse(&file)?;
/// let mut hasher = TensorDataHasher::new(&[HashAlgorithm::Sha256], true);
/// for tensor in header.tensors() {
///     let start = tensor.file_offset().unwrap() as usize;
///     for piece in file[start..][..tensor.byte_length().unwrap() as usize].chunks(5) {
///         hasher.update(piece);
///     }
///     hasher.end_tensor(tensor.name().to_string());
/// }
/// let manifest = hasher.finish().manifest("model.gguf");
/// assert!(manifest.starts_with("sha256    "));
/// assert!(manifest.lines().next().unwrap().ends_with("  model.gguf:output.weight"));
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[cfg(feature = "sha")]
#[derive(Clone)]
pub struct TensorDataHasher {
    /// The algorithms that hash each tensor by itself.
    of_tensors: Vec<HashAlgorithm>,
    /// The hashes over all tensors.
    whole: Vec<Hasher>,
    /// The hashes of the current tensor.
    current: Vec<Hasher>,
    hashes: DataHashes,
}

#[cfg(feature = "sha")]
impl TensorDataHasher {
    /// Begins with the first tensor. With `tensors`, each tensor is also hashed by itself. An algorithm that is given twice
    /// counts once.
    pub fn new(algorithms: &[HashAlgorithm], tensors: bool) -> Self {
        let wanted = || HASH_ALGORITHMS.iter().copied().filter(|algorithm| algorithms.contains(algorithm));
        let of_tensors: Vec<_> = wanted().filter(|algorithm| tensors && algorithm.is_of_tensors()).collect();
        Self {
            whole: wanted().map(Hasher::new).collect(),
            current: of_tensors.iter().copied().map(Hasher::new).collect(),
            of_tensors,
            hashes: DataHashes::default(),
        }
    }

    /// Hashes the next bytes of the current tensor.
    pub fn update(&mut self, bytes: &[u8]) {
        for hasher in self.whole.iter_mut().chain(&mut self.current) {
            hasher.update(bytes);
        }
    }

    /// Ends the current tensor, whose name is given, and begins the next one. A tensor without data ends at once.
    pub fn end_tensor(&mut self, name: String) {
        let mut hashes = Hashes::default();
        for (hasher, algorithm) in self.current.iter_mut().zip(&self.of_tensors) {
            core::mem::replace(hasher, Hasher::new(*algorithm)).finish(&mut hashes);
        }
        self.hashes.tensors.push((name, hashes));
    }

    /// The hashes of all tensors that have ended.
    pub fn finish(mut self) -> DataHashes {
        for hasher in self.whole {
            hasher.finish(&mut self.hashes.data);
        }
        self.hashes
    }
}
