//! The page: it answers requests.

use crate::Refusal;
use crate::check::check;
use crate::picture;
use crate::protocol::{Answer, FileCounts, Hello, LineCount, Options, Point, Program, Request, Shipped};
use crate::run::{Run, characters};
use crate::{bench, board, calls, chip, qr, save, waves, why};
use gray1_assembler::ShippedProgram;
use gray1_assembler::{Code, DIRECTIVES, LIBRARY_FILES};
use gray1_debugger::{Count, DebugError, Position};
use gray1_display::render::Renderer;
use gray1_isa::INSTRUCTIONS;
use gray1_isa::memory_map::{BUILT_IN_NAMES, KEY_NAMES, RAM_BYTES};
use gray1_lessons::{Answers, Course};
use gray1_machine::Script;
use gray1_machine::board::Board;
use std::fmt::Write;

const NOT_LOADED: &str = "no program is loaded: `load` one first";

/// A machine on a page, and its surroundings.
#[derive(Default)]
pub struct Page {
    run: Option<Run>,
    /// The lessons that can be judged.
    course: Course,
    /// The picture of the LEDs that the page has.
    renderer: Option<Renderer>,
    /// The bytes that the last request has made in addition to its answer.
    made: Vec<u8>,
}

impl Page {
    /// A page without a program.
    pub fn new() -> Page {
        Page::default()
    }

    /// Answers a request, which is a JSON object, by another.
    pub fn ask(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.answer(request).unwrap_or_else(|Refusal(text)| Answer::Error { text }),
            Err(error) => Answer::Error { text: format!("not a request: {error}") },
        };
        serde_json::to_string(&answer).unwrap_or_default() // plain data can always be serialised
    }

    /// Takes the bytes that the last request has made: a file, or the pixels of a picture.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.made)
    }

    fn answer(&mut self, request: Request) -> Result<Answer, Refusal> {
        self.made.clear();
        match request {
            Request::Hello => Ok(Answer::Hello(hello())),
            Request::Program { name } => Ok(Answer::Text { text: shipped(&name)?.to_owned() }),
            Request::Explain { code } => {
                let known =
                    Code::from_name(&code).ok_or_else(|| format!("there is no error or warning {code}"))?;
                Ok(Answer::Text { text: known.page().to_owned() })
            }
            Request::Check { program } => Ok(Answer::Checked(check(&program)?.0)),
            Request::Load { program, options, points, state } => {
                self.load(&program, &options, &points, state.as_deref())
            }
            Request::Format { text } => {
                Ok(Answer::Text { text: gray1_assembler::format("program.g1", text.as_bytes())? })
            }
            Request::Board => {
                let board = self.run.as_ref().map_or_else(Board::gray1, |run| run.debugger.board().clone());
                Ok(Answer::Board(board::drawing(&board)))
            }
            Request::Picture { size, shapes } => self.picture(size, shapes),
            Request::Save { file } => {
                let (made, answer) = save::save(self.run()?, &file)?;
                self.made = made;
                Ok(answer)
            }
            Request::Lessons { own } => Ok(self.lessons(&own)),
            Request::Judge { exercise, attempt } => {
                Ok(Answer::Judged(self.course.judge(&exercise, &attempt)?))
            }
            Request::HandIn { student, answers } => {
                Ok(Answer::Text { text: Answers::new(student, answers).text() })
            }
            Request::HandedIn { text } => {
                let Answers { student, answers, .. } = Answers::read(&text)?;
                Ok(Answer::HandedIn { student, answers })
            }
            Request::Bench { board, levels, moves, memory } => {
                Ok(Answer::Bench(Box::new(bench::bench(&board, &levels, &moves, memory.as_ref()))))
            }
            Request::Rework { board, rework } => Ok(Answer::Text { text: bench::rework(&board, &rework)? }),
            Request::Qr { text } => qr::qr(&text),
            Request::Seek { phase, .. } if phase > 3 => Err("the phases of a cycle are 0 to 3".into()),
            request => of_run(self.run()?, request),
        }
    }

    fn run(&mut self) -> Result<&mut Run, Refusal> {
        Ok(self.run.as_mut().ok_or(NOT_LOADED)?)
    }

    fn lessons(&mut self, own: &[(String, String)]) -> Answer {
        self.course = Course::with_levels();
        let added = own.iter().map(|(path, text)| self.course.add(path, text));
        let faults = added.filter_map(|added| Some(added.err()?.to_string())).collect();
        let (lessons, levels) = (self.course.lessons_or_reports(), self.course.levels());
        Answer::Lessons { lessons, levels, faults }
    }

    fn load(
        &mut self,
        program: &Program,
        options: &Options,
        points: &[Point],
        state: Option<&str>,
    ) -> Result<Answer, Refusal> {
        let (checked, source) = check(program)?;
        let Some(source) = source else {
            return Ok(Answer::Loaded { checked, moment: None, points: Vec::new() });
        };
        let mut run = Run::new(program.clone(), source, options, state)?;
        let points = run.set_points(points);
        let moment = Some(run.moment());
        self.run = Some(run);
        Ok(Answer::Loaded { checked, moment, points })
    }

    fn picture(&mut self, size: usize, shapes: bool) -> Result<Answer, Refusal> {
        let run = self.run.as_ref().ok_or(NOT_LOADED)?;
        if self.renderer.as_ref().is_none_or(|renderer| renderer.size() != (size, size)) {
            self.renderer = Some(picture::renderer(size)?);
        }
        let Some(renderer) = &mut self.renderer else { return Err("no picture".into()) };
        let changed = picture::draw(renderer, &run.observation.light(run.debugger.machine()), shapes);
        if changed {
            self.made = picture::pixels(renderer);
        }
        Ok(Answer::Picture { size, changed, cells: picture::cells(renderer) })
    }
}

