//! The queens board under the hands of many players, against the rules of the game written down once more.

use std::collections::BTreeSet;

use crate::support::{Seen, engines};
use crate::{
    assembled,
    expectations::{Expectations, drawn},
    source,
};
use gray1_machine::{Engine, FastEngine, Inputs, Noise, Script};
use proptest::prelude::*;

const LEFT: u8 = 0x01;
const RIGHT: u8 = 0x02;
const UP: u8 = 0x04;
const DOWN: u8 = 0x08;
const A: u8 = 0x10;
const B: u8 = 0x20;
const START: u8 = 0x40;

/// A press is answered by a queen within so many cycles, and by what she threatens.
const QUEEN_SHOWN: u64 = 120;
const THREATS_SHOWN: u64 = 740;
/// A solution is sent so much later.
const SOLUTION_SENT: u64 = 320;
/// It takes longer to see that there is no solution.
const REFUSAL_SHOWN: u64 = 5000;

/// Nothing takes longer to blink.
const BLINK: u64 = 6000;

/// No search should need as many cycles: fifty times those of an average one.
const PATIENCE: u64 = 6_000_000;

/// Row and column.
type Square = (u8, u8);
type Queens = BTreeSet<Square>;

fn attacks((row, column): Square, (other_row, other_column): Square) -> bool {
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    (rows, columns) != (0, 0) && (rows == 0 || columns == 0 || rows == columns)
}

fn threatened(square: Square, queens: &Queens) -> bool {
    queens.iter().any(|&queen| attacks(queen, square))
}

fn at_peace(queens: &Queens) -> bool {
    !queens.iter().any(|&queen| threatened(queen, queens))
}

fn is_solution(size: u8, queens: &Queens) -> bool {
    queens.len() == usize::from(size) && at_peace(queens)
}

/// Whether queens can be added to these until they are a solution.
fn solvable(size: u8, queens: &Queens) -> bool {
    let Some(row) = (0..size).find(|&row| queens.iter().all(|queen| queen.0 != row)) else {
        return is_solution(size, queens);
    };
    at_peace(queens)
        && (0..size).map(|column| (row, column)).any(|square| {
            let mut more = queens.clone();
            more.insert(square);
            !threatened(square, queens) && solvable(size, &more)
        })
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum View {
    Size,
    Position,
    Solution,
    Refusal,
}

/// What the board should do.
#[derive(Clone, Debug)]
struct Model {
    size: u8,
    queens: Queens,
    /// What the machine has solved, as long as nobody touches its solution.
    given: Option<Queens>,
    view: View,
    cursor: Square,
    visible: bool,
    /// The picture after the last press is the one that comes second otherwise.
    second_first: bool,
}

impl Model {
    fn new() -> Model {
        Model {
            size: 8,
            queens: Queens::new(),
            given: None,
            view: View::Size,
            cursor: (0, 0),
            visible: false,
            second_first: false,
        }
    }

    /// The LEDs; `second` is the other picture of what blinks.
    fn display(&self, second: bool) -> Vec<String> {
        let led = |square| self.led(square, second);
        (0..8).map(|row| (0..8).map(|column| led((row, column))).collect::<Vec<_>>().join(" ")).collect()
    }

    fn led(&self, square: Square, second: bool) -> &'static str {
        let queen = self.queens.contains(&square);
        let furthest = square.0.max(square.1);
        match self.view {
            View::Size => [".", "G"][usize::from(furthest < self.size && (square.0 + square.1) % 2 == 1)],
            View::Solution => [".", "G"][usize::from(if second { queen } else { furthest < self.size })],
            _ if furthest >= self.size => {
                let mark = [(0, self.size), (self.size, 0), (self.size, self.size)].contains(&square);
                [".", "A"][usize::from(mark)]
            }
            View::Refusal => "R",
            _ => {
                let blinks = second && self.visible && square == self.cursor;
                match (queen != blinks, threatened(square, &self.queens)) {
                    (false, false) => ".",
                    (true, false) => "G",
                    (false, true) => "R",
                    (true, true) => "A",
                }
            }
        }
    }

    /// What happens after a while. A refusal is over then.
    fn blink(&mut self) {
        self.second_first = !self.second_first && self.view != View::Refusal;
        if self.view == View::Refusal {
            self.view = View::Position;
        }
    }

    fn toggle(&mut self, square: Square) {
        self.given = None;
        if !self.queens.remove(&square) {
            self.queens.insert(square);
        }
        self.judge();
    }

    fn judge(&mut self) {
        self.view = View::Position;
        if is_solution(self.size, &self.queens) {
            self.view = View::Solution;
            self.visible = false;
        }
    }

    fn pad(&mut self, square: Square) {
        if square.0.max(square.1) < self.size {
            self.second_first = false;
            self.cursor = square;
            self.visible = false;
            self.toggle(square);
        }
    }

    /// Any key but B.
    fn key(&mut self, key: u8) {
        let arrow = key < A;
        self.second_first = arrow || key == A;
        match key {
            START => *self = Model { size: self.size, ..Model::new() },
            _ if arrow && self.view == View::Size => {
                self.second_first = false;
                self.size =
                    if key == RIGHT || key == DOWN { 8.min(self.size + 1) } else { 4.max(self.size - 1) };
            }
            _ if !self.visible => {
                self.visible = true;
                self.view = View::Position;
            }
            A => {
                self.second_first = false;
                self.toggle(self.cursor);
            }
            _ => {
                let (row, column) = self.cursor;
                let further = |place: u8| (self.size - 1).min(place + 1);
                self.view = View::Position;
                self.cursor = match key {
                    LEFT => (row, column.saturating_sub(1)),
                    RIGHT => (row, further(column)),
                    UP => (row.saturating_sub(1), column),
                    _ => (further(row), column),
                };
            }
        }
    }

    /// The key B, and the machine has thought about it: what should come of it, but for the solution that it finds.
    fn solve(&mut self) -> bool {
        self.second_first = false;
        if let Some(given) = self.given.take() {
            self.queens = given;
        }
        let solvable = solvable(self.size, &self.queens);
        self.view = if solvable { View::Solution } else { View::Refusal };
        self.visible &= !solvable;
        solvable
    }
}

