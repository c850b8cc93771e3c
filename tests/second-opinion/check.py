"""Checks a certificate of the claims `loops`, `order`, `strobes` and `reset` against the tables and the wiring of a board.

It shares no code with gray1 and trusts nothing in the certificate. The rules are those of docs/hazards.md."""
import json
import pathlib
import sys
from itertools import product

from model import OFTEN, ONCE, STABLE, Chip, Phase, Ring, circles, require

CLAIMS = ["loops", "order", "strobes", "reset"]
RESET_CYCLES = 3

def certain(chips, levels):
    """These levels, and those that follow from them by the tables when every chip is at rest."""
    levels, before = dict(levels), None
    while before != levels:
        before = dict(levels)
        for chip in (chip for chip in chips if chip.kind == "rom"):
            at = chip.at(levels) & chip.rest
            ones = [(net, at & chip.columns[bit]) for bit, net in enumerate(chip.data)]
            levels |= {net: int(high == at) for net, high in ones if high in (0, at) and net not in levels}
    return levels

def least_motion(chips, board, phase, moves):
    """Lets nets move as the tables say, until no more move, if the nets of the clock move in these ways."""
    inputs = {*board["inputs"]} - {*moves}
    phase.motion.update(moves)
    phase.motion.update(dict.fromkeys(inputs, OFTEN if phase.number == 0 else STABLE))
    before = None
    while before != phase.motion:
        before = dict(phase.motion)
        for chip in chips:
            for net, motion in zip(chip.data, phase.effect(chip)[0]):
                if net not in moves:
                    phase.motion[net] = max(phase.motion[net], motion)

def check_motion(chips, clock, inputs, panel, phase):
    """Checks that stable nets do not move, that certain levels are certain, and that every chip can settle."""
    (oscillator,), (reset,), where = panel["oscillator"], panel["reset"], ("in phase", phase.name)
    often = {net for net in inputs if net not in (oscillator, reset) and phase.number == 0}
    turns = {oscillator} | ({reset} if phase.start[reset] != phase.end[reset] else set())
    moves = {net: OFTEN if net in often else ONCE if net in turns else STABLE for net in inputs}
    require(all(phase.motion[net] >= motion for net, motion in moves.items()), "inputs move otherwise", *where)
    for levels in (phase.start, phase.end):
        known = {net: level for net, level in levels.items() if net in clock or net == reset}
        require(levels.items() <= certain(chips, known).items(), "levels that are not certain", *where)
    for chip in chips:
        for net, motion in zip(chip.data, phase.effect(chip)[0]):
            require(net in clock or phase.motion[net] >= motion, net, "moves otherwise", *where)
        if chip.kind == "rom":
            possible = chip.at({net: level for net, level in phase.start.items() if net not in chip.data})
            require(not possible & ~chip.spread(chip.rest & possible, chip.own), chip.name, "has no rest", *where)

def check_loops(chips, counter, phase):
    """Checks that every loop holds its value over T(A,B) and steps to one value, and that RAM is written safely."""
    for chip in chips:
        moving, where = phase.moving(chip), ("in phase", phase.name)
        require(chip.kind == "rom" or not chip.own, chip.name, "reads itself")
        if chip.kind == "ram" and phase.writes(chip):
            write = len(chip.reads) - 1
            falls = write in moving and phase.end.get(chip.reads[write]) != 1
            bad = {line for line in moving if line < chip.width or falls and line < write}
            require(not bad and phase.motion[chip.reads[write]] != OFTEN, chip.name, "is written by accident", *where)
        if not chip.own:
            continue
        counting = {line for line in chip.own if chip.reads[line] in counter}
        registers, stable = {*chip.own} - counting, {*chip.own} - moving
        holds = {line: chip.all & ~chip.spread(chip.moved[line], registers) for line in registers}
        holds |= dict.fromkeys(counting & stable, chip.all)
        depends = {line: chip.spread(chip.matters(line, chip.own[line]), registers) for line in registers}
        for possible, once, often in phase.ways(chip):
            end = possible & chip.at({line: 1 - level for line, level in once.items()})
            groups = [(often - counting, stable & counting, {*chip.own}), (often, stable & registers, registers)]
            for free, mine, own in groups + [(often, {line}, registers) for line in registers - stable]:
                others = {*once, *free} - mine
                begin = chip.spread(possible & chip.rest & chip.at(once), others)
                for line in mine if {*once, *free} - own else ():
                    neither = begin & end & depends.get(line, 0) & ~holds[line]
                    lost = begin & chip.spread(end & holds[line], others) & chip.moved[line]
                    require(not neither | lost, chip.name, "can lose", chip.reads[line], *where)
            for line in chip.own:
                for other in counting | (registers if line in registers else set()):
                    astray = possible & chip.moved[line] & chip.matters(line, chip.own[other])
                    require(not astray, chip.name, "steps to two values", *where)

