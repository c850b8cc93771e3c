//! A search for eight queens on an imagined machine: to look at the displays, and to test them.
//!
//!     cargo run --release --example demo -- [window|term|record FILE.gif|keys] [HZ|max] [panic|hold]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gray1_display::{DisplayError, Session, Settings, animation, controls, terminal, window};
use gray1_machine::{Driver, Speed};
use test_support::player::Queens;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_else(|| "window".to_owned());
    let file = if what == "record" { arguments.next().ok_or("record needs a file")? } else { String::new() };
    let speed: Speed = arguments.next().map_or(Ok(Speed::Hz(7_000)), |text| text.parse())?;
    let mut queens = Queens::default();
    let more = arguments.next();
    queens.panics_at = (more.as_deref() == Some("panic")).then_some(1_000);
    let hold = Duration::from_millis(if more.as_deref() == Some("hold") { 250 } else { 0 });
    let settings = Settings { hold, ..Settings::new(speed) };
    let (interrupt, start) = (AtomicBool::new(false), Instant::now());
    let clock = || start.elapsed();
    let mut session = Session::new(Driver::new(&mut queens, &interrupt, &clock));
    let stop = match what.as_str() {
        "window" => window::open("Gray-1")?.show(&mut session, settings)?,
        "term" => {
            let stream = terminal::Stream::find().ok_or(DisplayError::NoTerminal)?;
            terminal::show(stream, &mut session, settings, &mut || ())?
        }
        "record" => {
            let Speed::Hz(hz) = speed else { return Err("an animation needs a speed".into()) };
            animation::record(&mut session, hz, hold, BufWriter::new(File::create(file)?))?
        }
        "keys" => {
            print!("{}", controls::markdown());
            return Ok(());
        }
        other => return Err(format!("`{other}` is none of window, term, record, keys").into()),
    };
    eprintln!("{stop:?}");
    Ok(())
}
