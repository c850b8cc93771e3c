//! Board files: each error has its place, and a board that does not settle is an error, not a hang.

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Failure, Noise};
use test_support::boards::DIRECT_RESET;
use test_support::say;

const GRAY1: &str = include_str!("../../src/board/gray1.ron");

/// The board file of the Gray-1 with one text replaced by another.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(GRAY1.matches(from).count(), 1, "`{from}` must stand in the board file once");
    GRAY1.replace(from, to)
}

/// The line and column (from 1) of a text.
fn place(source: &str, text: &str) -> String {
    let at = source.find(text).unwrap_or_else(|| panic!("`{text}` is not in the source"));
    let line_start = source[..at].rfind('\n').map_or(0, |newline| newline + 1);
    format!("b.ron:{}:{}: ", source[..at].matches('\n').count() + 1, at - line_start + 1)
}

#[test]
fn the_built_in_board_is_whole() {
    let board = Board::gray1();
    assert_eq!(board.chips.len(), 39);
    let rams = board.chips.iter().filter(|chip| board.panel.memory.contains(&chip.name().to_owned()));
    assert_eq!(rams.count(), 2);
}

/// The board to build has every net of the Gray-1, and every ROM by name.
#[test]
fn the_board_as_it_is_built_has_the_nets_of_the_gray1() {
    let [gray1, built] = [Board::gray1(), Board::built()];
    let names = |board: &Board| {
        board.netlist().listing.iter().map(|&net| board.netlist().nets[net].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&gray1), names(&built));
    let roms = |board: &Board| {
        let roms = board.chips.iter().filter(|chip| !board.panel.memory.contains(&chip.name().to_owned()));
        roms.map(|chip| (chip.name().to_owned(), chip.address().clone(), chip.data().clone()))
            .collect::<Vec<_>>()
    };
    assert!(roms(&gray1) == roms(&built));
}

#[test]
fn a_fault_of_the_hardware_is_named_with_its_place() {
    const BUILT: &str = include_str!("../../src/board/built.ron");
    for (from, to, at, message) in [
        (
            "green: \"WP710A10LGD\"",
            "green: \"GREEN\"",
            "green: \"GREEN",
            "green is GREEN, which is not in `parts`",
        ),
        (
            "\"WE#\": \"VCC\"",
            "\"WX#\": \"VCC\"",
            "tied: {\"GND\": \"GND\", \"VCC\": \"VCC\", \"VPP",
            "pin WX# is tied, but is not one of its pins",
        ),
        (
            "\"WE#\": \"VCC\"",
            "\"WE#\": \"+5V\"",
            "tied: {\"GND\": \"GND\", \"VCC\": \"VCC\", \"VPP",
            "a pin is tied to +5V, but the rails are VCC and GND",
        ),
        (
            "1=- 7=GND 8=OUT 14=VCC\"",
            "1=- 7=GND 8=OUT 8=VCC\"",
            "1=- 7=GND",
            "a pin number comes after that of the pin before",
        ),
        ("pins: \"COM R1 R2", "pins: \"COM R2 R2", "COM R2", "pins need names of their own"),
        (
            "pins: \"COM R1 R2",
            "pins: \"COM R0 R2",
            "4609X-101-473LF",
            "as pull_downs it needs a pin R1 that is not tied",
        ),
        (
            "buffer: \"SST39SF010A-70-4C-PHE\"",
            "buffer: \"B3F-1000\"",
            "\"B3F-1000\": (",
            "part B3F-1000: as buffer it needs a pin A0 that is not tied",
        ),
        (
            "\"DIP-32\": \"A 32",
            "\"DIP-32\": \"B 32",
            "\"DIP-32\": \"B 32",
            "socket B 32-LC-TT is not in `parts`",
        ),
        ("chips: \"IODEC PMUX", "chips: \"IODEX PMUX", "IODEX PMUX", "board I/O: there is no chip IODEX"),
        ("chips: \"IODEC PMUX", "chips: \"SEQ PMUX", "SEQ PMUX", "board I/O: chip SEQ is on a board already"),
        ("insert: \"SEQ\"", "insert: \"SEX\"", "SEX", "bring_up: there is no chip SEX"),
        (
            "low: \"TAKE\", watch: Turn,\n                about: \"With",
            "low: \"TOKE\", watch: Turn,\n                about: \"With",
            "TOKE",
            "bring_up: net TOKE is not declared",
        ),
        (
            "Run(12)",
            "Run(4611686018427387904)",
            "Run(4611686018427387904)",
            "bring_up: Run(4611686018427387904): at most 4096 cycles are watched",
        ),
        (
            "current: (15, 45)",
            "current: (10, 4294967295)",
            "current: (10, 4294967295)",
            "part AS6C62256-55PCN: takes 4294967295 mA, but no part takes more than 100000 mA",
        ),
        (
            "filters: \"WE WEN",
            "filters: \"RSTIN WEN",
            "RSTIN WEN",
            "filters: no chip drives RSTIN: name lines of chips",
        ),
        ("clock: 400", "clock: 0", "clock: 0", "hardware: a clock of 0 kHz: write 1 to 100000 kHz"),
    ] {
        assert_eq!(BUILT.matches(from).count(), 1, "{from}");
        let source = BUILT.replace(from, to);
        let error =
            Board::parse(&source, "b.ron").err().unwrap_or_else(|| panic!("{to} is taken")).to_string();
        assert!(error.contains(message), "{error}");
        let line = |text: &str| {
            source[..source.find(text).unwrap_or_else(|| panic!("{text}"))].matches('\n').count() + 1
        };
        assert!(error.starts_with(&format!("b.ron:{}:", line(at))), "{error}, expected line {}", line(at));
    }
}

