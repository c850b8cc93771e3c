//! A search for eight queens on an imagined machine: to look at the displays, and to test them.
//!
//!     cargo run --release --example demo -- [window|term|record FILE.gif|keys] [HZ|max] [panic]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::sync::atomic::AtomicBool;

use gray1_display::{DisplayError, Settings, animation, controls, terminal, window};
use gray1_machine::Speed;
use test_support::player::Queens;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_else(|| "window".to_owned());
    let file = if what == "record" { arguments.next().ok_or("record needs a file")? } else { String::new() };
    let speed: Speed = arguments.next().map_or(Ok(Speed::Hz(7_000)), |text| text.parse())?;
    let mut player = Queens::default();
    player.panics_at = arguments.next().map(|_| 1_000);
    let interrupt = AtomicBool::new(false);
    let stop = match what.as_str() {
        "window" => window::open("Gray-1")?.show(&mut player, Settings::new(speed), &interrupt)?,
        "term" => {
            let stream = terminal::Stream::find().ok_or(DisplayError::NoTerminal)?;
            terminal::show(stream, &mut player, Settings::new(speed), &interrupt)?
        }
        "record" => {
            let Speed::Hz(hz) = speed else { return Err("an animation needs a speed".into()) };
            animation::record(&mut player, hz, BufWriter::new(File::create(file)?), &interrupt)?
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
