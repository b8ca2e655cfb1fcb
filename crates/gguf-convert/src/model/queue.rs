//! A queue of tasks of which one at a time goes on.

use alloc::collections::VecDeque;
use core::cell::{Cell, RefCell};
use core::future::poll_fn;
use core::task::{Poll, Waker};

/// A queue of tasks of which one at a time goes on, in the order in which they came.
#[derive(Default)]
pub(crate) struct Queue {
    next: Cell<u64>,
    /// The numbers of the tasks. The first one goes on, the others wait.
    tasks: RefCell<VecDeque<(u64, Option<Waker>)>>,
}

/// The place of a task in a queue. Dropping it lets the next task go on.
pub(crate) struct Place<'a> {
    queue: &'a Queue,
    number: u64,
}

impl Queue {
    /// Waits until it is the task's turn.
    pub async fn wait(&self) -> Place<'_> {
        let number = self.next.replace(self.next.get() + 1);
        self.tasks.borrow_mut().push_back((number, None));
        let place = Place { queue: self, number };
        poll_fn(|context| {
            let mut tasks = self.tasks.borrow_mut();
            match tasks.iter_mut().position(|task| task.0 == number) {
                Some(position) if position > 0 => {
                    tasks[position].1 = Some(context.waker().clone());
                    Poll::Pending
                }
                _ => Poll::Ready(()),
            }
        })
        .await;
        place
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut tasks = self.queue.tasks.borrow_mut();
        tasks.retain(|task| task.0 != self.number);
        let waker = tasks.front_mut().and_then(|first| first.1.take());
        // The task that is woken may look at the queue at once.
        drop(tasks);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use core::future::Future;
    use core::pin::Pin;
    use core::task::Context;

    use super::*;

    fn is_ready<T>(task: &mut Pin<Box<dyn Future<Output = T> + '_>>) -> Option<T> {
        match task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn tasks_go_on_in_their_order_also_if_some_are_dropped() {
        let queue = Queue::default();
        let mut tasks: VecDeque<Pin<Box<dyn Future<Output = Place<'_>> + '_>>> =
            (0..4).map(|_| Box::pin(queue.wait()) as Pin<Box<dyn Future<Output = Place<'_>> + '_>>).collect();
        let first = is_ready(&mut tasks[0]).unwrap();
        assert!((1..4).all(|task| is_ready(&mut tasks[task]).is_none()));
        drop(tasks.remove(1));
        drop(first);
        assert!(is_ready(&mut tasks[2]).is_none());
        let second = is_ready(&mut tasks[1]).unwrap();
        drop(second);
        assert!(is_ready(&mut tasks[2]).is_some());
    }
}