def check_strobes(chips, clock, counter, panel, phases):
    """Checks that what opens something moves at most once in a phase, in two phases, and that what writes RAM or leaves
    the machine is open at the end of phase 1 only."""
    outward = {chip.reads[-1] for chip in chips if chip.kind == "ram"}
    outward |= {outlet["enable"][0] for outlet in (panel["port"], *panel["display"])}
    for net in sorted(outward):
        shut = all(phase.end.get(net) == 0 for phase in phases if phase.name != "1")
        require(shut, net, "can be open at the end of a phase other than 1")
        check_strobe([phase.motion[net] for phase in phases], net)
    for chip in (chip for chip in chips if chip.kind == "rom" and chip.name not in clock):
        registers = {line for line in chip.own if chip.reads[line] not in counter}
        opens = {chip.spread(chip.moved[line], registers): chip.reads[line] for line in registers}
        motions = [phase.effect_on(chip, [(column, set()) for column in opens])[0] for phase in phases]
        for motion, net in zip(zip(*motions), opens.values()):
            check_strobe(motion, "what opens", net)

def check_strobe(motions, *what):
    require(OFTEN not in motions and motions.count(ONCE) <= 2, *what, "moves too often")

def check_clock(ring, told, panel, phases, held=0):
    """Checks that from any power-up the clock comes to the four phases, and moves as claimed in each, while the reset
    line is at a level."""
    (oscillator,), (reset,) = panel["oscillator"], panel["reset"]
    nets, edge = {oscillator, reset, *ring.driver}, ring.state({oscillator: 1})
    require({net for *_, net in ring.pins} <= nets, "the clock reads more than the oscillator and itself")
    either = ring.mask(lambda chip, line, net: net not in panel["sequence"])
    noise = [dict(zip(nets - {reset}, levels)) | {reset: held} for levels in product((0, 1), repeat=len(nets) - 1)]
    states, before = ring.follow(told, map(ring.state, noise), 0, either=either)[0], None
    while states != before:
        before, states = states, ring.follow(told, states, edge, either=either)[0]
    begins = [ring.state(phase.start) for phase in phases]
    require([phase.number for phase in phases] == [0, 1, 2, 3] and states == {*begins} and len(states) == 4, "the clock has four phases")
    for phase, begin, then in zip(phases, begins, begins[1:] + begins[:1]):
        ends, changes = ring.follow(told, [begin], edge)
        require(ends == {then}, "phase", phase.name, "leads to the next")
        for net in nets:
            levels = (phase.start[net], phase.end[net]) == (ring.level(net, begin), ring.level(net, then))
            moves = phase.motion[net] >= ring.motion(net, begin, changes)
            require(levels and moves, net, "moves otherwise in phase", phase.name)

def check_order(chips, clock, counter, phase, told):
    """Checks that in each ring every order leads to the same end, unless lines from outside cut it, and that no storage
    loop but the counter spans several chips."""
    driver, by_name = {net: chip.name for chip in chips for net in chip.data}, {chip.name: chip for chip in chips}
    onward, through = {chip.name: set() for chip in chips}, {net: set() for chip in chips for net in chip.data}
    for chip in chips:
        for line in phase.effect(chip)[1]:
            onward.get(driver.get(chip.reads[line]), set()).add(chip.name)
        for line, bit in chip.leads(phase.end):
            through.get(chip.reads[line], set()).add(chip.data[bit])
    for names in (names for names in circles(onward) if not names <= clock):
        ring = told.get(names, {"chips": sorted(names), "ways": []})
        check_ring([by_name[name] for name in ring["chips"]], phase, ring["ways"])
    for nets in circles(through):
        across = {driver[net] for net in nets}
        counts = all({*by_name[name].data} & counter for name in across)
        require(len(across) == 1 or counts, "a loop through several chips:", *sorted(across))

