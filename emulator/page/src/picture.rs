//! Pictures of the LEDs, by the renderer of the window.

use crate::Refusal;
use gray1_display::render::Renderer;
use gray1_display::status::Status;
use gray1_display::{Light, Pad};
use gray1_isa::memory_map::DISPLAY_SIZE;

/// The sizes that pictures can have.
const SIZES: std::ops::RangeInclusive<usize> = 64..=2048;

/// A renderer for a picture of this size.
pub fn renderer(size: usize) -> Result<Renderer, Refusal> {
    match SIZES.contains(&size) {
        true => Ok(Renderer::board(size, size)),
        false => {
            Err(format!("a picture is {} to {} pixels wide, not {size}", SIZES.start(), SIZES.end()).into())
        }
    }
}

/// Brings a picture up to date; false if nothing had to change.
pub fn draw(renderer: &mut Renderer, light: &Light, has_shapes: bool) -> bool {
    renderer.set_shapes(has_shapes);
    renderer.draw(light, &Status::default(), None)
}

/// The pixels in the format of a canvas: red, green, blue, opacity.
pub fn pixels(renderer: &Renderer) -> Vec<u8> {
    let bytes = renderer.pixels().iter().map(|pixel| {
        let [_, red, green, blue] = pixel.to_be_bytes();
        [red, green, blue, u8::MAX]
    });
    bytes.flatten().collect()
}

/// The areas of the LEDs: column, row, width and height.
pub fn cells(renderer: &Renderer) -> Vec<[usize; 4]> {
    let side = 0..DISPLAY_SIZE as u8;
    let pads = side.clone().flat_map(|row| side.clone().map(move |column| Pad { row, column }));
    let areas = pads.map(|pad| renderer.layout().cell(pad));
    areas.map(|area| [area.x, area.y, area.width, area.height]).collect()
}
