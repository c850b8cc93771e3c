//! The output of the queens programs and every picture of `queens.g1`, compared with independent solvers.

mod counts;
mod displays;
mod model;
mod nqueens;
pub mod solutions;

use gray1_assembler::{Program, SymbolKind};
use gray1_isa::Image;
use gray1_machine::{Engine, Noise};
use test_support::engines::{Seen, chips, engines};
use test_support::programs::{assembled, folder};

const SOURCE: &str = include_str!("../../../programs/queens.g1");
const WALK_THROUGH: &str = include_str!("../../../docs/queens.md");
/// The heading from which the document describes other programs.
const OTHER_PROGRAMS: &str = "\n## Eight programs";

/// The stores to the display for the empty board, one for each line.
const LINES: usize = 16;

/// The first of the red lines.
const RED: usize = 8;

/// The most cycles from the first store of an update to its last, during which the display mixes two pictures.
const MAX_UPDATE: u64 = 39;

/// Cycles from power-up to the first picture.
const FIRST_PICTURE: u64 = 17;

fn program() -> Program {
    assembled("queens", &[])
}

fn image() -> Image {
    program().image
}

/// Runs until the machine halts.
fn run(engine: &mut dyn Engine) -> Seen {
    let mut seen = Seen::default();
    engine.run(1_000_000, &mut seen).expect("the board settles");
    assert!(engine.halted());
    seen
}

#[test]
fn all_92_solutions_on_every_engine_for_any_initial_ram() {
    let solutions = solutions::ascending(8);
    assert_eq!((solutions.len(), &*solutions[0], &*solutions[91]), (92, "15863724", "84136275"));
    let expected = format!("{}\n92\n", solutions.join("\n"));
    let image = image();
    for noise in [Noise::Zeros, Noise::Ones, Noise::Random(1), Noise::Random(2), Noise::Random(1_000_003)] {
        for (name, mut engine) in engines(&image, noise) {
            let sent = String::from_utf8(run(&mut *engine).bytes()).expect("digits and line feeds");
            assert_eq!(sent, expected, "{name}, {noise:?}");
        }
    }
}

/// The stores to the display for the empty board, or for a queen that is placed or removed, with the red line first.
struct Update {
    first: u64,
    last: u64,
    /// The display after the update.
    picture: model::Picture,
}

fn updates(seen: &Seen, noise: Noise) -> Vec<Update> {
    let mut lines = [0; LINES];
    lines.copy_from_slice(&noise.ram()[0xFE0..0xFF0]);
    let mut updates: Vec<Update> = Vec::new();
    for (store, &(cycle, line, leds)) in seen.display.iter().enumerate() {
        lines[line] = leds;
        let picture = model::Picture::from_lines(&lines);
        match updates.last_mut() {
            Some(update) if store < LINES || line < RED => (update.last, update.picture) = (cycle, picture),
            _ => updates.push(Update { first: cycle, last: cycle, picture }),
        }
    }
    updates
}

#[test]
fn the_display_shows_every_step_of_the_search_and_nothing_else() {
    let expected = model::pictures();
    let image = image();
    for noise in [Noise::Zeros, Noise::Ones, Noise::Random(7)] {
        let seen = run(&mut chips(&image, noise));
        let updates = updates(&seen, noise);
        for (step, (update, expected)) in updates.iter().zip(&expected).enumerate() {
            let cycle = update.last;
            assert_eq!(&update.picture, expected, "after update {step}, in cycle {cycle}, {noise:?}");
        }
        assert_eq!(updates.len(), expected.len());
        assert_eq!(updates[0].last, FIRST_PICTURE);
        let longest = updates.iter().map(|update| update.last - update.first).max();
        assert_eq!(longest, Some(MAX_UPDATE));
    }
}

/// The number of stores to the display in the whole search.
const STORES: usize = 11_832;

#[test]
fn each_step_is_stored_to_the_display_once_and_from_the_top_down() {
    let seen = run(&mut chips(&image(), Noise::Ones));
    let stores: Vec<model::Store> = seen.display.iter().map(|&(_, line, leds)| (line, leds)).collect();
    assert_eq!(stores.len(), STORES);
    let expected = model::stores();
    let first_other = (0..STORES).find(|&store| stores.get(store) != expected.get(store));
    assert_eq!((first_other, expected.len()), (None, STORES), "the first other store");
}

#[test]
fn the_walk_through_states_what_was_measured() {
    let program = program();
    let mut engine = chips(&program.image, Noise::Zeros);
    run(&mut engine);
    let steps = model::steps();
    let own_bytes = program.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Ram);
    for fact in [
        format!("{} words", with_comma(program.words.len() as u64)),
        format!("{} bytes of RAM", own_bytes.map(|symbol| symbol.size).sum::<u16>()),
        format!("{} cycles", with_comma(engine.cycle())),
        format!("{} pictures", with_comma(model::pictures().len() as u64)),
        format!("at most {MAX_UPDATE} cycles"),
        format!("cycle {FIRST_PICTURE}"),
        format!("tries {} squares", with_comma(steps.tried)),
        format!("places {} queens", with_comma(steps.put_down)),
        format!("cuts {}", steps.cut),
        format!("{} stores", with_comma(STORES as u64)),
    ] {
        assert!(WALK_THROUGH.contains(&fact), "docs/queens.md does not say `{fact}`");
    }
}

fn with_comma(number: u64) -> String {
    format!("{},{:03}", number / 1000, number % 1000)
}

#[test]
fn the_table_of_costs_adds_up() {
    let number = |text: &str| text.trim().replace(',', "").parse::<u64>().ok();
    let (walk_through, _) = WALK_THROUGH.split_once(OTHER_PROGRAMS).expect("two halves");
    let rows = walk_through.lines().filter_map(|line| number(line.strip_suffix('|')?.rsplit('|').next()?));
    let rest = 143;
    assert!(WALK_THROUGH.contains(&format!("remaining {rest} ")));
    let mut engine = chips(&image(), Noise::Zeros);
    run(&mut engine);
    assert_eq!(rows.sum::<u64>() + rest, engine.cycle());
}

#[test]
fn the_walk_through_quotes_the_program() {
    let (walk_through, others) = WALK_THROUGH.split_once(OTHER_PROGRAMS).expect("two halves");
    // The table of `gray1 compare` is compared elsewhere.
    let quotes = |text: &'static str| {
        let quotes = text.split("```").skip(1).step_by(2).filter(|quote| !quote.starts_with("text"));
        quotes.map(|quote| quote.trim_start_matches('\n'))
    };
    for quote in quotes(walk_through) {
        assert!(SOURCE.contains(quote), "not in queens.g1:\n{quote}");
    }
    let files = std::fs::read_dir(folder()).expect("the folder of programs");
    let paths = files.map(|entry| entry.expect("an entry").path());
    let queens = paths
        .filter(|path| path.file_stem().is_some_and(|name| name.display().to_string().contains("queens")));
    let programs: Vec<String> = queens.map(|path| std::fs::read_to_string(path).expect("a text")).collect();
    for quote in quotes(others) {
        assert!(programs.iter().any(|program| program.contains(quote)), "not in a queens program:\n{quote}");
    }
    assert_eq!((quotes(walk_through).count(), quotes(others).count()), (4, 1));
}
