//! The machine that a command line asks for.

use crate::conditions::TimedArguments;
use crate::files::{self, shown};
use clap::ValueEnum;
use clap::error::ErrorKind;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, FastEngine, Noise, Script, State, StateError, program_mark};
use gray1_timed::TimedEngine;
use std::error::Error;
use std::path::{Path, PathBuf};

/// How a machine is built and what it begins with.
#[derive(clap::Args)]
pub struct MachineArguments {
    /// How to run it; the results are the same
    #[arg(long, value_enum, default_value_t = EngineKind::Chips)]
    engine: EngineKind,
    /// What RAM holds at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", default_value = "random:1", value_parser = noise)]
    ram: Noise,
    /// Resume from a saved state
    #[arg(long, value_name = "FILE")]
    state_in: Option<PathBuf>,
    /// Press pads and keys at given cycles
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Build the machine from this board file (chips and timed engine)
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    #[command(flatten)]
    timed: TimedArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum EngineKind {
    /// Look up every chip of the board, phase by phase
    Chips,
    /// Run instruction by instruction
    Fast,
    /// Follow every change of every net in nanoseconds: chips have delays, and the machine can fail
    Timed,
}

/// The files that a machine begins with, and what its RAM holds, where no command line says so.
#[derive(Default)]
pub struct Beginning<'a> {
    pub ram: Option<&'a str>,
    pub state_in: Option<&'a str>,
    pub input: Option<&'a str>,
    pub board: Option<&'a str>,
}

/// A machine with its board.
pub struct DebuggedMachine {
    pub machine: ChipsEngine,
    pub board: Board,
}

/// An engine that has a board.
pub enum BoardEngine {
    Chips(Box<ChipsEngine>),
    Timed(Box<TimedEngine>),
}

impl MachineArguments {
    /// A machine made of chips.
    pub fn of_chips(beginning: &Beginning) -> Result<MachineArguments, String> {
        let path = |text: Option<&str>| text.map(PathBuf::from);
        Ok(MachineArguments {
            engine: EngineKind::Chips,
            ram: noise(beginning.ram.unwrap_or("random:1"))?,
            state_in: path(beginning.state_in),
            input: path(beginning.input),
            board: path(beginning.board),
            timed: TimedArguments::default(),
        })
    }

    /// The files that stay what they are. (A state may be read from where the next one is written to.)
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        [&self.input, &self.board].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Leaves with an error of usage where the options contradict each other.
    pub fn check(&self) {
        let message = match self.timed.given() {
            _ if self.engine == EngineKind::Fast && self.board.is_some() => {
                "--board needs --engine chips or timed: the fast engine has no board\n".to_owned()
            }
            Some(option) if self.engine != EngineKind::Timed => {
                format!("{option} needs --engine timed: the other engines have no delays\n")
            }
            _ => return,
        };
        clap::Error::raw(ErrorKind::ArgumentConflict, message).exit();
    }

    /// The machine, powered up and reset, or in the state to go on from.
    pub fn engine(&self, image: &Image) -> Result<Box<dyn Engine>, Box<dyn Error>> {
        if self.engine != EngineKind::Fast {
            return Ok(self.on_board(image)?.0.into_engine());
        }
        let mut engine = FastEngine::power_up(image, self.ram);
        if let Some(state) = self.state(image)? {
            engine.set_state(&state)?;
        }
        Ok(Box::new(engine))
    }

    /// Whether the machine has a board, with nets to look at.
    pub fn has_board(&self) -> bool {
        self.engine != EngineKind::Fast
    }

    /// The machine as one that has a board, and this board.
    pub fn on_board(&self, image: &Image) -> Result<(BoardEngine, Board), Box<dyn Error>> {
        let state = self.state(image)?;
        let board = board(self.board.as_deref())?;
        let mut engine = if self.engine == EngineKind::Timed {
            let conditions = self.timed.conditions(&board)?;
            BoardEngine::Timed(Box::new(TimedEngine::power_up(&board, image, self.ram, &conditions)?))
        } else {
            BoardEngine::Chips(Box::new(ChipsEngine::power_up(&board, image, self.ram)?))
        };
        if let Some(state) = state {
            engine.engine_mut().set_state(&state)?;
        }
        Ok((engine, board))
    }

    /// The machine made of chips, and its board, for those who look into it.
    pub fn debugged(&self, image: &Image) -> Result<DebuggedMachine, Box<dyn Error>> {
        if self.engine != EngineKind::Chips {
            let message = "the debugger looks at every chip, phase by phase: leave out --engine\n";
            clap::Error::raw(ErrorKind::ArgumentConflict, message).exit();
        }
        self.check();
        let board = board(self.board.as_deref())?;
        let mut machine = ChipsEngine::power_up(&board, image, self.ram)?;
        if let Some(state) = self.state(image)? {
            machine.set_state(&state)?;
        }
        Ok(DebuggedMachine { machine, board })
    }

    /// The input script, or one without events.
    pub fn script(&self) -> Result<Script, Box<dyn Error>> {
        let Some(path) = &self.input else { return Ok(Script::default()) };
        let text = files::read_text(path)?;
        Ok(Script::from_ron(&text).map_err(|error| format!("{}:{error}", shown(path)))?)
    }

    fn state(&self, image: &Image) -> Result<Option<State>, Box<dyn Error>> {
        let Some(path) = &self.state_in else { return Ok(None) };
        let text = files::read_text(path)?;
        let state = State::from_ron(&text, &program_mark(image));
        Ok(Some(state.map_err(|error| match error {
            StateError::Syntax { .. } => format!("{}:{error}", shown(path)),
            _ => format!("{}: {error}", shown(path)),
        })?))
    }
}

impl BoardEngine {
    fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            BoardEngine::Chips(engine) => &mut **engine,
            BoardEngine::Timed(engine) => &mut **engine,
        }
    }

    fn into_engine(self) -> Box<dyn Engine> {
        match self {
            BoardEngine::Chips(engine) => engine,
            BoardEngine::Timed(engine) => engine,
        }
    }
}

/// The board of a file, or the Gray-1's own.
pub fn board(path: Option<&Path>) -> Result<Board, Box<dyn Error>> {
    Ok(match path {
        Some(path) => Board::parse(&files::read_text(path)?, &shown(path))?,
        None => Board::gray1(),
    })
}

fn noise(text: &str) -> Result<Noise, String> {
    match text {
        "zero" => Ok(Noise::Zeros),
        "ones" => Ok(Noise::Ones),
        "random" => Ok(Noise::Random(1)),
        _ => match text.strip_prefix("random:").map(str::parse) {
            Some(Ok(seed)) => Ok(Noise::Random(seed)),
            Some(Err(_)) => Err("the seed must be a whole number, 0 or more".to_owned()),
            None => Err("write `random`, `random:SEED`, `zero` or `ones`".to_owned()),
        },
    }
}
