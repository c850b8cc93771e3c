//! Chains of causes, worked out by hand.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{Debugger, Depth, Position, Scanner, Source};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use std::sync::atomic::AtomicBool;

static NEVER: AtomicBool = AtomicBool::new(false);

/// In cycle 2 A becomes 10, which cycle 3 displays; in cycle 4 it becomes 2, with a carry; cycle 6 jumps to the halt.
const PROGRAM: &str = "\
.ram n
      lda  #5
      sta  n
      add  n
      sta  RED+3
      shr  n
      sta  OUT
      jc   done
      lda  #0
done: jmp  done
";

fn debugger(program: &str, script: &str) -> Debugger {
    let files = MemoryLoader::new([("p.g1", program)]);
    let source = Source::of_assembly(assemble(&files, "p.g1", &Options::default())).unwrap();
    let board = Board::gray1();
    let machine = ChipsEngine::power_up(&board, source.image(), Noise::Zeros).unwrap();
    Debugger::new(machine, board, source, Script::from_ron(script).unwrap()).unwrap()
}

/// The steps of an answer: `NET=LEVEL@CYCLE.PHASE`.
fn chain(debugger: &mut Debugger, what: &str, at: Position, depth: Depth) -> String {
    debugger.history_mut().go(at, &NEVER).unwrap();
    let mut scanner = Scanner::new(what);
    let question = debugger.parser().question(&mut scanner).unwrap();
    scanner.end().unwrap();
    let answer = debugger.why(question, depth, &NEVER).unwrap();
    assert_eq!(debugger.position(), at);
    let steps = answer.steps.iter().map(|step| {
        let name = debugger.effect_name(step.effect);
        let Position { cycle, phase } = Position::after_phases(step.moment);
        format!("{name}={}@{cycle}.{phase}", u8::from(step.level))
    });
    steps.collect::<Vec<_>>().join(" ")
}

#[test]
fn chains_are_as_worked_out_by_hand() {
    let mut debugger = debugger(PROGRAM, "[(at: 5, keys: [\"up\"])]");
    for (what, (cycle, phase), steps, expected) in [
        // A display latch follows A in phase 1 of a store. A took that bit in phase 3 of the instruction before it, and
        // its master in phase 1.
        ("red 3,1", (7, 0), 2, "RED3_1=1@3.1 RE3=1@3.1 WE=1@3.1 A1=1@2.3 T1=1@2.1"),
        // Dark for the same reason: 10 is 1010.
        ("red 3,0", (7, 0), 2, "RED3_0=0@3.1 RE3=1@3.1 WE=1@3.1 A0=0@2.3 T0=0@2.1"),
        // Before the store the latch holds its power-up contents, here zeros.
        ("red 3,1", (3, 0), 9, "RED3_1=0@0.0"),
        ("green 0,0", (7, 0), 9, "GREEN0_0=0@0.0"),
        // In a sum a bit depends on those below it: in 5 + 5, bit 3 takes the carry of bit 2, whatever the carry into
        // bit 2 is.
        ("R3", (2, 1), 1, "R3=1@2.1 X2=1@2.1 X3=0@2.1 A2=1@1.3 A3=0@1.3"),
        // What the memory gives was written in cycle 1, when A had been loaded in cycle 0.
        ("X0", (2, 0), 4, "X0=1@2.0 D0=1@2.0 M0=1@2.0 INSEL=0@2.0 WE=0@2.0 n.0=1@1.1 WE=1@1.1 A0=1@0.3"),
        // A byte is eight bits of two chips, and each of them is a step of the chain.
        (
            "ram[$000]",
            (1, 2),
            0,
            "n.0=1@1.1 n.1=0@1.1 n.2=1@1.1 n.3=0@1.1 n.4=0@1.1 n.5=0@1.1 n.6=0@1.1 n.7=0@1.1",
        ),
        // The port shows what was sent in cycle 5: half of 5.
        ("OUT1", (7, 0), 1, "OUT1=1@5.1 OUTE=1@5.1 A1=1@4.3"),
        // The shift of cycle 4 takes bit 0 of n into the carry. Later instructions pass it round: C to NC to MC to C.
        ("c", (5, 0), 4, "C=1@4.3 MC=1@4.1 NC=1@4.1 C4=1@4.1 X0=1@4.1"),
        ("c", (7, 0), 4, "C=1@6.3 MC=1@6.1 NC=1@6.1 C=1@5.3 MC=1@5.1"),
        // A jump is taken: the counter takes the target that was latched in phase 1. It is 8, in Gray code 1100.
        ("PC3", (7, 0), 2, "PC3=1@6.3 LOAD=1@6.3 MJ=1@6.1 TG3=1@6.1"),
        // Counting from 1 to 2, the counter sets bit 1, since TICK has flipped and bit 0 is the lowest 1. PARH is in a
        // loop with the counter, which holds it in phase 3; in phase 2 the counter does not change, and determines PARH.
        (
            "PC1",
            (2, 0),
            1,
            "PC1=1@1.3 TICK=0@1.3 LOAD=0@1.3 PC0=1@0.3 PARH=0@0.2 PC5=0@0.0 PC4=0@0.0 PC3=0@0.0 PC2=0@0.0",
        ),
        // TICK flips through its master in every cycle.
        ("TICK", (3, 0), 2, "TICK=1@2.3 MT=1@2.1 TAKE=0@2.1 TICK=0@1.3"),
        // An input has no cause on the board.
        ("KEYS2", (6, 2), 9, "KEYS2=1@6.2"),
    ] {
        let depth = Depth { steps, follows_control: false };
        assert_eq!(chain(&mut debugger, what, Position { cycle, phase }, depth), expected, "{what}");
    }
}
