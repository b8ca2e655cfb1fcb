//! `EditPlan`: a changed file that is to be written.

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::ToString;
use core::cell::OnceCell;

use js_sys::{Array as JsArray, Promise};
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::web::edit::apply_to;
use crate::web::edit::planned_file::{Pieces, Planned};
use crate::web::edit::write_stream::{self, WriteOptions};
use crate::web::interop::abort::promise;
use crate::web::interop::arguments::{self, NumberArgument};
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{self, Members, Record};
use crate::web::reader::opened::Opened;
use crate::web::source::is_position;
use crate::web::validate::findings;

use crate::write::plan::{Segment, WritePlan};

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** Bytes of a planned file that follow one another, at `offset` in it. */
export type PlanSegment =
  /** Bytes that are in no old file. */
  | { kind: "bytes"; offset: number; bytes: Uint8Array<ArrayBuffer> }
  /** The bytes from `start` to before `end` of the old file. */
  | { kind: "copy"; offset: number; start: number; end: number }
  /** The blocks of `type` from `start` to before `end` of the old file, in the other byte order. */
  | { kind: "swap"; offset: number; start: number; end: number; type: string };

/** Bytes that are to be written into the old file, at `offset`. */
export interface Patch {
  offset: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A `FileSystemFileHandle`, or what writes files as it does. */
export interface ReplaceableFile {
  getFile(): Promise<Blob>;
  createWritable(options?: { keepExistingData?: boolean }): Promise<WritableStream>;
}

/** A `FileSystemSyncAccessHandle`, or what reads and writes as it does. */
export interface PatchableFile {
  getSize(): number;
  read(buffer: Uint8Array<ArrayBuffer>, options?: { at?: number }): number;
  write(buffer: Uint8Array<ArrayBuffer>, options?: { at?: number }): number;
  flush(): void;
}

/** From where on a planned file is streamed. */
export interface StreamOptions extends WriteOptions {
  /** The position of the first byte; 0 if it is not given. What has been written already need not be read again. */
  start?: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Members, typescript_type = "{ signal?: AbortSignal }")]
    pub type PlanReadOptions;
    #[wasm_bindgen(extends = Members, typescript_type = "StreamOptions")]
    pub type StreamOptions;
    #[wasm_bindgen(typescript_type = "ReplaceableFile | PatchableFile")]
    pub type WriteTarget;

    pub(crate) type Blob;
    #[wasm_bindgen(constructor, catch)]
    pub(crate) fn new(parts: &JsArray, options: &JsValue) -> Result<Blob, JsValue>;
}

/// A changed file that is to be written: new bytes, and ranges of the file as it is. It reads these when they are needed,
/// so that a plan for a file of 40 GB takes kilobytes. It is itself a source: `Gguf.open(plan)` opens the file that will be.
///
/// @example
/// const plan = editor.plan();
/// const blob = plan.toBlob(file); // of a local file: lazy
/// await plan.stream().pipeTo(writable); // of any source
/// await plan.applyTo(fileHandle); // in place, if that can be
#[wasm_bindgen]
pub struct EditPlan {
    planned: Rc<Planned>,
    findings: OnceCell<JsArray>,
}

impl EditPlan {
    pub(crate) fn new(opened: Rc<Opened>, plan: WritePlan) -> Self {
        Self { planned: Rc::new(Planned { opened, plan }), findings: OnceCell::new() }
    }

    fn plan(&self) -> &WritePlan {
        &self.planned.plan
    }
}

#[wasm_bindgen]
impl EditPlan {
    /// The size that the file will have, in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.plan().size() as f64
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> f64 {
        self.plan().header_size() as f64
    }

