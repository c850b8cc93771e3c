//! The matrix in character cells.
//!
//! With enough colours and room this is the picture of the window in half blocks, else one character for each LED,
//! whose shape shows the colour if there are no colours. A screen that is too small shows the upper left part.

use gray1_isa::memory_map::DISPLAY_SIZE;

use super::capabilities::{Capabilities, Colors};
use super::screen::{Cell, Color, Screen};
use crate::color;
use crate::exposure::{Led, Light};
use crate::layout::{Layout, Pad};
use crate::legend::{LegendLine, legend};
use crate::overlay::{self, Help};
use crate::render::Renderer;
use crate::status::Status;

/// The least pitch at which an LED in half blocks looks round.
const MIN_PITCH: usize = 4;
/// The status line is as wide as the matrix, but at least this wide.
const MIN_STATUS: usize = 50;
/// The columns that the margins of a text take.
const INDENT: usize = 2;
/// The columns beside the matrix that say what its colours mean; a terminal with fewer columns in all than the other
/// has none of them.
const CAPTION: usize = 26;
const CAPTION_FROM: usize = 64;
/// The fraction of the time from which on a colour counts as lit if shapes cannot show its brightness.
const LIT: f32 = 0.08;

/// The layout of the picture in a terminal of one size.
pub struct Picture {
    columns: usize,
    rows: usize,
    capabilities: Capabilities,
    has_shapes: bool,
    /// The legend beside the matrix.
    caption: Vec<LegendLine>,
    /// The columns beside the caption, in the middle of which the matrix is.
    canvas: usize,
    /// Draws the half blocks, if there are room and colours for them.
    renderer: Option<Renderer>,
}

impl Picture {
    /// The picture for a terminal with this many columns and rows. Shapes have a character for each LED.
    #[cfg(test)]
    pub fn new(columns: usize, rows: usize, capabilities: Capabilities, has_shapes: bool) -> Self {
        Self::captioned(columns, rows, capabilities, has_shapes, "")
    }

    /// The picture with the legend in `about` beside the matrix, if there is room for it.
    pub fn captioned(
        columns: usize,
        rows: usize,
        capabilities: Capabilities,
        has_shapes: bool,
        about: &str,
    ) -> Self {
        let caption = if columns < CAPTION_FROM { Vec::new() } else { legend(about, CAPTION - INDENT) };
        let caption = if caption.len() > matrix_rows(rows) { Vec::new() } else { caption };
        let canvas = if caption.is_empty() { columns } else { columns - CAPTION };
        let height = matrix_rows(rows) * 2;
        let rich = capabilities.unicode && capabilities.colors >= Colors::Table && !has_shapes;
        let has_shapes = has_shapes || capabilities.colors == Colors::None;
        let layout = Layout::without_status(canvas, height);
        let renderer = (rich && layout.pitch >= MIN_PITCH).then(|| Renderer::plain(canvas, height));
        Self { columns, rows, capabilities, has_shapes, caption, canvas, renderer }
    }

    /// The screen that shows a light and a status, or the help with what there is to say about the program.
    pub fn screen(&mut self, light: &Light, status: &Status, help: Option<Help>) -> Screen {
        let mut screen = Screen::new(self.columns, self.rows);
        if let Some(help) = help {
            self.draw_help(&mut screen, help);
        } else {
            self.draw_matrix(&mut screen, light);
            let top = matrix_rows(self.rows).saturating_sub(self.caption.len()) / 2;
            for (row, line) in (top..).zip(&self.caption) {
                self.write(&mut screen, self.canvas + 1, row, line);
            }
        }
        if self.rows > matrix_rows(self.rows) {
            let width = self.matrix_width().max(MIN_STATUS).min(self.columns);
            let left = (self.columns - width) / 2;
            match self.cut_off().filter(|_| help.is_none()) {
                Some(cut_off) => {
                    screen.write(
                        0,
                        self.rows - 1,
                        &format!("{cut_off:<width$}", width = self.columns),
                        self.quiet(),
                    );
                }
                None => screen.write(left, self.rows - 1, &status.line(width), self.quiet()),
            }
        }
        screen
    }

    /// The LED at this column and row of the screen.
    pub fn pad_at(&self, column: usize, row: usize) -> Option<Pad> {
        if let Some(renderer) = &self.renderer {
            return renderer.layout().pad_at(column, row * 2);
        }
        let (left, top, step) = self.characters();
        let (row, column) = (row.checked_sub(top)?, column.checked_sub(left)? / step);
        (row < DISPLAY_SIZE && column < DISPLAY_SIZE).then_some(Pad { row: row as u8, column: column as u8 })
    }

