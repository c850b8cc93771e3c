//! Commands and their replies; whatever is typed, the dialogue does not panic.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use crate::support::{LOOP, about, dialogue, reply, talk_about};
use gray1_assembler::{ArithmeticError, MemoryLoader, Options, assemble};
use gray1_debugger::{COMMANDS, Command, DebugError, Reply, Source, Trigger};
use gray1_machine::Engine;
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use test_support::random::commands::word;

/// `next` steps line by line through each iteration of a loop, and over a macro even if that jumps back within itself.
#[test]
fn next_goes_through_loops_and_over_macros() {
    let program = "\
.macro wait
  lda #2
.again:
  add #-1
  jz .out
  jmp .again
.out:
.endmacro
.for i, 0, 2
  wait
  sta OUT
.endfor
halt: jmp halt
";
    let mut dialogue = about("wait.g1", program);
    let mut line_after = |command: &str| {
        dialogue.line(command, &AtomicBool::new(false)).1.unwrap();
        let debugger = dialogue.debugger();
        let statement = debugger.source().statement(debugger.machine().running());
        (debugger.position().cycle, statement.last().map(|frame| frame.line))
    };
    let forwards = [(6, 11), (7, 10), (13, 11), (14, 13)];
    for (cycle, line) in forwards {
        assert_eq!(line_after("next"), (cycle, Some(line)));
    }
    for (cycle, line) in forwards.into_iter().rev().skip(1).chain([(0, 10)]) {
        assert_eq!(line_after("back next"), (cycle, Some(line)));
    }
    // Within the macro, it goes on to the next line of the macro.
    assert_eq!(line_after("step 2 cycles").0, 2);
    assert_eq!(line_after("next"), (3, Some(10)));
}

/// The jump at the end of a loop is on the line of its end: the line with the condition begins once a round.
#[test]
fn a_loop_comes_to_its_condition_once_a_round() {
    let program = ".ram n
 lda #3
 sta n
.while n > #0
 lda n
 add #-1
 sta n
.endwhile
halt: jmp halt
";
    for (line, times) in [(4, 4), (8, 3)] {
        let mut dialogue = about("loop.g1", program);
        reply(&mut dialogue, &format!("break {line}"));
        for round in 0..times {
            reply(&mut dialogue, "run");
            let debugger = dialogue.debugger();
            let frames = debugger.source().statement(debugger.machine().running());
            assert_eq!(frames.last().map(|frame| frame.line), Some(line), "round {round}");
        }
        reply(&mut dialogue, "run");
        assert!(dialogue.debugger().machine().halted(), "{line}");
    }
}

/// The names of all commands.
fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(Command::name).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_line_panics(lines in prop::collection::vec((0..COMMANDS.len(), prop::collection::vec(word(&names()), 0..6)), 1..12)) {
        let mut dialogue = dialogue();
        for (command, pieces) in lines {
            let line = format!("{} {}", COMMANDS[command].name(), pieces.join(" "));
            // A command that would take forever is interrupted at once; a short one is not interrupted at all.
            let (_, result) = dialogue.line(&line, &AtomicBool::new(true));
            if let Err(DebugError::Input { offset, .. }) = result {
                prop_assert!(offset <= line.len(), "{line}: an error at {offset}");
            }
        }
    }
}

