//! Routes the boards and writes the tracks to a folder. To keep them, give `emulator/hardware/src/kicad/kept`.

mod grid;
mod kept;
mod router;

use gray1_hardware::kit::Assembly;
use gray1_machine::board::Board;
use grid::Grid;
use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        env::args().nth(1).ok_or("give the folder to write to, such as emulator/hardware/src/kicad/kept")?;
    let board = Board::built();
    let assembly = &Assembly::new(&board)?;
    let start = Instant::now();
    for (board, problem) in gray1_hardware::kicad::problems(&board, assembly) {
        let mut report = |round: usize, shared: usize| {
            let seconds = start.elapsed().as_secs_f64();
            println!("{board}: round {round}, {shared} places are shared, {seconds:.1} s");
        };
        let problem = match problem {
            Ok(problem) => problem,
            Err(reason) => {
                println!("{board}: {reason}");
                continue;
            }
        };
        let grid = Grid::new(&problem);
        match router::route(&grid, &mut report) {
            Ok(routes) => {
                let text = kept::text(&problem, &grid, &routes)?;
                fs::write(Path::new(&folder).join(format!("{board}.ron")), text)?;
            }
            Err(shared) => println!("{board}: {shared} places are still shared"),
        }
    }
    Ok(())
}
