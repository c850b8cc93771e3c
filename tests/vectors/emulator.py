"""A small emulator of the Gray-1, written from docs/vectors.md alone, that runs every vector of a folder.

It shows that the document and the vectors are sufficient to write an emulator.
Usage: emulator.py FOLDER. Prints how many vectors agree, or the first that does not and why (exit code 1).
"""

import json
import pathlib
import sys

LDA, STA, ADD, NOR, SHR, JMP, JC, JZ = range(8)
FIELDS = ["pc", "a", "c", "target", "jumped"]


def gray(number):
    return number ^ number >> 1


def place(code):
    return sum((code >> shift).bit_count() % 2 << shift for shift in range(12))


def parity(number):
    return number.bit_count() % 2


class Machine:
    """The registers, named after their nets, and everything that follows from them."""

    def __init__(self, before):
        self.rom, self.ram = dict(before["rom"]), dict(before["ram"])
        self.padcol, self.padrow, self.keys = before["padcol"], before["padrow"], before["keys"]
        self.counter = gray(before["pc"])
        self.a = self.t = before["a"]
        self.c = self.mc = before["c"]
        self.tick = self.mt = parity(self.counter)
        self.target, self.mj = before["target"], before["jumped"]
        self.sent, self.lit, self.halted = [], [], 0

    def word(self):
        """The word at the counter. A place that is not listed holds a jump to itself."""
        code = self.counter
        return self.rom.get(place(code), JMP << 13 | parity(code) << 12 | code)

    def nets(self, phase):
        """The level of each net in a phase that has settled."""
        word, a, c = self.word(), self.a, self.c
        opcode, m, address = word >> 13, word >> 12 & 1, word & 0xFFF
        write = phase == 1 and opcode == STA
        insel, rowsel, keysel, nonesel = address >= 0xFF8, address == 0xFF9, address == 0xFFA, address >= 0xFFB
        ram = self.ram.get(address, 0)
        pad = self.padrow if rowsel else self.padcol
        i = 0 if nonesel else self.keys if keysel else pad
        d = i if insel else ram
        x = word & 0xFF if m else d
        r = {LDA: x, ADD: (a + x) & 0xFF, NOR: ~(a | x) & 0xFF, SHR: x >> 1}.get(opcode, a)
        c4 = {ADD: (a & 15) + (x & 15) >> 4, SHR: x & 1}.get(opcode, 0)
        nc = {ADD: a + x >> 8, SHR: x & 1}.get(opcode, c)
        take = {JMP: 1, JC: c, JZ: a == 0}.get(opcode, 0)
        upper = parity(self.counter >> 6)
        row = 1 << (address & 7) if write else 0
        nets = {
            "OSC": phase % 2, "RSTIN": 0, "PADCOL": self.padcol, "PADROW": self.padrow, "KEYS": self.keys,
            "S": gray(phase), "PH1": phase == 1, "PH2": phase == 3, "RST": 0, "PC": self.counter, "PARH": upper,
            "TICKH": upper, "W": word, "TG": self.target, "WE": write, "WEN": not write, "M": ram, "D": d, "X": x,
            "C4": c4, "ZL": a & 15 == 0, "R": r, "NC": nc, "TAKE": take, "T": self.t, "A": a, "MC": self.mc,
            "MJ": self.mj, "MT": self.mt, "C": c, "TICK": self.tick, "LOAD": self.mj if phase == 3 else 0,
            "GE": row if 0xFE0 <= address < 0xFE8 else 0, "RE": row if 0xFE8 <= address < 0xFF0 else 0,
            "OUTE": write and address == 0xFF0, "INSEL": insel, "ROWSEL": rowsel, "KEYSEL": keysel,
            "NONESEL": nonesel, "P": pad, "I": i, "OUT": self.ram.get(0xFF0, 0),
        }
        for row in range(8):
            nets[f"GREEN{row}"] = self.ram.get(0xFE0 + row, 0)
            nets[f"RED{row}"] = self.ram.get(0xFE8 + row, 0)
        return nets

    def edge(self, phase):
        """Updates the registers at the beginning of a phase."""
        now = self.nets(0)
        if phase == 1:
            word = now["W"]
            self.t, self.mc, self.mj, self.target = now["R"], now["NC"], int(now["TAKE"]), word & 0xFFF
            self.mt = word >> 12 & 1 if now["TAKE"] else 1 - self.tick
            if word >> 13 == STA:
                self.store(word & 0xFFF)
        elif phase == 3:
            self.before, self.a, self.c, self.tick = self.counter, self.t, self.mc, self.mt
            self.counter = self.target if self.mj else gray(place(self.counter) + 1 & 0xFFF)
        elif phase == 0:
            if parity(self.counter) != self.tick:
                self.counter = gray(place(self.counter) + 1 & 0xFFF)
            self.halted = int(self.counter == self.before)

    def store(self, address):
        self.ram[address] = self.a
        if 0xFE0 <= address < 0xFF0:
            self.lit.append([address - 0xFE0, self.a])
        elif address == 0xFF0:
            self.sent.append(self.a)

    def cycle(self):
        """Runs an instruction. Gives the nets of phases 1, 2, 3 and the next phase 0."""
        for phase in (1, 2, 3, 0):
            self.edge(phase)
            yield self.nets(phase)

    def state(self):
        values = [place(self.counter), self.a, self.c, self.target, self.mj]
        return dict(zip(FIELDS, values)) | {"halted": self.halted}