#[test]
fn errors_say_what_would_be_right() {
    let mut dialogue = dialogue();
    for (line, offset, message) in [
        ("print lst", 6, "there is no name `lst`; did you mean `list`?"),
        ("print net.TIKC", 6, "the board has no net or bus `TIKC`; did you mean `TICK`?"),
        ("print 1 +", 9, "expected a value: a name, a number or `(`"),
        ("print 1 < 2 < 3", 12, "comparisons cannot be chained: write `a < b && b < c`, or use parentheses"),
        ("print (1", 8, "expected `)`"),
        ("print 1 2", 8, "unexpected `2`"),
        ("break 99", 6, "line 99 of loop.g1 generates no instruction, nor does any after it"),
        ("break at 4096", 6, "4096 is not a sequence number: they are 0 to 4095"),
        ("watch list[2]..list", 15, "the last byte comes before the first"),
        ("set a = 256", 8, "256 does not fit: expected 0 to 255"),
        ("set cycle = 5", 4, "`cycle` is not a byte of RAM; `ram[cycle]` is the byte at that address"),
        ("set net.A = 5", 4, "`net.A` is not a byte of RAM; `ram[net.A]` is the byte at that address"),
        ("who wrote TICK", 10, "`TICK` is not a byte of RAM; `ram[TICK]` is the byte at that address"),
        ("watch loop", 6, "`loop` is a label: the program is not in RAM"),
        ("who wrote loop+1", 10, "`loop` is a label: the program is not in RAM"),
        ("print ram[loop]", 10, "`loop` is a label: the program is not in RAM"),
        ("set n[1] = 2", 4, "there is no byte 1 after `n`: there are 1 in all, counted from 0"),
        ("watch list[3]", 6, "there is no byte 3 after `list`: there are 3 in all, counted from 0"),
        ("who wrote RED[8]", 10, "there is no byte 8 after `RED`: there are 8 in all, counted from 0"),
        ("break n", 6, "expected a line, a label, or `at` and a sequence number"),
        ("to list[1]", 3, "expected a line, a label, or `at` and a sequence number"),
        ("break TICK", 6, "expected a line, a label, or `at` and a sequence number"),
        ("to lop", 3, "there is no name `lop`; did you mean `loop`?"),
        ("who lit blue 1,2", 8, "expected `red` or `green`, then a row and a column"),
        ("who lit red 1,8", 14, "expected a row and a column, 0 to 7"),
        ("keys fire", 5, "expected `none` or keys: left, right, up, down, a, b, start"),
        ("show bored", 5, "expected `registers`, `ram`, `board`, `display`, `source`, `output` or `stack`"),
        ("goto cycle 3 phase 4", 19, "the phases of a cycle are 0 to 3"),
        ("why", 3, "expected a net, a byte of RAM, or `red` or `green` with a row and a column"),
        ("why red 3", 9, "expected a row and a column, 0 to 7"),
        ("why ram[$FFB]", 4, "there is no RAM at this address: a program reads 00"),
        ("why A3 deeply", 7, "unexpected `deeply`"),
        ("why A3 depth x", 13, "expected a number of steps after `depth`"),
        ("w", 0, "`w` is ambiguous: watch, where, who, why, when"),
    ] {
        let (_, result) = dialogue.line(line, &AtomicBool::new(false));
        let Err(DebugError::Input { offset: found, message: said }) = result else {
            panic!("{line}: {result:?}")
        };
        assert_eq!((found, said.as_str()), (offset, message), "{line}");
    }
    let chain = format!("print {}1", "1+".repeat(100_000));
    let (_, result) = dialogue.line(&chain, &AtomicBool::new(false));
    assert_eq!(
        result,
        Err(DebugError::Input { offset: 6, message: "an expression has at most 4096 bytes".to_owned() })
    );
    let chain = format!("print {}1", "1+".repeat(2000));
    let (reply, _) = dialogue.line(&chain, &AtomicBool::new(false));
    assert!(reply.text.ends_with(" = 2001 ($7D1)\n"), "{reply}");
    let (_, result) = dialogue.line("print 1 / 0", &AtomicBool::new(false));
    assert_eq!(result, Err(DebugError::Arithmetic(ArithmeticError::DivisionByZero)));
}

#[test]
fn the_grammar_is_the_common_one() {
    let mut dialogue = about("x.g1", ".ram x\n.ram y\nhalt: jmp halt\n");
    reply(&mut dialogue, "set x = 3");
    reply(&mut dialogue, "set y = 5");
    let cases = include_str!("../../text/tests/expressions.txt");
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.rsplit_once(" | ").unwrap();
        let (reply, result) = dialogue.line(&format!("print {text}"), &AtomicBool::new(false));
        match expected.trim_end_matches(" by a name").parse::<u8>() {
            Ok(value) => assert!(reply.text.contains(&format!(" = {value} ")), "{text}: {reply}"),
            Err(_) => assert!(result.unwrap_err().to_string().contains(expected), "{text}"),
        }
    }
}

#[test]
fn an_image_is_debugged_by_its_instructions() {
    let files = MemoryLoader::new([("loop.g1", LOOP)]);
    let image = assemble(&files, "loop.g1", &Options::default()).program.unwrap().image;
    let mut dialogue = talk_about(Source::of_image(image));
    let mut said = |line| {
        let (reply, result) = dialogue.line(line, &AtomicBool::new(false));
        result.unwrap();
        reply.to_string()
    };
    assert_eq!(said("step 3"), "cycle 3  pc=003  a=01 c=0  STA $002\n");
    assert_eq!(said("back"), "cycle 2  pc=002  a=01 c=0  STA $000\n");
    assert_eq!(said("who wrote 0"), "not so far\n");
    assert_eq!(said("break at 4"), "point 1: at 4\n");
    assert_eq!(said("run"), "point 1: at 4\ncycle 4  pc=004  a=01 c=0  JMP $000\n");
}

