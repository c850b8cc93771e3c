//! Errors in the source of a lesson: each has a position, and no lesson can add active content to the page.

use crate::mutate;
use gray1_lessons::{Course, Lesson, LessonPart, SHIPPED};
use proptest::collection::vec;
use proptest::prelude::*;

/// Faulty exercises, and a part of the message. The exercise begins in line 3.
const FAULTS: &[(&str, &str)] = &[
    (
        "```exercise 9.1 board\nswitches A\nlamps Q\nalways: P = A\n```\n```ron start\n```",
        ":6: `P` is not a lamp of this board",
    ),
    (
        "```exercise 9.1 board\nswitches A\nlamps Q\nalways: Q = B\n```\n```ron start\n```",
        ":6: `B`: there is no `B` here",
    ),
    (
        "```exercise 9.1 board\nswitches A0-1\nlamps Q\nA is at Q: 4\n```\n```ron start\n```",
        ":6: 4 does not fit A",
    ),
    (
        "```exercise 9.1 board\nswitches A\nlamps Q\neach change of A: Q = 1 2\n```\n```ron start\n```",
        ":6: 2 does not fit Q",
    ),
    (
        "```exercise 9.1 board\nswitches A\nlamps Q\neach change of A: Q = 1 0 1\n```\n```ron start\n```",
        ":6: 1 is in the list twice",
    ),
    (
        "```exercise 9.1 board\nswitches A B\nlamps Q\nA B never overlap\neach beat of A B: Q becomes !Q\n```\n```ron start\n```",
        "`never overlap` needs `a beat with",
    ),
    (
        "```exercise 9.1 board\nswitches A\nlamps Q\nQ never sleeps\n```\n```ron start\n```",
        ":6: `Q never sleeps` is not understood here",
    ),
    (
        "```exercise 9.1 board\nswitches A\nlamps Q\n```\n```ron start\n```",
        "the exercise does not say what the board has to do",
    ),
    (
        "```exercise 9.1 board\nlamps Q\nalways: Q = 1\n```\n```ron start\n```",
        "a board has `switches` and `lamps`",
    ),
    ("```exercise 9.1 board\nswitches A 1\n```\n```ron start\n```", ":4: `1` is not a net"),
    (
        "```exercise 9.1 riddle\n```\n```g1 start\n```",
        ":3: `riddle` is not a kind of exercise: there are `program`, `table`",
    ),
    (
        "```exercise 9.1 program\nalways: sends 5\n```\ntext",
        ":3: an exercise must be followed by the initial text of an attempt: ```g1 start",
    ),
    ("```exercise 9.1 program\n```\n```g1 start\n```", ":3: an exercise needs a case: `always: sends 5`"),
    ("```exercise 9.1 program\nalways: sends 5", ":3: the block ```exercise 9.1 program is not closed"),
    (
        "```exercise 9.1 program\nat most few words\n```\n```g1 start\n```",
        ":4: `few` is not a valid number here",
    ),
    (
        "```exercise 9.1 program\nwhen x = 1 sends 5\n```\n```g1 start\n```",
        ":4: `when x = 1 sends 5` is not understood here",
    ),
    (
        "```exercise 9.1 program\n\nwhen x = 256: sends 5\n```\n```g1 start\n```",
        ":5: `256` is not a valid number here",
    ),
    ("```exercise 9.1 program\nwhen x: sends 5\n```\n```g1 start\n```", ":4: `x`: expected `name = value`"),
    (
        "```exercise 9.1 program\nalways: sends \"a\n```\n```g1 start\n```",
        ":4: `\"a` is not a string in quotes",
    ),
    ("```exercise 9.1 program\nalways: shows\ngggg\n```\n```g1 start\n```", "after `shows` come eight lines"),
    (
        "```exercise 9.1 program\nwhen pad 9 1 from 5: sends 5\n```\n```g1 start\n```",
        ":4: `pad 9 1 from 5`: 9 is not a row or column",
    ),
    ("```exercise 9.1 program\nwhen keys fire from 5: sends 5\n```\n```g1 start\n```", "`fire` is not a key"),
    (
        "```exercise 9.1 table\ninputs a\n```\n```table start\n```",
        "a table has 1 to 7 `inputs`, and 1 to 6 `outputs`",
    ),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\n```\n```table start\n```",
        "the exercise does not say what the table has to do",
    ),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\nwhen c = 1: b = 0\n```\n```table start\n```",
        ":6: `c` is not one of a",
    ),
    ("```exercise 9.1 table\ninputs a\noutputs b\nalways: b = c\n```\n```table start\n```", ":6: `c`: "),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\nalways: b = a\n```\n```table start\n0 | .\n1 | .\n```",
        ":9: a table begins with the names of its columns: `a | b`",
    ),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\nalways: b = a\n```\n```table start\n\na | b\n0 | x\n1 | .\n```",
        ":11: `0 | x` is not a row of this table: a row looks like `0 | 1`",
    ),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\nalways: b = a\n```\n```table start\na | b\n0 | .\n0 | 1\n```",
        ":11: There are two rows for a = 0",
    ),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\nalways: b = a\n```\n```table start\na | b\n0 | .\n```",
        ":9: the table has no row for a = 1",
    ),
    (
        "```exercise 9.1 table\ninputs a\noutputs b\nalways: b = a\n```\n```table start\n```",
        ":9: a table begins with",
    ),
    (
        "```exercise 9.1 cells\nalways: sends 5\n```\n```cells start\n```",
        "this exercise must be followed by its program: ```g1 given",
    ),
    (
        "```exercise 9.1 cells\nbroken ALUX:1=1\nalways: sends 5\n```\n```g1 given\nh: jmp h\n```\n```cells start\n```",
        ":4: the board has no chip ALUX",
    ),
    (
        "```exercise 9.1 cells\nalways: sends 5\n```\n```g1 given\njump\n```\n```cells start\n```",
        "The assembler does not accept this program",
    ),
    (
        "```exercise 1.1 program\nalways: sends 5\n```\n```g1 start\n```",
        ":3: there is already an exercise 1.1",
    ),
    (
        "```exercise 9.1 timing\ncapacitor 5 pF\n```\n```timing start\n```",
        "`oscillator` must be given or chosen",
    ),
];

