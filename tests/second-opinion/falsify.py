"""Falsifies a certificate in many ways, and checks that check.py rejects each falsification.

    python3 falsify.py BOARD.json CERTIFICATE.json COUNT SEED

Each falsification claims more than is true. It says that a net moves less than it does, or that a wrong or uncertain
level is certain; or it leaves out a state, a pulse, a motion of lines or a whole ring, or reorders states. (To claim
less could be true as well.) The certificate itself must be accepted.
"""
import copy
import json
import pathlib
import random
import sys

import check


def explorations(told):
    lists = [told["clock"]["explorations"]]
    lists += [way["explorations"] for ring in told["rings"] for way in ring["ways"] if way["explorations"]]
    return lists


def stands_still(told, draw):
    phase = draw.choice(told["phases"])
    nets = draw.choice([nets for nets in (phase["once"], phase["often"]) if nets])
    return f"{nets.pop(draw.randrange(len(nets)))} stands still in phase {phase['name']}"


def moves_once(told, draw):
    phase = draw.choice([phase for phase in told["phases"] if phase["often"]])
    net = phase["often"].pop(draw.randrange(len(phase["often"])))
    phase["once"].append(net)
    return f"{net} moves once in phase {phase['name']}"


def another_level(told, draw):
    phase, side = draw.choice(told["phases"]), draw.choice(["start", "end"])
    net = draw.choice(sorted(phase[side]))
    phase[side][net] ^= 1
    return f"{net} is {phase[side][net]} at the {side} of phase {phase['name']}"


def more_is_certain(told, draw):
    number, level = draw.randrange(4), draw.randrange(2)
    phase, before = told["phases"][number], told["phases"][number - 1]
    net = draw.choice([net for net in phase["once"] + phase["often"] if net not in phase["start"]])
    phase["start"][net] = before["end"][net] = level
    return f"{net} is {level} when phase {phase['name']} begins"


def state_left_out(told, draw):
    exploration = draw.choice(draw.choice(explorations(told)))
    return f"the state {exploration['states'].pop(draw.randrange(len(exploration['states'])))} is left out"


def another_state(told, draw):
    states = draw.choice(draw.choice(explorations(told)))["states"]
    index = draw.randrange(len(states))
    states[index] ^= 1 << draw.randrange(4)
    return f"{states[index]} stands for another state"


def beginning_left_out(told, draw):
    list_ = draw.choice(explorations(told))
    # The exploration of the clock may list a state twice.
    start = draw.choice(list_)["start"]
    list_[:] = [exploration for exploration in list_ if exploration["start"] != start]
    return f"what begins with the state {start} is left out"


def pulses_left_out(told, draw):
    late = [one for list_ in explorations(told) for one in list_ if one["late"]]
    exploration = draw.choice(late)
    exploration["late"] = 0
    return f"the pulses after the state {exploration['start']} are left out"


def out_of_order(told, draw):
    # An exploration in which the clock moves by itself after an edge of the oscillator.
    exploration = draw.choice([one for one in told["clock"]["explorations"] if one["once"] and len(one["states"]) > 2])
    exploration["states"].reverse()
    return f"the states of the clock after {exploration['start']} are out of order"


def way_left_out(told, draw):
    ring = draw.choice(told["rings"])
    ring["ways"].pop(draw.randrange(len(ring["ways"])))
    return f"a way of {' '.join(ring['chips'])} is left out"


def another_way(told, draw):
    ring = draw.choice(told["rings"])
    way = draw.choice(ring["ways"])
    net = draw.choice(sorted(way["to"]))
    way["to"][net] ^= 1
    return f"in a way of {' '.join(ring['chips'])}, {net} ends at {way['to'][net]}"


def ring_left_out(told, draw):
    ring = told["rings"].pop(draw.randrange(len(told["rings"])))
    return f"the ring {' '.join(ring['chips'])} in phase {ring['phase']} is left out"


def more_claims(told, draw):
    told["claims"].append("instructions")
    return "it claims instructions, too"


def reset(falsify):
    """The same falsification of the phases of a reset."""
    def falsified(told, draw):
        told["reset"]["clock"] = {"explorations": told["reset"]["explorations"]}
        return "in a reset, " + falsify(told["reset"], draw)
    return falsified


KINDS = [stands_still, moves_once, another_level, more_is_certain, state_left_out, another_state, beginning_left_out,
         pulses_left_out, out_of_order, way_left_out, another_way, ring_left_out, more_claims,
         *map(reset, [stands_still, moves_once, another_level, state_left_out, beginning_left_out, way_left_out, ring_left_out])]


def rejection(board, chips, told):
    """Why a certificate is rejected, or None if it is accepted."""
    try:
        check.check(board, chips, told)
    except SystemExit as rejected:
        return str(rejected)
    return None


def main():
    board, told = (json.loads(pathlib.Path(file).read_text()) for file in sys.argv[1:3])
    count, seed = map(int, sys.argv[3:])
    chips = [check.Chip(chip, board["tables"]) for chip in board["chips"]]
    reason = rejection(board, chips, told)
    assert reason is None, f"the certificate itself: {reason}"
    for number in range(count):
        draw, false = random.Random(f"{seed} {number}"), copy.deepcopy(told)
        what = KINDS[number % len(KINDS)](false, draw)
        reason = rejection(board, chips, false)
        print(f"{what}: {reason}", flush=True)
        assert reason is not None, f"seed {seed}, number {number}: accepted, although {what}"


if __name__ == "__main__":
    main()
