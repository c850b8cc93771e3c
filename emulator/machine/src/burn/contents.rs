//! The contents of a kind of ROM: documentation, pinout, and the source of its cells.

/// The name and the width of a group of address or data lines, as the burned function sees them.
pub type Field = (&'static str, u32);

/// The contents of a kind of ROM.
pub struct Contents {
    /// The purpose of the chip and the working of its table.
    pub about: &'static str,
    /// The address lines, lowest first.
    pub address: &'static [Field],
    /// The data lines, lowest first.
    pub data: &'static [Field],
    /// The source of the cells.
    pub cells: Cells,
}

/// The source of a ROM's cells.
#[derive(Clone, Copy)]
pub enum Cells {
    /// A function that is evaluated for every address.
    Table(fn() -> Vec<u8>),
    /// One byte of each word of the program image, 0 the low one; the address is a Gray code.
    Program(usize),
}

/// The number of lines of a list of fields.
pub fn width(fields: &[Field]) -> u32 {
    fields.iter().map(|&(_, lines)| lines).sum()
}

/// Splits an address (or a data byte) into its fields.
pub fn split(fields: &[Field], mut lines: u32) -> Vec<u32> {
    fields
        .iter()
        .map(|&(_, width)| {
            let field = lines & ((1 << width) - 1);
            lines >>= width;
            field
        })
        .collect()
}

/// Declares a ROM: its documentation, its pinout and the function that is burned into it.
///
/// The function sees each address field as a number and returns each data field as one.
macro_rules! rom {
    ($(#[doc = $about:literal])* $name:ident($($pin:ident: $width:literal),*) ->
        ($($out:ident: $out_width:literal),*) $body:block) => {
        $(#[doc = $about])*
        pub(super) const $name: $crate::burn::contents::Contents = $crate::burn::contents::Contents {
            about: concat!($($about, "\n"),*),
            address: &[$((stringify!($pin), $width)),*],
            data: &[$((stringify!($out), $out_width)),*],
            cells: $crate::burn::contents::Cells::Table({
                #[allow(unused_assignments)] // the last shift of either list
                fn cell(mut address: u32) -> u8 {
                    $(let $pin = address & ((1u32 << $width) - 1); address >>= $width;)*
                    let ($($out),*,) = $body;
                    let (mut data, mut shift) = (0, 0);
                    $(
                        let field: u32 = $out.into();
                        data |= (field & ((1u32 << $out_width) - 1)) << shift;
                        shift += $out_width;
                    )*
                    data as u8
                }
                || (0..1u32 << (0 $(+ $width)*)).map(cell).collect()
            }),
        };
    };
}
pub(super) use rom;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_split_lowest_line_first() {
        assert_eq!(split(&[("a", 3), ("b", 1), ("c", 4)], 0xAE), [0b110, 1, 0b1010]);
    }
}
