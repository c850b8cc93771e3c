//! The images with their checksums, and which of them are equal: the manifest, for programs.

use crate::kit::checksum::{sha256, sum16};
use crate::kit::sockets::{PART, SIZE, Socket};
use serde::Serialize;

/// A socket with its image's checksums, as the manifest lists it.
#[derive(Serialize)]
pub struct ManifestEntry<'a> {
    #[serde(rename = "socket")]
    pub name: &'a str,
    part: &'static str,
    size: usize,
    pub crc32: String,
    sha256: String,
    /// The 16-bit sum that programmers show.
    pub sum16: String,
    /// Sockets of the same group, counted from 1, take the same image.
    pub group: usize,
    pub holds: &'a str,
    pub address: &'a [String],
    pub data: &'a [String],
    #[serde(skip)]
    pub socket: &'a Socket,
}

impl<'a> ManifestEntry<'a> {
    /// The checksums of all sockets.
    pub fn of(sockets: &[&'a Socket]) -> Vec<ManifestEntry<'a>> {
        let mut images: Vec<&[u8]> = Vec::new();
        let burned = sockets.iter().map(|socket| {
            let Socket { name, holds, address, data, image, .. } = socket;
            let group = images.iter().position(|other| other == image).unwrap_or_else(|| {
                images.push(image);
                images.len() - 1
            });
            ManifestEntry {
                name,
                part: PART,
                size: SIZE,
                crc32: format!("{:08x}", crc32fast::hash(image)),
                sha256: sha256(image),
                sum16: format!("{:04x}", sum16(image)),
                group: group + 1,
                holds,
                address,
                data,
                socket,
            }
        });
        burned.collect()
    }
}

/// The sockets group by group, in the order of the first socket of each group.
pub fn groups<'a, 'b>(burned: &'b [ManifestEntry<'a>]) -> Vec<Vec<&'b ManifestEntry<'a>>> {
    let last = burned.iter().map(|burned| burned.group).max().unwrap_or(0);
    (1..=last).map(|group| burned.iter().filter(|burned| burned.group == group).collect()).collect()
}

/// The manifest: a list with an object for each socket.
pub fn json(burned: &[ManifestEntry]) -> String {
    // Serializing plain data cannot fail.
    serde_json::to_string_pretty(burned).unwrap_or_default() + "\n"
}
