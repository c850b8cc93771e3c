#!/usr/bin/env python3
"""Makes the file for `gray1 faults --diagnose` from what a receiver or a logic analyser has saved.

    python3 observed.py CAPTURE OBSERVED.bin

CAPTURE is a table with commas, a row for each sample or each change: a header with OUTE and OUT0 to OUT7 (or OUT, as a
number), and levels below; other columns do not matter. A byte is taken whenever OUTE falls. Or it has the lines of
receive.py: two hexadecimal digits each.
"""

import csv
import re
import sys


def number(text, place):
    try:
        return int(text.strip(), 0)
    except ValueError:
        raise SystemExit(f"{place}: `{text.strip()}` is not a number") from None


def from_table(rows, name):
    """The bytes of a table: those at each fall of OUTE."""
    header = [word.strip().strip('"') for word in rows[0]]
    lines = [f"OUT{bit}" for bit in range(8)]
    has_lines = all(line in header for line in lines)
    if "OUTE" not in header or not (has_lines or "OUT" in header):
        raise SystemExit(f"{name}: line 1: the header needs OUTE, and OUT0 to OUT7 or OUT; name the channels like that")
    observed, was_open = bytearray(), False
    for place, row in enumerate(rows[1:], 2):
        if not row:
            continue
        if len(row) < len(header):
            raise SystemExit(f"{name}: line {place}: {len(row)} columns instead of {len(header)}")
        level = {column: row[header.index(column)] for column in header}
        at = f"{name}: line {place}"
        is_open = number(level["OUTE"], at) != 0
        if has_lines:
            byte = sum((number(level[line], at) != 0) << bit for bit, line in enumerate(lines))
        else:
            byte = number(level["OUT"], at)
        # The last row in which OUTE is up may be older than the byte, the first one after it is not.
        if was_open and not is_open:
            observed.append(byte & 0xFF)
        was_open = is_open
    return bytes(observed)


def observed(text, name):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise SystemExit(f"{name}: it is empty")
    if all(re.fullmatch("[0-9a-fA-F]{2}", line) for line in lines):
        return bytes(int(line, 16) for line in lines)
    return from_table(list(csv.reader(text.splitlines())), name)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], newline="", encoding="utf-8-sig") as file:
        data = observed(file.read(), sys.argv[1])
    with open(sys.argv[2], "wb") as file:
        file.write(data)
    print(f"{sys.argv[2]}: {len(data)} bytes")


if __name__ == "__main__":
    main()
