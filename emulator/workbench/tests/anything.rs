//! Random keys, text and clicks, on a screen of any size: the screen can always be drawn.

use crate::support;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use gray1_workbench::keys::bindings;
use proptest::prelude::*;
use support::{Bench, read_keys, theme};

/// Halts, so that every run has an end.
const PROGRAM: &str = "\
.ram  n
.ram  a_name_that_is_longer_than_anybody_would_like_to_read, 20
.macro both value
  .for  i, 0, 2
      sta  value+i
  .endfor
      sta  OUT
.endmacro
      lda  #3
loop: both n
      sta  GREEN+2
      add  #-1
      jz   halt
      jmp  loop
halt: jmp  halt
";

fn key() -> impl Strategy<Value = Event> {
    let known: Vec<KeyEvent> = bindings().map(|binding| support::key(binding.key)).collect();
    let letters = any::<char>().prop_map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
    let controls = proptest::char::range('a', 'z')
        .prop_map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    prop_oneof![
        6 => prop::sample::select(known),
        1 => Just(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)),
        1 => Just(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)),
        1 => Just(KeyEvent::new(KeyCode::Tab, KeyModifiers::NONE)),
        1 => letters,
        1 => controls,
    ]
    .prop_map(Event::Key)
}

fn mouse() -> impl Strategy<Value = Event> {
    let kinds = prop::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
        MouseEventKind::Moved,
    ]);
    (kinds, 0u16..130, 0u16..50).prop_map(|(kind, column, row)| {
        Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    })
}

fn line() -> impl Strategy<Value = Vec<Event>> {
    let texts = [
        "break 10",
        "watch n",
        "break loop log \"{n}\"",
        "set n = 7",
        "press 1 2",
        "keys left",
        "find sta",
        "find \u{e9}",
        "scrub -50",
        "scrub 999999999999",
        "file next",
        "file nothing",
        "pane",
        "pane o",
        "goto end",
        "toggle 11",
        "back until n == 1",
        "watch net TICK",
        "show board",
        "scroll",
        "unfold",
        "who wrote n",
        "step 3",
    ];
    prop::sample::select(texts.to_vec()).prop_map(|text| {
        let keys = read_keys(&format!("<Esc><Esc>:{text}<Enter>"));
        keys.into_iter().map(Event::Key).collect()
    })
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let one = |event: BoxedStrategy<Event>| event.prop_map(|event| vec![event]);
    let size = (1u16..140, 1u16..60).prop_map(|(width, height)| Event::Resize(width, height));
    let some =
        prop_oneof![8 => one(key().boxed()), 3 => one(mouse().boxed()), 1 => one(size.boxed()), 2 => line()];
    prop::collection::vec(some, 1..40).prop_map(|lists| lists.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_is_too_much(events in events(), unicode in any::<bool>()) {
        let mut bench = Bench::new("program.g1", PROGRAM, 100, 40);
        bench.theme = theme(unicode);
        for event in &events {
            bench.event(event);
            let (_, cursor) = bench.draw();
            prop_assert!(cursor.is_none_or(|cursor| bench.area.contains(cursor)));
        }
    }
}
