//! The display as a GIF animation, small enough for a web page.
//!
//! Frames that show the same become one, and a frame holds only the rectangle that has changed, with the
//! pixels that have not left transparent. The palette is chosen once, from pictures of every brightness an
//! LED can have here, so that pixels that look the same are the same and frames can be compared. LEDs throw
//! no glow on each other here: it would make every change several times as large for little to be seen.

use std::collections::HashMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::error::DisplayError;
use crate::exposure::{Led, Light};
use crate::layout::Area;
use crate::player::Player;
use crate::render::Renderer;
use crate::status::Status;
use gray1_machine::Stop;

/// A frame lasts at least this long; what is shown for a shorter time is averaged, as the eye would.
pub const SHORTEST_FRAME: Duration = Duration::from_millis(100);
/// How long the last picture of a recorded run stays before the animation begins again.
pub const LAST_PICTURE: Duration = Duration::from_secs(3);
/// Cycles between two looks at whether the recording is to stop.
const SLICE: u64 = 100_000;
/// The side of the picture that is right for a page of text.
pub const SIDE: u16 = 192;

/// An LED has this many steps of brightness above dark: few, so that shimmering costs little.
const STEPS: u8 = 2;
const COLORS: usize = 31;
/// The palette entry for what stays as it was.
const TRANSPARENT: u8 = COLORS as u8;

/// Writes an animation frame by frame.
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    side: u16,
    renderer: Renderer,
    palette: Palette,
    /// Light that has not lasted long enough to be a frame.
    gathered: Light,
    gathered_for: Duration,
    /// The time of all frames so far, and how much of it is in the file, in hundredths of a second.
    time: Duration,
    written: u64,
    /// What a viewer sees when every frame so far is shown, and the next picture, which lasts until another
    /// comes.
    shown: Option<Vec<u8>>,
    waiting: Option<Vec<u8>>,
}

impl<W: Write> Animation<W> {
    /// An endless animation of the board, `side` pixels wide and high.
    ///
    /// # Errors
    /// When it cannot be written.
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
    /// When it cannot be written.
    pub fn frame(&mut self, light: &Light, lasts: Duration) -> Result<(), EncodingError> {
        if lasts.is_zero() {
            return Ok(());
        }
        let before = self.gathered_for.as_secs_f32();
        self.gathered = self.gathered.mixed_with(light, before / (before + lasts.as_secs_f32()));
        self.gathered_for += lasts;
        if self.gathered_for >= SHORTEST_FRAME { self.show_gathered() } else { Ok(()) }
    }

    /// Ends the animation with a last picture that has lasted its time.
    ///
    /// # Errors
    /// When it cannot be written.
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
        self.renderer.draw(&coarse(&self.gathered), &Status::default(), false);
        let picture: Vec<u8> =
            self.renderer.pixels().iter().map(|pixel| self.palette.index(*pixel)).collect();
        if self.waiting.as_ref() != Some(&picture) {
            self.write_waiting()?;
            self.waiting = Some(picture);
        }
        self.time += std::mem::take(&mut self.gathered_for);
        Ok(())
    }

    /// Writes the picture that has lasted until now.
    fn write_waiting(&mut self) -> Result<(), EncodingError> {
        let Some(picture) = self.waiting.take() else { return Ok(()) };
        // Rounding the end of every frame, not its length, keeps the whole exact.
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

/// Records a run at `hz` cycles a second of its own time, as fast as the machine goes, until it stops or is
/// interrupted. The last picture stays for [`LAST_PICTURE`].
///
/// # Errors
/// When the machine fails or the animation cannot be written.
pub fn record(
    player: &mut dyn Player,
    hz: u64,
    to: impl Write,
    interrupt: &AtomicBool,
) -> Result<Stop, DisplayError> {
    let mut animation = Animation::new(to, SIDE)?;
    let mut time = Duration::ZERO;
    let mut ran = 0;
    let stop = loop {
        if let Some(stop) = player.stop() {
            break stop;
        }
        if interrupt.load(Ordering::Relaxed) {
            break Stop::Interrupted;
        }
        let due = u128::from(hz) * (time + SHORTEST_FRAME).as_millis() / 1_000;
        ran += u128::from(player.advance(u64::try_from(due - ran).map_or(SLICE, |due| due.min(SLICE)))?);
        if ran == due && player.stop().is_none() {
            time += SHORTEST_FRAME;
            animation.frame(&player.take_light(), SHORTEST_FRAME)?;
        }
    };
    animation.frame(&player.take_light(), SHORTEST_FRAME)?;
    animation.frame(&player.take_light(), LAST_PICTURE)?;
    animation.finish()?;
    Ok(stop)
}

/// The colours of the animation and which of them comes nearest to a colour.
struct Palette {
    /// Red, green, blue, and one entry that stands for transparent.
    colors: Vec<u8>,
    quantizer: NeuQuant,
    known: HashMap<u32, u8>,
}

impl Palette {
    /// The palette for pictures of this renderer: learned from the board with every step of brightness.
    fn of(renderer: &mut Renderer) -> Self {
        let mut sample = Vec::new();
        for shift in 0..2 * (STEPS + 1) {
            let light = Light {
                leds: std::array::from_fn(|row| {
                    std::array::from_fn(|column| {
                        let index = (row * 8 + column) as u8 + 13 * shift;
                        let (step, kind) = (index / 4 % (STEPS + 1), index % 4);
                        let fraction = fraction(step);
                        match kind {
                            0 => Led::default(),
                            1 => Led { green: fraction, red: 0.0 },
                            2 => Led { green: 0.0, red: fraction },
                            _ => Led { green: fraction, red: 1.0 - fraction },
                        }
                    })
                }),
            };
            renderer.draw(&light, &Status::default(), false);
            sample.extend(renderer.pixels().iter().flat_map(|pixel| {
                let [_, red, green, blue] = pixel.to_be_bytes();
                [red, green, blue, 0xFF]
            }));
        }
        let quantizer = NeuQuant::new(10, COLORS, &sample);
        let mut colors = quantizer.color_map_rgb();
        colors.extend([0, 0, 0]);
        Self { colors, quantizer, known: HashMap::new() }
    }

    fn index(&mut self, pixel: u32) -> u8 {
        let quantizer = &self.quantizer;
        *self.known.entry(pixel).or_insert_with(|| {
            let [_, red, green, blue] = pixel.to_be_bytes();
            quantizer.index_of(&[red, green, blue, 0xFF]) as u8
        })
    }
}

/// The light in the few steps of brightness an animation has.
fn coarse(light: &Light) -> Light {
    let half = |part: f32| fraction((part.clamp(0.0, 1.0).sqrt() * f32::from(STEPS)).round() as u8);
    Light { leds: light.leds.map(|row| row.map(|led| Led { green: half(led.green), red: half(led.red) })) }
}

/// The fraction of the time that a step of brightness stands for; the steps are even for the eye.
fn fraction(step: u8) -> f32 {
    (f32::from(step) / f32::from(STEPS)).powi(2)
}

/// The smallest area that holds all changes, and its pixels.
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
