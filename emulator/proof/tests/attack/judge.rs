//! Runs a machine beside the interpreter, and compares what can be observed: bytes sent, rows shown, RAM.
//!
//! When the button moves, it is not certain in which cycle the machine takes that over. So there may be several
//! stories of what has happened; a run is wrong when there is none.

use super::draw::Draw;
use super::program::{Inputs, Program, Registers, Store, World};
use super::simulator::Machine;
use gray1_machine::netlist::Netlist;

/// The events in a run besides the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The button is let go once, at any moment, without a bounce; pads and keys move in phase 0.
    Plain,
    /// Pads and keys move at any moment of a cycle whose instruction does not look at them.
    Keys,
    /// The button is pressed and let go at any moments, without a bounce.
    Press,
}

/// The phases for which the button is held at least.
const HELD: usize = 16;

/// A possible story: the registers, if the machine is not being reset, and everything else.
#[derive(Clone, PartialEq, Eq)]
struct Story {
    registers: Option<Registers>,
    world: World,
}

struct Run<'a> {
    netlist: &'a Netlist,
    machine: Machine<'a>,
    program: &'a Program,
    draw: Draw,
    mode: Mode,
    inputs: Inputs,
    /// The longest time that each phase of a cycle took.
    spans: [u64; 4],
    /// Phases since power-up; and what the button will do: phase, level.
    phase: usize,
    button: Vec<(usize, bool)>,
    stories: Vec<Story>,
    /// The last phase in which the button moved.
    moved: usize,
    /// Whether the run has ended without a result: more happens than the simulation follows; or a pulse that began when
    /// the button moved, or at power-up, runs around in a loop. With delays that pass every pulse on, it does so for ever.
    is_over: bool,
}

/// Runs a board for some cycles. The error says what was wrong.
pub fn run(netlist: &Netlist, seed: [u64; 2], mode: Mode, cycles: usize) -> Result<(), String> {
    let mut draw = Draw::of(&[seed[0], seed[1], mode as u64]);
    let program = Program::random(&mut draw);
    let machine = Machine::new(netlist, &program.burned, &mut draw);
    let (inputs, spans) = (Inputs::default(), [100; 4]);
    let (button, stories) = (vec![], vec![]);
    let mut run = Run {
        netlist,
        machine,
        program: &program,
        draw,
        mode,
        inputs,
        spans,
        phase: 0,
        button,
        stories,
        moved: 0,
        is_over: false,
    };
    run.hold()?;
    if run.is_over {
        return Ok(());
    }
    let first = run.phase + run.draw.below(4);
    run.button.push((first, false));
    // The cycles for which the button has been at one level.
    let (mut level, mut since) = (true, 9);
    for number in 0..cycles {
        let ready = since > 30 && run.button.is_empty();
        if mode == Mode::Press && ready && run.draw.percent(15) {
            run.press();
        }
        let before = run.phase;
        let observed = run.cycle();
        if run.is_over {
            return Ok(());
        }
        let moved = run.button.iter().rfind(|(phase, _)| *phase < run.phase && *phase >= before);
        match moved {
            Some(&(_, last)) => (level, since) = (last, 0),
            None => since += 1,
        }
        let phase = run.phase;
        run.button.retain(|&(at, _)| at >= phase);
        run.explain(&observed, (since > 2).then_some(level))
            .ok_or_else(|| format!("{mode:?}, cycle {number}: {}", observed.text()))?;
    }
    Ok(())
}

/// The observations of a cycle.
struct Observed {
    inputs: Inputs,
    opened: usize,
    sent: u8,
    port: u8,
    rows: [u8; 16],
    stored: Vec<usize>,
}

impl Observed {
    fn text(&self) -> String {
        let Observed { opened, sent, port, stored, .. } = self;
        format!(
            "the port opened {opened} times with {sent:02X}, shows {port:02X}; RAM changed at {stored:X?}"
        )
    }
}