#[test]
fn each_fault_is_named_with_its_place() {
    // The text to replace; its replacement; the text in the changed file where the error is; a part of the message.
    let cases = [
        ("W13-15 PH1 RST\", data", "W13-15 PHI RST\", data", "PHI RST", "chip DEC: net PHI is not declared"),
        (
            "data: \"S0-1 PH1 PH2 RST\"",
            "data: \"S0-1 PH1\"",
            "SEQ\"",
            "burned for 5 address and 5 data lines",
        ),
        ("data: \"P0-7\"", "data: \"I0-7\"", "I0-7\"),\n        Rom(name: \"DMUX", "two drivers"),
        ("nets: \"NC\",        about", "nets: \"NC LOST\",        about", "LOST", "net LOST has no driver"),
        ("\"W13-15 PH1 RST\"", "\"W13-15 PH1\"", "DEC\"", "the chip is wired with 4 and 2"),
        (
            "burn: WriteDecoder, address: \"W13-15 PH1 RST\"",
            "burn: Cells([0, 1, 1]), address: \"W13-15 PH1 RST\"",
            "DEC\"",
            "3 cells do not fit 5 address lines, which select 32",
        ),
        (
            "burn: WriteDecoder, address: \"W13-15 PH1 RST\"",
            "burn: Cells([0, 4]), address: \"RST\"",
            "DEC\"",
            "cell 1 holds 4, which does not fit 2 data lines",
        ),
        (
            "name: \"T\",     part: \"27C010\"",
            "name: \"T\",     part: \"27C256\"",
            "27C256\", burn: Latch",
            "needs 17 address lines, a 27C256 has 15",
        ),
        (
            "name: \"T\",     part: \"27C010\"",
            "name: \"T\",     part: \"27C999\"",
            "27C999",
            "part 27C999 is not in `parts`",
        ),
        (
            "name: \"T\",     part: \"27C010\"",
            "name: \"T\",     part: \"4Kx4\"",
            "4Kx4\", burn: Latch",
            "chip T is a ROM, part 4Kx4 is a RAM",
        ),
        (
            "name: \"TGH\"",
            "name: \"TGL\"",
            "TGL\",   part: \"27C128\", burn: TargetLatch,  address: \"W6",
            "two chips are called TGL",
        ),
        ("nets: \"ZL\"", "nets: \"ZL C4\"", "", "net C4 is declared twice"),
        ("\"Gray-1\"", "\"Gray\\u{1b}[2J\"", "Gray\\u{1b}", "`Gray\\u{1b}[2J` has a control character"),
        ("\"Gray-1\"", "\"Gray\\n1\"", "Gray\\n1", "`Gray\\n1` has a control character"),
        ("name: \"TGH\"", "name: \"TG\u{9b}H\"", "", "`TG\\u{9b}H` has a control character"),
        ("nets: \"ZL\"", "nets: \"ZL\\u{7}\"", "", "is not a net"),
        ("burn: Sequencer", "burn: Sequenzer", "", "Sequenzer"),
        ("\"S0-1 PH1 PH2 RST\"", "\"S1-0 PH1 PH2\"", "", "`S1-0` is not a range of nets"),
        ("    name: \"Gray-1\",\n", "", "", "name"),
        (
            "carry_master: \"MC\"",
            "carry_master: \"MC MJ\"",
            "carry_master",
            "carry_master has 2 lines, it must have 1",
        ),
        ("pad_row: \"PADROW0-7\"", "pad_row: \"X0-7\"", "X0-7\", keys", "net X0 must be one of `inputs`"),
        ("[\"RAML\", \"RAMH\"]", "[\"RAML\"]", "memory: [", "holds 4 bits an address, not 8"),
        ("[\"RAML\", \"RAMH\"]", "[\"RAML\", \"SEQ\"]", "SEQ\"],", "memory SEQ is not a RAM"),
        ("\"S\": \"S0-1\"", "\"WE\": \"S0-1\"", "WE\": \"S0-1\"", "bus WE has the name of a net"),
        (
            "Rom(address: 12, data: 8, about: \"EPROM, 4,096 x 8\")",
            "Rom(address: 40, data: 8, about: \"?\")",
            "27C32\",  burn: ProgramLow",
            "this emulator takes up to 20 and 8",
        ),
        (
            "\"27C32\":     (access: (60, 150)",
            "\"27C32\":     (access: (150, 60)",
            "27C32\":     (access",
            "write the shorter time first",
        ),
        (
            "\"27C32\":     (access: (60, 150), inertia: 4",
            "\"27C32\":     (access: (60, 150), inertia: 61",
            "27C32\":     (access",
            "it must be from 1 to the shortest access time, 60 ns",
        ),
        (
            "\"27C32\":     (access: (60, 150), inertia: 4, resistance: 100, transients: (in_a_billion: 300, half_longer: 2)",
            "\"27C32\":     (access: (60, 150), inertia: 4, resistance: 100, transients: (in_a_billion: 300, half_longer: 0)",
            "27C32\":     (access",
            "half_longer 0: it must be from 1 to 1000 ns",
        ),
        (
            "\"27C32\":     (access",
            "\"27C99\":     (access",
            "27C99\":     (access",
            "there is no part 27C99",
        ),
    ];
    for (from, to, at, message) in cases {
        let source = changed(from, to);
        let error = Board::parse(&source, "b.ron").expect_err(to).to_string();
        assert!(error.contains(message), "{to}: {error}");
        assert!(
            error.starts_with(&if at.is_empty() { "b.ron:".to_owned() } else { place(&source, at) }),
            "{to}: {error}"
        );
    }
    say(&format!("{} faults", cases.len()));
}