/// The name of several bytes stands for all of them, whatever follows it.
#[test]
fn a_name_is_all_of_its_bytes() {
    let mut dialogue = dialogue();
    for line in ["watch list write", "watch list", "watch list change if n"] {
        assert_eq!(dialogue.line(line, &AtomicBool::new(false)).1, Ok(()), "{line}");
    }
    for breakpoint in dialogue.debugger().breakpoints() {
        assert!(matches!(breakpoint.trigger, Trigger::Ram(1, 3, _)), "{breakpoint:?}");
    }
}

/// The reply of a command and its final position are kept separate.
#[test]
fn a_reply_knows_its_location() {
    let mut dialogue = dialogue();
    let mut reply = |line| dialogue.line(line, &AtomicBool::new(false)).0;
    let Reply { text, location, .. } = reply("step 5");
    assert_eq!(
        (text.as_str(), location.as_deref()),
        ("", Some("cycle 5  pc=000 loop (loop.g1:3)  a=01 c=0  loop: lda n\n"))
    );
    assert_eq!(reply("where"), Reply { text: location.unwrap(), ..Reply::default() });
    assert_eq!(reply("set n = 7").text, "changed at cycle 5\n");
    assert_eq!(reply("back 2 cycles").text, "");
    assert_eq!(reply("set n = 7").text, "changed at cycle 3; forgotten: 2 later cycles\n");
}

/// A backward search that is interrupted leaves the machine where it was.
#[test]
fn an_interrupted_search_backwards_leaves_the_machine_where_it_was() {
    let mut dialogue = dialogue();
    let never = AtomicBool::new(false);
    dialogue.line("goto cycle 9000 phase 2", &never).1.unwrap();
    let before = dialogue.debugger().machine().snapshot();
    for line in ["back until cycle < 0", "reverse", "when cycle < 0"] {
        let (_, result) = dialogue.line(line, &AtomicBool::new(true));
        assert_eq!(result, Err(DebugError::Interrupted), "{line}");
        assert!(dialogue.debugger().machine().snapshot() == before, "{line}");
    }
}

/// Hits are counted in both directions, also those that do not stop, and a backward search reports the change too.
#[test]
fn hits_are_counted_and_described_backwards_too() {
    let mut dialogue = dialogue();
    let mut say = |line| reply(&mut dialogue, line).text;
    say("watch n after 2");
    assert_eq!(say("run"), "point 1: n after 2: n: 02 -> 03\n");
    say("goto cycle 20");
    assert_eq!(say("reverse"), "point 1: n after 2: n: 03 -> 04\n");
    assert_eq!(say("reverse"), "point 1: n after 2: n: 02 -> 03\n");
    assert_eq!(say("points"), "    1  n after 2, hits: 5\n");
}

/// A byte beyond the end of a name, or of RAM, is an error and not some other byte.
#[test]
fn a_byte_that_there_is_not_has_no_value() {
    let mut dialogue = dialogue();
    let mut error = |line| dialogue.line(line, &AtomicBool::new(false)).1.unwrap_err().to_string();
    assert_eq!(error("print ram[5000]"), "5000 is not an address: they are 0 to 4095");
    assert_eq!(error("print ram[0-1]"), "-1 is not an address: they are 0 to 4095");
    assert_eq!(error("print list[3]"), "there is no byte 3 after `list`: there are 3 in all, counted from 0");
    assert_eq!(error("until n[n]"), "there is no byte 1 after `n`: there are 1 in all, counted from 0");
}

/// In a program `RED+3` is a byte; here it is a sum, and a hint says so.
#[test]
fn a_sum_that_looks_like_a_byte_says_so() {
    let mut dialogue = dialogue();
    let mut say = |line| dialogue.line(line, &AtomicBool::new(false)).0.text;
    say("set RED[3] = 7");
    assert_eq!(say("print RED+3"), "RED+3 = 3 ($03); the byte `RED[3]` is 7 ($07)\n");
    assert_eq!(say("print RED[3]"), "RED[3] = 7 ($07)\n");
    assert_eq!(say("print n+1"), "n+1 = 1 ($01)\n");
}

