//! `.while`, `.repeat_until`, `.when`: their effect is right, and they cost as much as the same code written by hand.

use crate::interpreter;
use crate::sources::image;
use interpreter::{run, run_from};

/// In a macro, constants decide conditions, and only the code that can be executed is assembled.
#[test]
fn constants_decide_the_conditions_of_macros() {
    for (body, argument, by_hand) in [
        (".when v == #0\nXX\n.else\nYY\n.endwhen", "#0", "XX"),
        (".when v == #0\nXX\n.else\nYY\n.endwhen", "#1", "YY"),
        (".when v == #0\nXX\n.else\nYY\n.endwhen", "x", "lda x\njz t\nYY\njmp e\nt: XX\ne:"),
        (".when v == #0\nXX\n.endwhen", "#7", ""),
        (".when v == #0\nXX\n.endwhen", "#0", "XX"),
        (".when !(v has #4) || carry\nXX\n.endwhen", "#3", "XX"),
        (".when v has #4 && carry\nXX\n.endwhen", "#4", "jc t\njmp e\nt: XX\ne:"),
        (".when v has #4 && carry\nXX\n.endwhen", "#3", ""),
        (".when signed v < #0\nXX\n.endwhen", "#-3", "XX"),
        (".when word v >= #1000\nXX\n.endwhen", "#999", ""),
        (".while v != #0\nXX\n.endwhile", "#0", ""),
        (".while v != #0\nXX\n.endwhile", "#1", "t: XX\njmp t"),
        (".repeat_until v != #0\nXX\n.endrepeat_until", "#1", "XX"),
        (".repeat_until v != #0\nXX\n.endrepeat_until", "#0", "t: XX\njmp t"),
        (
            ".for k, 0, 3\n.when k == #1\nXX\n.endwhen\n.endfor",
            "#0",
            "lda 0\nadd #-1\njz t\njmp e\nt: XX\ne: lda 1\nadd #-1\njz u\njmp f\nu: XX\nf: lda 2\nadd #-1\njz v\njmp g\nv: XX\ng:",
        ),
        (".for k, 0, 3\n.when #k == #1\nXX\n.endwhen\n.endfor", "#0", "XX"),
    ] {
        let fill = |body: &str| body.replace("XX", "sta OUT").replace("YY", "sta RED");
        let macros = format!(".ram x\n.macro m v\n{}\n.endmacro\n m {argument}\nh: jmp h\n", fill(body));
        let by_hand = format!(".ram x\n{}\nh: jmp h\n", fill(by_hand));
        assert!(
            image(&macros) == image(&by_hand),
            "{body} with {argument}\n{}",
            gray1_assembler::disassemble(&image(&macros))
        );
    }
}

