//! `gray1 chips --plot`: draws the board as blocks and cables, without a program or at a position of a run.

use crate::support::interrupt::Interrupt;
use crate::support::progress::SearchProgress;
use gray1_chart::{Block, Heading, Look, Wire, Wiring};
use gray1_debugger::{Debugger, Position, Source};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use gray1_schematic::{Activity, Moment, Schematic, Source as From};
use gray1_text::grouped;
use std::error::Error;

/// The board, without a program.
pub fn plain(board: &Board) -> String {
    let schematic = Schematic::of(board.netlist());
    let heading = Heading {
        title: board.name.clone(),
        subtitle: "Every chip, and what it reads of the others. A cable leaves its block to the side, and goes up or down \
                   to those that read it; to the left it is feedback. A block with a thick frame holds itself."
            .to_owned(),
        footnote: "From the netlist, by `gray1 chips --plot`.".to_owned(),
    };
    let look = |_| Look::Plain;
    wiring(board, &schematic, heading, look, look, |_| String::new(), Default::default()).svg()
}

/// The board at a position of a run.
pub fn at(board: &Board, image: Image, position: Position) -> Result<String, Box<dyn Error>> {
    let machine = ChipsEngine::power_up(board, &image, Noise::Random(1))?;
    let mut debugger = Debugger::new(machine, board.clone(), Source::of_image(image), Script::default())?;
    let interrupt = Interrupt::listen()?;
    SearchProgress::observe(&mut debugger);
    let before = Position::after_phases(position.phases().saturating_sub(1));
    let mut levels = Vec::new();
    for at in [before, position] {
        debugger.history_mut().go(at, interrupt.flag())?;
        if debugger.position() < at {
            let end = debugger.position();
            return Err(format!("--cycle: the program halts at {end}, so the run has no {position}").into());
        }
        let machine = debugger.machine();
        levels.push((0..machine.netlist().nets.len()).map(|net| machine.level(net)).collect::<Vec<bool>>());
    }
    let schematic = Schematic::of(board.netlist());
    let moment = Moment::new(board.netlist(), &levels[1], &levels[0]);
    let sequence = debugger.machine().running();
    let heading = Heading {
        title: format!("{} at cycle {}, phase {}", board.name, grouped(position.cycle), position.phase),
        subtitle: format!("{sequence:03X}: {}", debugger.source().instruction(sequence)),
        footnote: "At the side, what each chip gives. From the netlist and the run, by `gray1 chips --plot`."
            .to_owned(),
    };
    let names = ["does not matter now", "is needed", "has moved in this phase"].map(str::to_owned);
    let drawing = wiring(
        board,
        &schematic,
        heading,
        |cable| look(moment.of_cable(&schematic, &schematic.cables()[cable])),
        |block| look(moment.of_block(&schematic, block)),
        |block| moment.value(&schematic.blocks()[block]),
        names,
    );
    Ok(drawing.svg())
}

fn look(activity: Activity) -> Look {
    match activity {
        Activity::Idle => Look::Dim,
        Activity::Steady => Look::Plain,
        Activity::Moved => Look::Lit,
    }
}

/// The drawing; the functions give the look and the value of the cable or block with an index.
fn wiring(
    board: &Board,
    schematic: &Schematic,
    heading: Heading,
    look_of_cable: impl Fn(usize) -> Look,
    look_of_block: impl Fn(usize) -> Look,
    value_of: impl Fn(usize) -> String,
    names: [String; 3],
) -> Wiring {
    let netlist = board.netlist();
    let blocks = schematic.blocks().iter().enumerate().map(|(index, block)| {
        let end = block.name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(block.name.len());
        let is_several = matches!(&block.source, From::Chips(chips) if chips.len() > 1);
        let is_split = is_several || block.source == From::Outside;
        let (name, rest) = block.name.split_at(if is_split { end } else { block.name.len() });
        let value = value_of(index);
        let gives = match &block.source {
            From::Outside => "from outside".to_owned(),
            From::Chips(chips) => {
                let lines = board.chips[chips.clone()].iter().map(|chip| chip.data().as_written());
                format!("gives {}", lines.collect::<Vec<_>>().join(" "))
            }
        };
        Block {
            name: [name.to_owned(), rest.to_owned()],
            note: format!("{}: {gives}{}{value}", block.name, if value.is_empty() { "" } else { " = " }),
            value: if is_several { String::new() } else { value },
            is_loop: block.holds_itself,
            look: look_of_block(index),
        }
    });
    let wires = schematic.cables().iter().enumerate().map(|(index, cable)| {
        let names: Vec<&str> = cable.nets.iter().map(|net| netlist.nets[*net].name.as_str()).collect();
        let ends = [cable.from, cable.to].map(|block| schematic.blocks()[block].name.as_str());
        let note = format!("{} → {}: {}", ends[0], ends[1], names.join(" "));
        Wire { from: cable.from, to: cable.to, note, look: look_of_cable(index) }
    });
    Wiring { heading, blocks: blocks.collect(), wires: wires.collect(), names }
}
