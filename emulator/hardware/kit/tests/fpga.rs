//! The core for FPGAs: the text of each function is parsed by a parser of the test's own and evaluated for all cells of
//! all chips; modified boards get a core of their own, or none.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_isa::Image;
use gray1_kit::{Assembly, File, Socket, pack, sockets};
use gray1_machine::board::Board;
use std::collections::HashMap;

/// A level for each address of a chip, 64 to a word.
type Levels = Vec<u64>;
type Operator = fn(u64, u64) -> u64;

fn core(board: &Board) -> (Vec<Socket>, Vec<File>, String) {
    let sockets = sockets(board, &Image::blank()).unwrap();
    let mut assembly = Assembly::new(board).unwrap();
    assembly.hardware.bring_up.clear();
    let files = pack(board, &sockets, &[], &assembly);
    let core = files.iter().find(|file| file.name == "fpga/core.v").unwrap();
    let text = String::from_utf8(core.bytes.clone()).unwrap();
    (sockets, files, text)
}

/// Parses an expression: `a ? b : c` binds least, then `|`, `^` and `&`.
struct Reader<'a> {
    words: &'a [String],
    at: usize,
    levels: &'a HashMap<String, Levels>,
}

impl Reader<'_> {
    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.words.get(self.at).is_some_and(|next| next == word);
        self.at += usize::from(is_next);
        is_next
    }

    fn choice(&mut self) -> Levels {
        let condition = self.binary(0);
        if !self.takes("?") {
            return condition;
        }
        let high = self.choice();
        assert!(self.takes(":"));
        let low = self.choice();
        condition.iter().zip(high.iter().zip(&low)).map(|(c, (high, low))| c & high | !c & low).collect()
    }

    fn binary(&mut self, level: usize) -> Levels {
        let operators: [(&str, Operator); 3] = [
            ("|", |one, other| one | other),
            ("^", |one, other| one ^ other),
            ("&", |one, other| one & other),
        ];
        let Some((operator, apply)) = operators.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        while self.takes(operator) {
            let right = self.binary(level + 1);
            left.iter_mut().zip(right).for_each(|(left, right)| *left = apply(*left, right));
        }
        left
    }

    fn unary(&mut self) -> Levels {
        if self.takes("~") {
            return self.unary().iter().map(|levels| !levels).collect();
        }
        if self.takes("(") {
            let inner = self.choice();
            assert!(self.takes(")"));
            return inner;
        }
        self.at += 1;
        let word = &self.words[self.at - 1];
        self.levels.get(word).unwrap_or_else(|| panic!("{word} is not known yet")).clone()
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        if "~?:|^&()".contains(c) || c == ' ' {
            words.extend([c.to_string(), String::new()]);
        } else {
            words.last_mut().unwrap().push(c);
        }
    }
    words.retain(|word| !word.trim().is_empty());
    words
}

/// The output of a module at each address, bit by bit, the lowest first.
fn evaluate(core: &str, module: &str, address_lines: usize) -> Vec<Levels> {
    let size = (1usize << address_lines).div_ceil(64);
    let mut levels: HashMap<String, Levels> = HashMap::new();
    levels.insert("1'b0".into(), vec![0; size]);
    levels.insert("1'b1".into(), vec![u64::MAX; size]);
    for line in 0..address_lines {
        let word =
            |word: usize| (0..64).fold(0, |bits, bit| bits | ((word * 64 + bit) as u64 >> line & 1) << bit);
        levels.insert(format!("address[{line}]"), (0..size).map(word).collect());
    }
    let head = format!("module {module} (input [{}:0] address, output [", address_lines - 1);
    let body = core.split_once(&head).unwrap_or_else(|| panic!("{head} is missing")).1;
    for line in body.split("endmodule").next().unwrap().lines().skip(1) {
        let line = line.trim().trim_end_matches(';');
        let read = |text: &str| {
            let words = words(text);
            let mut reader = Reader { words: &words, at: 0, levels: &levels };
            let value = reader.choice();
            assert_eq!(reader.at, words.len(), "{text}");
            value
        };
        if let Some(list) = line.strip_prefix("assign data = {") {
            return list.trim_end_matches('}').rsplit(", ").map(read).collect();
        }
        let (name, text) = line.strip_prefix("wire ").unwrap().split_once(" = ").unwrap();
        let value = read(text);
        assert!(levels.insert(name.to_owned(), value).is_none(), "{name} is there twice");
    }
    panic!("{module} gives nothing");
}