    /// Where the tensors' data will begin.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> f64 {
        self.plan().data_offset() as f64
    }

    /// Whether the file can be changed where it is: its size stays, and its data does not move.
    #[wasm_bindgen(getter, js_name = inPlace)]
    pub fn in_place(&self) -> bool {
        self.plan().patches().is_some()
    }

    /// What is wrong with the file that will be, unusual or worth knowing.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Finding[]")]
    pub fn findings(&self) -> Result<JsArray, JsValue> {
        if let Some(findings) = self.findings.get() {
            return Ok(findings.clone());
        }
        let opened = &self.planned.opened;
        let file = opened.file.with(opened.header_of(self.plan())?);
        let findings = findings::list(&file, Some(self.plan().size()));
        Ok(self.findings.get_or_init(|| findings).clone())
    }

    /// What the file is made of, in order.
    #[wasm_bindgen(unchecked_return_type = "PlanSegment[]")]
    pub fn segments(&self) -> Result<JsArray, JsValue> {
        let mut offset = 0;
        let segment = |segment: &Segment| -> Result<JsValue, JsValue> {
            let record = |kind: &str| Record::new().text("kind", kind).number("offset", offset as f64);
            let made = match segment {
                Segment::Bytes(bytes) => record("bytes").value("bytes", &js::copied(bytes)?.into()),
                Segment::Copy { range, .. } => {
                    record("copy").numbers(&["start", "end"], &[range.start as f64, range.end as f64])
                }
                Segment::Swap { range, ggml_type, .. } => record("swap")
                    .numbers(&["start", "end"], &[range.start as f64, range.end as f64])
                    .text("type", &ggml_type.to_string()),
            };
            offset += segment.byte_length();
            Ok(made.done())
        };
        self.plan().segments().iter().map(segment).collect()
    }

    /// What has to be written into the file to change it where it is; `undefined` unless that can be done.
    ///
    /// @example
    /// for (const { offset, bytes } of plan.patches()) await handle.write(bytes, 0, bytes.length, offset);
    #[wasm_bindgen(unchecked_return_type = "Patch[] | undefined")]
    pub fn patches(&self) -> Result<JsValue, JsValue> {
        let Some(patches) = self.plan().patches() else { return Ok(JsValue::UNDEFINED) };
        let made = patches.iter().map(|range| {
            let bytes = self.planned.header_bytes(range.clone())?;
            Ok(Record::new().number("offset", range.start as f64).value("bytes", &bytes).done())
        });
        Ok(made.collect::<Result<JsArray, JsValue>>()?.into())
    }

    /// The header that the file will have.
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<JsValue, JsValue> {
        Ok(self.planned.header_bytes(0..self.plan().header_size())?.into())
    }

    /// Reads the bytes from `start` to before `end` of the file that will be; fewer where it ends.
    ///
    /// @throws {GgufError} `out-of-range`, or what reading fails with.
    /// @example
    /// const edited = await Gguf.open(plan);
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read(&self, start: NumberArgument, end: NumberArgument, options: Option<PlanReadOptions>) -> Promise {
        let planned = self.planned.clone();
        promise(js::members_of(&options), move |_| {
            Box::pin(async move {
                let (start, end) = (arguments::number("start", &start)?, arguments::number("end", &end)?);
                if !(is_position(start) && is_position(end) && start <= end) {
                    let message = "start and end are to be whole numbers with 0 <= start <= end";
                    return Err(failure(ErrorCode::OutOfRange, message));
                }
                let end = (end as u64).min(planned.plan.size());
                let reading = planned.begin((start as u64).min(end)..end);
                Ok(reading.bytes().await?.into())
            })
        })
    }

    /// The file that will be as a `Blob`, made of parts of the file as it is, `original`, which is read only when the Blob
    /// is.
    ///
    /// @throws {GgufError} `changed` if `original` has another size than when it was opened; `invalid-argument` where the
    /// byte order changes, which only `stream` does.
    /// @example
    /// link.href = URL.createObjectURL(plan.toBlob(file));
    #[wasm_bindgen(js_name = toBlob, unchecked_return_type = "Blob")]
    pub fn to_blob(&self, original: web_sys::Blob) -> Result<JsValue, JsValue> {
        let size = js::members(&original).map(|blob| blob.get("size")).transpose()?.and_then(|size| size.as_f64());
        let Some(size) = size else {
            return Err(failure(Code::InvalidArgument, "the original is given as a Blob"));
        };
        if self.planned.opened.file_size.get() != Some(size as u64) {
            return Err(failure(Code::Changed, &format!("the Blob has {} bytes, not those of the file", size as u64)));
        }
        let parts = JsArray::new();
        for segment in self.plan().segments() {
            parts.push(&match segment {
                Segment::Bytes(bytes) => js::copied(bytes)?.into(),
                Segment::Copy { range, .. } => {
                    original.slice_with_f64_and_f64(range.start as f64, range.end as f64)?.into()
                }
                Segment::Swap { .. } => {
                    let message = "a Blob cannot turn the byte order round: stream the file";
                    return Err(failure(Code::InvalidArgument, message));
                }
            });
        }
        let options = Record::new().value("type", &original.unchecked_ref::<Members>().get("type")?).done();
        Ok(Blob::new(&parts, &options)?.into())
    }

    /// The bytes of the file that will be. They are read as the stream is, from whatever the file was opened from; a
    /// lost connection is taken up again. Where the stream itself has broken off, another can go on at `start`. It is not to
    /// be written over the file that it is read from, but beside it: `applyTo` does so, or a new file that is then renamed.
    ///
    /// @throws {GgufError} `out-of-range`, `invalid-argument`; the stream fails with what reading fails with.
    /// @example
    /// const handle = await showSaveFilePicker({ suggestedName: "edited.gguf" });
    /// await plan.stream({ onProgress }).pipeTo(await handle.createWritable());
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<StreamOptions>) -> Result<JsValue, JsValue> {
        let given = options.as_ref().map(|options| options.some("start")).transpose()?.flatten();
        let size = self.size();
        let start = given.map_or(Some(0.0), |start| start.as_f64());
        let Some(start) = start.filter(|start| (0.0..=size).contains(start) && js::is_whole(*start)) else {
            let message = format!("start is to be a whole number from 0 to {}", self.plan().size());
            return Err(failure(ErrorCode::OutOfRange, &message));
        };
        let pieces = Pieces::new(self.planned.clone(), start as u64);
        Ok(write_stream::stream(pieces, js::members_of(&options), start, self.plan().size())?.into())
    }

    /// Writes the file that will be.
    ///
    /// To a `FileSystemFileHandle`, that of the file that was opened or another: it becomes the file that will be when all has
    /// been written, and stays as it is if anything fails, which takes room for a second file. Of the file that was opened,
    /// known by its name, time, size and header, a copy is patched if that will do; otherwise all is written. It can be
    /// aborted until the file is closed.
    ///
    /// To a `FileSystemSyncAccessHandle` of the file that was opened: truly in place, and at once, without a word to
    /// `onProgress`. What was there is put back if that fails.
    ///
    /// @throws {GgufError} `changed` and `not-in-place` for a `FileSystemSyncAccessHandle`, or what reading fails with: nothing
    /// has been written then. `write-failed`: the file is as it was. `interrupted`: it is not.
    /// @example
    /// const [handle] = await showOpenFilePicker();
    /// const gguf = await Gguf.open(handle);
    /// const editor = gguf.edit();
    /// editor.set("general.name", "My model");
    /// await editor.plan().applyTo(handle);
    #[wasm_bindgen(js_name = applyTo, unchecked_return_type = "Promise<void>")]
    pub fn apply_to(&self, target: WriteTarget, options: Option<WriteOptions>) -> Promise {
        let planned = self.planned.clone();
        let options = js::members_of(&options);
        promise(None, move |_| Box::pin(apply_to::apply_to(planned, target.into(), options)))
    }
}