/// Answers a request that moves or changes the machine, or one about its state.
fn of_run(run: &mut Run, request: Request) -> Result<Answer, Refusal> {
    match request {
        Request::Go { way, to, cycles } => run.go(way, to, cycles),
        Request::Seek { cycle, phase, cycles, ahead } => run.seek(Position { cycle, phase }, cycles, ahead),
        Request::Look => Ok(Answer::Moment(run.moment())),
        Request::Press { pad, keys } => {
            run.press(pad, keys)?;
            Ok(Answer::Moment(run.moment()))
        }
        Request::Script => {
            let (script, edits) = run.debugger.history().script();
            let text = if script == Script::default() { String::new() } else { script.to_ron() };
            Ok(Answer::Script { text, edits })
        }
        Request::Edit { what, value } => {
            run.edit(&what, &value)?;
            Ok(Answer::Moment(run.moment()))
        }
        Request::Burn { change } => {
            let Position { cycle, phase } = run.debugger.position();
            run.burn(change.as_deref())?;
            Ok(Answer::Burned { moment: run.moment(), cycle, phase })
        }
        Request::Points { points } => Ok(Answer::Points { points: run.set_points(&points) }),
        Request::Ram => {
            let machine = run.debugger.machine();
            let byte = |text: String, address| text + &format!("{:02x}", machine.reads(address));
            Ok(Answer::Ram { bytes: (0..RAM_BYTES as u16).fold(String::new(), byte) })
        }
        Request::Output { from } => {
            let (output, sent) = run.debugger.history().output();
            let (bytes, dropped) = output.until(sent);
            let from = from.clamp(dropped, dropped + bytes.len() as u64);
            Ok(Answer::Output { from, text: characters(&bytes[(from - dropped) as usize..]), sent })
        }
        Request::Value { text } => {
            let debugger = &run.debugger;
            let value = debugger.parser_here(None).whole(&text)?;
            let number = value.value(debugger.machine())?;
            let mut text = number.to_string();
            if number >= 0 {
                let _ = write!(text, " (${number:02X})");
            }
            Ok(Answer::Value { number, text })
        }
        Request::Light => {
            let light = run.observation.light(run.debugger.machine());
            let byte = |share: f32| (share * 255.0).round() as u8;
            let leds = light.leds.iter().flatten().map(|led| [byte(led.green), byte(led.red)]);
            Ok(Answer::Light { leds: leds.collect() })
        }
        request => of_past(run, request),
    }
}

/// Answers a request about the board, or about what has happened.
fn of_past(run: &mut Run, request: Request) -> Result<Answer, Refusal> {
    match request {
        Request::Counts { cycles } => counts(run, cycles),
        Request::Calls => calls::calls(&mut run.debugger, &run.program),
        Request::Changes { cycles } => board::changes(&mut run.debugger, cycles),
        Request::Levels => Ok(Answer::Levels(board::levels(&mut run.debugger))),
        Request::Chip { name, at } => Ok(Answer::Chip(Box::new(chip::chip(&mut run.debugger, &name, at)?))),
        Request::Waves { nets, bytes, cycles } => {
            Ok(Answer::Waves(waves::waves(&mut run.debugger, &nets, &bytes, cycles)?))
        }
        Request::Why { what, depth, control } => {
            let why = why::why(&mut run.debugger, &what, depth, control);
            Ok(Answer::Why(why.map_err(|error| match error {
                DebugError::Interrupted => format!(
                    "the causes of {what} lie too far back to be found while you wait: go back to where it has changed, \
                     with a watchpoint on it, and ask there"
                ),
                error => error.to_string(),
            })?))
        }
        // All others have been answered without a run.
        request => Err(format!("{request:?} needs no program").into()),
    }
}

/// The execution counts of all lines.
fn counts(run: &mut Run, cycles: u64) -> Result<Answer, Refusal> {
    let (counts, source) = run.counts(cycles)?;
    let (cycle, lines) = (counts.cycle(), counts.lines(source));
    let line = |(&(_, line), &count): (&(&str, usize), &Count)| {
        let Count { times, cycles, first } = count;
        LineCount { line, times, cycles, first }
    };
    let files = source.files().map(|(file, _)| FileCounts {
        file: file.to_owned(),
        lines: lines.range((file, 0)..=(file, usize::MAX)).map(line).collect(),
    });
    let files = files.collect();
    Ok(Answer::Counts { cycle, files })
}

/// The text of a program that comes with the page.
fn shipped(name: &str) -> Result<&'static str, Refusal> {
    let program = ShippedProgram::named(name).ok_or_else(|| format!("no program {name} is shipped"))?;
    Ok(program.text)
}

fn hello() -> Hello {
    Hello {
        version: env!("CARGO_PKG_VERSION"),
        programs: ShippedProgram::all().map(Shipped::from).collect(),
        library: LIBRARY_FILES.iter().map(|(name, text)| (format!("lib/{name}"), *text)).collect(),
        instructions: INSTRUCTIONS.iter().map(|row| (row.mnemonic, row.meaning)).collect(),
        directives: DIRECTIVES.to_vec(),
        names: BUILT_IN_NAMES.to_vec(),
        keys: KEY_NAMES.to_vec(),
    }
}