#[test]
fn errors_in_lessons_have_a_position() {
    let mut faults = Vec::new();
    for (exercise, expected) in FAULTS {
        let lesson = format!("# A lesson\n## Exercise\n{exercise}\n");
        let added = Course::shipped().add("mine/9-mine.md", &lesson);
        let fault = added.err().map_or_else(|| "no fault".to_owned(), |fault| fault.to_string());
        if !fault.starts_with("mine/9-mine.md:") || !fault.contains(expected) {
            faults.push(format!("{exercise}\n{fault}\nexpected: {expected}\n"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let untitled = Course::shipped().add("9-mine.md", "Hello\n").expect_err("it has no title");
    assert_eq!(untitled.to_string(), "9-mine.md:1: a lesson begins with its title: `# A title`");
}

#[test]
fn lessons_contain_no_active_content() {
    let text = "# A title\n<script>alert(1)</script>\n\n[a link](javascript:alert) <img src=x onerror=alert(1)>\n\n\
                | a | b |\n|---|---|\n| `1 < 2` | **c** |\n";
    let lesson = Lesson::read("mine.md", 9, text).expect("it is a lesson");
    let [LessonPart::Text { html }] = &lesson.parts[..] else { panic!("{:?}", lesson.parts) };
    for safe in ["<p>a link", "<code>1 &lt; 2</code>", "<strong>c</strong>", "<th>a</th>"] {
        assert!(html.contains(safe), "{safe} is not in {html}");
    }
    for unsafe_text in ["<script", "<a", "<img", "javascript:", "onerror", "A title"] {
        assert!(!html.contains(unsafe_text), "{unsafe_text} is in {html}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_lesson_is_parsed_or_rejected(mutations in vec((any::<usize>(), any::<u8>(), any::<char>()), 0..30)) {
        for (file, text) in SHIPPED {
            let _ = Lesson::read(file, 1, &mutate(text, &mutations));
        }
    }
}