    fn draw_matrix(&mut self, screen: &mut Screen, light: &Light) {
        if let Some(renderer) = &mut self.renderer {
            renderer.draw(light, &Status::default(), None);
            let colors = self.capabilities.colors;
            let board = renderer.layout().board;
            let pairs = renderer.pixels().chunks_exact(self.canvas * 2);
            for (row, pair) in pairs.enumerate() {
                let (upper, lower) = pair.split_at(self.canvas);
                for column in board.x..board.x + board.width {
                    let (ink, paper) = (shade(upper[column], colors), shade(lower[column], colors));
                    screen.put(column, row, Cell { letter: '▀', ink, paper });
                }
            }
            return;
        }
        let (left, top, step) = self.characters();
        for (row, leds) in light.leds.iter().enumerate() {
            for (column, led) in leds.iter().enumerate() {
                screen.put(left + column * step, top + row, self.character(*led));
            }
        }
    }

    /// The message shown when not all of the matrix is visible.
    fn cut_off(&self) -> Option<String> {
        let (rows, columns) = (matrix_rows(self.rows).min(DISPLAY_SIZE), self.columns.min(DISPLAY_SIZE));
        match (rows, columns) {
            (DISPLAY_SIZE, DISPLAY_SIZE) => None,
            (rows, DISPLAY_SIZE) => Some(format!("{rows} of 8 rows fit")),
            (_, columns) => Some(format!("{columns} of 8")),
        }
    }

    fn matrix_width(&self) -> usize {
        let (_, _, step) = self.characters();
        self.renderer.as_ref().map_or(step * DISPLAY_SIZE, |renderer| renderer.layout().board.width)
    }

    /// The left column and the top row of the characters, and how many columns they are apart.
    fn characters(&self) -> (usize, usize, usize) {
        let step = if self.columns >= 2 * DISPLAY_SIZE { 2 } else { 1 };
        let left = self.canvas.saturating_sub(step * DISPLAY_SIZE - (step - 1)) / 2;
        (left, matrix_rows(self.rows).saturating_sub(DISPLAY_SIZE) / 2, step)
    }

    fn character(&self, led: Led) -> Cell {
        let (green, red) = (led.green >= LIT, led.red >= LIT);
        let shape = match (self.capabilities.unicode, self.has_shapes) {
            (true, true) => ['·', '○', '●', '◉'],
            (true, false) => ['·', '●', '●', '●'],
            (false, true) => ['.', 'o', '#', '@'],
            (false, false) => ['.', 'o', 'o', 'o'],
        }[usize::from(green) + 2 * usize::from(red)];
        let ink = match self.capabilities.colors {
            Colors::None => Color::Default,
            Colors::Sixteen => {
                let bright = if led.green.max(led.red) >= 0.5 { 8 } else { 0 };
                let hue = u8::from(red) + 2 * u8::from(green);
                Color::Table(if hue > 0 { hue + bright } else { 8 })
            }
            colors => shade(if green || red { color::flat(led) } else { 0x48_4848 }, colors),
        };
        Cell { letter: shape, ink, paper: Color::Default }
    }

    /// The last scroll position of the help.
    pub fn help_end(&self, about: &str) -> usize {
        overlay::last(self.help_lines(about).len(), matrix_rows(self.rows))
    }

    fn help_lines(&self, about: &str) -> Vec<LegendLine> {
        overlay::lines(about, self.columns.saturating_sub(2 * INDENT), true)
    }

    fn draw_help(&self, screen: &mut Screen, help: Help) {
        let lines = overlay::visible(self.help_lines(help.about), matrix_rows(self.rows), help.from);
        let top = matrix_rows(self.rows).saturating_sub(lines.len()) / 2;
        for (row, line) in (top..).zip(&lines) {
            self.write(screen, INDENT, row, line);
        }
    }

    /// Writes a line whose beginning stands out.
    fn write(&self, screen: &mut Screen, column: usize, row: usize, line: &LegendLine) {
        let (first, rest) = overlay::split(line);
        let ink = line.led.map_or(Color::Default, |led| match self.capabilities.colors {
            Colors::None => Color::Default,
            _ => self.character(led).ink,
        });
        screen.write(column, row, first, ink);
        screen.write(column + line.bright, row, rest, self.quiet());
    }

    fn quiet(&self) -> Color {
        match self.capabilities.colors {
            Colors::None => Color::Default,
            // Bright black: every terminal has it for text that should not stand out.
            Colors::Sixteen => Color::Table(8),
            Colors::Table | Colors::True => Color::Table(245),
        }
    }
}

/// The rows of the matrix: all but the last, which is the status line, unless there is only one.
fn matrix_rows(rows: usize) -> usize {
    if rows > 1 { rows - 1 } else { rows }
}