#[test]
fn a_file_cut_short_anywhere_is_an_error() {
    let end = GRAY1.rfind(')').expect("the board ends with a parenthesis");
    for length in (0..end).filter(|&length| GRAY1.is_char_boundary(length)).step_by(97) {
        assert!(Board::parse(&GRAY1[..length], "b.ron").is_err(), "cut at {length}");
    }
}

/// A board whose multiplexer is listed cell by cell runs like the original.
#[test]
fn a_board_may_bring_its_own_cells() {
    let mux =
        (0..1u32 << 17).map(|address| if address >> 16 == 1 { address >> 8 & 0xFF } else { address & 0xFF });
    let cells: Vec<String> = mux.map(|cell| cell.to_string()).collect();
    let source = changed(
        "name: \"XMUX\",  part: \"27C010\", burn: Mux,",
        &format!("name: \"XMUX\",  part: \"27C010\", burn: Cells([{}]),", cells.join(",")),
    );
    let board = Board::parse(&source, "b.ron").expect("a good board");
    let image = Image::from_words([Word::constant(Opcode::Lda, 5), Word::constant(Opcode::Add, 6)]);
    let mut engine = ChipsEngine::power_up(&board, &image, Noise::Random(1)).expect("the board settles");
    assert_eq!(engine.run(100, &mut ()).ok(), Some(3));
    assert_eq!(engine.registers().a, 11);
}