/// A machine with the board, someone who plays on it, and what should happen.
struct Player {
    engine: Box<dyn Engine>,
    model: Model,
    /// What came out of the output port.
    sent: Vec<u8>,
}

impl Player {
    fn at(engine: Box<dyn Engine>) -> Player {
        let mut player = Player { engine, model: Model::new(), sent: Vec::new() };
        player.hold(Inputs::default(), 500);
        player.check("power-up");
        player
    }

    fn new() -> Player {
        let image = assembled("board", &source("board")).image;
        Player::at(Box::new(FastEngine::power_up(&image, Noise::Random(5))))
    }

    /// With an empty board of that size.
    fn on(size: u8) -> Player {
        let mut player = Player::new();
        for _ in size..8 {
            player.key(LEFT);
        }
        player
    }

    /// With these queens on the board.
    fn with(size: u8, queens: &[Square]) -> Player {
        let mut player = Player::on(size);
        for &queen in queens {
            player.pad(queen);
        }
        player
    }

    fn hold(&mut self, inputs: Inputs, cycles: u64) -> Seen {
        let mut seen = Seen::default();
        self.engine.press(inputs).expect("the board settles");
        self.engine.run(cycles, &mut seen).expect("the board settles");
        self.sent.extend(seen.bytes());
        seen
    }

    /// A short press, and time for the answer.
    fn tap(&mut self, inputs: Inputs) {
        self.hold(inputs, 150);
        self.hold(Inputs::default(), THREATS_SHOWN - 50);
    }

    fn pad(&mut self, square: Square) {
        let before = self.model.clone();
        self.tap(pad(square));
        self.model.pad(square);
        if self.model.queens == before.queens {
            // Outside of the board: what blinks blinks as it did.
            while !self.hold(Inputs::default(), 100).display.is_empty() {}
            if self.shown() != self.model.display(self.model.second_first) {
                self.model.blink();
            }
            self.check(&format!("pad {square:?} outside"));
        } else {
            self.check(&format!("pad {square:?}"));
            self.check_line();
        }
    }

    fn key(&mut self, key: u8) {
        self.tap(keys(key));
        self.model.key(key);
        self.check(&format!("key {key:02X}"));
        self.check_line();
    }

    /// The key B; says whether a solution comes.
    fn solve(&mut self) -> bool {
        self.tap(keys(B));
        let solvable = self.model.solve();
        self.wait_for_end(solvable);
        solvable
    }

