//! A script that burns all chips with `minipro`, one after the other, and prints which label belongs on each.

use crate::manifest::{Burned, groups};
use crate::sockets::PROGRAMMER_PART;
use std::fmt::Write;

/// The part of the script that burns one chip.
const CHIP: &str = r#"#!/bin/sh
# Burns the chips of the machine, one after the other:   sh burn.sh
# or only those for some sockets:                        sh burn.sh PCL PCH
# Sockets that take the same image follow each other. minipro verifies what it has written.
set -eu
cd "$(dirname "$0")"
wanted=" $* "
burned=0

chip() {
    case "$wanted" in
        "  " | *" $1 "*) ;;
        *) return 0 ;;
    esac
    while :; do
        printf '%s (sum %s): put a chip into the programmer; Enter burns, s skips it, q ends: ' "$1" "$3"
        read -r answer || answer=q
        case "$answer" in
            s) return 0 ;;
            q) exit 1 ;;
        esac
        if minipro -p 'PART' -w "$2"; then
            break
        fi
        echo "$1: not burned. Try again, or another chip."
    done
    burned=$((burned + 1))
    echo "$1: burned. Put its label on it."
}
"#;

/// The part of the script that rejects unknown names of chips.
const NAMES: &str = r#"
for name in "$@"; do
    [ -f "$name.bin" ] || { echo "$name: there is no such socket" >&2; exit 2; }
done
"#;

/// The script.
pub fn shell(burned: &[Burned]) -> String {
    let mut text = CHIP.replace("PART", PROGRAMMER_PART) + NAMES;
    for group in groups(burned) {
        let _ = writeln!(text, "\n# Group {}", group[0].group);
        for Burned { socket, sum16, .. } in group.iter().copied() {
            let _ = writeln!(text, "chip {} {}.bin {sum16}", socket.name, socket.name);
        }
    }
    text + "\necho \"$burned chips burned\"\n"
}