/// An inverter whose output is its own input.
#[test]
fn a_board_that_does_not_settle_is_an_error_that_names_the_loop() {
    let source = changed("nets: \"ZL\", ", "nets: \"ZL RING\", ").replace(
        "    chips: [\n",
        "    chips: [\n        Rom(name: \"RINGER\", part: \"27C32\", burn: Cells([1, 0]), address: \"RING\", data: \"RING\"),\n",
    );
    let board = Board::parse(&source, "b.ron").expect("a board that is wired well");
    let error = ChipsEngine::power_up(&board, &Image::blank(), Noise::Zeros).err().expect("it oscillates");
    assert_eq!(error.chips, ["RINGER"]);
    assert!(error.to_string().contains("does not settle"), "{error}");
}

/// The ring oscillates only while the lowest bit of the accumulator is 1: the program gets there in the middle of a
/// run.
#[test]
fn a_loop_met_in_the_middle_of_a_run_names_its_cycle() {
    let source = changed("nets: \"ZL\", ", "nets: \"ZL RING\", ").replace(
        "    chips: [\n",
        "    chips: [\n        Rom(name: \"RINGER\", part: \"27C32\", burn: Cells([0, 0, 1, 0]), address: \"RING A0\", data: \"RING\"),\n",
    );
    let board = Board::parse(&source, "b.ron").expect("a board that is wired well");
    let image = Image::from_words([
        Word::constant(Opcode::Lda, 2),
        Word::constant(Opcode::Lda, 1),
        Word::jump(Opcode::Jmp, 2),
    ]);
    let mut engine = ChipsEngine::power_up(&board, &image, Noise::Zeros).expect("A is 0");
    let Err(Failure::Unsettled(error)) = engine.run(100, &mut ()) else { panic!("the loop is met") };
    assert_eq!((error.cycle, error.phase, error.chips), (1, 3, vec!["RINGER".to_owned()]));
}

/// For such a board there is no plan.
#[test]
fn a_ram_written_by_the_clock_is_the_same_by_plan_and_by_phases() {
    for line in ["PH1", "PH2", "S0"] {
        let source = GRAY1.replace("write: \"WE\"", &format!("write: \"{line}\""));
        let board = Board::parse(&source, "b.ron").expect("a board that is wired well");
        let image = Image::from_words([
            Word::constant(Opcode::Lda, 7),
            Word::ram(Opcode::Add, 5),
            Word::jump(Opcode::Jmp, 1),
        ]);
        let [mut planned, mut plain] =
            [(); 2].map(|()| ChipsEngine::power_up(&board, &image, Noise::Random(1)).expect("it settles"));
        planned.run(4000, &mut ()).expect("it settles");
        for _ in 0..4 * 4000 {
            plain.phase(&mut ()).expect("it settles");
        }
        assert_eq!(planned.cycle(), plain.cycle(), "{line}");
        assert!(planned.state() == plain.state(), "{line}");
    }
}

/// Boards whose reset button is connected directly to the chips use fewer lines of two ROMs.
#[test]
fn a_board_without_a_synchronised_reset_runs_all_the_same() {
    let source = DIRECT_RESET.into_iter().fold(GRAY1.to_owned(), |source, (from, to)| {
        assert_eq!(source.matches(from).count(), 1, "{from}");
        source.replace(from, to)
    });
    let board = Board::parse(&source, "direct.ron").unwrap();
    let image = Image::from_words([Word::constant(Opcode::Lda, 7), Word::ram(Opcode::Sta, 0xFF0)]);
    for noise in [Noise::Random(3), Noise::Ones] {
        let mut engine = ChipsEngine::power_up(&board, &image, noise).unwrap();
        let mut engine_of_today = ChipsEngine::power_up(&Board::gray1(), &image, noise).unwrap();
        for _ in 0..100 {
            engine.run(1, &mut ()).unwrap();
            engine_of_today.run(1, &mut ()).unwrap();
            assert!(engine.state() == engine_of_today.state());
        }
    }
}
