"""Forges a certificate: for any board, the one that claims least movement among those that check.py could accept.

    python3 forge.py BOARD.json CERTIFICATE.json

It knows only what check.py demands: where a rule is applied, it is applied until it gives nothing new. So if check.py
rejects what this program writes, it rejects every certificate for that board; and if a board is false, it must."""
import itertools
import json
import pathlib
import sys

import check
import model
from model import OFTEN, ONCE, STABLE

# With more states, a ring is left out: the certificate is rejected.
MOST_STATES = 100_000


class Forger(check.Ring):
    """A ring whose states are listed in place of being looked up in a certificate."""

    def explore(self, start, once, often=0, either=0):
        """Everything that can happen from a state, with the pulses that can; each state before those it leads to."""
        late = 0
        while True:
            states, onward, pulses = {start: None}, {}, 0
            waiting = [start]
            while waiting and len(states) < MOST_STATES:
                state = waiting.pop()
                due = self.due(state)
                onward[state] = [state ^ 1 << pin for pin in model.bits(due)]
                for pin in model.bits(due | once & ~(state ^ start) | often | late):
                    after = state ^ 1 << pin
                    pulses |= due & ~(1 << pin) & ~self.due(after)
                    if after not in states:
                        states[after] = None
                        waiting.append(after)
            if waiting or not pulses & ~late or either:
                listed = [start] if waiting else in_order(states, onward)
                return {"start": start, "once": once, "late": late, "states": listed}
            late |= pulses


def in_order(nodes, onward):
    """The nodes, each before those that it leads to, as far as that is possible."""
    done, order = set(), []
    for root in nodes:
        stack = [(root, iter(onward[root]))] if root not in done else []
        done.add(root)
        while stack:
            node, after = stack[-1]
            for other in after:
                if other not in done:
                    done.add(other)
                    stack.append((other, iter(onward[other])))
                    break
            else:
                order.append(node)
                stack.pop()
    return order[::-1]


def settled(ring, told, states, once, either):
    """What check.py finds when it follows the ring from these states, which are explored."""
    for state in states:
        if not any((one["start"], one["once"]) == (state, once) for one in told):
            told.append(ring.explore(state, once, either=either))
    return ring.follow(told, states, once, either=either)


def forge_turns(ring, told, panel, before, after, level):
    """The phases in which the reset line, coming to a level, takes effect, as the clock moves in them."""
    (oscillator,), (reset,) = panel["oscillator"], panel["reset"]
    either = ring.mask(lambda chip, line, net: net not in panel["sequence"])
    for number, (name, (start, _), usual) in enumerate(before):
        moves = dict(usual)
        for already in (False, True):
            begin = ring.state(start | {reset: level if already else 1 - level})
            once = ring.state({oscillator: 1, reset: not already})
            _, changes = settled(ring, told, [begin], once, either)
            moves |= {net: max(moves[net], ring.motion(net, begin, changes)) for net in usual}
        if any(moves[net] != usual[net] for net in usual if net != reset):
            yield f"{name}, in which a reset turns", (start, after[number][1][1]), moves | {reset: ONCE}


def forge_clock(ring, panel, held=0):
    """The explorations of the clock while the reset line is at a level, and for each phase the levels of its nets and
    how they move."""
    (oscillator,), (reset,) = panel["oscillator"], panel["reset"]
    nets, edge = {oscillator, reset, *ring.driver}, ring.state({oscillator: 1})
    either = ring.mask(lambda chip, line, net: net not in panel["sequence"])
    told = []

    def settle(states, once, either):
        return settled(ring, told, states, once, either)

    noise = [dict(zip(nets - {reset}, levels)) | {reset: held} for levels in itertools.product((0, 1), repeat=len(nets) - 1)]
    states, before = settle({ring.state(levels) for levels in noise}, 0, either)[0], None
    while states != before:
        before, states = states, settle(states, edge, either)[0]
    begin = next((state for state in states if not any(ring.level(net, state) for net in panel["sequence"])), None)
    check.require(begin is not None, "no cycle begins")
    phases = []
    for name in "1230":
        ends, changes = settle([begin], edge, 0)
        then, motion = next(iter(ends)), {net: ring.motion(net, begin, changes) for net in nets}
        levels = [{net: ring.level(net, state) for net in nets} for state in (begin, then)]
        phases.append((name, levels, motion))
        begin = then
    return told, [phases[3], *phases[:3]]


