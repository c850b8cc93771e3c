//! The memory game, played by a player who never forgets, and by one who makes mistakes.

use crate::expectations::drawn;
use gray1_machine::{Engine, Inputs, IsaEngine, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

/// The rounds up to the end of the game.
const ROUNDS: usize = 20;

/// The row, column and colour of an LED of each field. The one of the last field is beside a green LED.
const FIELDS: [(usize, usize, &str); 4] = [(0, 0, "G"), (0, 7, "R"), (7, 0, "A"), (7, 7, "R")];

struct Player {
    engine: IsaEngine,
    seen: Seen,
}

impl Player {
    /// A player who starts the game after this many cycles.
    fn new(after: u64) -> Player {
        let image = assembled("simon", &[]).image;
        let engine = IsaEngine::power_up(&image, Noise::Random(3));
        let mut player = Player { engine, seen: Seen::default() };
        player.wait(after);
        player.press(0);
        player
    }

    fn wait(&mut self, cycles: u64) {
        self.engine.run(cycles, &mut self.seen).expect("the engine isa always settles");
    }

    fn press(&mut self, field: usize) {
        let (row, column, _) = FIELDS[field];
        let pad = Some((row as u8, column as u8));
        self.engine.press(Inputs { pad, keys: 0 }).expect("the engine isa always settles");
        self.wait(600);
        self.engine.press(Inputs::default()).expect("the engine isa always settles");
        self.wait(600);
    }

    fn rows(&self) -> Vec<String> {
        drawn(&self.engine.state().ram[0xFE0..0xFF0])
    }

    /// The field that is lit, if any.
    fn lit(&self) -> Option<usize> {
        let rows = self.rows();
        let lit: Vec<usize> = (0..FIELDS.len())
            .filter(|&field| {
                let (row, column, colour) = FIELDS[field];
                &rows[row][2 * column..=2 * column] == colour
            })
            .collect();
        assert!(lit.len() <= 1, "one field at a time: {rows:?}");
        lit.first().copied()
    }

    /// The fields that are shown in a round.
    fn watch(&mut self, fields: usize) -> Vec<usize> {
        let mut shown = Vec::new();
        let mut before = None;
        while shown.len() < fields || before.is_some() {
            assert!(self.engine.cycle() < 10_000_000, "only {shown:?} of {fields}");
            self.wait(100);
            let now = self.lit();
            if let (None, Some(field)) = (before, now) {
                shown.push(field);
            }
            before = now;
        }
        self.wait(5000);
        shown
    }

    fn sent(&self) -> String {
        String::from_utf8_lossy(&self.seen.bytes()).into_owned()
    }
}

#[test]
fn a_good_memory_wins() {
    let mut player = Player::new(1000);
    let mut last = Vec::new();
    for round in 1..=ROUNDS {
        let fields = player.watch(round);
        assert_eq!(fields[..round - 1], last, "round {round} adds one");
        fields.iter().for_each(|&field| player.press(field));
        last = fields;
    }
    assert!((0..FIELDS.len()).all(|field| last.contains(&field)), "all fields come up: {last:?}");
    assert_eq!(player.rows(), ["G G G G G G G G"; 8]);
    assert_eq!(player.sent(), "20\n");
    player.wait(10_000);
    player.press(0);
    assert_eq!(player.rows()[0], "G G G G R R R R", "the title");
}

#[test]
fn a_wrong_field_ends_the_game_in_any_place() {
    for wrong in 0..3 {
        let mut player = Player::new(1000);
        for round in 1..3 {
            player.watch(round).into_iter().for_each(|field| player.press(field));
        }
        let fields = player.watch(3);
        fields[..wrong].iter().for_each(|&field| player.press(field));
        player.press((fields[wrong] + 1) % FIELDS.len());
        assert_eq!(player.rows(), ["R R R R R R R R"; 8]);
        assert_eq!(player.sent(), "2\n");
    }
}

#[test]
fn the_order_depends_on_when_the_game_begins() {
    let mut orders: Vec<Vec<usize>> = (0..40)
        .map(|wait| {
            let mut player = Player::new(1000 + 13 * wait);
            let mut fields = Vec::new();
            for round in 1..=4 {
                fields = player.watch(round);
                fields.iter().for_each(|&field| player.press(field));
            }
            fields
        })
        .collect();
    orders.sort();
    orders.dedup();
    assert!(orders.len() > 15, "{} orders", orders.len());
}