/// Each block, and the same code written by hand.
#[test]
fn nothing_costs_a_word_more_than_by_hand() {
    let pairs = [
        (".when carry\nXX\n.endwhen", "jc t\njmp e\nt: XX\ne:"),
        (".when !carry\nXX\n.endwhen", "jc e\nXX\ne:"),
        (".when zero\nXX\n.endwhen", "jz t\njmp e\nt: XX\ne:"),
        (".when !zero\nXX\n.endwhen", "jz e\nXX\ne:"),
        (".when x == #5\nXX\n.endwhen", "lda x\nadd #-5\njz t\njmp e\nt: XX\ne:"),
        (".when x != #5\nXX\n.endwhen", "lda x\nadd #-5\njz e\nXX\ne:"),
        (".when x == #0\nXX\n.endwhen", "lda x\njz t\njmp e\nt: XX\ne:"),
        (".when x != #0\nXX\n.endwhen", "lda x\njz e\nXX\ne:"),
        (".when x > #0\nXX\n.endwhen", "lda x\njz e\nXX\ne:"),
        (".when x < #1\nXX\n.endwhen", "lda x\njz t\njmp e\nt: XX\ne:"),
        (".when x < #5\nXX\n.endwhen", "lda x\nadd #-5\njc e\nXX\ne:"),
        (".when x >= #5\nXX\n.endwhen", "lda x\nadd #-5\njc t\njmp e\nt: XX\ne:"),
        (".when x > #5\nXX\n.endwhen", "lda x\nadd #-6\njc t\njmp e\nt: XX\ne:"),
        (".when x <= #5\nXX\n.endwhen", "lda x\nadd #-6\njc e\nXX\ne:"),
        (".when x <= #255\nXX\n.endwhen", "XX"),
        (".when x > #255\nXX\n.endwhen", "jmp e\nXX\ne:"),
        (".when a == #5\nXX\n.endwhen", "add #-5\njz t\njmp e\nt: XX\ne:"),
        (".when x == y\nXX\n.endwhen", "lda x\nnor #0\nadd y\nnor #0\njz t\njmp e\nt: XX\ne:"),
        (".when x != y\nXX\n.endwhen", "lda x\nnor #0\nadd y\nnor #0\njz e\nXX\ne:"),
        (".when x < y\nXX\n.endwhen", "lda x\nnor #0\nadd y\njc t\njmp e\nt: XX\ne:"),
        (".when x >= y\nXX\n.endwhen", "lda x\nnor #0\nadd y\njc e\nXX\ne:"),
        (".when x > y\nXX\n.endwhen", "lda y\nnor #0\nadd x\njc t\njmp e\nt: XX\ne:"),
        (".when x <= y\nXX\n.endwhen", "lda y\nnor #0\nadd x\njc e\nXX\ne:"),
        (".when a > y\nXX\n.endwhen", "nor #0\nadd y\njc e\nnor #0\njz e\nXX\ne:"),
        (".when x has #4\njmp h\n.endwhen", "lda x\nnor #~4 & $FF\njz h"),
        (".when !(x has #4)\njmp h\n.endwhen", "lda x\nnor #0\nnor #~4 & $FF\njz h"),
        (".when !(a has #5)\njmp h\n.endwhen", "nor #0\nnor #~5 & $FF\njz h"),
        (".when x has #255\nXX\n.endwhen", "lda x\njz e\nXX\ne:"),
        (".when x has #0\njmp h\n.endwhen", ""),
        (".when x has y\njmp h\n.endwhen", "lda x\nnor y\nadd y\nadd x\njc h"),
        (".when signed x < #0\njmp h\n.endwhen", "lda x\nadd #$80\njc h"),
        (".when signed x >= #5\njmp h\n.endwhen", "lda x\nadd #$80\nadd #-$85 & $FF\njc h"),
        (".when signed x <= #127\nXX\n.endwhen", "XX"),
        (".when word x == #0\njmp h\n.endwhen", "lda x\nadd x+1\njc e\njz h\ne:"),
        (".when word x < #256\njmp h\n.endwhen", "lda x+1\njz h"),
        (".when word x < #10\njmp h\n.endwhen", "lda x\nadd #-10\njc e\nlda x+1\njz h\ne:"),
        (
            ".when word x >= #1000\njmp h\n.endwhen",
            "lda x\nadd #-$E8 & $FF\nlda x+1\njc n\nadd #~3 & $FF\njmp l\nn: add #-3\nl: jc h",
        ),
        (
            ".when word x >= y\njmp h\n.endwhen",
            "lda x\nnor #0\nadd y\nlda y+1\nnor #0\njc b\nadd #1\njc h\nb: add x+1\njc h",
        ),
        (".when !carry\nXX\n.else\nYY\n.endwhen", "jc f\nXX\njmp e\nf: YY\ne:"),
        (".when !carry\njmp h\n.else\nYY\n.endwhen", "jc f\njmp h\nf: YY"),
        (".when x != #3\nXX\njmp h\n.else\nYY\n.endwhen", "lda x\nadd #-3\njz f\nXX\njmp h\nf: YY"),
        (".when !zero\n.else\nYY\n.endwhen", "jz f\njmp e\nf: YY\ne:"),
        (".when zero\n.else\nYY\n.endwhen", "jz e\nYY\ne:"),
        (".when !zero\nXX\n.else\n.endwhen", "jz e\nXX\ne:"),
        (".when carry\nXX\n.else\nYY\n.endwhen", "jc t\nYY\njmp e\nt: XX\ne:"),
        (".when zero\nXX\njmp h\n.else\nYY\n.endwhen", "jz t\nYY\njmp e\nt: XX\njmp h\ne:"),
        (".when x == #5\nXX\n.else\nYY\njmp h\n.endwhen", "lda x\nadd #-5\njz t\nYY\njmp h\nt: XX"),
        (
            ".when x < y\nXX\n.else\n.when zero\nXX\nXX\n.else\nYY\n.endwhen\nYY\n.endwhen",
            "lda x\nnor #0\nadd y\njc t\njz u\nYY\njmp v\nu: XX\nXX\nv: YY\njmp e\nt: XX\ne:",
        ),
        (".when carry\njmp h\n.endwhen", "jc h"),
        (".when x == #5\njmp h\n.endwhen", "lda x\nadd #-5\njz h"),
        (".when x != #5\njmp here\n.endwhen", "lda x\nadd #-5\njz e\nt: jmp t\ne:"),
        (".while zero\nXX\n.endwhile", "jmp w\nt: XX\nw: jz t"),
        (".while !zero\nXX\n.endwhile", "t: jz e\nXX\njmp t\ne:"),
        (".while x == #5\nXX\n.endwhile", "jmp w\nt: XX\nw: lda x\nadd #-5\njz t"),
        (".while x != #5\nXX\n.endwhile", "t: lda x\nadd #-5\njz e\nXX\njmp t\ne:"),
        (".while x < y\nXX\n.endwhile", "jmp w\nt: XX\nw: lda x\nnor #0\nadd y\njc t"),
        (".while x < #9\nXX\n.endwhile", "t: lda x\nadd #-9\njc e\nXX\njmp t\ne:"),
        (".while x >= #0\nXX\n.endwhile", "t: XX\njmp t"),
        (".while !zero\nXX\n.break\n.endwhile", "t: jz e\nXX\njmp e\ne:"),
        (
            ".while x < y\n.when carry\n.break\n.endwhen\nXX\n.endwhile",
            "jmp w\nt: jc e\nXX\nw: lda x\nnor #0\nadd y\njc t\ne:",
        ),
        (
            ".while x != #5\n.when zero\n.continue\n.endwhen\nXX\n.endwhile",
            "t: lda x\nadd #-5\njz e\njz t\nXX\njmp t\ne:",
        ),
        (".repeat_until carry\nXX\n.endrepeat_until", "t: XX\njc e\njmp t\ne:"),
        (".repeat_until !carry\nXX\n.endrepeat_until", "t: XX\njc t"),
        (".repeat_until x == #0\nXX\n.endrepeat", "t: XX\nlda x\njz e\njmp t\ne:"),
        (
            ".repeat_until zero\n.when carry\n.continue\n.endwhen\nXX\n.break\n.endrepeat_until",
            "t: jc c\nXX\njmp e\nc: jz e\njmp t\ne:",
        ),
        (".when x < #3 && y != #0\nXX\n.endwhen", "lda x\nadd #-3\njc e\nlda y\njz e\nXX\ne:"),
        (".when carry || zero\njmp h\n.endwhen", "jc h\njz h"),
    ];
    for (structured, by_hand) in pairs {
        let program = |body: &str| {
            let body = body.replace("XX", "sta OUT").replace("YY", "sta RED");
            image(&format!(".ram x\n.ram y\n{body}\nh: jmp h\n"))
        };
        assert!(
            program(structured) == program(by_hand),
            "{structured}\n{}",
            gray1_assembler::disassemble(&program(structured))
        );
    }
}