def check_ring(chips, phase, told):
    inside, reads = {net for chip in chips for net in chip.data}, {net for chip in chips for net in chip.reads}
    names, once = [chip.name for chip in chips], [net for net in reads - inside if phase.motion[net] == ONCE]
    still = {net: phase.start[net] for net in reads if phase.motion[net] == STABLE and net in phase.start}
    for ways in phase.choices(once):
        start, end = (still | {net: way[side] for net, way in zip(once, ways)} for side in (0, 1))
        fixed = {net: level for net, level in start.items() if end[net] == level}
        leads = {chip.name: {line for line, _ in chip.leads(fixed)} for chip in chips}
        def cares(chip, line):
            return chip.reads[line] not in fixed and line in leads[chip.name]
        def comes(chip, line, net):
            return net not in inside and phase.motion[net] != STABLE and cares(chip, line)
        if not any(comes(chip, *line) for chip in chips for line in enumerate(chip.reads)):
            continue
        way = [way["explorations"] for way in told if way["from"] == start and way["to"] == end]
        require(way, "a way in which lines move is not listed:", *names)
        if way[0] is None:
            depends = {net: set() for net in inside if phase.motion[net] != STABLE}
            for chip in chips:
                for line, bit in chip.leads(end):
                    depends.get(chip.reads[line], set()).add(chip.data[bit])
            require(not circles({net: outs & {*depends} for net, outs in depends.items()}), "no line cuts", *names)
        else:
            ring = Ring(chips)
            once_pins = ring.mask(lambda chip, line, net: comes(chip, line, net) and net in once)
            often = ring.mask(lambda chip, line, net: comes(chip, line, net) and net not in once)
            ring.follow(way[0], ring.rests(start, cares), once_pins, often)

def check_turns(ring, told, panel, before, after, turns, level):
    """Checks that the reset line, when it comes to a level at any moment, leads to the phases after it or is put off, and
    that the phases in which it takes effect are told."""
    (oscillator,), (reset,) = panel["oscillator"], panel["reset"]
    once = {already: ring.state({oscillator: 1, reset: not already}) for already in (False, True)}
    either = ring.mask(lambda chip, line, net: net not in panel["sequence"])
    for number, phase in enumerate(before):
        then = {ring.state(phases[(number + 1) % 4].start | {reset: level}) for phases in (before, after)}
        turn = turns.get(number)
        for already in (False, True):
            begin = ring.state(phase.start | {reset: level if already else 1 - level})
            ends, changes = ring.follow(told, [begin], once[already], either=either)
            require(ends <= then, "the reset line in phase", number, "leads elsewhere")
            for net in {oscillator, *ring.driver}:
                motion = ring.motion(net, begin, changes)
                least = turn.motion[net] if turn else phase.motion[net]
                require(least >= motion, net, "moves otherwise when the reset line turns in phase", number)
        if turn:
            require(all(turn.start[net] == phase.start[net] and turn.end[net] == after[(number + 1) % 4].start[net]
                        for net in {oscillator, reset, *ring.driver}), "the levels when a reset turns in phase", number)

def check_begin(chips, nets, outward, shown, phase):
    """Checks that whatever else moves, the lines of the clock that stand still keep everything shut that leads outward,
    and what is shown from changing."""
    levels = certain(chips, {net: phase.start[net] for net in nets if phase.motion[net] == STABLE})
    require(all(levels.get(net) == 0 for net in outward), "something can open in phase", phase.name)
    still, before = {net for chip in chips for net in chip.data} | {*levels}, None
    while before != still:
        before = {*still}
        for chip in chips:
            moved = {chip.data[bit] for line, bit in chip.leads(levels) if chip.reads[line] not in still}
            still -= moved - {*levels}
    require({*shown} <= still, "what is shown can change in phase", phase.name)

