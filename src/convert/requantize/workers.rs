//! Who converts rows: workers, or the calling thread.
//!
//! This module knows no workers: the loaders of the package plug in an object that starts them, where the host has some.

use alloc::{boxed::Box, rc::Rc};
use core::cell::RefCell;
use core::future::Future;
use core::pin::Pin;

use wasm_bindgen::prelude::*;

use super::job_message::{outcome_of, to_message};
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOnDrop, Bytes, EventLoop, called, failure};
use gguf_convert::requantize::{ConversionJob, JobHost, JobOutcome, Quantizers};
use gguf_format::error::Result as CoreResult;
use gguf_format::io::Host as _;

#[wasm_bindgen]
extern "C" {
    /// The object `workers` of `workers.js` or `workers.node.js`.
    #[derive(Clone)]
    pub type WorkerStarter;
    /// The number of workers that are started by default.
    #[wasm_bindgen(method, catch, js_name = defaultCount)]
    fn default_count(this: &WorkerStarter) -> Result<u32, Thrown>;
    /// Resolves to a pool when the first worker is ready.
    #[wasm_bindgen(method, catch)]
    fn start(this: &WorkerStarter, count: usize, module: &JsValue, signal: &JsValue) -> Result<JsValue, Thrown>;

    /// The class `WorkerPool` of `worker-pool.js`.
    type WorkerPool;
    #[wasm_bindgen(method, catch)]
    fn run(this: &WorkerPool, job: &JsValue, tensor: &str) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn end(this: &WorkerPool) -> Result<(), Thrown>;
}

#[wasm_bindgen(raw_module = "glue/start.js")]
extern "C" {
    /// The compiled module.
    #[wasm_bindgen(js_name = usedModule)]
    fn used_module() -> JsValue;
}

std::thread_local! {
    static STARTER: RefCell<Option<WorkerStarter>> = const { RefCell::new(None) };
}

/// Plugs in the workers of the host. It is not part of the API.
#[wasm_bindgen(js_name = useWorkers, skip_typescript)]
pub fn use_workers(starter: WorkerStarter) {
    STARTER.set(Some(starter));
}

/// The workers of the host. It is undefined if there are none.
pub(super) fn starter() -> JsValue {
    STARTER.with_borrow(|starter| starter.clone().map_or(JsValue::UNDEFINED, Into::into))
}

/// The most workers of one conversion.
const MOST_WORKERS: usize = 64;

/// How many workers convert.
#[derive(Clone, Copy)]
pub(super) struct Workforce {
    /// The number that the caller wants.
    pub wanted: Option<usize>,
}

impl Workforce {
    /// Starts the workers.
    ///
    /// # Errors
    ///
    /// `worker-failed` if the caller wants workers, and none can be started.
    pub async fn start(self) -> Result<ConversionHost, Thrown> {
        let starter = STARTER.with_borrow(Clone::clone);
        let count = match (self.wanted, &starter) {
            (Some(count), _) => count.min(MOST_WORKERS),
            (None, Some(starter)) => starter.default_count()? as usize,
            (None, None) => 0,
        };
        if count == 0 {
            return Ok(ConversionHost::calling_thread());
        }
        let Some(starter) = starter else {
            return Err(failure!(WorkerFailed:
                "no worker can be started: this entry of the package has none. Convert with workers: 0"));
        };
        // Without it, workers would outlive a conversion that is aborted while they start.
        let abort = AbortOnDrop::new()?;
        let started = called(starter.start(count, &used_module(), &abort.signal())).await;
        abort.disarm();
        match started {
            Ok(pool) => Ok(ConversionHost::Workers { pool: Rc::new(OwnPool(pool.unchecked_into())), count }),
            Err(_) if self.wanted.is_none() => Ok(ConversionHost::calling_thread()),
            Err(error) => Err(error),
        }
    }
}

/// Who converts the rows of one conversion.
pub(super) enum ConversionHost {
    CallingThread(Rc<RefCell<Quantizers>>),
    Workers { pool: Rc<OwnPool>, count: usize },
}

/// A pool whose workers end when it is dropped.
pub(super) struct OwnPool(WorkerPool);

impl Drop for OwnPool {
    fn drop(&mut self) {
        let _ = self.0.end();
    }
}

impl ConversionHost {
    fn calling_thread() -> Self {
        Self::CallingThread(Rc::default())
    }
}

type Running = Pin<Box<dyn Future<Output = CoreResult<JobOutcome<Bytes>>>>>;

impl JobHost<Bytes> for ConversionHost {
    fn run(&self, job: ConversionJob<Bytes>) -> impl Future<Output = CoreResult<JobOutcome<Bytes>>> + 'static {
        let running: Running = match self {
            Self::CallingThread(quantizers) => {
                let quantizers = quantizers.clone();
                Box::pin(async move {
                    // A job takes long. Between two of them, timers, events and aborts get their turn.
                    EventLoop::next_turn().await;
                    job.run(&mut quantizers.borrow_mut())
                })
            }
            Self::Workers { pool, .. } => {
                let pool = pool.clone();
                Box::pin(async move {
                    let message = to_message(&job)?;
                    Ok(outcome_of(&called(pool.0.run(&message, &job.tensor)).await?)?)
                })
            }
        };
        running
    }

    fn jobs_at_once(&self) -> usize {
        match self {
            Self::CallingThread(_) => 1,
            Self::Workers { count, .. } => *count,
        }
    }
}