/// Nested blocks: the parts of each are exchanged, and their lengths depend on the blocks inside.
#[test]
fn chains_of_decisions_cost_no_more_than_by_hand() {
    let mut structured = String::from("sta RED\n");
    let mut by_hand = structured.clone();
    for k in (1..30).rev() {
        structured = format!(".when x == #{k}\nsta OUT\n.else\n{structured}.endwhen\n");
        by_hand = format!("lda x\nadd #-{k}\njz t{k}\n{by_hand}jmp e{k}\nt{k}: sta OUT\ne{k}:\n");
    }
    let program = |body: &str| {
        image(&format!(".ram x\n      call r\n      call r\nh: jmp h\n.routine r\n{body}.endroutine\n"))
    };
    assert!(program(&structured) == program(&by_hand));
}

/// A block whose condition depends on its own address may never settle with its parts exchanged; then they keep their
/// order.
#[test]
fn what_depends_on_its_place_is_assembled_all_the_same() {
    let source = "
.when carry
  .if here > 2
    lda #1
  .endif
    sta OUT
.else
  .if here % 2 == 0
    .word 1
  .endif
    sta RED
.endwhen
end: jmp end
";
    for more in 0..4 {
        run(&image(&format!("{}{source}", "      lda #3\n".repeat(more))));
    }
    let org = ".when carry\n sta OUT\n.else\n jmp far\n.org 100\nfar: sta RED\n.endwhen\nh: jmp h\n";
    let by_hand = " jc t\n jmp f\nt: sta OUT\n jmp h\nf: jmp far\n.org 100\nfar: sta RED\nh: jmp h\n";
    assert!(image(org) == image(by_hand));
}

#[test]
fn loops_nest_and_leave_the_right_one() {
    let source = "
.ram i
.ram j
      lda #0
      sta i
.while i < #10
      lda #0
      sta j
  .repeat_until j == #3
    .when i == #1
      .break
    .endwhen
    .when i == #2
          jmp .next
    .endwhen
      lda i
      sta OUT
      lda j
      sta OUT
      lda j
      add #1
      sta j
  .endrepeat_until
  .next: lda i
      add #1
      sta i
  .when a < #4
    .continue
  .else
    .break
  .endwhen
.endwhile
halt: jmp halt
";
    assert_eq!(run_from(&image(source), 7, true).0, [0, 0, 0, 1, 0, 2, 3, 0, 3, 1, 3, 2]);
}

/// A macro that may jump over the next statement makes the one after that reachable.
#[test]
fn what_is_jumped_over_is_not_taken_for_the_end() {
    let source =
        ".ram x\n.macro skip\n jc here+2\n.endmacro\n.while x != #5\n skip\n jmp h\n.endwhile\nh: jmp h\n";
    let by_hand = ".ram x\nt: lda x\nadd #-5\njz h\njc here+2\njmp h\njmp t\nh: jmp h\n";
    assert!(image(source) == image(by_hand));
}

#[test]
fn an_elsewhen_is_a_when_in_the_else_part() {
    let one = ".ram n\n.when n == #1\n lda #1\n";
    let rest = "n == #2\n lda #2\n.else\n lda #3\n.endwhen\n";
    let end = " sta OUT\nhalt: jmp halt\n";
    let arms = format!("{one}.elsewhen {rest}{end}");
    assert_eq!(image(&arms), image(&format!("{one}.else\n.when {rest}.endwhen\n{end}")));
}
