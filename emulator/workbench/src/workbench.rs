//! A screen and the dialogue behind it: carries commands out. A command that takes long runs on a thread of its own, so
//! that the screen stays alive: it shows how far the machine is, and the user can stop it.

use crate::listing::Listing;
use crate::machine::MachineData;
use crate::state::messages::Role;
use crate::state::{RunningCommand, ScreenState};
use gray1_debugger::{DebugError, Dialogue};
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two calls of `attend` while a command is carried out.
const ATTENTION: Duration = Duration::from_millis(15);

/// The debugger with its screen, without a terminal.
pub struct Workbench {
    /// What is on the screen: it takes events, and [`draw`](crate::draw) draws it.
    pub screen: ScreenState,
    dialogue: Dialogue,
    progress: Arc<Progress>,
}

/// The machine as it was lately, while a command runs.
#[derive(Default)]
struct Progress {
    is_wanted: AtomicBool,
    data: Mutex<Option<MachineData>>,
}

impl Progress {
    /// Reads the machine, if somebody wants to see it.
    fn update(&self, read: impl FnOnce() -> MachineData) {
        if self.is_wanted.swap(false, Ordering::Relaxed) {
            let data = read();
            *self.data.lock().unwrap_or_else(PoisonError::into_inner) = Some(data);
        }
    }

    /// What has been read since the last call; asks for more if more is wanted.
    fn take(&self, is_wanted: bool) -> Option<MachineData> {
        let data = self.data.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
        data
    }
}

impl Workbench {
    /// A screen for this dialogue.
    pub fn new(mut dialogue: Dialogue) -> Workbench {
        let debugger = dialogue.debugger_mut();
        let progress = Arc::new(Progress::default());
        let shared = Arc::clone(&progress);
        debugger.history_mut().set_observer(Box::new(move |machine, output, sent| {
            shared.update(|| MachineData::read(machine, output, sent));
        }));
        let machine = MachineData::read_debugger(debugger);
        let listing = Listing::new(debugger.source());
        let mut screen = ScreenState::new(listing, debugger.board().clone(), machine);
        screen.say(Role::Answer, "? shows every key and every command");
        Workbench { screen, dialogue, progress }
    }

    /// Carries out a line of the dialogue; a quiet one says nothing. Until it is done, `attend` is called every few
    /// milliseconds to take events and to draw; `interrupt` ends the command early, and so does an error of `attend`.
    pub fn carry_out(
        &mut self,
        line: &str,
        is_quiet: bool,
        interrupt: &AtomicBool,
        mut attend: impl FnMut(&mut ScreenState) -> io::Result<()>,
    ) -> io::Result<()> {
        let Workbench { screen, dialogue, progress } = self;
        if !is_quiet {
            screen.say(Role::Command, line);
        }
        progress.take(false);
        let machine_before = screen.machine.clone();
        let (begin, start) = (Instant::now(), machine_before.position.cycle);
        let mut attended = Ok(());
        let (reply, result) = thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let dialogue = &mut *dialogue;
            let worker = scope.spawn(move || {
                let answer = dialogue.line(line, interrupt);
                // However the thread ends, the other end of the channel notices.
                drop(done);
                answer
            });
            while is_done.recv_timeout(ATTENTION) == Err(RecvTimeoutError::Timeout) {
                if attended.is_ok() {
                    let running = RunningCommand { line: line.to_owned(), elapsed: begin.elapsed(), start };
                    screen.running = Some(running);
                    if let Some(machine) = progress.take(true) {
                        screen.pass(machine);
                    }
                    attended = attend(screen);
                    interrupt.fetch_or(attended.is_err(), Ordering::Relaxed);
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        screen.running = None;
        screen.machine = machine_before;
        let machine = MachineData::read_debugger(dialogue.debugger_mut());
        screen.arrive(machine, dialogue.debugger(), !is_quiet);
        if !is_quiet {
            screen.answer(&reply);
        }
        match result {
            Ok(()) => {}
            Err(DebugError::Interrupted) => screen.say(Role::Answer, "stopped"),
            Err(error) => screen.say(Role::Error, &error.to_string()),
        }
        attended
    }

    /// Whether a command has ended the session.
    pub fn is_over(&self) -> bool {
        self.dialogue.is_over()
    }
}
