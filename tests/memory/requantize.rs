//! A conversion takes bounded memory, however large a tensor is.

use std::rc::Rc;

use gguf_convert::requantize::{CallingThread, Options, Plan, Target};
use gguf_format::io::{Chunks, block_on};
use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Limits, OpenedFile};

use crate::counting_allocator::measured;
use crate::zeros::Zeros;

#[test]
fn a_tensor_of_half_a_gigabyte_takes_less_than_64_megabytes() {
    for (old_type, target) in [(GgmlType::F16, "Q8_0"), (GgmlType::F16, "COPY"), (GgmlType::Q4_0, "F32")] {
        let mut header = Encoder::new(Format::default());
        let dimensions = [4096, 64 << 10];
        header.header(1, 0).tensor_info(b"blk.0.attn_q.weight", &dimensions, old_type.0, 0).pad_to(32);
        let data = old_type.byte_length(4096 * (64 << 10), 4096).unwrap();
        let source = Zeros { size: header.len() + data, header: header.into_bytes() };
        let file = Rc::new(block_on(OpenedFile::open(source, Limits::default())).unwrap());
        let mut options = Options::new(Target::parse(target).unwrap());
        options.allow_requantize = true;
        let plan = Plan::new(vec![file], options).unwrap();
        // A tenth of the tensor is enough to see what stays in memory.
        let (written, used) = measured(|| {
            let mut conversion = plan.conversion(0, None, Rc::new(CallingThread::default())).unwrap();
            let mut written = 0;
            while written < plan.recipe().size() / 10 {
                written += block_on(conversion.next_chunk()).unwrap().unwrap().as_slice().len() as u64;
            }
            written
        });
        assert!(written > 10 << 20 && used.peak < 64 << 20, "{target}: {} bytes for {written}", used.peak);
        assert!(used.held < 1 << 20, "{target}: {} bytes are left", used.held);
    }
}