    fn wait_for_end(&mut self, solvable: bool) {
        let (before, end) = (self.model.clone(), self.model.display(false));
        let patience = self.engine.cycle() + PATIENCE;
        while self.shown() != end {
            assert!(self.engine.cycle() < patience, "no end of {before:?}: {}", self.shown().join("\n"));
            self.hold(Inputs::default(), 500);
        }
        if solvable {
            self.until_blink();
            self.model.queens = lit(&self.shown(), "G");
            self.model.given = Some(before.queens.clone());
            self.until_blink();
            assert!(is_solution(before.size, &self.model.queens), "{before:?}: {:?}", self.model.queens);
            self.check_line();
            assert!(before.queens.is_subset(&self.model.queens), "{before:?}: {:?}", self.model.queens);
        }
    }

    fn shown(&self) -> Vec<String> {
        drawn(&self.engine.state().ram[0xFE0..0xFF0])
    }

    fn until_blink(&mut self) {
        let (before, patience) = (self.shown(), self.engine.cycle() + BLINK);
        while self.shown() == before && self.engine.cycle() < patience {
            self.hold(Inputs::default(), 50);
        }
        self.hold(Inputs::default(), 200);
    }

    /// Compares the display with what should be seen.
    fn check(&self, after: &str) {
        let expected = self.model.display(self.model.second_first).join("\n");
        let shown = self.shown().join("\n");
        assert!(shown == expected, "after {after}:\n{shown}\nbut expected\n{expected}\n{:?}", self.model);
    }

    /// Compares the last line that was sent with what is shown, a size or a solution.
    fn check_line(&mut self) {
        let expected = match self.model.view {
            View::Size => format!("{} rows\n", self.model.size),
            View::Solution => {
                self.hold(Inputs::default(), SOLUTION_SENT);
                let columns = self.model.queens.iter().map(|queen| (b'1' + queen.1) as char);
                columns.chain(['\n']).collect()
            }
            View::Position | View::Refusal => return,
        };
        let sent = String::from_utf8_lossy(&self.sent);
        let line = sent.split_inclusive('\n').next_back();
        assert_eq!(line, Some(&*expected), "{:?}", self.model);
    }

    /// Waits for what blinks, and looks again.
    fn check_blink(&mut self) {
        self.until_blink();
        self.model.blink();
        self.check("a while");
    }
}

fn pad(square: Square) -> Inputs {
    Inputs { pad: Some(square), keys: 0 }
}

fn keys(keys: u8) -> Inputs {
    Inputs { pad: None, keys }
}

fn lit(display: &[String], led: &str) -> Queens {
    let square = |row: usize, column: usize| (row as u8, column as u8);
    let row = |(row, leds): (usize, &String)| {
        let lit = |(column, shown): (usize, &str)| (shown == led).then_some(square(row, column));
        leds.split(' ').enumerate().filter_map(lit).collect::<Vec<_>>()
    };
    display.iter().enumerate().flat_map(row).collect()
}

fn squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)))
}

/// A solution for every size: the column of each row's queen.
const SOLUTIONS: [&[u8]; 5] =
    [&[1, 3, 0, 2], &[0, 2, 4, 1, 3], &[1, 3, 5, 0, 2, 4], &[0, 2, 4, 6, 1, 3, 5], &[0, 4, 7, 5, 2, 6, 1, 3]];

#[test]
fn on_every_size_queens_are_placed_threaten_conflict_and_solve_on_both_engines() {
    let image = assembled("board", &source("board")).image;
    for (_, engine) in engines(&image, Noise::Random(6)) {
        let mut player = Player::at(engine);
        for solution in SOLUTIONS.iter().rev() {
            let size = solution.len() as u8;
            assert_eq!(player.model.size, size);
            let queens: Vec<Square> = (0..).zip(solution.iter().copied()).collect();
            for &queen in &queens[..queens.len() - 1] {
                player.pad(queen);
            }
            let last = queens[queens.len() - 1];
            let wrong = (last.0, (last.1 + 1) % size);
            player.pad(wrong);
            assert!(!lit(&player.shown()[..usize::from(size)], "A").is_empty(), "a conflict");
            player.pad(wrong);
            player.pad((size.min(7), 0));
            player.pad((0, size.min(7)));
            if size == 8 {
                player.pad((7, 0));
                player.pad((0, 7));
            }
            player.pad(last);
            assert_eq!(player.model.view, View::Solution);
            assert_eq!(lit(&player.shown(), "G").len(), usize::from(size).pow(2), "all green");
            player.check_blink();
            player.check_blink();
            player.pad(queens[1]);
            assert_eq!(player.model.view, View::Position);
            player.key(START);
            player.key(LEFT);
        }
    }
}

