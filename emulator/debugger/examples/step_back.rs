//! Runs a program to a breakpoint and steps back:
//!
//!     cargo run -p gray1-debugger --example step_back

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{Breakpoint, Debugger, Direction, LineDepth, Position, Source, Trigger};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Script};
use std::error::Error;
use std::sync::atomic::AtomicBool;

const PROGRAM: &str = "      lda  #3\nloop: add  #-1\n      jz   halt\n      jmp  loop\nhalt: jmp  halt\n";

fn main() -> Result<(), Box<dyn Error>> {
    let files = MemoryLoader::new([("count.g1", PROGRAM)]);
    let source = Source::of_assembly(assemble(&files, "count.g1", &Options::default()));
    let source = source.ok_or("the program has errors")?;
    let board = Board::gray1();
    let machine = ChipsEngine::power_up(&board, source.image(), Noise::Zeros)?;
    let mut debugger = Debugger::new(machine, board, source, Script::default())?;

    let line = Trigger::Instructions(debugger.source().line_starts("count.g1", 3));
    let mut breakpoint = Breakpoint::new("line 3", line);
    breakpoint.condition = Some(debugger.expression("a == 1")?);
    debugger.add_breakpoint(breakpoint);

    let never = AtomicBool::new(false);
    let steps =
        [(Direction::Forward, None), (Direction::Backward, Some(Trigger::Line(LineDepth::Innermost)))];
    for (direction, target) in steps {
        let stop = debugger.seek(direction, target.as_ref(), Position::NEVER, &never, &mut |_, _| ())?;
        println!("{}: {stop:?}, {:?}", debugger.position(), debugger.machine().registers());
    }
    assert_eq!((debugger.position(), debugger.machine().registers().a), (Position::start_of(4), 2));
    Ok(())
}
