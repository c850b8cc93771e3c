//! The options that describe a machine and its board, and the machine that they select.

use crate::support::conditions::TimedArguments;
use crate::support::files::{self, shown};
use crate::support::source::{self, AssemblerArguments};
use crate::tell::usage;
use clap::{Arg, Args, Command, ValueEnum};
use gray1_dap::Launch;
use gray1_debugger::{Debugger, Source};
use gray1_isa::Image;
use gray1_machine::board::{Board, BoardError, Change};
use gray1_machine::{
    ChipsEngine, Engine, IsaEngine, Noise, NoiseError, PlainEngine, Script, State, StateError, program_mark,
};
use gray1_proof::order_makes_no_difference;
use gray1_timed::TimedEngine;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The options for how a machine is built and what it starts with.
#[derive(clap::Args)]
pub struct MachineArguments {
    /// The engine; all but `timed` give the same results
    #[arg(long, value_enum, default_value_t = EngineKind::Chips)]
    pub engine: EngineKind,
    /// What RAM holds at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", default_value = "random:1", value_parser = Noise::from_str)]
    pub ram: Noise,
    /// Resume from a saved state
    #[arg(long, value_name = "FILE")]
    pub state_in: Option<PathBuf>,
    /// Press pads and keys at given cycles
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArguments,
    #[command(flatten)]
    timed: TimedArguments,
}

#[derive(Clone, Copy, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Look up every chip of the board, phase by phase
    Chips,
    /// The same by the general rule alone, without any shortcut: the reference for all others
    Plain,
    /// Run instruction by instruction, by the instruction set
    #[value(alias = "fast")]
    Isa,
    /// The chips engine, compiled at once
    #[value(hide = true)]
    Native,
    /// Follow every change of every net in nanoseconds: chips have delays, and the machine can fail
    Timed,
}

/// Hides the options that select another engine, in the help of a command that always runs the chips engine.
pub fn hide_engines(option: Arg) -> Arg {
    let timed = TimedArguments::augment_args(Command::default());
    let is_other =
        option.get_id() == "engine" || timed.get_arguments().any(|it| it.get_id() == option.get_id());
    option.hide(is_other)
}

impl MachineArguments {
    /// The usual machine, on this engine.
    pub fn usual(engine: EngineKind) -> MachineArguments {
        MachineArguments {
            engine,
            ram: Noise::Random(1),
            state_in: None,
            input: None,
            board: BoardArguments::default(),
            timed: TimedArguments::default(),
        }
    }

    /// The options of a launch configuration of an editor.
    pub fn of_launch(launch: &Launch) -> Result<MachineArguments, String> {
        let path = |text: &Option<String>| text.as_ref().map(PathBuf::from);
        Ok(MachineArguments {
            ram: launch
                .ram
                .as_deref()
                .unwrap_or("random:1")
                .parse()
                .map_err(|error: NoiseError| error.to_string())?,
            state_in: path(&launch.state_in),
            input: path(&launch.input),
            board: BoardArguments { board: path(&launch.board), cell: Vec::new() },
            ..MachineArguments::usual(EngineKind::Chips)
        })
    }

    /// Exits with a usage error if the options contradict each other.
    pub fn check(&self) {
        let message = match self.timed.given() {
            _ if self.engine == EngineKind::Isa && self.board.is_given() => {
                "--board and --cell need another engine: --engine isa has no board".to_owned()
            }
            _ if self.engine == EngineKind::Native && !gray1_native::IS_SUPPORTED => {
                "--engine native compiles for x86-64 only: --engine chips gives the same results".to_owned()
            }
            Some(option) if self.engine != EngineKind::Timed => {
                format!("{option} needs --engine timed: the other engines have no delays")
            }
            _ => return,
        };
        usage(message);
    }

    /// The machine, powered up and reset, or in the saved state to resume from.
    pub fn engine(&self, image: &Image) -> Result<Box<dyn Engine>, Box<dyn Error>> {
        Ok(match self.engine {
            EngineKind::Chips => Box::new(self.chips(&self.board()?, image)?),
            EngineKind::Plain => {
                let plain = PlainEngine::power_up(&self.board()?, image, self.ram)?;
                Box::new(self.begin(plain, image)?)
            }
            EngineKind::Timed => Box::new(self.timed(&self.board()?, image)?),
            EngineKind::Isa => Box::new(self.begin(IsaEngine::power_up(image, self.ram), image)?),
            EngineKind::Native => {
                let mut engine = self.chips(&self.board()?, image)?;
                engine.compile_eagerly(gray1_native::translate);
                Box::new(engine)
            }
        })
    }

    /// The engine `isa`, if it gives the same results as the machine that the options select.
    pub fn isa_instead(&self, image: &Image) -> Result<Option<IsaEngine>, Box<dyn Error>> {
        let is_same = self.engine != EngineKind::Timed && !self.is_another_board()?;
        is_same.then(|| self.begin(IsaEngine::power_up(image, self.ram), image)).transpose()
    }