def check_reset(board, chips, clock_chips, counter, running, told):
    """Checks that a reset that begins at any moment and lasts three cycles leads to 0 from all states, whenever it ends,
    and that nothing is stored, shown or sent."""
    panel, (reset,) = board["panel"], board["panel"]["reset"]
    ring = Ring(clock_chips)
    nets = {panel["oscillator"][0], *ring.driver}
    all_nets = running[0].motion.keys()
    phases = [Phase(phase, all_nets) for phase in told["phases"]]
    held, releases = phases[:4], {phase.number: phase for phase in phases[4:]}
    begins = {phase.number: phase for phase in (Phase(phase, all_nets) for phase in told["begins"])}
    for chip in chips:
        require(chip in clock_chips or reset not in chip.reads, chip.name, "reads the reset line")
    check_clock(ring, told["explorations"], panel, held, 1)
    check_turns(ring, told["explorations"], panel, held, running, releases, 0)
    check_turns(ring, told["explorations"], panel, running, held, begins, 1)
    for number, phase in enumerate(phases):
        check_motion(chips, nets, board["inputs"], panel, phase)
        check_loops([chip for chip in chips if chip not in clock_chips], counter, phase)
        rings = {frozenset(ring["chips"]): ring for ring in told["rings"] if ring["phase"] == number}
        check_order(chips, {chip.name for chip in clock_chips}, counter, phase, rings)
    outlets = [panel["port"], *panel["display"]]
    outward = {chip.reads[-1] for chip in chips if chip.kind == "ram"} | {outlet["enable"][0] for outlet in outlets}
    shown = {net for outlet in outlets for net in outlet["latch"]}
    zero = [net for role in ("counter", "accumulator", "carry", "tick_master") for net in panel[role]]

    def run(levels, phase):
        """What is certain after a phase that begins with these levels: what does not move, and what follows from it."""
        told = {"name": phase.name, "start": levels, "end": phase.end, "once": [], "often": []}
        moves = Phase(told, all_nets)
        least_motion(chips, board, moves, {net: phase.motion[net] for net in nets | {reset}})
        for net in sorted(outward):
            require(moves.motion[net] == STABLE and levels.get(net) == 0, net, "is not 0 in phase", phase.name)
        still = {net: level for net, level in levels.items() if moves.motion[net] == STABLE}
        return certain(chips, still | {net: phase.end[net] for net in nets | {reset}})

    def at_zero(levels, *when):
        wrong = [net for net in zero if levels.get(net) != 0]
        require(not wrong, *wrong, "can be other than 0", *when)
    for number, phase in begins.items():
        check_motion(chips, nets, board["inputs"], panel, phase)
        check_begin(chips, nets - {reset}, outward, shown, phase)
        levels = dict(held[(number + 1) % 4].start)
        for after in range(number + 1, 5):
            levels = run(levels, held[after % 4])
    levels = dict(held[1].start)
    for _ in range(RESET_CYCLES):
        for number in (1, 2, 3, 0):
            levels = run(levels, held[number])
    at_zero(levels, "after the reset")
    for number, release in releases.items():
        after = levels
        for before in range(1, (number + 3) % 4 + 1):
            after = run(after, held[before])
        after = run(after, release)
        for later in range(number + 1, 5 if number else 1):
            after = run(after, running[later % 4])
        at_zero(after, "when the reset ends in phase", number)

def check(board, chips, told):
    require({"loops", "order"} <= {*told["claims"]} <= {*CLAIMS}, "loops and order, or more claims than can be checked")
    panel, nets = board["panel"], {net for chip in chips for net in chip.reads + chip.data} | {*board["inputs"]}
    counter, clock = {*panel["sequence"], *panel["counter"]}, {*told["clock"]["chips"]}
    clock_chips = [chip for chip in chips if chip.name in clock]
    ring = Ring(clock_chips)
    phases = [Phase(phase, nets) for phase in told["phases"]]
    check_clock(ring, told["clock"]["explorations"], panel, phases)
    for number, phase in enumerate(phases):
        require(phase.end == phases[(number + 1) % 4].start, "phases follow each other")
        check_motion(chips, {panel["oscillator"][0], *ring.driver}, board["inputs"], panel, phase)
        check_loops(chips, counter, phase)
        rings = {frozenset(ring["chips"]): ring for ring in told["rings"] if ring["phase"] == number}
        check_order(chips, clock, counter, phase, rings)
    if "strobes" in told["claims"]:
        check_strobes(chips, clock, counter, panel, phases)
    if "reset" in told["claims"]:
        check_reset(board, chips, clock_chips, counter, phases, told["reset"])

if __name__ == "__main__":
    board, told = (json.loads(pathlib.Path(file).read_text()) for file in sys.argv[1:])
    check(board, [Chip(chip, board["tables"]) for chip in board["chips"]], told)
    claims = [claim for claim in CLAIMS if claim in told["claims"]]
    print(f"{board['board']}: the certificate proves the claims {', '.join(claims[:-1])} and {claims[-1]}")
