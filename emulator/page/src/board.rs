//! The board as a drawing, and what moves on it.

use crate::Refusal;
use crate::protocol::{Activity, Answer, Block, Board, Cable, ChipName, ChipNow, Levels, Now};
use gray1_debugger::{DebugError, Debugger, Position};
use gray1_display::schematic::{self, Moment, Schematic, Source};
use gray1_machine::names::{neighbours, runs};
use gray1_machine::netlist::{NetId, Netlist, number};
use gray1_machine::{ChipsEngine, board};

/// Changes are counted over at most this many cycles.
const MAX_CYCLES: u64 = 1_000;

/// The drawing, which stays the same.
pub fn drawing(board: &board::Board) -> Board {
    let netlist = board.netlist();
    let schematic = Schematic::of(netlist);
    let chips = board.chips.iter().map(|chip| ChipName {
        name: chip.name().to_owned(),
        part: chip.part().to_owned(),
        burned: chip.burned(),
    });
    let blocks = schematic.blocks().iter().map(|block| {
        let (chips, about) = match &block.source {
            Source::OutputSink => (Vec::new(), "from outside".to_owned()),
            Source::Chips(chips) => {
                let chips = &board.chips[chips.clone()];
                let about = chips.first().map_or(String::new(), |chip| first_sentence(&chip.about()));
                (chips.iter().map(|chip| chip.name().to_owned()).collect(), about)
            }
        };
        let gives = names(netlist, &block.drives);
        Block { name: block.name.clone(), chips, about, gives }
    });
    let cables = schematic.cables().iter().map(|cable| Cable {
        from: cable.from,
        to: cable.to,
        nets: cable.nets.clone(),
        name: names(netlist, &cable.nets),
    });
    Board {
        name: board.name.clone(),
        blocks: blocks.collect(),
        cables: cables.collect(),
        chips: chips.collect(),
        nets: netlist.nets.iter().map(|net| net.name.clone()).collect(),
        buses: netlist.buses().map(|(name, _)| name.to_owned()).collect(),
    }
}

fn names(netlist: &Netlist, nets: &[NetId]) -> String {
    runs(&names_of(netlist, nets)).join(" ")
}

fn names_of(netlist: &Netlist, nets: &[NetId]) -> Vec<String> {
    nets.iter().map(|net| netlist.nets[*net].name.clone()).collect()
}

/// The levels on these nets: a number for each of the ranges in their short names.
fn values(netlist: &Netlist, moment: &Moment, nets: &[NetId]) -> String {
    let runs = neighbours(&names_of(netlist, nets)).into_iter();
    runs.map(|run| moment.number(&nets[run])).collect::<Vec<_>>().join(" ")
}

fn first_sentence(about: &str) -> String {
    let text = about.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    text.split_once(". ").map_or(text.clone(), |(first, _)| format!("{first}."))
}

/// The activity of the board in this phase.
pub fn levels(debugger: &mut Debugger) -> Levels {
    let [before, now] = debugger.history_mut().levels();
    let netlist = debugger.board().netlist();
    let schematic = Schematic::of(netlist);
    let moment = Moment::new(netlist, &now, &before);
    let blocks = schematic.blocks().iter().enumerate().map(|(index, block)| Now {
        value: moment.value(block),
        activity: activity(moment.of_block(&schematic, index)),
    });
    let cables = schematic.cables().iter().map(|cable| Now {
        value: values(netlist, &moment, &cable.nets),
        activity: activity(moment.of_cable(&schematic, cable)),
    });
    let buses = netlist.buses().map(|(_, nets)| {
        let has_moved = nets.iter().any(|net| moment.has_moved(*net));
        Now {
            value: moment.number(nets),
            activity: if has_moved { Activity::Moved } else { Activity::Steady },
        }
    });
    let chips = netlist.chips.iter().map(|chip| {
        let moved = chip.address().iter().chain(&chip.data).any(|net| now[*net] != before[*net]);
        ChipNow { address: number(&now, chip.address()), data: number(&now, &chip.data) as u16, moved }
    });
    let digits =
        |levels: &[bool]| levels.iter().map(|level| if *level { '1' } else { '0' }).collect::<String>();
    Levels {
        blocks: blocks.collect(),
        cables: cables.collect(),
        buses: buses.collect(),
        chips: chips.collect(),
        nets: digits(&now),
        before: digits(&before),
    }
}

/// Counts the changes of each chip in the last cycles.
pub fn changes(debugger: &mut Debugger, cycles: u64) -> Result<Answer, Refusal> {
    let now = debugger.position();
    let first = Position::start_of(now.cycle.saturating_sub(cycles.min(MAX_CYCLES)));
    let first = first.max(debugger.history().start());
    let mut chips = vec![0; debugger.board().chips.len()];
    let mut before: Option<Vec<u16>> = None;
    let mut phases = 0;
    let look = |machine: &ChipsEngine| {
        let data: Vec<u16> = (0..chips.len()).map(|chip| machine.look_at(chip).1).collect();
        if let Some(before) = &before {
            phases += 1;
            for (count, (data, before)) in chips.iter_mut().zip(data.iter().zip(before)) {
                *count += u64::from(data != before);
            }
        }
        before = Some(data);
    };
    debugger.history_mut().watch(first, now, look).map_err(|error: DebugError| error.to_string())?;
    Ok(Answer::Changes { phases, chips })
}

fn activity(activity: schematic::Activity) -> Activity {
    match activity {
        schematic::Activity::Idle => Activity::Idle,
        schematic::Activity::Steady => Activity::Steady,
        schematic::Activity::Moved => Activity::Moved,
    }
}