impl Run<'_> {
    /// From power-up, with the button held, to the beginning of a cycle.
    fn hold(&mut self) -> Result<(), String> {
        let reset = self.netlist.panel.reset[0];
        self.machine.levels[reset] = true;
        if !self.machine.rest(&mut self.draw) {
            return Err("does not come to rest at power-up".to_owned());
        }
        self.inputs = Inputs {
            column: self.machine.number(&self.netlist.panel.pad_column) as u8,
            row: self.machine.number(&self.netlist.panel.pad_row) as u8,
            keys: self.machine.number(&self.netlist.panel.keys) as u8,
        };
        let sequence = &self.netlist.panel.sequence;
        while !self.is_over && (self.phase < HELD || self.machine.number(sequence) != 0) {
            if self.phase > HELD + 8 {
                return Err("no cycle ever begins".to_owned());
            }
            self.edge(self.phase % 4);
        }
        let world = World {
            ram: (0..4096).map(|at| self.machine.byte(at)).collect(),
            port: self.port(),
            rows: self.rows(),
        };
        self.stories = vec![Story { registers: None, world }];
        Ok(())
    }

    fn port(&self) -> u8 {
        let port = &self.netlist.panel.port;
        port.shown(self.machine.number(&port.latch) as u8)
    }

    fn rows(&self) -> [u8; 16] {
        let row = |row: usize| {
            let outlet = &self.netlist.panel.display[row];
            outlet.shown(self.machine.number(&outlet.latch) as u8)
        };
        std::array::from_fn(row)
    }

    fn some_inputs(&mut self) -> Inputs {
        let mut byte = |share| if self.draw.percent(share) { self.draw.byte() } else { 0 };
        Inputs { column: byte(60), row: byte(60), keys: byte(60) & 0x7F }
    }

    fn set_inputs(&mut self, inputs: Inputs, after: u64) {
        let panel = &self.netlist.panel;
        for (nets, byte) in
            [(&panel.pad_column, inputs.column), (&panel.pad_row, inputs.row), (&panel.keys, inputs.keys)]
        {
            for (bit, &net) in nets.iter().enumerate() {
                self.machine.set(net, byte >> bit & 1 == 1, after);
            }
        }
        self.inputs = inputs;
    }

    /// A moment of a phase: any, or one of the first, or one when everything has come to rest.
    fn moment(&mut self, span: u64) -> u64 {
        let share = self.draw.share();
        match self.draw.below(4) {
            0 => span + 10,
            1 => (span as f64 * share.powi(4)) as u64,
            _ => (span as f64 * share * 1.1) as u64,
        }
    }

    /// One edge of the oscillator, with all that follows from it and all that happens meanwhile.
    fn edge(&mut self, number: usize) {
        let panel = &self.netlist.panel;
        let (oscillator, reset, span) = (panel.oscillator[0], panel.reset[0], self.spans[number]);
        let before = self.machine.now;
        self.machine.set(oscillator, !self.machine.levels[oscillator], 0);
        let moves: Vec<bool> =
            self.button.iter().filter(|(at, _)| *at == self.phase).map(|(_, to)| *to).collect();
        if !moves.is_empty() {
            self.moved = self.phase;
        }
        let mut moments: Vec<u64> = moves.iter().map(|_| self.moment(span)).collect();
        moments.sort_unstable();
        for (after, level) in moments.iter().zip(&moves) {
            self.machine.set(reset, *level, *after);
        }
        let looks = self.stories.iter().any(|story| {
            story.registers.unwrap_or_default().looks(self.program) || story.registers.is_none()
        });
        let may = number == 3 || self.mode == Mode::Keys && !looks && !self.stories.is_empty();
        let moves_keys = may && self.draw.percent(25);
        if moves_keys {
            let (inputs, after) = (self.some_inputs(), self.moment(span));
            self.set_inputs(inputs, after);
        }
        let settled = self.machine.settle();
        let is_endless = !self.machine.delays.filters && self.phase < self.moved + 6;
        self.is_over |= settled.is_none() || settled == Some(false) && is_endless;
        if moves.is_empty() && !moves_keys && settled == Some(true) {
            self.spans[number] = span.max(self.machine.now - before);
        }
        self.phase += 1;
    }

    /// A cycle: phases 1, 2, 3 and 0.
    fn cycle(&mut self) -> Observed {
        (self.machine.opened, self.machine.stored) = (0, vec![]);
        let mut sent = 0;
        let inputs = self.inputs;
        for number in 0..4 {
            self.edge(number);
            if number == 0 {
                sent = self.port();
            }
        }
        let mut stored = std::mem::take(&mut self.machine.stored);
        stored.sort_unstable();
        stored.dedup();
        let (port, rows) = (self.port(), self.rows());
        Observed { inputs, opened: self.machine.opened, sent, port, rows, stored }
    }

    fn press(&mut self) {
        let pressed = self.phase + self.draw.below(4);
        let let_go = pressed + HELD + 1 + self.draw.below(5);
        self.button.extend([(pressed, true), (let_go, false)]);
    }

    /// Which stories are left after a cycle. `held` is whether the button is held, if that is certain.
    fn explain(&mut self, observed: &Observed, held: Option<bool>) -> Option<()> {
        let mut left: Vec<Story> = vec![];
        for story in std::mem::take(&mut self.stories) {
            let mut next = vec![];
            if held != Some(true) {
                next.extend(self.runs(story.clone(), observed));
            }
            match story.registers {
                None if held != Some(false) => next.extend(self.waits(story, observed)),
                Some(_) if held.is_none() => next.extend(self.is_cut(story, observed)),
                _ => {}
            }
            for story in next {
                if !left.contains(&story) {
                    left.push(story);
                }
            }
        }
        self.stories = left;
        (!self.stories.is_empty()).then_some(())
    }

    /// Whether everything visible is as in a world; of RAM, the cells that have changed and one more.
    fn shows(&self, world: &World, observed: &Observed, more: Option<usize>) -> bool {
        let same = |&at: &usize| at >= 0xFF8 || self.machine.byte(at) == world.ram[at];
        (observed.port, observed.rows) == (world.port, world.rows)
            && observed.stored.iter().chain(&more).all(same)
    }

    /// The machine carries out an instruction, the first one if it was being reset.
    fn runs(&self, story: Story, observed: &Observed) -> Option<Story> {
        let Story { registers, mut world } = story;
        let mut registers = registers.unwrap_or_default();
        let store: Store = registers.step(self.program, &world, observed.inputs);
        if let Some(store) = store {
            world.store(store);
        }
        let sends = store.is_some_and(|(address, _)| address == 0xFF0);
        let right = observed.opened == usize::from(sends) && (!sends || observed.sent == world.port);
        let right = right && self.shows(&world, observed, store.map(|(address, _)| address));
        right.then_some(Story { registers: Some(registers), world })
    }

    /// The machine is being reset: nothing happens.
    fn waits(&self, story: Story, observed: &Observed) -> Option<Story> {
        (observed.opened == 0 && self.shows(&story.world, observed, None)).then_some(story)
    }

    /// A reset begins: of what the instruction would do, any part is done, and nothing else.
    fn is_cut(&self, story: Story, observed: &Observed) -> Option<Story> {
        let Story { registers, mut world } = story;
        let store = registers?.step(self.program, &world, observed.inputs);
        let mut sends = false;
        if let Some((address, byte)) = store {
            world.ram[address] = self.machine.byte(address);
            sends = address == 0xFF0;
            match address {
                0xFE0..=0xFEF if observed.rows[address - 0xFE0] == byte => world.rows[address - 0xFE0] = byte,
                0xFF0 if observed.port == byte => world.port = byte,
                _ => {}
            }
        }
        let right = observed.opened <= usize::from(sends) && self.shows(&world, observed, None);
        right.then_some(Story { registers: None, world })
    }
}
