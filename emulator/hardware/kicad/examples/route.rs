//! Routes the boards and writes the tracks to a folder. To keep them, give `emulator/hardware/kicad/src/kept`.

use gray1_kit::Assembly;
use gray1_machine::board::Board;
use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        env::args().nth(1).ok_or("give the folder to write to, such as emulator/hardware/kicad/src/kept")?;
    let board = Board::built();
    let assemblies = Assembly::all(&board)?;
    let assembly = assemblies.first().ok_or("the board names no RAM part")?;
    let start = Instant::now();
    let mut report = |board: &str, round: usize, shared: usize| {
        println!(
            "{board}: round {round}, {shared} places are shared, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    };
    for (board, kept) in gray1_kicad::route(&board, assembly, &mut report) {
        match kept {
            Ok(text) => fs::write(Path::new(&folder).join(format!("{board}.txt")), text)?,
            Err(reason) => println!("{board}: {reason}"),
        }
    }
    Ok(())
}
