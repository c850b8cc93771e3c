//! Runs independent jobs on all cores of this computer.

use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::progress::Progress;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The interval at which interruptions are checked while waiting.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs all jobs, as many at a time as there are cores, and returns their results in the order of the jobs.
///
/// Once `stop` is set, no further job is started; the results of these jobs are `None`. The function waits for running
/// jobs, so a long job has to check the flag itself.
pub fn on_all_cores<Job: Sync, Answer: Send>(
    jobs: &[Job],
    stop: &AtomicBool,
    work: impl Fn(&Job) -> Answer + Sync,
) -> Vec<Option<Answer>> {
    let mut all: Vec<Option<Answer>> = jobs.iter().map(|_| None).collect();
    with_events(jobs, stop, work, |event| {
        if let Event::Finished(number, answer) = event {
            all[number] = Some(answer);
        }
    });
    all
}

/// An event while jobs run.
pub enum Event<Answer> {
    /// The job with this index has finished.
    Finished(usize, Answer),
    /// No job has finished for a while.
    Tick,
    /// `stop` is set, but jobs may still be running. Replaces each later tick.
    Stopped,
}

/// Like [`on_all_cores`], but passes each result to `take` as soon as it is available, and passes ticks, so that the
/// caller can show progress, and can end the process after an interruption without waiting for running jobs.
pub fn with_events<Job: Sync, Answer: Send>(
    jobs: &[Job],
    stop: &AtomicBool,
    work: impl Fn(&Job) -> Answer + Sync,
    mut take: impl FnMut(Event<Answer>),
) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicUsize::new(0);
    let (finished, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..cores.min(jobs.len()) {
            let finished = finished.clone();
            scope.spawn(|| {
                let finished = finished; // moves the clone into this thread
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(number) else { break };
                    let _ = finished.send((number, work(job))); // the receiver outlives the scope
                }
            });
        }
        drop(finished);
        loop {
            take(match results.recv_timeout(POLL_INTERVAL) {
                Ok((number, result)) => Event::Finished(number, result),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => Event::Stopped,
                Err(RecvTimeoutError::Timeout) => Event::Tick,
                Err(RecvTimeoutError::Disconnected) => break,
            });
        }
    });
}

/// Starts work on another thread. Returns a function that waits for the result, and shows the description of the work as
/// progress. After an interruption it abandons the work, which may then run until the process ends.
pub fn beside<T: Send + 'static>(
    description: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> impl FnOnce(&Interrupt) -> Result<T, Interrupted> {
    let (done, end) = mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        let _done = done; // dropped at the end
        work()
    });
    let progress = Progress::new(None, "");
    move |interrupt| {
        while end.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            progress.set_message(description.to_owned());
            interrupt.check()?;
        }
        thread.join().map_err(|panic| resume_unwind(panic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let jobs: Vec<u64> = (0..100).collect();
        let squares = on_all_cores(&jobs, &AtomicBool::new(false), |job| {
            let pause = 50 * ((100 - job) % 7); // later jobs are often finished first
            thread::sleep(Duration::from_micros(pause));
            job * job
        });
        assert_eq!(squares, jobs.iter().map(|job| Some(job * job)).collect::<Vec<_>>());
        assert_eq!(on_all_cores(&[], &AtomicBool::new(false), |job: &u64| *job), []);
    }

    #[test]
    fn after_a_stop_finished_results_remain_and_no_job_starts() {
        let jobs: Vec<usize> = (0..1000).collect();
        let stop = AtomicBool::new(false);
        let results = on_all_cores(&jobs, &stop, |&job| {
            match job {
                0..5 => {}
                5 => stop.store(true, Ordering::Relaxed),
                _ => {
                    while !stop.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                }
            }
            job
        });
        assert_eq!(results[..6], [0, 1, 2, 3, 4, 5].map(Some));
        assert_eq!(results[999], None);
        assert!(results.iter().flatten().enumerate().all(|(place, job)| place == *job));
    }
}
