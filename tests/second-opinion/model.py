"""What check.py checks: chips, phases and rings of a board, and what the rules of docs/hazards.md say about them.

A set of addresses of a ROM is one long integer with a bit for each address, so that a rule is applied to all at once."""
import functools
import sys
from itertools import product

STABLE, ONCE, OFTEN = range(3)

def require(holds, *what):
    if not holds:
        sys.exit("rejected: " + " ".join(map(str, what)))

class Chip:
    """A chip: the nets on its lines; for a ROM, for each data line the set of addresses at which it is 1."""

    def __init__(self, told, tables):
        self.name, self.kind, self.data, self.width = told["name"], told["kind"], told["data"], len(told["address"])
        self.reads = told["address"] + told.get("input", []) + ([told["write"]] if "write" in told else [])
        self.own = {line: self.data.index(net) for line, net in enumerate(self.reads) if net in self.data}
        if self.kind == "rom":
            self.cells = bytes.fromhex(tables[told["table"]])
            require(len(self.cells) == 1 << self.width, self.name, "has a table of the wrong size")
            self.all = (1 << len(self.cells)) - 1
            # Line i is 0 at 2^i addresses, then 1 at as many, and so on.
            self.lines = [self.all // ((1 << (1 << line)) + 1) << (1 << line) for line in range(self.width)]
            ones = [bytes(48 + (cell >> bit & 1) for cell in range(256)) for bit in range(len(self.data))]
            self.columns = [int(self.cells[::-1].translate(one), 2) for one in ones]
            self.moved = {line: self.lines[line] ^ self.columns[bit] for line, bit in self.own.items()}
            self.rest = self.all & ~functools.reduce(int.__or__, self.moved.values(), 0)

    def flip(self, addresses, line):
        high = addresses & self.lines[line]
        return high >> (1 << line) | (addresses ^ high) << (1 << line)

    def spread(self, addresses, lines):
        """The addresses that these become when the lines take any level."""
        for line in lines:
            addresses |= self.flip(addresses, line)
        return addresses

    def matters(self, line, bit):
        """The addresses at which a line makes a difference to a data line."""
        return self.columns[bit] ^ self.flip(self.columns[bit], line)

    def at(self, levels):
        """The addresses at which lines, or nets, have these levels."""
        addresses = self.all
        for line, net in enumerate(self.reads):
            level = levels.get(line, levels.get(net))
            addresses &= self.all if level is None else self.lines[line] if level else ~self.lines[line]
        return addresses

    def leads(self, levels):
        """Pairs of an address line and a data line that it can move while these levels hold."""
        at, pairs = self.kind == "rom" and self.at(levels), product(range(len(self.reads)), range(len(self.data)))
        return [(line, bit) for line, bit in pairs if self.kind != "rom" or self.matters(line, bit) & at]

class Phase:
    """A phase as the certificate describes it: certain levels at its beginning and end, and how each net moves."""

    def __init__(self, told, nets):
        self.name, self.start, self.end = told["name"], told["start"], told["end"]
        self.number = "0123".find(self.name[:1])
        moves = dict.fromkeys(told["once"], ONCE) | dict.fromkeys(told["often"], OFTEN)
        self.motion = dict.fromkeys(nets, STABLE) | moves

    def moving(self, chip):
        return {line for line, net in enumerate(chip.reads) if self.motion[net] != STABLE}

    def choices(self, nets):
        """The levels at the beginning and end of the phase that are possible for nets that move at most once."""
        known = ([[levels[net]] if net in levels else [0, 1] for levels in (self.start, self.end)] for net in nets)
        return product(*(product(*levels) for levels in known))

    def ways(self, chip):
        """Each way in which the lines of a ROM can move: the set of possible addresses, the lines that go from one
        level to the other with the level that they come from, and the lines that may do anything."""
        known = [line for line, net in enumerate(chip.reads) if net in self.start or net in self.end]
        once = [line for line in known if self.motion[chip.reads[line]] == ONCE and line not in chip.own]
        still = {line: self.start.get(net) for line, net in enumerate(chip.reads) if self.motion[net] == STABLE}
        for ways in self.choices(chip.reads[line] for line in once):
            fixed = {line: start for line, (start, end) in zip(once, ways) if start == end}
            moves = {line: start for line, (start, end) in zip(once, ways) if start != end}
            yield chip.at(still | fixed), moves, self.moving(chip) - {*once}

    def writes(self, ram):
        return self.motion[ram.reads[-1]] != STABLE or self.start.get(ram.reads[-1]) != 0

    def effect(self, chip):
        """How the data lines of a chip can move, and because of which address lines, if those move as claimed."""
        moving = self.moving(chip)
        if chip.kind != "rom":
            cares = {line for line in moving if line < chip.width or self.writes(chip)}
            write = moving == {len(chip.reads) - 1} and chip.reads[-1]
            ends = chip.kind == "ram" and self.motion.get(write) == ONCE and self.end.get(write) == 0
            return [OFTEN if cares and not ends else STABLE] * len(chip.data), cares
        own = [{line for line in chip.own if chip.own[line] == bit} for bit in range(len(chip.data))]
        return self.effect_on(chip, list(zip(chip.columns, own)))

    def effect_on(self, chip, columns):
        """The same for any sets of addresses, each with the address lines on which it is fed back."""
        cares, motions = set(), [STABLE] * len(columns)
        for possible, once, often in self.ways(chip):
            begin = possible & chip.rest & chip.at(once)
            seen = chip.spread(begin, {*once, *often})
            for number, (column, own) in enumerate(columns):
                causes = {line for line in {*once, *often} if (column ^ chip.flip(column, line)) & seen}
                cares |= causes
                causes -= own
                if causes:
                    one_way = causes <= {*once}
                    # Once a line has changed, neither its causes nor its own loop may change it back.
                    for other in (column, chip.all ^ column) if one_way else ():
                        away = chip.spread(begin & ~other, causes) & other
                        later = [chip.flip(away & chip.at({line: once[line]}), line) for line in causes]
                        one_way &= not any(left & ~other for left in later + [chip.flip(away, line) for line in own])
                    motions[number] = max(motions[number], ONCE if one_way else OFTEN)
        return motions, cares

class Ring:
    """A ring of chips that feed each other. Each line of each chip is a pin that sees the level of its net at its own
    time; a state is a number with a bit for each pin."""

    def __init__(self, chips):
        self.chips, self.names = chips, [chip.name for chip in chips]
        require({chip.kind for chip in chips} == {"rom"}, "a ring through RAM or the program:", *self.names)
        self.pins = [(chip, line, net) for chip in chips for line, net in enumerate(chip.reads)]
        self.offsets = [sum(chip.width for chip in chips[:number]) for number in range(len(chips))]
        self.driver = {net: (number, bit) for number, chip in enumerate(chips) for bit, net in enumerate(chip.data)}
        self.driven = [(pin, *self.driver[net]) for pin, (_, _, net) in enumerate(self.pins) if net in self.driver]

    def mask(self, wanted):
        return sum(1 << pin for pin, place in enumerate(self.pins) if wanted(*place))

    def state(self, levels):
        return self.mask(lambda chip, line, net: levels.get(net))

    def gives(self, state):
        return [chip.cells[state >> offset & len(chip.cells) - 1] for chip, offset in zip(self.chips, self.offsets)]

    def level(self, net, state):
        seen = [state >> pin & 1 for pin, (_, _, other) in enumerate(self.pins) if other == net]
        return seen[0] if seen else self.gives(state)[self.driver[net][0]] >> self.driver[net][1] & 1

    def motion(self, net, begin, changes):
        """How a net moves by these changes."""
        first, moves = self.level(net, begin), {(self.level(net, a), self.level(net, b)) for a, b in changes}
        return OFTEN if (1 - first, first) in moves else ONCE if (first, 1 - first) in moves else STABLE

    def due(self, state):
        data = self.gives(state)
        return sum(1 << pin for pin, chip, bit in self.driven if (data[chip] >> bit ^ state >> pin) & 1)

    def follow(self, told, starts, once, often=0, either=0):
        """Checks that from each of these states only listed states are reached, pulses are listed, and everything
        settles, in one state for each level of the lines that may end at any. Returns the ends and the changes."""
        nets = {self.mask(lambda _, __, other: other == net) & often for *_, net in self.pins}
        all_ends, changes, lists = set(), [], {(one["start"], one["once"]): one for one in told}
        for start in starts:
            require(start in lists.get((start, once), {"states": []})["states"], "a state is not listed:", *self.names)
            ends, late, states = {}, lists[start, once]["late"], lists[start, once]["states"]
            due, place = {state: self.due(state) for state in states}, {state: at for at, state in enumerate(states)}
            for state in states:
                to_come = once & ~(state ^ start)
                if not due[state] | to_come and all(state & net in (0, net) for net in nets):
                    end = ends.setdefault(state & (often | either), state)
                    require(end == state, "two orders of events, two ends:", *self.names)
                for pin in bits(due[state] | to_come | often | late):
                    after = state ^ 1 << pin
                    require(after in due, "a state that can be reached is not listed:", *self.names)
                    returns = due[state] >> pin & 1 and place[after] < place[state]
                    require(not returns, "it can go on for ever, or states are out of order:", *self.names)
                    pulses = due[state] & ~(1 << pin) & ~due[after] & ~(late | either)
                    require(not pulses, "a pulse is not listed:", *self.names)
                    changes.append((state, after))
            all_ends.update(ends.values())
        return all_ends, changes

    def rests(self, levels, cares):
        """Every settled state with these levels. Lines that cannot make a difference are left at 0."""
        states = [{}]
        for chip in self.chips:
            at = chip.at(levels)
            kept = {line for line, net in enumerate(chip.reads) if net in levels or net in self.driver}
            kept |= {line for line in range(chip.width) if cares(chip, line)} | {line for line, _ in chip.leads(levels)}
            rows = [{net: address >> line & 1 for line, net in enumerate(chip.reads) if line in kept}
                    | {net: chip.cells[address] >> bit & 1 for bit, net in enumerate(chip.data)}
                    for address in bits(at & chip.rest & chip.at(dict.fromkeys({*range(chip.width)} - kept, 0)))]
            shared, matching = [net for net in (rows or [{}])[0] if net in (states or [{}])[0]], {}
            for row in rows:
                matching.setdefault(tuple(map(row.get, shared)), []).append(row)
            states = [old | row for old in states for row in matching.get(tuple(map(old.get, shared)), [])]
        return {self.state(levels) for levels in states}

def bits(number):
    return (place for place, digit in enumerate(bin(number)[:1:-1]) if digit == "1")

def circles(onward):
    """The strongly connected groups of nodes, including single nodes that lead to themselves."""
    reach = {node: {*after} for node, after in onward.items()}
    for between, node in product(onward, repeat=2):
        reach[node] |= reach[between] if between in reach[node] else set()
    return {frozenset(other for other in reach[node] if node in reach[other]) for node in onward if node in reach[node]}
