"""Whole conversations with `gray1 dap`, over pipes and over a port: what an editor would say, and must hear.

    python3 conversations.py GRAY1 FOLDER NAME
"""

import os
import signal
import sys

from client import listening, over_pipes, over_port

STOPS = {"threadId": 1}


def begin(client, folder, program="count.g1", breakpoints=(), **launch):
    """From the first message to where the machine runs, or stands at its beginning."""
    capabilities = client.ask("initialize", adapterID="gray1", linesStartAt1=True, supportsVariableType=True,
                              supportsMemoryReferences=True, supportsInvalidatedEvent=True)
    assert capabilities["supportsStepBack"] and capabilities["supportsDisassembleRequest"]
    path = os.path.join(folder, program)
    client.ask("launch", program=path, **launch)
    client.event("initialized")
    found = client.ask("setBreakpoints", source={"path": path}, breakpoints=list(breakpoints))["breakpoints"]
    assert all(breakpoint["verified"] for breakpoint in found), found
    client.ask("setExceptionBreakpoints", filters=[])
    assert client.ask("threads") == {"threads": [{"id": 1, "name": "Gray-1"}]}
    client.ask("configurationDone")
    return path, found


def stack(client):
    frames = client.ask("stackTrace", **STOPS)["stackFrames"]
    return [(frame["name"], os.path.basename(frame["source"]["path"]), frame["line"]) for frame in frames]


def value(client, expression, context="watch"):
    return client.ask("evaluate", expression=expression, context=context)["result"]


def step(client, command, **arguments):
    """A step, and why the machine stands then."""
    client.ask(command, **STOPS, **arguments)
    return client.event("stopped")["reason"]


def bye(client):
    client.ask("disconnect")
    client.ends()


def whole(client, folder):
    """Every way of going, every kind of breakpoint, everything that can be looked at or changed."""
    path, found = begin(client, folder, breakpoints=[{"line": 11}], stopOnEntry=True)
    assert client.event("stopped")["reason"] == "entry"
    assert stack(client) == [("at 0", "count.g1", 7)] or stack(client)[0][1:] == ("count.g1", 7), stack(client)

    # To the breakpoint; then into the macro within the macro.
    assert step(client, "next") == "step" and stack(client)[0][2] == 8
    assert step(client, "next") == "step" and stack(client) == [("loop", "count.g1", 9)], stack(client)
    assert step(client, "stepIn") == "step"
    names = stack(client)
    client.ask("continue", **STOPS)
    stopped = client.event("stopped")
    assert stopped["reason"] == "breakpoint" and stopped["hitBreakpointIds"] == [found[0]["id"]], stopped
    assert client.output == "3", client.output


def conversations():
    return {name: talk for name, talk in globals().items() if name in NAMES}


NAMES = ["whole"]

if __name__ == "__main__":
    gray1, folder, name = sys.argv[1:]
