"""Asks an SMT solver whether a board computes the instruction set, from its tables and its wiring alone.

    gray1 chips --format json > board.json
    python3 question.py board.json [--solver "z3 -in"] [--limit SECONDS] [--write QUESTION.smt2]

It shares no code with gray1. Every table becomes a network of multiplexers, and one machine cycle is unrolled for all
states at once, lookup after lookup. If a line that is looked up again seems to be unchanged (it agrees in 512 random
settled states), the solver is asked whether it always is. If so, the older network is kept, and thus the board settles.
At the end the solver is asked whether the result can differ from the instruction set, which is defined below in SMT-LIB.
The instruction is the word that any image has at the place that the counter names: the cells of the program chips at
the levels of the counter. Chips for the same byte of the words are burned alike, so at equal addresses they agree.
The byte that an instruction reads is RAM's cell at the address in the word, whatever RAM's address lines are wired to.
Like the claim `instructions`, this assumes that the order of lookups does not matter.
Exit code 0: it computes the instruction set; 1: it does not, and a case is printed; 2: undecided, also if the solver has
not answered all questions within the limit.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import threading

SAMPLES = 512
SWEEPS = 64

# The effect of a cycle on the state in which it begins. `word` is the instruction, `x` its operand field, `byte` the
# content of RAM at `x`.
INSTRUCTION_SET = """
(define-fun opcode () (_ BitVec 3) ((_ extract 15 13) word))
(define-fun m () Bool (= ((_ extract 12 12) word) #b1))
(define-fun read () (_ BitVec 8)
  (ite (= x #xff8) padcol (ite (= x #xff9) padrow (ite (= x #xffa) keys (ite (bvuge x #xffb) #x00 byte)))))
(define-fun v () (_ BitVec 8) (ite m ((_ extract 7 0) word) read))
(define-fun sum () (_ BitVec 9) (bvadd (concat #b0 a) (concat #b0 v)))
(define-fun a-after () (_ BitVec 8)
  (ite (= opcode #b000) v (ite (= opcode #b010) ((_ extract 7 0) sum)
  (ite (= opcode #b011) (bvnot (bvor a v)) (ite (= opcode #b100) (bvlshr v #x01) a)))))
(define-fun c-after () (_ BitVec 1)
  (ite (= opcode #b010) ((_ extract 8 8) sum) (ite (= opcode #b100) ((_ extract 0 0) v) c)))
(define-fun jumps () Bool
  (or (= opcode #b101) (and (= opcode #b110) (= c #b1)) (and (= opcode #b111) (= a #x00))))
(define-fun number ((gray (_ BitVec 12))) (_ BitVec 12)
  (let ((n1 (bvxor gray (bvlshr gray #x001)))) (let ((n2 (bvxor n1 (bvlshr n1 #x002))))
  (let ((n4 (bvxor n2 (bvlshr n2 #x004)))) (bvxor n4 (bvlshr n4 #x008))))))
(define-fun gray ((n (_ BitVec 12))) (_ BitVec 12) (bvxor n (bvlshr n #x001)))
(define-fun lands () (_ BitVec 12)
  (ite (= m (= ((_ extract 0 0) (number x)) #b1)) (number x) (bvadd (number x) #x001)))
(define-fun pc-after () (_ BitVec 12) (gray (ite jumps lands (bvadd (number pc) #x001))))
(define-fun stores () Bool (= opcode #b001))
"""


class Undecided(Exception):
    """The reason why there is no answer."""


class Network:
    """Gates with two inputs. A literal is twice the number of a gate, plus one for its complement; 0 is false."""

    def __init__(self, solver, log, limit):
        self.gates, self.signatures, self.log, self.questions = {}, [0], log, 0
        self.random = random.Random(1)
        self.everywhere = (1 << SAMPLES) - 1
        self.solver = subprocess.Popen(solver, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.limit, self.timer = limit, threading.Timer(limit, self.solver.kill)
        self.timer.daemon = True
        self.timer.start()
        self.say("(set-logic QF_BV)")
        self.say("(set-option :produce-models true)") if "z3" not in solver[0] else None
        self.say("(define-fun n0 () Bool false)")

    def say(self, line):
        try:
            self.solver.stdin.write(line + "\n")
        except BrokenPipeError:
            raise Undecided(self.silence()) from None
        if self.log:
            self.log.write(line + "\n")

    def silence(self):
        """Why the solver says nothing any more."""
        late = not self.timer.is_alive()
        return f"the solver needs more than {self.limit:g} s; see --limit" if late else "the solver answers nothing"

    def answer(self):
        try:
            self.solver.stdin.flush()
        except BrokenPipeError:
            raise Undecided(self.silence()) from None
        answer = self.solver.stdout.readline().strip()
        if answer not in ("sat", "unsat"):
            raise Undecided(f"the solver answers {answer}" if answer else self.silence())
        return answer == "sat"

    def can_be(self, name):
        """Whether a name or its opposite can be true."""
        self.questions += 1
        self.say(f"(check-sat-assuming ({name}))")
        return self.answer()

    def values(self, names):
        self.say(f"(get-value ({' '.join(names)}))")
        self.solver.stdin.flush()
        answer = ""
        while not answer or answer.count("(") != answer.count(")"):
            line = self.solver.stdout.readline()
            if not line:
                raise Undecided(self.silence())
            answer += line
        return re.findall(r"\((\w+) #[bx](\w+)\)", answer)

    def variable(self, samples=None):
        self.signatures.append(self.random.getrandbits(SAMPLES) if samples is None else samples)
        self.say(f"(declare-fun n{len(self.signatures) - 1} () Bool)")
        return 2 * (len(self.signatures) - 1)

    def name(self, literal):
        return f"(not n{literal >> 1})" if literal & 1 else f"n{literal >> 1}"

    def signature(self, literal):
        return self.signatures[literal >> 1] ^ (self.everywhere if literal & 1 else 0)

    def both(self, one, other):
        one, other = min(one, other), max(one, other)
        if one == 0 or one == other ^ 1:
            return 0
        if one == 1 or one == other:
            return other
        if (one, other) not in self.gates:
            self.signatures.append(self.signature(one) & self.signature(other))
            self.gates[one, other] = 2 * (len(self.signatures) - 1)
            number, gate = len(self.signatures) - 1, f"(and {self.name(one)} {self.name(other)})"
            self.say(f"(declare-fun n{number} () Bool)(assert (= n{number} {gate}))")
        return self.gates[one, other]

    def choose(self, which, high, low):
        if which < 2 or high == low:
            return high if which or high == low else low
        return self.both(self.both(which, high) ^ 1, self.both(which ^ 1, low) ^ 1) ^ 1


class Table:
    """A ROM as multiplexers, line by line from the highest. Equal parts of the table become one network."""

    def __init__(self, cells, width, bits):
        self.nodes, self.known = [None, None], {}
        ones = [bytes(48 + (cell >> bit & 1) for cell in range(256)) for bit in range(bits)]
        self.roots = [self.node(int(cells[::-1].translate(one), 2), width) for one in ones]

    def node(self, column, width):
        if width == 0:
            return column
        if (column, width) not in self.known:
            half = 1 << (width - 1)
            low, high = self.node(column & (1 << half) - 1, width - 1), self.node(column >> half, width - 1)
            if low != high:
                self.nodes.append((width - 1, high, low))
                low = len(self.nodes) - 1
            self.known[column, width] = low
        return self.known[column, width]

    def look_up(self, network, lines):
        values = [0, 1]
        for line, high, low in self.nodes[2:]:
            values.append(network.choose(lines[line], values[high], values[low]))
        return [values[root] for root in self.roots]


class Board:
    def __init__(self, told):
        self.chips, self.panel, self.inputs = told["chips"], told["panel"], told["inputs"]
        self.cells, self.tables = [bytes.fromhex(table) for table in told["tables"]], {}
        for chip in self.chips:
            chip["own"] = [net for net in chip["data"] if net in chip["address"]]
            if chip["kind"] == "rom":
                chip["shape"] = chip["table"], len(chip["address"]), len(chip["data"])
                if chip["shape"] not in self.tables:
                    self.tables[chip["shape"]] = Table(self.cells[chip["table"]], *chip["shape"][1:])
        self.memory = [chip for name in self.panel["memory"] for chip in self.chips if chip["name"] == name]
        (self.oscillator,), (self.reset,) = self.panel["oscillator"], self.panel["reset"]
        clock, self.clock = None, {self.oscillator, self.reset}
        while clock != self.clock:
            clock = set(self.clock)
            for chip in self.chips:
                if chip["kind"] == "rom" and {*chip["address"]} <= clock | {*chip["data"]}:
                    self.clock |= {*chip["data"]}

    def settled(self, levels):
        """Looks up every ROM with the levels of the nets, until nothing changes."""
        for _ in range(10000):
            before = dict(levels)
            for chip in self.chips:
                if chip["kind"] == "rom":
                    address = sum(levels[net] << line for line, net in enumerate(chip["address"]))
                    cell = self.cells[chip["table"]][address]
                    levels.update((net, cell >> bit & 1) for bit, net in enumerate(chip["data"]))
            if levels == before:
                return levels
        raise Undecided("the board does not settle in some state")

    def resting(self, draw):
        """A random settled state at the beginning of a cycle."""
        levels = {net: draw.randrange(2) for chip in self.chips for net in chip["data"]}
        levels |= {net: draw.randrange(2) for net in self.inputs}
        levels |= dict.fromkeys(self.clock, 0)
        for _ in range(16):  # the clock leaves the reset and returns to its first state
            levels[self.oscillator] ^= 1
            clock = {net: level for net, level in self.settled(dict(levels)).items() if net in self.clock}
            levels |= clock
            if not any(levels[net] for net in self.panel["sequence"]) and not levels[self.oscillator]:
                begin = clock
        return self.settled(levels | begin)

    def order(self, variables):
        """The chips, each after those that it reads, and the nets at which cycles must be cut for that order."""
        driver = {net: chip for chip in self.chips for net in chip["data"]}
        order, begun, cut = [], set(), set()

        def visit(chip):
            begun.add(chip["name"])
            for net in chip["address"] + chip.get("input", []):
                if net in driver and net not in variables and driver[net] not in order:
                    if driver[net]["name"] in begun:
                        cut.add(net)
                    else:
                        visit(driver[net])
            order.append(chip)
        for chip in self.chips:
            if chip["name"] not in begun:
                visit(chip)
        return order, cut


class Cycle:
    """A machine cycle for all states at once, with a literal on each net."""

    def __init__(self, board, network):
        self.board, self.network, self.memory, self.unknown = board, network, {}, {}
        draw = random.Random(1)
        samples = [board.resting(draw) for _ in range(SAMPLES)]
        own = {net for chip in board.chips for net in chip["own"] if chip["kind"] == "rom"} - board.clock
        order, cut = board.order(own | board.clock)
        free = own | cut | {net for net in board.inputs if net not in board.clock}
        self.nets = {net: samples[0][net] for net in board.clock}  # levels, which are literals too
        for net in sorted(free):
            bits = sum(sample[net] << number for number, sample in enumerate(samples))
            self.nets[net] = network.variable(bits)
        rests, self.word = [], []
        counter, word = {*board.panel["counter"]}, {*board.panel["word"]}
        # The word comes before all that is done with it, unless the counter depends on it.
        for chip in order:
            if not self.word and counter | word <= {*self.nets}:
                self.word = self.fetch()
            given = self.look_up(chip)
            for net, literal in zip(chip["data"], given):
                if net in self.nets:
                    rests.append(network.choose(literal, self.nets[net], self.nets[net] ^ 1))
                else:
                    self.nets[net] = literal
        self.word = self.word or self.fetch()
        self.byte = [bit for chip in board.memory
                     for bit in self.cell(chip["name"], tuple(self.word[:len(chip["address"])]), len(chip["data"]))]
        self.agree([chip["name"] for chip in board.memory])
        for literal in rests:
            network.say(f"(assert {network.name(literal)})")
            if network.signature(literal) != network.everywhere:
                raise Undecided("a state of rest in which a chip is not at rest")

    def look_up(self, chip):
        if chip["kind"] == "rom":
            lines = [self.nets[net] for net in chip["address"]]
            return self.board.tables[chip["shape"]].look_up(self.network, lines)
        # The program and RAM contain unknown data at each new address.
        address = tuple(self.nets[net] for net in chip["address"])
        if chip["kind"] == "program":
            return self.cell(chip["byte"], address, len(chip["data"]))
        held = self.cell(chip["name"], address, len(chip["data"]))
        write, given = self.nets[chip["write"]], [self.nets[net] for net in chip["input"]]
        held = [self.network.choose(write, new, old) for new, old in zip(given, held)]
        self.memory[chip["name"], address] = held
        return held

    def cell(self, memory, address, width):
        """The cell of a RAM, or of all chips with this byte of the program."""
        if (memory, address) not in self.memory:
            self.memory[memory, address] = [self.network.variable() for _ in range(width)]
            self.unknown[memory, address] = self.memory[memory, address]
        return self.memory[memory, address]

    def agree(self, memories):
        """Asserts that each of these memories holds equal data at equal addresses, as long as nothing is stored."""
        cells = [key for key in self.unknown if key[0] in memories]
        for number, key in enumerate(cells):
            for other in (other for other in cells[:number] if other[0] == key[0]):
                same, equal = ([self.network.choose(one, two, two ^ 1) for one, two in zip(*pair)]
                               for pair in ((key[1], other[1]), (self.unknown[key], self.unknown[other])))
                if 0 not in same:
                    here, equal = (" ".join(map(self.network.name, literals)) for literals in (same, equal))
                    self.network.say(f"(assert (=> (and true {here}) (and true {equal})))")

    def fetch(self):
        """The word of the image at the place that the counter names; nets that are equal to it become it."""
        counter = tuple(self.nets[net] for net in self.board.panel["counter"])
        word = self.cell(0, counter, 8) + self.cell(1, counter, 8)
        self.agree((0, 1))
        for net, bit in zip(self.board.panel["word"], word):
            if self.nets[net] != bit and not self.network.can_be(
                    self.network.name(self.network.choose(self.nets[net], bit ^ 1, bit))):
                self.nets[net] = bit
        return word

    def phase(self):
        """Moves the oscillator and looks chips up until nothing changes."""
        self.nets[self.board.oscillator] ^= 1
        for _ in range(SWEEPS):
            changed = False
            for chip in self.board.chips:
                for net, new in zip(chip["data"], self.look_up(chip)):
                    old = self.nets[net]
                    if new != old and not self.same(new, old):
                        self.nets[net], changed = new, True
            if not changed:
                return
        raise Undecided("the board does not settle")

    def same(self, one, other):
        differs = self.network.choose(one, other ^ 1, other)
        return self.network.signature(differs) == 0 and not self.network.can_be(self.network.name(differs))

    def vector(self, nets):
        return self.number([self.nets[net] for net in nets])

    def number(self, literals):
        bits = (f"(ite {self.network.name(literal)} #b1 #b0)" for literal in reversed(literals))
        return f"(concat {' '.join(bits)})" if len(literals) > 1 else next(bits)


def ask(board, network):
    """What a cycle computes wrongly, with an example, or None if it computes the instruction set."""
    cycle, panel, memory = Cycle(board, network), board.panel, board.memory
    nets = {"pc": "counter", "a": "accumulator", "c": "carry", "padcol": "pad_column", "padrow": "pad_row",
            "keys": "keys"}
    known = {"word": cycle.word, "x": cycle.word[:12], "byte": cycle.byte}
    known |= {name: [cycle.nets[net] for net in panel[bus]] for name, bus in nets.items()}
    known["keys"].append(0)
    for name, literals in known.items():
        network.say(f"(define-fun {name} () (_ BitVec {len(literals)}) {cycle.number(literals)})")
    network.say(INSTRUCTION_SET)
    outlets = list(zip([0xff0, *range(0xfe0, 0xff0)], [panel["port"], *panel["display"]]))
    def show(outlet):
        byte = cycle.vector(outlet["latch"])
        return f"(bvnot {byte})" if outlet.get("inverted") else byte

    shown = {address: show(outlet) for address, outlet in outlets}
    wrong = []

    def must(what, holds):
        wrong.append((f"wrong{len(wrong)}", what))
        network.say(f"(declare-fun {wrong[-1][0]} () Bool)(assert (= {wrong[-1][0]} (not {holds})))")
    for phase in (1, 2, 3, 0):
        cycle.phase()
        for address, outlet in outlets:
            due = f"(and stores (= x #x{address:x}))" if phase == 1 else "false"
            enable = network.name(cycle.nets[outlet["enable"][0]])
            must(f"what is behind {address:X} opens in phase {phase}", f"(= {enable} {due})")
        for chip in memory:
            write = network.name(cycle.nets[chip["write"]])
            must(f"RAM is written in phase {phase}", f"(= {write} {'stores' if phase == 1 else 'false'})")
            if phase == 1:
                must("the address of RAM", f"(=> stores (= x {cycle.vector(chip['address'])}))")
        if phase == 1:
            given = [net for chip in memory for net in chip["input"]]
            must("what is stored in RAM", f"(=> stores (= a {cycle.vector(given)}))")
    must("A", f"(= a-after {cycle.vector(panel['accumulator'])})")
    must("C", f"(= c-after {cycle.vector(panel['carry'])})")
    must("PC", f"(= pc-after {cycle.vector(panel['counter'])})")
    for address, outlet in outlets:
        after = f"(ite (and stores (= x #x{address:x})) a {shown[address]})"
        must(f"what is behind {address:X}", f"(= {after} {show(outlet)})")
    network.say(f"(declare-fun wrong () Bool)(assert (= wrong (or {' '.join(name for name, _ in wrong)})))")
    if not network.can_be("wrong"):
        return None
    what = next(what for name, what in wrong if network.can_be(name))
    return f"{what} is wrong: " + ", ".join(f"{name} = {value.upper()}" for name, value in network.values(known))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("board", type=pathlib.Path)
    arguments.add_argument("--solver", default="z3 -in")
    arguments.add_argument("--limit", type=float, default=120, help="seconds for all questions")
    arguments.add_argument("--write", type=argparse.FileType("w"))
    arguments = arguments.parse_args()
    told = json.loads(arguments.board.read_text())
    network = Network(arguments.solver.split(), arguments.write, arguments.limit)
    try:
        wrong = ask(Board(told), network)
    except Undecided as why:
        print(f"{told['board']}: undecided: {why}")
        return 2
    print(f"{told['board']}: {'refuted: ' + wrong if wrong else 'computes the instruction set'}")
    print(f"{len(network.gates)} gates, {network.questions} questions", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main())
