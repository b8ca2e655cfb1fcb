//! What a rendering may take, and the meter that counts it.

use alloc::rc::Rc;
use core::cell::Cell;

use crate::error::{Outcome, beyond};

/// The longest template, in bytes. The longest one of a known model has 17 kB.
pub(crate) const SOURCE_BYTES: usize = 1 << 20;

/// The most tokens of a template.
pub(crate) const TOKENS: usize = 200_000;

/// How deep brackets and blocks of a template may be nested.
pub(crate) const SYNTAX_DEPTH: u32 = 100;

/// How deep lists and dicts may be nested where they are read, written, compared or hashed.
pub(crate) const VALUE_DEPTH: u32 = 128;

/// The limits of one rendering.
///
/// # Examples
///
/// ```
/// use gguf_template::{Context, Limits, Options, Template};
///
/// let template = Template::parse("{% for i in range(1000000) %}{{ i }}{% endfor %}")?;
/// let limits = Limits { steps: 10_000, ..Limits::default() };
/// let error = template.render(&Context::new(), &Options { limits, ..Options::default() }).unwrap_err();
/// assert_eq!(error.code(), "template-limit");
/// # Ok::<(), gguf_template::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: evaluated expressions and statements, visited elements and parts of texts, and every 32 bytes that are copied or searched. By
    /// default 8 million. They bound the work, not the time, which depends on the machine.
    pub steps: u64,
    /// Bytes that values and results have at the same time, by default 32 MiB. For a moment, the text that a function works on is there twice,
    /// so at most twice this memory is needed.
    pub memory: usize,
    /// How deep expressions, statements and calls of macros may be nested while they run. By default 300.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 8_000_000, memory: 32 << 20, depth: 300 }
    }
}

/// Memory that is taken until this is dropped.
#[derive(Debug)]
pub(crate) struct Taken {
    bytes: usize,
    meter: Rc<Meter>,
}

impl Taken {
    #[inline(never)]
    pub fn new(bytes: usize, meter: &Rc<Meter>) -> Outcome<Taken> {
        meter.take(bytes)?;
        Ok(Taken { bytes, meter: meter.clone() })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.meter.give(self.bytes);
    }
}

/// Counts the steps and the memory of a rendering.
#[derive(Debug)]
pub(crate) struct Meter {
    steps: Cell<u64>,
    memory: Cell<usize>,
}

impl Meter {
    pub fn new(limits: &Limits) -> Rc<Meter> {
        Rc::new(Meter { steps: Cell::new(limits.steps), memory: Cell::new(limits.memory) })
    }

    /// Counts steps.
    #[inline(never)]
    pub fn step(&self, count: usize) -> Outcome<()> {
        match self.steps.get().checked_sub(count as u64) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => {
                self.steps.set(0);
                beyond("the template takes too many steps: its loops, or the texts that it searches, are too long")
            }
        }
    }

    /// Counts the steps of looking at bytes.
    #[inline(never)]
    pub fn look(&self, bytes: usize) -> Outcome<()> {
        self.step(bytes / 32)
    }

    /// Takes memory, before it is allocated.
    #[inline(never)]
    pub fn take(&self, bytes: usize) -> Outcome<()> {
        match self.memory.get().checked_sub(bytes) {
            Some(left) => {
                self.memory.set(left);
                Ok(())
            }
            None => beyond("the template needs too much memory for its texts and lists"),
        }
    }

    /// Checks that there is room for memory that is counted later.
    #[inline(never)]
    pub fn room(&self, bytes: usize) -> Outcome<()> {
        self.take(bytes)?;
        self.give(bytes);
        Ok(())
    }

    /// Gives memory back.
    #[inline(never)]
    pub fn give(&self, bytes: usize) {
        self.memory.set(self.memory.get() + bytes);
    }
}
