//! The input of the fuzz target `legacy`. The tests use the same function.
//!
//! ```text
//! n        u8        low three bits: the number of pieces of the pattern; bit 7: small limits; the others: the family that
//!                    the caller wants, if any
//! pattern  n bytes   the lengths of pieces
//! file     the rest  given in pieces by the pattern, which repeats
//! ```

use std::ops::Range;

use gguf_format::io::{Blocking, Buffer, MemoryBuffer, Source, block_on};
use gguf_format::{Limits, Result, TensorInfo};
use gguf_legacy::{Answers, Decoder, Family, LegacyHeader, LegacyModel, Options, open_draft};

/// The bytes that a model may have for all its values to be read.
const MOST_BYTES: u64 = 1 << 20;

struct File {
    bytes: MemoryBuffer,
    tells_size: bool,
}

impl Source for File {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        self.tells_size.then(|| self.bytes.len())
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        let size = self.bytes.len();
        self.bytes.part(range.start.min(size)..range.end.min(size))
    }
}

fn decode<'a>(options: &Options, pieces: impl Iterator<Item = &'a [u8]>) -> Result<LegacyHeader> {
    let mut decoder = Decoder::new(options.clone());
    for piece in pieces {
        decoder.push(piece)?;
    }
    decoder.finish()
}

/// Decodes the file of an input in one piece, in pieces of its pattern, byte by byte, and from a source. Asserts equal results.
/// Reads all values of a file that can be decoded, and migrates it.
pub fn run(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let (pattern, file) = rest.split_at(usize::from(first & 7).min(rest.len()));
    let mut options = Options::default();
    options.family = Family::ALL.get(usize::from(first >> 3 & 15)).copied().filter(|_| first & 0x78 != 0);
    if first & 0x80 != 0 {
        options.limits = small_limits();
    }
    let whole = decode(&options, std::iter::once(file));
    assert_eq!(decode(&options, file.chunks(1)), whole);
    if pattern.iter().any(|length| *length > 0) {
        let (mut rest, mut lengths) = (file, pattern.iter().cycle());
        let pieces = std::iter::from_fn(|| {
            let (piece, later) = rest.split_at(usize::from(*lengths.next()?).min(rest.len()));
            (!rest.is_empty()).then(|| {
                rest = later;
                piece
            })
        });
        assert_eq!(decode(&options, pieces), whole);
    }
    let open = |tells_size| {
        let source = File { bytes: file.to_vec().into(), tells_size };
        block_on(LegacyModel::open(vec![source], options.clone()))
    };
    use_draft(File { bytes: file.to_vec().into(), tells_size: first & 0x80 == 0 }, &options.limits);
    let opened = open(true);
    for opened in [&opened, &open(false)] {
        assert_eq!(
            opened.as_ref().map(|model| model.header()).map_err(|error| error.code()),
            whole.as_ref().map_err(|error| error.code())
        );
    }
    if let Ok(model) = opened {
        use_model(&model);
    }
}

/// Opens the file in the layout of the draft of GGUF.
fn use_draft(source: File, limits: &Limits) {
    let Ok(migration) = block_on(open_draft(source, limits)) else { return };
    let header = gguf_format::parse(migration.file().header_bytes()).unwrap();
    assert_eq!(header.tensors().len(), migration.tensors().len());
    let is_in_file =
        |tensor: &TensorInfo<'_>| tensor.file_offset().unwrap() + tensor.byte_length().unwrap() <= migration.size();
    assert!(header.tensors().all(|tensor| is_in_file(&tensor)));
    if migration.size() < MOST_BYTES {
        let bytes = block_on(migration.file().read(0..migration.size())).unwrap();
        assert_eq!(bytes.len(), migration.size());
    }
}

fn use_model(model: &LegacyModel<File>) {
    assert!(model.header().tensors.windows(2).all(|pair| pair[0].end() == pair[1].header_offset));
    for tensor in model.file().header().tensors() {
        let extent = model.file().extent_of(&tensor).unwrap().unwrap();
        assert!(extent.is_complete && tensor.byte_length().is_some());
        let count = tensor.element_count().unwrap();
        assert_eq!(block_on(model.file().read_f32(&tensor, 0..count)).unwrap().len() as u64, count);
    }
    for for_inspection in [false, true] {
        let mut answers = Answers::default();
        answers.for_inspection = for_inspection;
        let Ok(migration) = model.migrate(&answers) else { continue };
        assert!(for_inspection || model.obstacles().is_empty());
        let header = gguf_format::parse(migration.file().header_bytes()).unwrap();
        assert_eq!(header.tensors().len(), migration.tensors().len());
        let lossy = migration.tensors().iter().filter(|tensor| tensor.is_lossy()).count();
        assert_eq!(block_on(migration.exactness(None)).unwrap().tensors.len(), lossy);
        if migration.size() < MOST_BYTES {
            let bytes = block_on(migration.file().read(0..migration.size())).unwrap();
            assert_eq!(bytes.len(), migration.size());
        }
    }
}

fn small_limits() -> Limits {
    let mut limits = Limits::default();
    limits.header_bytes = 300;
    limits.array_length = 60;
    limits.tensor_count = 3;
    limits
}
