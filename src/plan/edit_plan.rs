//! `EditPlan`: a file that is to be written.

use alloc::{rc::Rc, string::ToString, vec::Vec};
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, AnyObject, Bytes, Js, JsArray, NumberArgument, Options, Promise, Record, abortable, arguments,
    as_object, blobs, describe, elements, failure, is_array, is_integer, options, plain_object, shown_number, to_js,
};
use crate::plan::apply_to::apply_to;
use crate::plan::write_to::{WriteToOptions, write_to};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::opened_file::OpenedFile;
use crate::source::gguf_source::PlannedFile;
use crate::source::receiver::Receiver;
use crate::write::chunk_stream::{self, MadeChunks, WriteOptions};
use gguf_format::io::Source as _;
use gguf_format::write::plan::{Segment, WritePlan};

options! {
    /// Options of streaming a planned file.
    pub interface StreamOptions extends WriteOptions {
        /// The position of the first byte, by default 0. A stream that broke off can be continued by another one.
        start?: "number" => JsValue = 0.0.into();
    }
}

plain_object! {
    /// Bytes that must be written into the original file.
    #[open true]
    struct Patch {
        /// The position of the bytes in the file.
        pub offset: f64,
        pub bytes: Js<Bytes>,
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** Consecutive bytes of a planned file, at `offset` in it. */
export type PlanSegment =
  /** New bytes. */
  | { kind: "bytes"; offset: number; bytes: Uint8Array<ArrayBuffer> }
  /** The bytes of the original file from `start` up to, but not including, `end`. `source`: which of the merged files it is, from 0. */
  | { kind: "copy"; offset: number; start: number; end: number; source?: number }
  /** The same, but the bytes are blocks of `type`, which are converted to the other byte order. */
  | { kind: "swap"; offset: number; start: number; end: number; type: string };

/** A `FileSystemSyncAccessHandle`, or an object with the same methods. */
export interface PatchableFile {
  getSize(): number;
  read(buffer: Uint8Array<ArrayBuffer>, options?: { at?: number }): number;
  write(buffer: Uint8Array<ArrayBuffer>, options?: { at?: number }): number;
  flush(): void;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "string | URL")]
    pub type TargetPath;
    #[wasm_bindgen(typescript_type = "ReplaceableFile | PatchableFile")]
    pub type WriteTarget;
    #[wasm_bindgen(typescript_type = "Blob | readonly Blob[]")]
    pub type Originals;
}

/// A file that is to be written: an edited file, a shard of a file that is split, or shards that are merged. It consists of new
/// bytes, and of ranges of the original files. The ranges are read when they are needed, so a plan of a 40 GB file takes
/// kilobytes of memory. A plan is itself a source: `Gguf.open(plan)` opens the planned file.
///
/// @example
/// const plan = editor.plan();
/// const blob = plan.toBlob(file); // for a local file, which is read when the Blob is
/// await plan.stream().pipeTo(writable); // for any source
/// await plan.applyTo(fileHandle); // in place if possible
#[wasm_bindgen]
pub struct EditPlan {
    file: PlannedFile,
    /// The header of the first original file.
    pub(super) header: Rc<DecodedHeader>,
    /// Made when a caller first asks for them: see `findings.rs`.
    pub(super) findings: OnceCell<JsArray>,
}

impl EditPlan {
    pub(crate) fn new(original: Rc<OpenedFile>, plan: WritePlan) -> Self {
        Self::of_files(vec![original], plan)
    }

    /// A plan that copies from several files: its sources, of which there is at least one.
    pub(crate) fn of_files(originals: Vec<Rc<OpenedFile>>, plan: WritePlan) -> Self {
        let header = originals[0].header.clone();
        let originals = originals.iter().map(|original| original.file.clone()).collect();
        Self { file: PlannedFile::new(originals, plan), header, findings: OnceCell::new() }
    }

    pub(super) fn plan(&self) -> &WritePlan {
        self.file.plan()
    }

    /// The original files that a caller gives: a `Blob`, or an array of them.
    fn given_originals(&self, given: JsValue) -> Result<Vec<web_sys::Blob>, Thrown> {
        let files = self.file.originals();
        let blobs: Vec<JsValue> = match is_array(&given) {
            true => elements(&given)?,
            false => vec![given],
        };
        if blobs.len() != files.len() {
            return Err(failure!(InvalidArgument:
                "the number of original files is {}, expected {}", blobs.len(), files.len()));
        }
        for (blob, file) in blobs.iter().zip(files) {
            let size = as_object(blob).map(|blob| blob.get("size")).transpose()?.and_then(|size| size.as_f64());
            let Some(size) = size else {
                return Err(failure!(InvalidArgument:
                    "the original file is given as {}, expected a Blob", describe(blob)));
            };
            let expected = file.file_size();
            if expected != Some(size as u64) {
                let expected = expected.map_or("an unknown number of".into(), |size| size.to_string());
                return Err(failure!(Changed:
                    "the Blob is not the original file: it has {} bytes, the original file has {expected}", shown_number(size)));
            }
        }
        Ok(blobs.into_iter().map(JsCast::unchecked_into).collect())
    }
}