def check(what, mine, theirs):
    if mine != theirs:
        sys.exit(f"{what}: the emulator has {mine}, the vector {theirs}")


def run_case(case, names):
    name, final = case["name"], dict(case["final"])
    machine = Machine(case["initial"])
    rows = [machine.nets(0), *machine.cycle()]
    check(f"{name}, phases", len(rows), len(case["phases"]))
    for phase, (row, levels) in enumerate(zip(rows, case["phases"])):
        check(f"{name}, nets", sorted(row), sorted(names))
        for net, level in zip(names, levels, strict=True):
            check(f"{name}, {net} after edge {phase}", int(row[net]), level)
    ram = final.pop("ram")
    check(f"{name}, final", machine.state(), final)
    check(f"{name}, final RAM", [[address, machine.ram.get(address, 0)] for address, _ in ram], ram)
    check(f"{name}, output", machine.sent, case["output"])
    check(f"{name}, display", machine.lit, case["display"])


def run_program(program):
    name, output, display = program["name"], [], []
    reset = dict(zip(FIELDS, [0, 0, 0, 0, 1]))
    machine = Machine(reset | {"padcol": 0, "padrow": 0, "keys": 0, "rom": enumerate(program["rom"]), "ram": []})
    inputs = {at: pressed for at, *pressed in program["inputs"]}
    for cycle, row in enumerate(program["trace"]):
        machine.padcol, machine.padrow, machine.keys = inputs.get(cycle, (machine.padcol, machine.padrow, machine.keys))
        check(f"{name}, cycle {cycle}", [place(machine.counter), machine.word(), machine.a, machine.c], row)
        check(f"{name}, halted before cycle {cycle}", machine.halted, 0)
        for phase in (1, 2, 3, 0):
            machine.edge(phase)
        output += [[cycle, byte] for byte in machine.sent]
        display += [[cycle, *row] for row in machine.lit]
        machine.sent, machine.lit = [], []
    final = dict(program["final"])
    ram = {address: byte for address, byte in machine.ram.items() if byte}
    check(f"{name}, final RAM", ram, dict(final.pop("ram")))
    check(f"{name}, final", machine.state(), final)
    check(f"{name}, output", output, program["output"])
    check(f"{name}, display", display, program["display"])


def main(folder):
    names = [signal["name"] for signal in json.loads((folder / "nets.json").read_text())]
    kinds = [json.loads(path.read_text()) for path in sorted(folder.glob("instructions/*.json"))]
    programs = [json.loads(path.read_text()) for path in sorted(folder.glob("programs/*.json"))]
    for case in (case for kind in kinds for case in kind):
        run_case(case, names)
    for program in programs:
        run_program(program)
    print(f"{sum(map(len, kinds))} instructions of {len(kinds)} kinds and {len(programs)} programs agree")


main(pathlib.Path(sys.argv[1]))
