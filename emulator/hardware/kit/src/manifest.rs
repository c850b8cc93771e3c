//! The images with their checksums, and which of them are equal: the manifest, for programs.

use crate::checksum::{sha256, sum16};
use crate::sockets::{PART, SIZE, Socket};
use serde::Serialize;

/// A socket with the checksums of its image.
pub struct Burned<'a> {
    pub socket: &'a Socket,
    pub crc32: String,
    pub sha256: String,
    /// The 16-bit sum that programmers show.
    pub sum16: String,
    /// Sockets of the same group, counted from 1, take the same image.
    pub group: usize,
}

impl Burned<'_> {
    /// The checksums of all sockets.
    pub fn of<'a>(sockets: impl Iterator<Item = &'a Socket>) -> Vec<Burned<'a>> {
        let mut images: Vec<&[u8]> = Vec::new();
        let burned = sockets.map(|socket| {
            let image = socket.image.as_slice();
            let group = images.iter().position(|other| *other == image).unwrap_or_else(|| {
                images.push(image);
                images.len() - 1
            });
            Burned {
                socket,
                crc32: format!("{:08x}", crc32fast::hash(image)),
                sha256: sha256(image),
                sum16: format!("{:04x}", sum16(image)),
                group: group + 1,
            }
        });
        burned.collect()
    }
}

/// The sockets group by group, in the order of the first socket of each group.
pub fn groups<'a, 'b>(burned: &'b [Burned<'a>]) -> Vec<Vec<&'b Burned<'a>>> {
    let last = burned.iter().map(|burned| burned.group).max().unwrap_or(0);
    (1..=last).map(|group| burned.iter().filter(|burned| burned.group == group).collect()).collect()
}

/// A socket in the manifest.
#[derive(Serialize)]
struct Entry<'a> {
    socket: &'a str,
    part: &'a str,
    size: usize,
    crc32: &'a str,
    sha256: &'a str,
    sum16: &'a str,
    group: usize,
    holds: &'a str,
    address: &'a [String],
    data: &'a [String],
}

/// The manifest: a list with an object for each socket.
pub fn json(burned: &[Burned]) -> String {
    let entries = burned.iter().map(|burned| Entry {
        socket: &burned.socket.name,
        part: PART,
        size: SIZE,
        crc32: &burned.crc32,
        sha256: &burned.sha256,
        sum16: &burned.sum16,
        group: burned.group,
        holds: &burned.socket.holds,
        address: &burned.socket.address,
        data: &burned.socket.data,
    });
    // Serializing plain data cannot fail.
    serde_json::to_string_pretty(&entries.collect::<Vec<_>>()).unwrap_or_default() + "\n"
}
