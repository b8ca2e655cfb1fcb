//! Reading ranges of one file on behalf of several callers.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

use gguf_format::ErrorCode;
use gguf_format::io::{MemoryBuffer, Merge, RangeReader, RequestedRange, block_on};

use crate::io::source::Logged;

const KB: u64 = 1 << 10;

fn source() -> Logged {
    Logged::new((0..1 << 20).map(|index: u32| (index / 7) as u8).collect::<Vec<_>>())
}

fn bytes_of(requests: &[RequestedRange<MemoryBuffer>]) -> Vec<MemoryBuffer> {
    block_on(async {
        let mut bytes = Vec::new();
        for request in requests {
            bytes.push(request.bytes().await.unwrap());
        }
        bytes
    })
}

#[test]
fn ranges_of_one_turn_that_lie_close_together_are_one_read() {
    let source = source();
    let log = source.log.clone();
    let reader = RangeReader::new(source);
    let ranges = [0..10, 64 * KB..64 * KB + 5, 20..30, 900 * KB..900 * KB + 1];
    let requests = ranges.clone().map(|range| reader.request(range, Merge::Close));
    let bytes = bytes_of(&requests);
    assert_eq!(*log.reads.borrow(), [0..64 * KB + 5, 900 * KB..900 * KB + 1]);
    for (bytes, range) in bytes.iter().zip(ranges) {
        let expected: Vec<u8> = range.map(|index| (index / 7) as u8).collect();
        assert_eq!(bytes.as_slice(), expected);
    }
}

#[test]
fn ranges_that_must_not_merge_are_read_as_they_are_and_at_most_six_at_once() {
    let source = source();
    let log = source.log.clone();
    let reader = RangeReader::new(source);
    let requests: Vec<_> = (0..20).map(|index| reader.request(index * 10..index * 10 + 10, Merge::Never)).collect();
    bytes_of(&requests);
    assert_eq!(log.reads.borrow().len(), 20);
    assert_eq!(log.most_in_flight.get(), 6);
}

#[test]
fn a_range_within_a_read_in_flight_causes_no_read() {
    let source = source();
    let log = source.log.clone();
    let reader = RangeReader::new(source);
    let outer = reader.request(0..100, Merge::Never);
    let mut waiting = pin!(outer.bytes());
    log.is_blocked.set(true);
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    block_on(async {});
    let inner = reader.request(40..50, Merge::Never);
    log.is_blocked.set(false);
    assert_eq!(block_on(inner.bytes()).unwrap().as_slice(), [5, 5, 6, 6, 6, 6, 6, 6, 6, 7]);
    assert_eq!(log.reads.borrow().as_slice(), std::slice::from_ref(&(0..100)));
}

#[test]
fn a_read_that_nobody_waits_for_is_cancelled() {
    let source = source();
    let log = source.log.clone();
    let reader = RangeReader::new(source);
    log.is_blocked.set(true);
    let request = reader.request(0..100, Merge::Never);
    let other = reader.request(200..300, Merge::Never);
    let mut context = Context::from_waker(Waker::noop());
    {
        let mut waiting = pin!(request.bytes());
        assert!(waiting.as_mut().poll(&mut context).is_pending());
    }
    block_on(async {
        let mut turns = 0;
        std::future::poll_fn(|_| {
            turns += 1;
            if turns < 4 { std::task::Poll::Pending } else { std::task::Poll::Ready(()) }
        })
        .await;
    });
    drop(request);
    log.is_blocked.set(false);
    block_on(other.bytes()).unwrap();
    assert_eq!(log.reads.borrow().len(), 2);
    assert_eq!(log.cancelled.get(), 1);
}

#[test]
fn a_failed_read_is_forgotten() {
    let source = source();
    let log = source.log.clone();
    let reader = RangeReader::new(source);
    log.fails.set(true);
    assert_eq!(block_on(reader.request(0..10, Merge::Close).bytes()).unwrap_err().code(), ErrorCode::ReadFailed);
    assert_eq!(block_on(reader.request(0..10, Merge::Close).bytes()).unwrap().as_slice().len(), 10);
    assert_eq!(*log.reads.borrow(), [0..10, 0..10]);
}

#[test]
fn a_source_that_returns_another_number_of_bytes_fails() {
    let source = source();
    source.log.is_short.set(true);
    let reader = RangeReader::new(source);
    let error = block_on(reader.request(5..10, Merge::Close).bytes()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ReadFailed);
    let message = "the source could not be read: it returned 4 bytes for the range from 5 to 10, expected 5";
    assert_eq!(error.to_string(), message);
}
