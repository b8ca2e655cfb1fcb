//! Reads of a file's ranges, by whoever wants them.
//!
//! What is asked for in one turn of the event loop and lies close together becomes one read, unless it is asked for as
//! it is; what a read will bring that is under way, or is to be, is not asked for again; only so many are under way at
//! once; and one that nobody waits for any more is ended. What failed is not remembered.

use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn};
use core::ops::Range;
use core::pin::pin;
use core::task::{Poll, Waker};

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;
use web_sys::Blob;

use crate::web::interop::js::{self, Bytes};
use crate::web::source::Source;

/// Bytes between two ranges that are rather read than skipped: fewer than arrive in a round trip.
const GAP: u64 = 64 << 10;

/// Bytes up to which ranges are read together.
const TOGETHER: u64 = 8 << 20;

/// Reads under way at once: as many connections as browsers open to one host.
const UNDER_WAY: usize = 6;

/// The ranges of one file.
pub(crate) struct Ranges {
    source: Rc<Source>,
    /// Reads that have not begun, in the order in which they were wanted.
    waiting: RefCell<VecDeque<Rc<Read>>>,
    under_way: RefCell<Vec<Rc<Read>>>,
    /// Whether reads will begin at the end of this turn.
    beginning: Cell<bool>,
}

/// One read of the source, for everyone who wants part of its range.
struct Read {
    range: RefCell<Range<u64>>,
    result: RefCell<Option<Result<Bytes, JsValue>>>,
    /// Those who wait for the result, and the one who brings it.
    wakers: RefCell<Vec<Waker>>,
    wanted_by: Cell<usize>,
    /// Whether what lies close to it is to be read apart from it.
    alone: bool,
}

impl Ranges {
    pub fn new(source: Rc<Source>) -> Rc<Self> {
        Rc::new(Self {
            source,
            waiting: RefCell::default(),
            under_way: RefCell::default(),
            beginning: Cell::new(false),
        })
    }

    /// The size of the file in bytes, as far as is known by now.
    pub fn file_size(&self) -> Option<u64> {
        self.source.size()
    }

    /// The local file that is read, if it is one.
    pub fn blob(&self) -> Option<&Blob> {
        match &*self.source {
            Source::Blob { blob, .. } => Some(blob),
            _ => None,
        }
    }

    /// Learns the size of the file, if it is one that a server has not told yet. The file is longer than `start`.
    pub async fn learn_file_size(&self, start: u64) -> Result<(), JsValue> {
        match &*self.source {
            Source::Http(http) if http.size().is_none() => http.learn_size(start).await,
            _ => Ok(()),
        }
    }

    /// Has a range of the file read, all of it: `alone`, if no byte besides is to be; else maybe with what lies close to
    /// it and is wanted by others.
    pub fn want(self: &Rc<Self>, range: Range<u64>, alone: bool) -> Wanted {
        let read = self.find_or_add(&range, alone);
        read.wanted_by.set(read.wanted_by.get() + 1);
        Wanted { read, range }
    }

    /// A read that brings `range`: one that there is, or a new one.
    fn find_or_add(self: &Rc<Self>, range: &Range<u64>, alone: bool) -> Rc<Read> {
        let brings = |read: &&Rc<Read>| {
            let brought = read.range.borrow();
            read.wanted_by.get() > 0 && brought.start <= range.start && range.end <= brought.end
        };
        if let Some(read) = self.under_way.borrow().iter().find(brings) {
            return read.clone();
        }
        let mut waiting = self.waiting.borrow_mut();
        for read in waiting.iter().filter(|read| read.wanted_by.get() > 0) {
            let mut brought = read.range.borrow_mut();
            let together = brought.start.min(range.start)..brought.end.max(range.end);
            let near = range.start <= brought.end + GAP && brought.start <= range.end + GAP;
            let joins = !alone && !read.alone && near && together.end - together.start <= TOGETHER;
            if joins || together == *brought {
                *brought = together;
                return read.clone();
            }
        }
        let read = Rc::new(Read {
            range: RefCell::new(range.clone()),
            result: RefCell::default(),
            wakers: RefCell::default(),
            wanted_by: Cell::new(0),
            alone,
        });
        waiting.push_back(read.clone());
        if !self.beginning.replace(true) {
            let ranges = self.clone();
            spawn_local(async move {
                // Those who ask later in this turn are still taken along.
                let _ = js::resolved(JsValue::UNDEFINED).await;
                ranges.beginning.set(false);
                ranges.begin();
            });
        }
        read
    }

    /// Begins what is waiting, as far as may be under way.
    fn begin(self: &Rc<Self>) {
        while self.under_way.borrow().len() < UNDER_WAY {
            let Some(read) = self.waiting.borrow_mut().pop_front() else { return };
            if read.wanted_by.get() == 0 {
                continue;
            }
            self.under_way.borrow_mut().push(read.clone());
            let ranges = self.clone();
            spawn_local(async move {
                let result = ranges.run(&read).await;
                ranges.under_way.borrow_mut().retain(|other| !Rc::ptr_eq(other, &read));
                read.result.replace(result);
                read.wake();
                drop(read);
                ranges.begin();
            });
        }
    }

    /// Reads, while somebody wants it.
    async fn run(&self, read: &Rc<Read>) -> Option<Result<Bytes, JsValue>> {
        let controller = match AbortController::new() {
            Ok(controller) => controller,
            Err(error) => return Some(Err(error)),
        };
        let signal = controller.signal().into();
        let range = read.range.borrow().clone();
        let mut bytes = pin!(self.source.read(range, Some(&signal)));
        let result = poll_fn(|context| {
            if read.wanted_by.get() == 0 {
                return Poll::Ready(None);
            }
            read.wakers.borrow_mut().push(context.waker().clone());
            bytes.as_mut().poll(context).map(Some)
        })
        .await;
        if result.is_none() {
            controller.abort();
        }
        result
    }
}

impl Read {
    /// Wakes those who wait for the result, or the one who is to bring it.
    fn wake(&self) {
        for waker in self.wakers.take() {
            waker.wake();
        }
    }
}

/// The wish for a range; dropping it withdraws it.
pub(crate) struct Wanted {
    read: Rc<Read>,
    range: Range<u64>,
}

impl Wanted {
    /// Waits for the bytes.
    pub async fn bytes(&self) -> Result<Bytes, JsValue> {
        let bytes = poll_fn(|context| match &*self.read.result.borrow() {
            Some(result) => Poll::Ready(result.clone()),
            None => {
                self.read.wakers.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        })
        .await?;
        let start = self.range.start - self.read.range.borrow().start;
        let length = self.range.end - self.range.start;
        // Also of the whole a copy, unless nobody else has it: what one changes is not to change for another.
        if Rc::strong_count(&self.read) == 1 && bytes.byte_length() == length as f64 {
            return Ok(bytes);
        }
        bytes.slice(start as f64, (start + length) as f64)
    }
}

impl Drop for Wanted {
    fn drop(&mut self) {
        self.read.wanted_by.set(self.read.wanted_by.get() - 1);
        if self.read.wanted_by.get() == 0 {
            self.read.wake();
        }
    }
}
