//! A screen and the dialogue behind it: carries commands out. A command that takes long runs on a separate thread, so
//! that the screen can show the position of the machine, and the user can stop the command.

use crate::commands::Request;
use crate::listing::Listing;
use crate::machine::MachineData;
use crate::state::messages::Role;
use crate::state::{RunningCommand, ScreenState};
use gray1_debugger::{DebugError, Dialogue};
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two calls of `attend` while a command is running.
const ATTENTION: Duration = Duration::from_millis(15);

/// The debugger with its screen, without a terminal.
pub struct Workbench {
    /// The state of the screen, which handles events, and which [`draw`](crate::draw) draws.
    pub screen: ScreenState,
    dialogue: Dialogue,
    /// Whether to send data about the machine while it runs, which costs time; and the receiver.
    is_watched: Arc<AtomicBool>,
    watched: Receiver<MachineData>,
}

impl Workbench {
    /// A screen for this dialogue.
    pub fn new(mut dialogue: Dialogue) -> Workbench {
        let debugger = dialogue.debugger_mut();
        let is_watched = Arc::new(AtomicBool::new(false));
        let (sender, watched) = channel();
        let is_wanted = Arc::clone(&is_watched);
        debugger.history_mut().set_observer(Box::new(move |machine, output, sent| {
            if is_wanted.swap(false, Ordering::Relaxed) {
                // The screen may have dropped the receiver.
                let _ = sender.send(MachineData::read(machine, output, sent));
            }
        }));
        let machine = MachineData::read_debugger(debugger);
        let listing = Listing::new(debugger.source());
        let mut screen = ScreenState::new(listing, debugger.board().clone(), machine);
        screen.messages.say(Role::Answer, "? shows all keys and commands");
        Workbench { screen, dialogue, is_watched, watched }
    }

    /// Executes a command or a scrub. Meanwhile `attend` is called every few milliseconds to handle events and to
    /// draw; `interrupt` stops the command early, and so does an error of `attend`.
    pub fn carry_out(
        &mut self,
        request: &Request,
        interrupt: &AtomicBool,
        mut attend: impl FnMut(&mut ScreenState) -> io::Result<()>,
    ) -> io::Result<()> {
        let Workbench { screen, dialogue, is_watched, watched } = self;
        let (line, is_quiet) = match request {
            Request::Command(line) => (line, false),
            Request::Scrub(line) => (line, true),
            _ => return Ok(()),
        };
        if !is_quiet {
            screen.messages.say(Role::Command, line);
        }
        is_watched.store(false, Ordering::Relaxed);
        watched.try_iter().for_each(drop);
        let machine_before = screen.machine.clone();
        let (begin, start) = (Instant::now(), machine_before.position.cycle);
        let mut attended = Ok(());
        let (reply, result) = thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let dialogue = &mut *dialogue;
            let worker = scope.spawn(move || {
                let answer = dialogue.line(line, interrupt);
                // This also ends the wait of the receiver if the thread panics.
                drop(done);
                answer
            });
            while is_done.recv_timeout(ATTENTION) == Err(RecvTimeoutError::Timeout) {
                if attended.is_ok() {
                    let running = RunningCommand { line: line.clone(), elapsed: begin.elapsed(), start };
                    screen.running = Some(running);
                    is_watched.store(true, Ordering::Relaxed);
                    watched.try_iter().for_each(|machine| screen.update_running(machine));
                    attended = attend(screen);
                    interrupt.fetch_or(attended.is_err(), Ordering::Relaxed);
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        screen.running = None;
        screen.machine = machine_before;
        let machine = MachineData::read_debugger(dialogue.debugger_mut());
        screen.update(machine, dialogue.debugger(), !is_quiet);
        if !is_quiet {
            screen.answer(&reply);
        }
        match result {
            Ok(()) => {}
            Err(DebugError::Interrupted) => screen.messages.say(Role::Answer, "stopped"),
            Err(error) => screen.messages.say(Role::Error, &error.to_string()),
        }
        attended
    }

    /// Whether a command has ended the session.
    pub fn is_over(&self) -> bool {
        self.dialogue.is_over()
    }
}
