//! A run under way: an engine, the fingers on its pads, and what leaves it. Shown or not, it is the same run.

use crate::trace::Trace;
use crate::wave::Machine;
use gray1_display::{Exposure, LINES, Light, Pad, Player, Stop};
use gray1_isa::memory_map::GREEN;
use gray1_machine::{Engine, Inputs, Noise, Outside, Script, State};
use std::error::Error;
use std::io::{self, Write};

/// A longer line of output is not kept for the status line.
const LONGEST_LINE: usize = 200;

/// A machine, and the world around it.
pub struct Session {
    machine: Machine,
    script: Script,
    /// The fingers of the person in front of the display.
    fingers: Inputs,
    trace: Option<Trace>,
    /// Cycles still allowed.
    left: u64,
    world: World,
    /// Whether output has to wait until the terminal is given back.
    holds_output: bool,
}

/// What has left the machine.
struct World {
    exposure: Exposure,
    /// Bytes that standard output has not been given yet.
    output: Vec<u8>,
    line: String,
    line_is_complete: bool,
}

/// Whether anybody reads standard output.
#[derive(Clone, Copy, PartialEq)]
pub enum Reader {
    Listens,
    Gone,
}

impl Session {
    pub fn new(machine: Machine, script: Script, trace: Option<Trace>, max_cycles: Option<u64>) -> Session {
        let exposure = exposure(machine.engine());
        Session {
            machine,
            script,
            fingers: Inputs::default(),
            trace,
            left: max_cycles.unwrap_or(u64::MAX),
            world: World { exposure, output: Vec::new(), line: String::new(), line_is_complete: false },
            holds_output: false,
        }
    }

    /// Keeps output back until [`Session::pass_on`] is called.
    pub fn hold_output(&mut self) {
        self.holds_output = true;
    }

    /// Runs up to so many cycles.
    pub fn run(&mut self, cycles: u64) -> Result<u64, Box<dyn Error + Send + Sync>> {
        let cycles = cycles.min(self.left);
        let Session { machine, script, fingers, trace, world, .. } = self;
        let mut ran = 0;
        while ran < cycles && !machine.engine().halted() {
            let mut stretch = script.press(machine.engine_mut(), *fingers)?.min(cycles - ran);
            if let Some(trace) = trace {
                trace.row(machine.engine())?;
                stretch = 1;
            }
            let done = machine.run(stretch, world)?;
            ran += done;
            if done < stretch {
                break;
            }
        }
        self.left -= ran;
        Ok(ran)
    }

    /// Gives standard output what the program has sent.
    pub fn pass_on(&mut self) -> Result<Reader, io::Error> {
        if self.world.output.is_empty() {
            return Ok(Reader::Listens);
        }
        let mut stdout = io::stdout().lock();
        let result = stdout.write_all(&self.world.output).and_then(|()| stdout.flush());
        self.world.output.clear();
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("standard output: cannot write: {error}")))
            }
            Ok(()) => Ok(Reader::Listens),
        }
    }

    /// Ends the run; what is left to write is the trace, and the waveform of the machine.
    pub fn finish(self) -> (Machine, Option<Trace>) {
        (self.machine, self.trace)
    }
}

impl Player for Session {
    fn advance(&mut self, cycles: u64) -> Result<u64, Box<dyn Error + Send + Sync>> {
        let ran = self.run(cycles);
        if !self.holds_output {
            self.pass_on()?; // a window goes on when nobody reads the output any more
        }
        ran
    }

    fn stop(&self) -> Option<Stop> {
        match (self.machine.engine().halted(), self.left) {
            (true, _) => Some(Stop::Halted),
            (false, 0) => Some(Stop::Limit),
            _ => None,
        }
    }

    fn reset(&mut self) {
        let engine = self.machine.engine_mut();
        let ram = engine.state().ram;
        // A board that settled at power-up settles again; if it does not, the next cycle says so.
        let _ = engine.set_state(&State { ram, ..State::after_reset(Noise::Zeros) });
        self.world.exposure = exposure(engine);
        self.world.line.clear();
    }

    fn press(&mut self, pad: Option<Pad>, keys: u8) {
        self.fingers = Inputs { pad: pad.map(|pad| (pad.row, pad.column)), keys };
    }

    fn take_light(&mut self) -> Light {
        self.world.exposure.take(self.machine.engine().cycle())
    }

    fn cycle(&self) -> u64 {
        self.machine.engine().cycle()
    }

    fn last_output_line(&self) -> &str {
        &self.world.line
    }
}

impl Outside for World {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.output.push(byte);
        if byte == b'\n' {
            self.line_is_complete = true;
            return;
        }
        if std::mem::take(&mut self.line_is_complete) {
            self.line.clear();
        }
        if self.line.len() < LONGEST_LINE {
            self.line.push(char::from(byte));
        }
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        self.exposure.store(cycle, row, leds);
    }
}

/// An exposure that begins with what the display shows now.
fn exposure(engine: &dyn Engine) -> Exposure {
    let ram = engine.state().ram;
    let first = usize::from(GREEN);
    let mut lines = [0; LINES];
    lines.copy_from_slice(&ram[first..first + LINES]);
    Exposure::new(engine.cycle(), lines)
}
