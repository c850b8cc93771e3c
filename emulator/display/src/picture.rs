//! The picture as a PNG file.

use std::io::Write;

/// Writes pixels, 0RGB row by row, as a PNG.
///
/// # Errors
/// When the picture has no pixels or cannot be written.
pub fn write_png(
    to: impl Write,
    pixels: &[u32],
    (width, height): (usize, usize),
) -> Result<(), png::EncodingError> {
    let size = |pixels| u32::try_from(pixels).map_err(|_| png::EncodingError::LimitsExceeded);
    let mut encoder = png::Encoder::new(to, size(width)?, size(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let bytes: Vec<u8> = pixels.iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()
}
