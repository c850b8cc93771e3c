//! Labels for the chips in their real size, since burned chips look the same.

use crate::kit::manifest::ManifestEntry;
use crate::kit::sockets::PART;
use std::fmt::Write;

/// Size of a label in millimetres: it fits between the pins of a DIP-32, which are 15.24 apart.
const LABEL: (usize, usize) = (38, 12);
/// Number of labels side by side on a page 210 mm wide, with room for the margins of printers.
const COLUMNS: usize = 4;
/// The margin around all labels, in millimetres.
const MARGIN: usize = 10;

/// All labels. The dot is where pin 1 is.
pub fn svg(burned: &[ManifestEntry]) -> String {
    let (width, height) = LABEL;
    let page = (COLUMNS * width + 2 * MARGIN, burned.len().div_ceil(COLUMNS) * height + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}mm\" height=\"{1}mm\" viewBox=\"0 0 {0} {1}\" \
         font-family=\"sans-serif\">\n",
        page.0, page.1
    );
    for (index, burned) in burned.iter().enumerate() {
        let (x, y) = (MARGIN + index % COLUMNS * width, MARGIN + index / COLUMNS * height);
        let ManifestEntry { name, holds, crc32, sum16, group, .. } = burned;
        // The names of sockets and of their contents have no characters that need escaping in XML.
        let _ = write!(
            svg,
            "<g transform=\"translate({x} {y})\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\" stroke=\"black\" stroke-width=\"0.1\"/>\n\
             <circle cx=\"1.5\" cy=\"{pin}\" r=\"0.6\"/>\n\
             <text x=\"3\" y=\"4.6\" font-size=\"4\" font-weight=\"bold\">{name}</text>\n\
             <text x=\"{right}\" y=\"4.4\" font-size=\"1.8\" text-anchor=\"end\">{PART}</text>\n\
             <text x=\"3\" y=\"7.6\" font-size=\"2.2\">{holds} · group {group}</text>\n\
             <text x=\"3\" y=\"10.6\" font-size=\"2.2\">{crc32} · {sum16}</text>\n\
             </g>\n",
            pin = height as f64 - 1.5,
            right = width - 1,
        );
    }
    svg + "</svg>\n"
}
