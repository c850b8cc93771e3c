//! The options that select a machine and its board.

use crate::support::conditions::TimedArguments;
use crate::support::files::{self, shown};
use crate::support::message::usage_error;
use crate::support::source::{self, AssemblerArguments};
use clap::{Arg, Args, Command, ValueEnum};
use gray1_debugger::{Debugger, Source};
use gray1_editors::dap::Launch;
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

/// The options for the engine, the board and the initial state of a machine.
#[derive(clap::Args)]
pub struct MachineArguments {
    /// The engine; all but `timed` give the same results
    #[arg(long, value_enum, default_value_t = EngineKind::Chips)]
    pub engine: EngineKind,
    /// The contents of RAM at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", default_value = "random:1", value_parser = Noise::from_str)]
    pub ram: Noise,
    /// Resume from a saved state
    #[arg(long, value_name = "FILE")]
    pub state_in: Option<PathBuf>,
    /// Read an input script, which presses pads and keys at given cycles
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
    /// Looks up every chip of the board, phase by phase
    Chips,
    /// The chips without any optimisation: the reference for all other engines
    Plain,
    /// Interprets the instruction set, without a board
    #[value(alias = "fast")]
    Isa,
    /// The chips engine, compiled at the start
    #[value(hide = true)]
    Native,
    /// Simulates the delays of all chips and lines; the machine can fail
    Timed,
}

/// Hides the options for other engines, in the help of a command that always uses the chips engine.
pub fn hide_engines(option: Arg) -> Arg {
    let timed = TimedArguments::augment_args(Command::default());
    let is_other =
        option.get_id() == "engine" || timed.get_arguments().any(|it| it.get_id() == option.get_id());
    option.hide(is_other)
}

impl MachineArguments {
    /// Returns the default options with this engine.
    pub fn with_engine(engine: EngineKind) -> MachineArguments {
        MachineArguments {
            engine,
            ram: Noise::Random(1),
            state_in: None,
            input: None,
            board: BoardArguments::default(),
            timed: TimedArguments::default(),
        }
    }