    /// Whether the board is wired or burned differently from the Gray-1.
    fn is_another_board(&self) -> Result<bool, Box<dyn Error>> {
        Ok(self.board.is_given() && self.board()?.netlist() != Board::gray1().netlist())
    }

    /// The machine on this board, run by the chips engine.
    pub fn chips(&self, board: &Board, image: &Image) -> Result<ChipsEngine, Box<dyn Error>> {
        self.begin(ChipsEngine::power_up(board, image, self.ram)?, image)
    }

    /// The machine on this board, run by the timed engine.
    pub fn timed(&self, board: &Board, image: &Image) -> Result<TimedEngine, Box<dyn Error>> {
        let conditions = self.timed.conditions(board)?;
        self.begin(TimedEngine::power_up(board, image, self.ram, &conditions)?, image)
    }

    /// The board that the options select.
    pub fn board(&self) -> Result<Board, Box<dyn Error>> {
        self.board.board()
    }

    /// A program in a debugger, which always runs the chips engine. If the options select another engine, `what` is the
    /// beginning of the usage error.
    pub fn debugged(
        &self,
        assembler: &AssemblerArguments,
        file: &Path,
        what: &str,
    ) -> Result<Debugger, Box<dyn Error>> {
        if self.engine != EngineKind::Chips {
            usage(format!("{what}: leave out --engine"));
        }
        self.check();
        self.debugger(assembler.debugged(file, &mut source::show, &|| false)?)
    }

    /// The machine in a debugger.
    pub fn debugger(&self, source: Source) -> Result<Debugger, Box<dyn Error>> {
        let board = self.board()?;
        let machine = self.chips(&board, source.image())?;
        Ok(Debugger::new(machine, board, source, self.script()?)?)
    }

    /// The input script, or one without events.
    pub fn script(&self) -> Result<Script, Box<dyn Error>> {
        let Some(path) = &self.input else { return Ok(Script::default()) };
        Ok(read_script(path)?.1)
    }

    /// Puts a machine into the saved state to resume from, if there is one.
    fn begin<E: Engine>(&self, mut engine: E, image: &Image) -> Result<E, Box<dyn Error>> {
        let Some(path) = &self.state_in else { return Ok(engine) };
        let text = files::read_text(path)?;
        let state = State::from_ron(&text, &program_mark(image)).map_err(|error| match error {
            StateError::Syntax { .. } => format!("{}:{error}", shown(path)),
            _ => format!("{}: {error}", shown(path)),
        });
        engine.set_state(&state?)?;
        Ok(engine)
    }
}

/// The text of an input script, and the script parsed from it.
pub fn read_script(path: &Path) -> Result<(String, Script), Box<dyn Error>> {
    let text = files::read_text(path)?;
    let script = Script::from_ron(&text).map_err(|error| format!("{}:{error}", shown(path)))?;
    Ok((text, script))
}

/// The names of the board of `gray1 build`, and of the same without its display. A file of such a name has to be given as
/// `./built`.
const BUILT: &str = "built";
const SMALL: &str = "small";

/// The options that select the board, and the cells of its ROMs to change.
#[derive(Default, clap::Args)]
pub struct BoardArguments {
    /// Use the board in this file; `built` is the board of `gray1 build`, `small` the same built without its display
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Change a cell of a ROM: `ALUL:0x2AA=0x0B`; a data line of all cells: `ALUL:*.C4=0`; see docs/laboratory.md
    #[arg(long, value_name = "CHIP:ADDRESS=VALUE")]
    cell: Vec<Change>,
}

impl BoardArguments {
    /// The board that the options select; the default is the reference machine.
    pub fn board(&self) -> Result<Board, Box<dyn Error>> {
        self.board_or(Board::gray1)
    }

    /// The board that the options select, or `default`.
    pub fn board_or(&self, default: fn() -> Board) -> Result<Board, Box<dyn Error>> {
        self.read(Board::parse, default)
    }

    /// The board that the options select, which may be one without a CPU.
    pub fn any_board(&self) -> Result<Board, Box<dyn Error>> {
        self.read(Board::parse_any, Board::gray1)
    }

    fn read(
        &self,
        parse: fn(&str, &str) -> Result<Board, BoardError>,
        default: fn() -> Board,
    ) -> Result<Board, Box<dyn Error>> {
        let mut board = match &self.board {
            Some(name) if name.as_os_str() == BUILT => Board::built(),
            Some(name) if name.as_os_str() == SMALL => Board::small(),
            Some(path) => parse(&files::read_text(path)?, &shown(path))?,
            None => default(),
        };
        board.set_accelerators(order_makes_no_difference, gray1_native::translate);
        for change in &self.cell {
            board.change(change).map_err(|error| format!("--cell: {error}"))?;
        }
        Ok(board)
    }

    /// Whether the options select another board than the reference machine.
    fn is_given(&self) -> bool {
        self.board.is_some() || !self.cell.is_empty()
    }
}