#[test]
fn both_engines_search_alike_cycle_by_cycle() {
    let source = source("board");
    let image = assembled("board", &source).image;
    let expected = Expectations::read(&source).expect("what the comments say");
    let script = Script::from_ron(&expected.input).expect("a script");
    let [chips, fast] = engines(&image, Noise::Random(7)).map(|(_, mut engine)| {
        let mut seen = Seen::default();
        script.run(&mut *engine, Inputs::default(), 20_000, &mut seen).expect("the board settles");
        (seen, engine.state())
    });
    assert!(chips == fast);
    assert!(chips.0.display.len() > 200);
}

#[test]
fn the_arrows_choose_a_size_from_4_to_8_before_the_first_queen() {
    let mut player = Player::new();
    let sizes =
        [(RIGHT, 8), (UP, 7), (LEFT, 6), (LEFT, 5), (LEFT, 4), (LEFT, 4), (UP, 4), (DOWN, 5), (RIGHT, 6)];
    for (key, size) in sizes {
        player.key(key);
        assert_eq!(player.model.size, size);
    }
    player.pad((5, 5));
    player.key(LEFT);
    assert_eq!((player.model.size, player.model.visible), (6, true), "now they move the cursor");
    player.key(START);
    player.key(DOWN);
    assert_eq!((player.model.size, player.model.queens.len()), (7, 0));
}

#[test]
fn squares_outside_the_board_do_nothing() {
    let mut player = Player::with(5, &[(4, 4)]);
    for square in squares(8).filter(|&(row, column)| row.max(column) > 4) {
        player.pad(square);
    }
    assert_eq!(player.model.queens, Queens::from([(4, 4)]));
}

#[test]
fn a_cursor_shows_what_a_press_would_do() {
    let mut player = Player::new();
    player.key(A);
    player.check_blink();
    player.check_blink();
    for key in [RIGHT, RIGHT, DOWN, A, A, A, DOWN, A, UP, UP, UP, LEFT, A] {
        player.key(key);
        player.check_blink();
        player.check_blink();
    }
    assert_eq!(player.model.queens, Queens::from([(1, 2), (2, 2), (0, 1)]));
    player.pad((5, 5));
    player.check_blink();
    player.key(UP);
    assert_eq!(player.model.cursor, (5, 5), "it appears where the mouse was");
}

#[test]
fn an_arrow_that_is_held_repeats_up_to_the_edge() {
    let mut player = Player::new();
    player.key(A);
    player.model.key(DOWN);
    player.hold(keys(DOWN), 2000);
    player.check("two thousand cycles");
    for _ in 0..7 {
        player.model.key(DOWN);
    }
    player.hold(keys(DOWN), 9000);
    player.hold(Inputs::default(), 400);
    assert_eq!(player.model.cursor, (7, 0));
    player.check_blink();
    player.check_blink();
}

#[test]
fn a_pad_that_is_held_or_slides_is_one_press_and_a_key_beside_another_counts() {
    let mut player = Player::new();
    player.model.pad((3, 3));
    player.hold(pad((3, 3)), 9000);
    player.hold(pad((3, 4)), 3000);
    player.hold(Inputs::default(), 200);
    player.check("a slide");
    player.model.key(RIGHT);
    player.model.key(RIGHT);
    player.model.key(DOWN);
    player.hold(keys(RIGHT), 400);
    player.hold(Inputs::default(), 400);
    player.hold(keys(RIGHT), 400);
    player.hold(keys(RIGHT | DOWN), 400);
    player.check("a corner");
}

#[test]
fn presses_are_answered_in_time() {
    let mut player = Player::new();
    let (mut queen, mut all) = (0, 0);
    for press in 0..2000u64 {
        // Ever more queens until the board is full, then fewer.
        let place = (press * 5 % 64) as u8;
        let square = (place / 8, place % 8);
        player.hold(Inputs::default(), 97 + press % 53);
        let pressed = player.engine.cycle();
        let seen = player.hold(pad(square), 1500);
        let first = seen.display.iter().find(|&&(_, line, _)| line == usize::from(square.0));
        queen = queen.max(first.expect("an answer").0 - pressed);
        // The last change before the first blink.
        all = all.max(seen.display.last().expect("an answer").0 - pressed);
        player.model.pad(square);
        player.check("a quick press");
    }
    assert!(
        (QUEEN_SHOWN - 20..=QUEEN_SHOWN).contains(&queen)
            && (THREATS_SHOWN - 20..=THREATS_SHOWN).contains(&all),
        "{queen} {all}"
    );
}