    /// Converts an editor's launch configuration.
    pub fn from_launch(launch: &Launch) -> Result<MachineArguments, String> {
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
            ..MachineArguments::with_engine(EngineKind::Chips)
        })
    }

    /// Exits with a usage error if the options contradict each other.
    pub fn check(&self) {
        let message = match self.timed.first_set() {
            _ if self.engine == EngineKind::Isa && self.board.is_set() => {
                "--board and --cell need another engine: --engine isa has no board".to_owned()
            }
            _ if self.engine == EngineKind::Native && !gray1_native::IS_SUPPORTED => {
                "--engine native needs x86-64: --engine chips gives the same results".to_owned()
            }
            Some(option) if self.engine != EngineKind::Timed => {
                format!("{option} needs --engine timed: the other engines have no delays")
            }
            _ => return,
        };
        usage_error(message);
    }

    /// Makes the machine, powered up and reset, or in the saved state.
    pub fn engine(&self, image: &Image) -> Result<Box<dyn Engine>, Box<dyn Error>> {
        Ok(match self.engine {
            EngineKind::Chips => Box::new(self.chips(&self.board()?, image)?),
            EngineKind::Plain => {
                let plain = PlainEngine::power_up(&self.board()?, image, self.ram)?;
                Box::new(self.restore(plain, image)?)
            }
            EngineKind::Timed => Box::new(self.timed(&self.board()?, image)?),
            EngineKind::Isa => Box::new(self.restore(IsaEngine::power_up(image, self.ram), image)?),
            EngineKind::Native => {
                let mut engine = self.chips(&self.board()?, image)?;
                engine.compile_eagerly(gray1_native::translate);
                Box::new(engine)
            }
        })
    }

    /// Makes an `isa` engine, if it gives the same results as the selected machine.
    pub fn isa_instead(&self, image: &Image) -> Result<Option<IsaEngine>, Box<dyn Error>> {
        let is_same = self.engine != EngineKind::Timed && !self.has_modified_board()?;
        is_same.then(|| self.restore(IsaEngine::power_up(image, self.ram), image)).transpose()
    }

    /// Whether the board differs from the Gray-1 in wires or cells.
    fn has_modified_board(&self) -> Result<bool, Box<dyn Error>> {
        Ok(self.board.is_set() && self.board()?.netlist() != Board::gray1().netlist())
    }

    /// Makes the machine on this board, with the chips engine.
    pub fn chips(&self, board: &Board, image: &Image) -> Result<ChipsEngine, Box<dyn Error>> {
        self.restore(ChipsEngine::power_up(board, image, self.ram)?, image)
    }

    /// Makes the machine on this board, with the timed engine.
    pub fn timed(&self, board: &Board, image: &Image) -> Result<TimedEngine, Box<dyn Error>> {
        let conditions = self.timed.conditions(board)?;
        self.restore(TimedEngine::power_up(board, image, self.ram, &conditions)?, image)
    }

    /// Returns the selected board.
    pub fn board(&self) -> Result<Board, Box<dyn Error>> {
        self.board.board()
    }

    /// Opens a program in a debugger, which always uses the chips engine. If the options select another engine,
    /// `reason` is the beginning of the usage error.
    pub fn load_debugger(
        &self,
        assembler: &AssemblerArguments,
        file: &Path,
        reason: &str,
    ) -> Result<Debugger, Box<dyn Error>> {
        if self.engine != EngineKind::Chips {
            usage_error(format!("{reason}: leave out --engine"));
        }
        self.check();
        self.debugger(assembler.load_source(file, &mut source::show, &|| false)?)
    }

    /// Makes a debugger for the selected machine.
    pub fn debugger(&self, source: Source) -> Result<Debugger, Box<dyn Error>> {
        let board = self.board()?;
        let machine = self.chips(&board, source.image())?;
        Ok(Debugger::new(machine, board, source, self.script()?)?)
    }

    /// Reads the input script. Without the option, returns an empty one.
    pub fn script(&self) -> Result<Script, Box<dyn Error>> {
        let Some(path) = &self.input else { return Ok(Script::default()) };
        Ok(read_script(path)?.1)
    }

    /// Puts a machine into the saved state, if the options name one.
    fn restore<E: Engine>(&self, mut engine: E, image: &Image) -> Result<E, Box<dyn Error>> {
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

/// Reads an input script. Returns its text and the parsed script.
pub fn read_script(path: &Path) -> Result<(String, Script), Box<dyn Error>> {
    let text = files::read_text(path)?;
    let script = Script::from_ron(&text).map_err(|error| format!("{}:{error}", shown(path)))?;
    Ok((text, script))
}

/// The names of the board of `gray1 build`, and of that board without a display. A file with such a name must be given
/// as `./built`.
const BUILT: &str = "built";
const SMALL: &str = "small";

/// The options that select the board and change cells of its ROMs.
#[derive(Default, clap::Args)]
pub struct BoardArguments {
    /// Use this board file; `built` is the board of `gray1 build`, `small` is that board without its display
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Change a cell of a ROM (`ALUL:0x2AA=0x0B`), or a data line of all cells (`ALUL:*.C4=0`); see docs/laboratory.md
    #[arg(long, value_name = "CHIP:ADDRESS=VALUE")]
    cell: Vec<Change>,
}

impl BoardArguments {
    /// Returns the selected board; the default is the Gray-1.
    pub fn board(&self) -> Result<Board, Box<dyn Error>> {
        self.board_or(Board::gray1)
    }

    /// Returns the selected board, or else `default`.
    pub fn board_or(&self, default: fn() -> Board) -> Result<Board, Box<dyn Error>> {
        self.read(Board::parse, default)
    }

    /// Returns the selected board, which may have no CPU.
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

    /// Whether the options select a board other than the Gray-1.
    fn is_set(&self) -> bool {
        self.board.is_some() || !self.cell.is_empty()
    }
}