def forge_rings(chips, clock, phase, number):
    driver, by_name = {net: chip.name for chip in chips for net in chip.data}, {chip.name: chip for chip in chips}
    onward = {chip.name: set() for chip in chips}
    for chip in chips:
        for line in phase.effect(chip)[1]:
            onward.get(driver.get(chip.reads[line]), set()).add(chip.name)
    for names in (names for names in model.circles(onward) if not names <= clock):
        yield {"phase": number, "chips": sorted(names), "ways": [*forge_ways([by_name[name] for name in sorted(names)], phase)]}


def forge_ways(chips, phase):
    inside, reads = {net for chip in chips for net in chip.data}, {net for chip in chips for net in chip.reads}
    once = [net for net in reads - inside if phase.motion[net] == ONCE]
    still = {net: phase.start[net] for net in reads if phase.motion[net] == STABLE and net in phase.start}
    for ways in phase.choices(once):
        start, end = (still | {net: way[side] for net, way in zip(once, ways)} for side in (0, 1))
        fixed = {net: level for net, level in start.items() if end[net] == level}
        leads = {chip.name: {line for line, _ in chip.leads(fixed)} for chip in chips}

        def cares(chip, line):
            return chip.reads[line] not in fixed and line in leads[chip.name]

        def comes(chip, line, net):
            return net not in inside and phase.motion[net] != STABLE and cares(chip, line)
        depends = {net: set() for net in inside if phase.motion[net] != STABLE}
        for chip in chips:
            for line, bit in chip.leads(end):
                depends.get(chip.reads[line], set()).add(chip.data[bit])
        explorations = None
        if model.circles({net: outs & {*depends} for net, outs in depends.items()}) and {chip.kind for chip in chips} == {"rom"}:
            ring = Forger(chips)
            once_pins = ring.mask(lambda chip, line, net: comes(chip, line, net) and net in once)
            often = ring.mask(lambda chip, line, net: comes(chip, line, net) and net not in once)
            if once_pins | often:
                explorations = [ring.explore(state, once_pins, often) for state in ring.rests(start, cares)]
        yield {"from": start, "to": end, "explorations": explorations}


def forge(board):
    chips, panel = [check.Chip(chip, board["tables"]) for chip in board["chips"]], board["panel"]
    clock, nets = set(), {panel["oscillator"][0], panel["reset"][0]}
    while more := [chip for chip in chips if chip.kind == "rom" and chip.name not in clock and {*chip.reads} <= nets | {*chip.data}]:
        clock |= {chip.name for chip in more}
        nets |= {net for chip in more for net in chip.data}
    check.require(clock, "there is no clock")
    ring = Forger([chip for chip in chips if chip.name in clock])
    counter = {*panel["sequence"], *panel["counter"]}
    all_nets = {net for chip in chips for net in chip.reads + chip.data} | {*board["inputs"]}

    def of(phase, motion):
        return sorted(net for net in all_nets if phase.motion[net] == motion)

    def forge_phases(phases, looping=()):
        """The phases, and the rings in them, as a certificate has them. If one of these chips loses its value, nothing
        helps."""
        made, rings = [], []
        for number, (name, levels, moves) in enumerate(phases):
            start, end = (check.certain(chips, level) for level in levels)
            phase = check.Phase({"name": name, "start": start, "end": end, "once": [], "often": []}, all_nets)
            check.least_motion(chips, board, phase, moves)
            once, often = of(phase, ONCE), of(phase, OFTEN)
            made.append({"name": name, "start": start, "end": end, "once": once, "often": often})
            check.check_loops(looping, counter, phase)
            rings += forge_rings(chips, clock, phase, number) if looping else []
        return {"phases": made, "rings": rings}
    told, running = forge_clock(ring, panel)
    certificate = {"board": board["board"], "clock": {"chips": sorted(clock), "explorations": told}, "claims": check.CLAIMS}
    certificate |= forge_phases(running, chips)
    told, held = forge_clock(ring, panel, 1)
    releases = [*forge_turns(ring, told, panel, held, running, 0)]
    begins = forge_phases([*forge_turns(ring, told, panel, running, held, 1)])["phases"]
    return certificate | {"reset": forge_phases([*held, *releases], [chip for chip in chips if chip.name not in clock]) | {"begins": begins, "explorations": told}}


if __name__ == "__main__":
    board, certificate = map(pathlib.Path, sys.argv[1:])
    certificate.write_text(json.dumps(forge(json.loads(board.read_text()))))