/// Compares every cell of every chip that is not the program; returns how many there are.
fn compare(board: &Board) -> usize {
    let (sockets, _, core) = core(board);
    let mut values: HashMap<String, Vec<Levels>> = HashMap::new();
    let mut compared = 0;
    for socket in sockets.iter().filter(|socket| !socket.is_program && board.chip(&socket.name).is_some()) {
        let mark = format!(" table${} (", socket.name);
        let instance = core.lines().find(|line| line.contains(&mark)).unwrap();
        let module = instance.trim().split(' ').next().unwrap();
        // The lines of the netlist, in its order.
        let bus =
            |nets: &[String]| format!("{{{}}}", nets.iter().rev().cloned().collect::<Vec<_>>().join(", "));
        assert!(instance.contains(&format!(".address({})", bus(&socket.address))), "{instance}");
        let register = core.split_once(&format!(".next(next${}), .now(", socket.name)).unwrap().1;
        assert!(register.starts_with(&format!("{}));", bus(&socket.data))), "{}", socket.name);
        let lines = socket.address.len();
        let value = values.entry(module.to_owned()).or_insert_with(|| evaluate(&core, module, lines));
        assert_eq!(value.len(), socket.data.len());
        for (address, cell) in socket.image[..socket.cells()].iter().enumerate() {
            let bits = value.iter().enumerate();
            let gives = bits.fold(0, |byte, (bit, levels)| {
                byte | ((levels[address / 64] >> (address % 64) & 1) as u8) << bit
            });
            assert_eq!(gives, *cell, "{} at {address:05x}", socket.name);
            compared += 1;
        }
    }
    compared
}

#[test]
fn the_functions_are_the_tables_cell_by_cell() {
    assert_eq!(compare(&Board::built()), 3_164_224);
    assert_eq!(compare(&Board::gray1()), 3_164_224);
}

/// A core is that of its board: a cell that differs is in it.
#[test]
fn a_changed_cell_changes_the_core() {
    let mut board = Board::built();
    let table = |board: &Board, name: &str| {
        let netlist = board.netlist();
        netlist.table(netlist.chip(name).unwrap()).unwrap().to_vec()
    };
    let (alu, row) = (table(&board, "ALUL"), table(&board, "RED5"));
    board.burn("ALUL", |address| alu[address as usize] ^ u8::from(address == 0x3E2));
    board.burn("RED5", |address| row[address as usize] ^ if address == 0x1_5AC3 { 0x80 } else { 0 });
    board.burn("TGL", |address| address.count_ones() as u8);
    assert_eq!(compare(&board), 3_164_224);
    assert_ne!(core(&board).2, core(&Board::built()).2);
}

/// A random table would need too much logic, which is reported.
#[test]
fn an_irregular_table_has_no_core() {
    let mut board = Board::built();
    board.burn("XMUX", |address| (address.wrapping_mul(address).wrapping_mul(0x9E37_79B1) >> 11) as u8);
    let (_, files, core) = core(&board);
    assert_eq!(
        core,
        "// There is no core of this board: the table of XMUX is too irregular to become logic.\n"
    );
    let fpga: Vec<&str> =
        files.iter().map(|file| file.name.as_str()).filter(|name| name.starts_with("fpga/")).collect();
    assert_eq!(fpga, ["fpga/core.v"]);
    let readme = files.iter().find(|file| file.name == "README.md").unwrap();
    assert!(
        String::from_utf8_lossy(&readme.bytes)
            .contains("no core for FPGAs: the table of XMUX is too irregular")
    );
}
