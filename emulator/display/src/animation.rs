//! The display as a GIF animation, small enough for a web page.
//!
//! Equal frames are merged, and a frame holds only the rectangle that has changed, in which unchanged pixels are
//! transparent. The palette is chosen once, from pictures of every brightness that an LED can have here, so that pixels
//! that look the same are equal and frames can be compared. The LEDs cast no glow on each other: it would make every
//! change several times as large and would hardly be visible.

use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use gray1_machine::{Pace, Speed, Stop};

use crate::ending::Ending;
use crate::error::DisplayError;
use crate::exposure::{Led, Light};
use crate::layout::Area;
use crate::render::Renderer;
use crate::session::Session;
use crate::status::Status;

/// A frame lasts at least this long; light that is shown for a shorter time is averaged, as the eye does.
pub const MIN_FRAME: Duration = Duration::from_millis(100);
/// If the rest of a frame before a still picture is shorter than this, it does not become a frame of its own: viewers
/// would show it for longer.
const MIN_REMAINDER: Duration = Duration::from_millis(20);
/// The time for which the LEDs of a halted machine are shown before its last result.
const LAST_LEDS: Duration = Duration::from_secs(1);
/// The time for which the last picture of a recorded run stays before the animation repeats.
pub const LAST_PICTURE: Duration = Duration::from_secs(3);
/// A side of the picture that suits a page of text.
pub const SIDE: u16 = 192;

/// The number of brightness levels of an LED above dark: few, so that shimmering costs little.
const LEVELS: u8 = 2;
const COLORS: usize = 31;
/// The palette entry of pixels that stay as they were.
const TRANSPARENT: u8 = COLORS as u8;

/// Writes an animation frame by frame.
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    side: u16,
    renderer: Renderer,
    palette: Palette,
    /// Light that has not lasted long enough for a frame.
    gathered: Light,
    gathered_for: Duration,
    /// The time of all frames so far, and the part of it that is in the file, in hundredths of a second.
    time: Duration,
    written: u64,
    /// The picture that all frames in the file add up to, and the next picture, which lasts until another follows.
    shown: Option<Vec<u8>>,
    waiting: Option<Vec<u8>>,
}

impl<W: Write> Animation<W> {
    /// An endless animation of the board, `side` pixels wide and high.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(to: W, side: u16) -> Result<Self, EncodingError> {
        let mut renderer = Renderer::plain(side.into(), side.into());
        let palette = Palette::of(&mut renderer);
        let mut encoder = Encoder::new(to, side, side, &palette.colors)?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            side,
            renderer,
            palette,
            gathered: Light::default(),
            gathered_for: Duration::ZERO,
            time: Duration::ZERO,
            written: 0,
            shown: None,
            waiting: None,
        })
    }

    /// Shows `light` for a time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn frame(&mut self, light: &Light, lasts: Duration) -> Result<(), EncodingError> {
        if lasts.is_zero() {
            return Ok(());
        }
        let before = self.gathered_for.as_secs_f32();
        self.gathered = self.gathered.mixed_with(light, before / (before + lasts.as_secs_f32()));
        self.gathered_for += lasts;
        if self.gathered_for >= MIN_FRAME { self.show_gathered() } else { Ok(()) }
    }

    /// Shows a picture for a time that is not mixed with what came before.
    fn still(&mut self, light: &Light, lasts: Duration) -> Result<(), EncodingError> {
        if self.gathered_for >= MIN_REMAINDER {
            self.show_gathered()?;
        }
        self.gathered = *light;
        self.gathered_for += lasts;
        self.show_gathered()
    }

    /// Ends the animation when the last picture has lasted its time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<W, EncodingError> {
        if self.waiting.is_none() || !self.gathered_for.is_zero() {
            self.show_gathered()?;
        }
        self.write_waiting()?;
        let mut to = self.encoder.into_inner()?;
        to.flush()?;
        Ok(to)
    }

    fn show_gathered(&mut self) -> Result<(), EncodingError> {
        self.renderer.draw(&coarse(&self.gathered), &Status::default(), None);
        let picture: Vec<u8> =
            self.renderer.pixels().iter().map(|pixel| self.palette.index(*pixel)).collect();
        if self.waiting.as_ref() != Some(&picture) {
            self.write_waiting()?;
            self.waiting = Some(picture);
        }
        self.time += std::mem::take(&mut self.gathered_for);
        Ok(())
    }

    /// Writes the picture that has been shown until now.
    fn write_waiting(&mut self) -> Result<(), EncodingError> {
        let Some(picture) = self.waiting.take() else { return Ok(()) };
        // Rounding the ends of the frames and not their lengths keeps the total exact.
        let end = u64::try_from((self.time.as_millis() + 5) / 10).unwrap_or(u64::MAX);
        let mut delay = end.saturating_sub(self.written);
        self.written = end;
        let (area, pixels) = changes(self.shown.as_deref(), &picture, self.side.into());
        self.shown = Some(picture);
        let longest = u64::from(u16::MAX);
        self.write(area, pixels, delay.min(longest))?;
        while delay > longest {
            delay -= longest;
            let nothing = Area { width: 1, height: 1, ..Area::default() };
            self.write(nothing, vec![TRANSPARENT], delay.min(longest))?;
        }
        Ok(())
    }

    fn write(&mut self, area: Area, pixels: Vec<u8>, delay: u64) -> Result<(), EncodingError> {
        self.encoder.write_frame(&Frame {
            delay: delay as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            left: area.x as u16,
            top: area.y as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: pixels.into(),
            ..Frame::default()
        })
    }
}

