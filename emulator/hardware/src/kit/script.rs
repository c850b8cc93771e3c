//! A script that burns all chips with `minipro`, one after the other, and prints which label belongs on each.

use crate::kit::manifest::{ManifestEntry, groups};
use crate::kit::sockets::PROGRAMMER_PART;
use crate::kit::template::filled;
use std::fmt::Write;

/// The script.
pub fn shell(burned: &[ManifestEntry]) -> String {
    let mut chips = String::new();
    for group in groups(burned) {
        let _ = writeln!(chips, "\n# Group {}", group[0].group);
        for ManifestEntry { name, sum16, .. } in group {
            let _ = writeln!(chips, "chip {name} {name}.bin {sum16}");
        }
    }
    filled(include_str!("burn.sh"), &[("part", PROGRAMMER_PART), ("chips", &chips)])
}
