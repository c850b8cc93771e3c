//! A desk and the dialogue behind it: carries out what is ordered. While a command takes long, it runs on a thread of
//! its own, so that the screen goes on living: it shows the machine on its way, and hears who wants it to stop.

use crate::desk::{Desk, Kind, Running};
use crate::input::Order;
use crate::listing::Listing;
use crate::look::{Eyes, Look};
use crate::paint::Paint;
use crate::views;
use crossterm::event::Event;
use gray1_debugger::{DebugError, Dialogue};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often somebody attends to the screen while a command is carried out.
const ATTENTION: Duration = Duration::from_millis(15);

/// The debugger with its screen, wherever that is shown.
pub struct Workbench {
    desk: Desk,
    dialogue: Dialogue,
    eyes: Eyes,
    passing: Arc<Passing>,
}

/// The machine on its way, for who wants to see it.
#[derive(Default)]
struct Passing {
    is_wanted: AtomicBool,
    seen: Mutex<Option<Look>>,
}

impl Passing {
    /// Looks, if somebody wants to see it.
    fn show(&self, look: impl FnOnce() -> Look) {
        if self.is_wanted.swap(false, Ordering::Relaxed) {
            let look = look();
            *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(look);
        }
    }

    /// What has been seen since the last time; wants to see more.
    fn take(&self) -> Option<Look> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.is_wanted.store(true, Ordering::Relaxed);
        seen
    }

    /// Wants to see nothing.
    fn forget(&self) {
        self.is_wanted.store(false, Ordering::Relaxed);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Workbench {
    /// A screen for this dialogue.
    pub fn new(mut dialogue: Dialogue) -> Workbench {
        let debugger = dialogue.debugger_mut();
        let listing = Listing::new(debugger.source());
        let (eyes, cards, nets) = Eyes::new(debugger.board(), debugger.machine());
        let passing = Arc::new(Passing::default());
        let (onlooker, onlookers_eyes) = (Arc::clone(&passing), eyes.clone());
        debugger.history_mut().set_observer(Box::new(move |machine, output, sent| {
            onlooker.show(|| onlookers_eyes.look(machine, output, sent));
        }));
        let look = eyes.look_around(debugger);
        let mut desk = Desk::new(listing, cards, nets, look);
        desk.say(Kind::Answer, "? shows every key and every command");
        Workbench { desk, dialogue, eyes, passing }
    }

    /// Takes another size.
    pub fn resize(&mut self, area: Rect) {
        self.desk.resize(area);
    }

    /// Takes an event; says what has to be done about it.
    pub fn event(&mut self, event: &Event) -> Option<Order> {
        self.desk.event(event)
    }

    /// Draws the screen; returns where its cursor is, if it is seen.
    pub fn draw(&self, buffer: &mut Buffer, paint: Paint) -> Option<Position> {
        views::draw(&self.desk, buffer, paint)
    }

    /// Carries out a line of the dialogue. `attend` is called every so often while that takes long, with somebody
    /// who takes events and draws.
    pub fn carry_out(
        &mut self,
        line: &str,
        is_quiet: bool,
        interrupt: &AtomicBool,
        mut attend: impl FnMut(&mut Busy),
    ) {
        let Workbench { desk, dialogue, eyes, passing } = self;
        if !is_quiet {
            desk.say(Kind::Command, line);
        }
        passing.forget();
        let look_before = desk.look.clone();
        let (start, from) = (Instant::now(), look_before.position.cycle);
        let (done, is_done) = channel();
        let (reply, result) = thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let answer = dialogue.line(line, interrupt);
                // Whoever waits sees it; nobody waits after a panic.
                let _ = done.send(());
                drop(done);
                answer
            });
            while is_done.recv_timeout(ATTENTION) == Err(RecvTimeoutError::Timeout) {
                if worker.is_finished() {
                    break;
                }
                desk.running = Some(Running { line: line.to_owned(), time: start.elapsed(), from });
                if let Some(look) = passing.take() {
                    desk.pass(look);
                }
                attend(&mut Busy { desk });
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        desk.running = None;
        desk.look = look_before;
        let look = eyes.look_around(dialogue.debugger_mut());
        desk.arrive(look, dialogue.debugger(), !is_quiet);
        if !is_quiet {
            desk.answer(&reply);
        }
        match result {
            Ok(()) => {}
            Err(DebugError::Interrupted) => desk.say(Kind::Answer, "stopped"),
            Err(fault) => desk.say(Kind::Fault, &fault.to_string()),
        }
    }

    /// Whether somebody has said `quit`.
    pub fn is_over(&self) -> bool {
        self.dialogue.is_over()
    }
}

/// A workbench that is busy carrying out a command.
pub struct Busy<'a> {
    desk: &'a mut Desk,
}

impl Busy<'_> {
    /// Takes an event; says what has to be done about it.
    pub fn event(&mut self, event: &Event) -> Option<Order> {
        self.desk.event(event)
    }

    /// Draws the screen; returns where its cursor is, if it is seen.
    pub fn draw(&self, buffer: &mut Buffer, paint: Paint) -> Option<Position> {
        views::draw(self.desk, buffer, paint)
    }
}