/// A pixel in the colours of the terminal: exact, or the nearest colour of the 6x6x6 cube and the greys.
fn shade(pixel: u32, colors: Colors) -> Color {
    let [_, red, green, blue] = pixel.to_be_bytes();
    if colors == Colors::True {
        return Color::True([red, green, blue]);
    }
    const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |part: u8| (0..6).min_by_key(|step| CUBE[*step as usize].abs_diff(part)).unwrap_or(0u8);
    let off = |to: [u8; 3]| -> u32 {
        to.iter().zip([red, green, blue]).map(|(to, from)| u32::from(to.abs_diff(from)).pow(2)).sum()
    };
    let cube = [nearest(red), nearest(green), nearest(blue)];
    let mean = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    if off([8 + 10 * grey; 3]) < off(cube.map(|step| CUBE[usize::from(step)])) {
        Color::Table(232 + grey)
    } else {
        Color::Table(16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RICH: Capabilities = Capabilities { colors: Colors::True, unicode: true, moves_cursor: true };
    const POOR: Capabilities = Capabilities { colors: Colors::None, unicode: false, moves_cursor: true };

    fn status() -> Status {
        let left = vec!["running".into(), "1,234".into()];
        Status { left, right: "15863724".into(), hint: String::new() }
    }

    fn corner() -> Light {
        let mut light = Light::default();
        light.leds[0][0] = Led { green: 1.0, red: 0.0 };
        light.leds[0][1] = Led { green: 0.0, red: 1.0 };
        light.leds[0][2] = Led { green: 1.0, red: 1.0 };
        light
    }

    #[test]
    fn without_colour_the_shape_tells() {
        let lines = Picture::new(16, 9, POOR, false).screen(&corner(), &status(), None).lines();
        let rows: Vec<&str> = lines.lines().collect();
        assert_eq!(rows[0], "o # @ . . . . .");
        assert_eq!(rows[7], ". . . . . . . .");
        assert_eq!(rows[8], "running  1,234");
        let unicode = Capabilities { unicode: true, ..POOR };
        let lines = Picture::new(8, 8, unicode, false).screen(&corner(), &status(), None).lines();
        assert!(lines.starts_with("○●◉·····\r\n"), "{lines}");
    }

    #[test]
    fn shapes_can_be_had_beside_colours() {
        let mut picture = Picture::new(80, 24, RICH, true);
        assert!(picture.renderer.is_none());
        let lines = picture.screen(&corner(), &status(), None).lines();
        assert!(
            ['○', '●', '◉'].iter().all(|shape| lines.contains(*shape)) && lines.contains("\x1b["),
            "{lines}"
        );
    }

    #[test]
    fn a_terminal_that_is_too_small_says_how_much_of_the_matrix_it_shows() {
        let last = |columns, rows| {
            let lines = Picture::new(columns, rows, POOR, false).screen(&corner(), &status(), None).lines();
            lines.lines().last().map(str::trim).unwrap_or_default().to_owned()
        };
        assert_eq!(last(20, 6), "5 of 8 rows fit");
        assert_eq!(last(6, 20), "6 of 8");
        assert_eq!(last(16, 9), "running  1,234");
    }

    #[test]
    fn sixteen_colours_show_colour_and_brightness() {
        let picture = Picture::new(16, 9, Capabilities { colors: Colors::Sixteen, ..RICH }, false);
        let ink = |green, red| picture.character(Led { green, red }).ink;
        assert_eq!([ink(0.0, 0.0), ink(0.2, 0.0), ink(1.0, 0.0)], [8, 2, 10].map(Color::Table));
        assert_eq!([ink(0.0, 1.0), ink(1.0, 1.0)], [9, 11].map(Color::Table));
    }

    #[test]
    fn an_ordinary_terminal_has_room_for_round_leds() {
        assert!(Picture::new(80, 24, RICH, false).renderer.is_some());
        assert!(Picture::new(80, 24, POOR, false).renderer.is_none());
    }

    #[test]
    fn colours_of_the_table_are_the_nearest() {
        assert_eq!(shade(0x00_0000, Colors::Table), Color::Table(16));
        assert_eq!(shade(0xFF_FFFF, Colors::Table), Color::Table(231));
        assert_eq!(shade(0xFF_0000, Colors::Table), Color::Table(196));
        assert_eq!(shade(0x12_1212, Colors::Table), Color::Table(233));
    }

    proptest! {
        #[test]
        fn any_size_can_be_drawn_and_clicked(
            columns in 0usize..200, rows in 0usize..70, unicode in any::<bool>(), help in any::<bool>(),
            x in 0usize..200, y in 0usize..70,
            colors in prop::sample::select(vec![Colors::None, Colors::Sixteen, Colors::Table, Colors::True]),
        ) {
            let mut picture = Picture::new(columns, rows, Capabilities { colors, unicode, ..RICH }, false);
            picture.screen(&corner(), &status(), help.then_some(Help::new("some help"))).changes(None);
            if let Some(pad) = picture.pad_at(x, y) {
                prop_assert!(pad.row < 8 && pad.column < 8);
            }
        }
    }
}
