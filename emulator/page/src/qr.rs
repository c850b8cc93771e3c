//! A text as a QR code, for computers that cannot save or send a file.

use crate::Refusal;
use crate::protocol::Answer;
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// The code of a text, with the least correction: it is read from a screen. The largest takes 2,953 bytes.
pub fn qr(text: &str) -> Result<Answer, Refusal> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low)
        .map_err(|_| format!("a QR code takes 2,953 bytes, and this has {}: hand in the file", text.len()))?;
    let size = code.size();
    let mut path = String::new();
    let dark =
        (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|(x, y)| code.get_module(*x, *y));
    for (x, y) in dark {
        let _ = write!(path, "M{x} {y}h1v1h-1z");
    }
    Ok(Answer::Qr { size: size as usize, path })
}