#[test]
fn every_size_is_solved_from_the_empty_board_and_each_time_anew() {
    // Of the 92 solutions on eight rows, 200 searches meet about 82.
    for (size, searches, solutions) in [(4, 20, 2), (5, 100, 10), (6, 40, 4), (7, 400, 40), (8, 200, 75)] {
        let mut player = Player::on(size);
        let mut found = BTreeSet::new();
        for _ in 0..searches {
            assert!(player.solve());
            found.insert(player.model.queens.clone());
            assert_eq!(player.model.given, Some(Queens::new()), "from the same start");
        }
        assert!(found.len() >= solutions, "{} solutions on {size} rows", found.len());
    }
}

#[test]
fn what_it_finds_depends_on_the_time_between_presses() {
    let found: BTreeSet<Queens> = (0..40)
        .map(|wait| {
            let mut player = Player::new();
            player.hold(Inputs::default(), 50 * wait);
            assert!(player.solve());
            player.model.queens
        })
        .collect();
    assert!(found.len() > 20, "{} solutions", found.len());
}

#[test]
fn it_solves_from_here_or_says_soon_that_there_is_no_way() {
    let mut refused = 0;
    let mut longest = 0;
    for size in 4..=8 {
        let mut player = Player::on(size);
        let pairs = squares(size).flat_map(|one| squares(size).map(move |other| (one, other)));
        for (one, other) in pairs.filter(|(one, other)| one <= other) {
            let queens = Queens::from([one, other]);
            let solvable = solvable(size, &queens);
            // Single queens, pairs that lead nowhere, and some that do.
            if one != other && solvable && (one.0 * 5 + other.1 * 3 + other.0) % 9 != 0 {
                continue;
            }
            for &queen in &queens {
                player.pad(queen);
            }
            let asked = player.engine.cycle();
            assert_eq!(player.solve(), solvable);
            if !solvable {
                refused += 1;
                longest = longest.max(player.engine.cycle() - asked);
                assert_eq!(player.model.queens, queens);
            }
            player.check_blink();
            player.key(START);
        }
    }
    assert!(refused > 1000, "{refused}");
    assert!((REFUSAL_SHOWN - 1000..=REFUSAL_SHOWN).contains(&longest), "{longest} cycles");
}

#[test]
fn no_queen_and_one_queen_on_seven_or_eight_rows_always_lead_to_a_solution() {
    for size in [7, 8] {
        assert!(solvable(size, &Queens::new()));
        assert!(squares(size).filter(|_| size == 8).all(|square| solvable(size, &Queens::from([square]))));
    }
}

#[test]
fn any_press_stops_it_and_leaves_the_queens_as_they_were() {
    for (stop, inputs) in
        [pad((3, 3)), pad((0, 1)), keys(A), keys(B), keys(START), keys(UP)].into_iter().enumerate()
    {
        let mut player = Player::with(8, &[(0, 1)]);
        player.hold(keys(B), 2000);
        assert!(!player.hold(keys(B), 500).display.is_empty(), "holding the key on does not stop it");
        player.hold(Inputs::default(), 500);
        player.hold(inputs, 1500);
        player.check(&format!("stop {stop}"));
        player.hold(Inputs::default(), 1000);
        player.check("and later");
        player.pad((1, 3));
        assert!(player.solve());
    }
}

#[derive(Clone, Copy, Debug)]
enum Press {
    Pad(Square),
    Key(u8),
    Solve,
    Wait,
}

fn presses() -> impl Strategy<Value = Vec<Press>> {
    let press = prop_oneof![
        8 => (0..8u8, 0..8u8).prop_map(Press::Pad),
        8 => (0..4u8, 0..5u8).prop_map(|(row, column)| Press::Pad((row, column))),
        6 => prop::sample::select(vec![LEFT, RIGHT, UP, DOWN, A]).prop_map(Press::Key),
        1 => Just(Press::Key(START)),
        1 => Just(Press::Solve),
        3 => Just(Press::Wait),
    ];
    prop::collection::vec(press, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn whatever_is_pressed_the_display_shows_what_the_rules_say(size in 4..=8u8, presses in presses()) {
        let mut player = Player::on(size);
        for press in presses {
            match press {
                Press::Pad(square) => player.pad(square),
                Press::Key(key) => player.key(key),
                Press::Solve => {
                    player.solve();
                }
                Press::Wait => player.check_blink(),
            }
        }
    }
}
