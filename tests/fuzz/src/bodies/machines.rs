//! Machines and programs that several checks start from. The board is assembled only once, because that is slow.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{Debugger, Source};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Script, State};
use std::sync::LazyLock;

/// A program that counts, sends, calls macros, and halts after about sixty cycles.
pub const COUNT: &str = "\
.macro digit of
      lda  of
      add  #'0'
.endmacro
.macro send of
      digit of
      sta  OUT
.endmacro
.ram  n
.ram  list, 3
      lda  #3
      sta  n
loop: send n
      lda  n
      add  #-1
      sta  n
      sta  list+1
      jz   halt
      jmp  loop
halt: jmp  halt
";

/// The reference board. Its copies share the netlist, which takes long to make.
pub static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let board = Board::gray1();
    board.netlist();
    board
});

static MACHINE: LazyLock<ChipsEngine> = LazyLock::new(|| {
    ChipsEngine::power_up(&BOARD, &Image::blank(), Noise::Zeros).expect("the reference board settles")
});

/// A chips engine with this program in this state.
pub fn chips(image: &Image, state: &State) -> ChipsEngine {
    let mut machine = MACHINE.clone();
    machine.change_program(image);
    machine.set_state(state).expect("the reference board takes any state");
    machine
}

/// The source of a program, as a debugger loads it.
pub fn source(name: &str, text: &str) -> Source {
    let files = MemoryLoader::new([(name, text)]);
    Source::of_assembly(assemble(&files, name, &Options::default())).expect("a program without errors")
}

/// A debugger at the start of a program.
pub fn debugger(source: Source) -> Debugger {
    let machine = chips(source.image(), &State::after_reset(Noise::Zeros));
    Debugger::new(machine, BOARD.clone(), source, Script::default()).expect("the reference board settles")
}
