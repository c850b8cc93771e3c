#!/bin/sh
# Checks the boards, and makes what a factory asks for: Gerbers, drill files, pictures. Needs kicad-cli 9,
# which Debian 12 has in its backports.
#
#     sh fabricate.sh [BOARD …]
#
# The files for BOARD are in fabrication/BOARD afterwards. Nobody has made these boards or powered one up.
set -eu
cd "$(dirname "$0")"

if ! command -v kicad-cli >/dev/null; then
    echo "fabricate.sh: kicad-cli is not installed, so these are missing: Gerbers, drill files, pictures" >&2
    exit 1
fi
case $(kicad-cli version) in
[1-8].*)
    echo "fabricate.sh: kicad-cli is $(kicad-cli version), but the files are for version 9 or later" >&2
    exit 1
    ;;
esac

# Whether the board and the wire list are those for which the pack was written.
is_of_the_pack() {
    cd ../factory
    if command -v sha256sum >/dev/null; then sha256sum -c "$1.sha256"; else shasum -a 256 -c "$1.sha256"; fi
}

[ $# -gt 0 ] || set -- BOARDS
for board; do
    folder=fabrication/$board
    if ! (is_of_the_pack "$board") >/dev/null 2>&1; then
        echo "fabricate.sh: $board.kicad_pcb and ../wires.csv are not those of ../factory/$board.sha256: build the pack again," >&2
        echo "    or, if you have changed the board, write its checksums there: sha256sum ../kicad/$board.kicad_pcb ../wires.csv" >&2
        exit 1
    fi
    mkdir -p "$folder"
    kicad-cli sch erc --severity-all --exit-code-violations -o "$folder/erc.txt" "$board.kicad_sch" >/dev/null
    kicad-cli pcb drc --schematic-parity --severity-all --exit-code-violations -o "$folder/drc.txt" "$board.kicad_pcb" >/dev/null
    kicad-cli pcb export gerbers --use-drill-file-origin --layers F.Cu,In1.Cu,In2.Cu,B.Cu,F.Silkscreen,F.Mask,B.Mask,Edge.Cuts -o "$folder/" "$board.kicad_pcb" >/dev/null
    kicad-cli pcb export drill --drill-origin plot --excellon-separate-th -o "$folder/" "$board.kicad_pcb" >/dev/null
    kicad-cli sch export pdf -o "$folder/$board.pdf" "$board.kicad_sch" >/dev/null
    if command -v python3 >/dev/null; then
        mkdir -p ../factory
        (cd "$folder" && python3 -m zipfile -c "../../../factory/$board.zip" ./*.g* ./*.drl "../../../factory/$board.sha256")
    else
        echo "fabricate.sh: python3 is not installed, so factory/$board.zip is missing" >&2
    fi
    for side in F B; do
        layers=$side.Cu,$side.Mask,$side.Silkscreen,Edge.Cuts
        [ $side = F ] && mirror='' || mirror=--mirror
        kicad-cli pcb export svg --layers "$layers" $mirror --mode-single --page-size-mode 2 --exclude-drawing-sheet \
            -o "$folder/$board-$side.svg" "$board.kicad_pcb" >/dev/null
    done
    echo "$board: $(ls "$folder" | wc -l) files in $folder"
done
