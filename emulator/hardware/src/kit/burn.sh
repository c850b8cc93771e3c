#!/bin/sh
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
        if minipro -p '{part}' -w "$2"; then
            break
        fi
        echo "$1: not burned. Try again, or another chip."
    done
    burned=$((burned + 1))
    echo "$1: burned. Put its label on it."
}

for name in "$@"; do
    [ -f "$name.bin" ] || { echo "$name: there is no such socket" >&2; exit 2; }
done
{chips}
echo "$burned chips burned"