#[wasm_bindgen]
impl EditPlan {
    /// The size of the edited file in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.plan().size() as f64
    }

    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> f64 {
        self.plan().header_size() as f64
    }

    /// The offset of the data section, in bytes from the start of the file.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> f64 {
        self.plan().data_offset() as f64
    }

    /// Whether the original file can be changed in place: its size stays the same, and its data does not move.
    #[wasm_bindgen(getter, js_name = inPlace)]
    pub fn in_place(&self) -> bool {
        self.plan().patches().is_some()
    }

    /// The segments of the edited file, in order.
    #[wasm_bindgen(unchecked_return_type = "PlanSegment[]")]
    pub fn segments(&self) -> Result<JsArray, Thrown> {
        let mut offset = 0;
        let object = |segment: &Segment| -> Result<JsValue, Thrown> {
            let object = |kind: &str| Record::new().text("kind", kind).number("offset", offset as f64);
            let object = match segment {
                Segment::Bytes(bytes) => object("bytes").value("bytes", &Bytes::copy_of(bytes)?.into()),
                Segment::Copy { source, range } => {
                    let object = object("copy").number("start", range.start as f64).number("end", range.end as f64);
                    match self.file.originals().len() {
                        1 => object,
                        _ => object.number("source", *source as f64),
                    }
                }
                Segment::Swap { range, ggml_type, .. } => object("swap")
                    .number("start", range.start as f64)
                    .number("end", range.end as f64)
                    .text("type", &ggml_type.to_string()),
            };
            offset += segment.byte_length();
            Ok(object.done())
        };
        self.plan().segments().iter().map(object).collect()
    }

    /// The bytes that must be written into the original file to edit it in place. `undefined` if that is not possible.
    ///
    /// @example
    /// for (const { offset, bytes } of plan.patches() ?? []) await handle.write(bytes, 0, bytes.length, offset);
    #[wasm_bindgen(unchecked_return_type = "Patch[] | undefined")]
    pub fn patches(&self) -> Result<JsValue, Thrown> {
        let Some(patches) = self.plan().patches() else { return Ok(JsValue::UNDEFINED) };
        let objects = patches.iter().map(|range| {
            let bytes = self.file.header_bytes(range.clone())?;
            Ok(to_js(&Patch { offset: range.start as f64, bytes: Js(bytes) }))
        });
        Ok(objects.collect::<Result<JsArray, Thrown>>()?.into())
    }

    /// The bytes of the edited header.
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<JsValue, Thrown> {
        Ok(self.file.header_bytes(0..self.plan().header_size())?.into())
    }

    /// Reads the bytes of the edited file from `start` up to, but not including, `end`. Positions after the end of the file have
    /// no bytes.
    ///
    /// @throws {GgufError} `out-of-range`, or what reading fails with.
    /// @example
    /// const edited = await Gguf.open(plan);
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read(&self, start: NumberArgument, end: NumberArgument, options: Option<AbortOptions>) -> Promise {
        let file = self.file.clone();
        abortable(Options::new(options), async move {
            let range = arguments::range(&start, &end)?;
            let end = range.end.min(file.plan().size());
            Ok(file.read(range.start.min(end)..end).await?.into())
        })
    }

    /// The planned file as a `Blob`. It consists of parts of `original`, the original file as a `Blob`, which are read when the
    /// result is read. For a merged file, `original` is an array with the shards in their order.
    ///
    /// @throws {GgufError} `changed` if a `Blob` does not have the size of the file that was opened. `invalid-argument` if it
    /// is not a `Blob`, if there are fewer than shards, or if the byte order changes: use `stream` then.
    /// @example
    /// link.href = URL.createObjectURL(plan.toBlob(file));
    #[wasm_bindgen(js_name = toBlob, unchecked_return_type = "Blob")]
    pub fn to_blob(&self, original: Originals) -> Result<JsValue, Thrown> {
        let originals = self.given_originals(original.into())?;
        let parts = JsArray::new();
        for segment in self.plan().segments() {
            parts.push(&match segment {
                Segment::Bytes(bytes) => Bytes::copy_of(bytes)?.into(),
                Segment::Copy { source, range } => {
                    originals[*source].slice_with_f64_and_f64(range.start as f64, range.end as f64)?.into()
                }
                Segment::Swap { .. } => {
                    return Err(failure!(InvalidArgument:
                        "a Blob cannot convert the byte order of tensor data: use stream()"));
                }
            });
        }
        let options = Record::new().value("type", &originals[0].unchecked_ref::<AnyObject>().get("type")?).done();
        Ok(blobs::joined(&parts, &options)?.into())
    }

    /// The bytes of the edited file. The stream reads the source of the original file while it is read itself, and retries after
    /// a lost connection. If the stream breaks off, another one can continue at `start`.
    ///
    /// Do not write the stream over the original file while it is read. Write a new file and rename it, or use `applyTo`.
    ///
    /// @throws {GgufError} `out-of-range`, `invalid-argument`. The stream fails with what reading fails with.
    /// @example
    /// const handle = await showSaveFilePicker({ suggestedName: "edited.gguf" });
    /// await plan.stream({ onProgress }).pipeTo(await handle.createWritable());
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<StreamOptions>) -> Result<JsValue, Thrown> {
        let options = Options::new(options);
        let size = self.plan().size();
        let given = StreamOptions::read(&options)?.start;
        let start = given.as_f64().filter(|start| (0.0..=size as f64).contains(start) && is_integer(*start));
        let Some(start) = start else {
            return Err(failure!(OutOfRange:
                "options.start is {}, expected a whole number from 0 to {size}", describe(&given)));
        };
        let chunks = MadeChunks::new(self.file.chunks(start as u64));
        Ok(chunk_stream::stream(chunks, options, start, size)?.into())
    }

    /// Tells a function of this module which plan this is.
    #[wasm_bindgen(js_name = _giveTo, skip_typescript)]
    pub fn give_to(&self, receiver: &Receiver) {
        receiver.receive(Rc::new(self.file.clone()));
    }

    /// Writes the planned file to a path, in Node.js, Deno and Bun. The method needs the entry `gguf-wasm/editor/node`, or
    /// `gguf-wasm/full/node`.
    ///
    /// The file is written beside its place, and moved there when it is complete and on the disk. So it appears complete or not
    /// at all, and the path can be that of the original file. After that, reads of the original file reject with `changed`: open
    /// it again. If the path is a symbolic link, the file that it points to is replaced.
    ///
    /// @param path A path or a `file:` URL.
    /// @throws {GgufError} `write-failed`: nothing has changed. Its `cause` is the error of the file system: `EEXIST` if the file
    /// exists and `overwrite` is not set. `changed` if the original file has changed since it was opened, or what reading fails
    /// with.
    /// @example
    /// import { Gguf } from "gguf-wasm/editor/node";
    ///
    /// const gguf = await Gguf.open("model.gguf");
    /// const editor = gguf.edit();
    /// editor.set("general.name", "My model");
    /// await editor.plan().writeTo("renamed.gguf");
    #[wasm_bindgen(js_name = writeTo, unchecked_return_type = "Promise<void>")]
    pub fn write_to(&self, path: TargetPath, options: Option<WriteToOptions>) -> Promise {
        let (file, options) = (self.file.clone(), Options::new(options));
        abortable(Options::default(), write_to(file, path.into(), options))
    }

    /// Writes the edited file to a file handle.
    ///
    /// A `FileSystemFileHandle` can be that of the original file or of another one. The file changes at once, when everything has
    /// been written, and stays as it is if anything fails or is aborted. This takes disk space for a second file. If it is the
    /// original file, with the same name, time, size and header, and it can be changed in place, only a copy of it is patched. Then the
    /// file that was opened, its editor and their plans go on with the new file. If that lacks data of the old one, because a tensor was removed
    /// or the byte order was changed, reads of that data fail with `changed`: open the file again.
    ///
    /// A `FileSystemSyncAccessHandle` must be that of the original file, which is then changed in place. This takes little time
    /// and does not call `onProgress`. If it fails, the original bytes are written back.
    ///
    /// @throws {GgufError} `changed` or `not-in-place` for a `FileSystemSyncAccessHandle`, or what reading fails with: nothing
    /// was written. `write-failed`: the file is unchanged. `interrupted`: the file may be damaged.
    /// @example
    /// const [handle] = await showOpenFilePicker();
    /// const gguf = await Gguf.open(handle);
    /// const editor = gguf.edit();
    /// editor.set("general.name", "My model");
    /// await editor.plan().applyTo(handle);
    #[wasm_bindgen(js_name = applyTo, unchecked_return_type = "Promise<void>")]
    pub fn apply_to(&self, target: WriteTarget, options: Option<WriteOptions>) -> Promise {
        let file = self.file.clone();
        let options = Options::new(options);
        abortable(Options::default(), apply_to(file, target.into(), options))
    }
}