/// Records a run until it stops or is interrupted. The animation shows `hz` cycles a second, but the machine runs as
/// fast as it can. The picture at the time when a line is sent stays for `hold` longer. The last picture stays for
/// [`LAST_PICTURE`]; if the machine is held and has halted, that is its last result, as in a window.
///
/// # Errors
/// If the machine fails or the animation cannot be written.
pub fn record(session: &mut Session, hz: u64, hold: Duration, to: impl Write) -> Result<Stop, DisplayError> {
    let mut animation = Animation::new(to, SIDE)?;
    let mut pace = Pace::new(Speed::Hz(hz), Duration::ZERO);
    let mut time = Duration::ZERO;
    let stop = loop {
        if let Some(stop) = session.stop() {
            break stop;
        }
        if session.is_interrupted() {
            break Stop::Interrupted;
        }
        let due = pace.due(time + MIN_FRAME);
        let lines = session.output().lines;
        let ran = if hold.is_zero() {
            session.advance(due, MIN_FRAME)?
        } else {
            session.advance_to_line(due, MIN_FRAME)?
        };
        pace.ran(ran);
        if !hold.is_zero() && session.output().lines > lines {
            let passed = MIN_FRAME.mul_f64(ran as f64 / due.max(1) as f64);
            time += passed;
            animation.frame(&session.take_light(), passed)?;
            animation.still(&session.take_light(), hold)?;
        } else if ran == due && session.stop().is_none() {
            time += MIN_FRAME;
            animation.frame(&session.take_light(), MIN_FRAME)?;
        }
    };
    animation.frame(&session.take_light(), MIN_FRAME)?;
    let light = session.take_light();
    let last = Ending::new(hold).last_result(session, &light).map(|last| last.moment.light());
    if let Some(last) = last {
        animation.still(&light, LAST_LEDS)?;
        animation.still(&last, LAST_PICTURE)?;
    } else {
        animation.frame(&light, LAST_PICTURE)?;
    }
    animation.finish()?;
    Ok(stop)
}

/// The colours of an animation.
struct Palette {
    /// Red, green and blue of each entry. The last entry means transparent.
    colors: Vec<u8>,
    quantizer: NeuQuant,
    known: HashMap<u32, u8>,
}

impl Palette {
    /// The palette for pictures of this renderer, learned from the board at every level of brightness.
    fn of(renderer: &mut Renderer) -> Self {
        let mut sample = Vec::new();
        for shift in 0..2 * (LEVELS + 1) {
            let mut light = Light::default();
            for (index, led) in (13 * shift..).zip(light.leds.as_flattened_mut()) {
                let lit = fraction(index / 4 % (LEVELS + 1));
                *led = match index % 4 {
                    0 => Led::default(),
                    1 => Led { green: lit, red: 0.0 },
                    2 => Led { green: 0.0, red: lit },
                    _ => Led { green: lit, red: 1.0 - lit },
                };
            }
            renderer.draw(&light, &Status::default(), None);
            sample.extend(renderer.pixels().iter().flat_map(|pixel| rgba(*pixel)));
        }
        let quantizer = NeuQuant::new(10, COLORS, &sample);
        let mut colors = quantizer.color_map_rgb();
        colors.extend([0, 0, 0]);
        Self { colors, quantizer, known: HashMap::new() }
    }

    /// The colour that is nearest to a pixel.
    fn index(&mut self, pixel: u32) -> u8 {
        *self.known.entry(pixel).or_insert_with(|| self.quantizer.index_of(&rgba(pixel)) as u8)
    }
}

fn rgba(pixel: u32) -> [u8; 4] {
    let [_, red, green, blue] = pixel.to_be_bytes();
    [red, green, blue, 0xFF]
}

/// The light in the few levels of brightness that an animation has.
fn coarse(light: &Light) -> Light {
    let nearest = |lit: f32| fraction((lit.clamp(0.0, 1.0).sqrt() * f32::from(LEVELS)).round() as u8);
    Light {
        leds: light.leds.map(|row| row.map(|led| Led { green: nearest(led.green), red: nearest(led.red) })),
    }
}

/// The fraction of time for which an LED of this brightness level is on. The levels are evenly spaced for the eye.
fn fraction(level: u8) -> f32 {
    (f32::from(level) / f32::from(LEVELS)).powi(2)
}

/// The smallest area that contains all changes, and its pixels.
fn changes(shown: Option<&[u8]>, picture: &[u8], side: usize) -> (Area, Vec<u8>) {
    let Some(shown) = shown else {
        return (Area { x: 0, y: 0, width: side, height: side }, picture.to_vec());
    };
    let changed = || (0..picture.len()).filter(|index| shown[*index] != picture[*index]);
    let x = changed().map(|index| index % side).min().unwrap_or(0);
    let y = changed().map(|index| index / side).min().unwrap_or(0);
    let width = changed().map(|index| index % side + 1 - x).max().unwrap_or(1);
    let height = changed().map(|index| index / side + 1 - y).max().unwrap_or(1);
    let pixels = (y..y + height)
        .flat_map(|row| (x..x + width).map(move |column| row * side + column))
        .map(|index| if shown[index] == picture[index] { TRANSPARENT } else { picture[index] })
        .collect();
    (Area { x, y, width, height }, pixels)
}