/// A constant that is an address of RAM stands for the byte there, as it does in the program.
#[test]
fn a_name_for_an_address_is_the_byte_there() {
    let program = "queens = RED\nlda #5\nsta queens+1\nhalt: jmp halt\n";
    let mut dialogue = about("queens.g1", program);
    let mut say = |line| reply(&mut dialogue, line).text;
    say("run");
    assert_eq!(say("print queens[1]"), "queens[1] = 5 ($05)\n");
    assert_eq!(say("print queens"), "queens = 0 ($00)\n");
    assert!(say("who wrote queens+1").starts_with("cycle 1 phase 1"));
    assert!(say("when queens[1] == 0").starts_with("cycle 1:"), "{}", say("when queens[1] == 0"));
}

/// `who` works for registers, nets and LEDs as for bytes.
#[test]
fn who_knows_registers_nets_and_leds() {
    let program = "lda #8\nsta RED+3\nlda #1\nsta RED+3\nlda #9\nsta RED+3\nhalt: jmp halt\n";
    let mut dialogue = about("leds.g1", program);
    let mut say = |line| reply(&mut dialogue, line).text;
    say("run");
    for (line, expected) in [
        ("who lit red 3,3", "cycle 5 phase 1"),
        ("who lit red 3 0", "cycle 3 phase 1"),
        ("who lit green 3,3", "not so far"),
        ("who changed RED[3]", "cycle 5 phase 1"),
        ("who changed a", "cycle 4 "),
        ("who changed net.A", "cycle 4 "),
        ("who changed c", "not so far"),
    ] {
        let said = say(line);
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    say("goto start");
    assert!(say("who lights red 3,0").starts_with("cycle 3 phase 1"));
    assert!(say("who changes a").starts_with("cycle 0 "));
}

/// Parameters and counters are those of the instruction being run; local labels belong to the part that it is in.
#[test]
fn names_of_expansions_have_their_values() {
    let program = "\
.ram list, 2
.macro put to
  sta to
.endmacro
start:
.again: lda #1
.repeat 2, row
  put list+row
.endrepeat
  jz .again
other:
.done: jmp .done
";
    let mut dialogue = about("names.g1", program);
    let mut say = |line| {
        let (reply, result) = dialogue.line(line, &AtomicBool::new(false));
        result.map_or_else(|error| error.to_string(), |()| reply.text)
    };
    say("step 2 cycles");
    assert_eq!(say("print to"), "to = 0 ($00)\n");
    assert_eq!(
        say("who writes to"),
        "cycle 2 phase 1: pc=002 start+2 (names.g1:3, from line 8, from line 7)  sta to\n"
    );
    assert_eq!(say("print row"), "row = 1 ($01)\n", "the call is in the loop");
    assert_eq!(say("print .again"), ".again = 0 ($00)\n");
    assert_eq!(say("print .done"), ".done = 4 ($04)\n", "there is no other");
    // Elsewhere the counter has another value, so a breakpoint, which stays, cannot refer to it.
    assert!(say("break start if to == 1").starts_with("there is no name `to`"));
    assert_eq!(say("break .done"), "point 1: .done\n");
    assert_eq!(say("run"), "point 1: .done\n");
}

#[test]
fn what_is_typed_most_is_short() {
    let mut dialogue = dialogue();
    let mut say = |line| reply(&mut dialogue, line).to_string();
    assert_eq!(say("display n * 2"), "");
    assert_eq!(say("s"), "  n * 2 = 0 ($00)\ncycle 1  pc=001 loop+1 (loop.g1:4)  a=00 c=0  add #1\n");
    assert_eq!(say("tbreak loop"), "point 1: loop\n");
    assert!(say("c").starts_with("point 1: loop\n  n * 2 = 2 ($02)\ncycle 5 "));
    assert_eq!(say("points"), "no points\n", "it was there for one stop");
    assert_eq!(say("b loop"), "point 2: loop\n");
    assert!(say("r").starts_with("point 2: loop\n"));
    assert_eq!(say("p n"), "n = 2 ($02)\n");
    assert_eq!(say("d"), "");
    assert_eq!(say("display none"), "");
    assert!(say("t loop").starts_with("cycle 15 "));
}
