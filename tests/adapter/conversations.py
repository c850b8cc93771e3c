"""Whole conversations with `gray1 dap`, over pipes and over a port, as an editor has them.

    python3 conversations.py GRAY1 FOLDER
"""

import os
import signal
import socket
import sys

from client import PATIENCE, listening, over_pipes, over_port

HERE = os.path.dirname(os.path.abspath(__file__))
THREAD = {"threadId": 1}


def begin(client, program, breakpoints=(), **launch):
    """Initializes a session up to the point where the machine runs, or is paused at its beginning."""
    capabilities = client.ask("initialize", adapterID="gray1", linesStartAt1=True, supportsVariableType=True,
                              supportsMemoryReferences=True, supportsInvalidatedEvent=True)
    assert capabilities["supportsStepBack"] and capabilities["supportsDisassembleRequest"]
    client.ask("launch", program=program, **launch)
    client.event("initialized")
    found = client.ask("setBreakpoints", source={"path": program}, breakpoints=list(breakpoints))["breakpoints"]
    assert all(breakpoint["verified"] for breakpoint in found), found
    client.ask("setExceptionBreakpoints", filters=[])
    assert client.ask("threads") == {"threads": [{"id": 1, "name": "Gray-1"}]}
    client.ask("configurationDone")
    return found


def stack(client):
    frames = client.ask("stackTrace", **THREAD)["stackFrames"]
    return [(frame["name"], os.path.basename(frame["source"]["path"]), frame["line"]) for frame in frames]


def value(client, expression):
    return client.ask("evaluate", expression=expression, context="hover")["result"]


def go(client, command, **arguments):
    """Sends a command that moves the machine, and returns why it has stopped."""
    client.ask(command, **THREAD, **arguments)
    return client.event("stopped")["reason"]


def bye(client):
    client.ask("disconnect")
    client.ends()


def whole(client):
    """Each command that moves the machine, each kind of breakpoint, everything that can be viewed or changed."""
    path = os.path.join(HERE, "count.g1")
    found = begin(client, path, [{"line": 11}], stopOnEntry=True)
    assert client.event("stopped")["reason"] == "entry"

    # The paths of the program and its included files can be opened.
    files = [source["path"] for source in client.ask("loadedSources")["sources"]]
    assert files == [path, os.path.join(HERE, "send.g1")], files
    with open(files[1], encoding="utf-8") as file:
        assert client.ask("source", source={"path": files[1]})["content"] == file.read()

    # A step over a macro, back, and into it.
    assert go(client, "next") == go(client, "next") == "step"
    assert stack(client) == [("loop", "count.g1", 9)], stack(client)
    assert go(client, "next") == "step" and stack(client) == [("loop", "count.g1", 10)], stack(client)
    assert go(client, "stepBack") == "step" and stack(client) == [("loop", "count.g1", 9)], stack(client)
    assert go(client, "stepIn") == go(client, "stepIn") == "step"
    assert stack(client) == [("digit", "send.g1", 2), ("send", "send.g1", 7), ("loop", "count.g1", 9)], stack(client)
    assert go(client, "stepOut") == go(client, "stepOut") == "step"
    assert stack(client) == [("loop", "count.g1", 10)], stack(client)
    assert go(client, "stepIn", granularity="instruction") == "step" and value(client, "pc") == "6"

    # Breakpoints on lines, labels, instructions and data.
    client.ask("continue", **THREAD)
    stopped = client.event("stopped")
    assert stopped["reason"] == "breakpoint" and stopped["hitBreakpointIds"] == [found[0]["id"]], stopped
    assert client.output == "32", client.output
    condition = [{"line": 11, "condition": "n == 3"}, {"line": 12, "logMessage": "a is {a}"}]
    client.ask("setBreakpoints", source={"path": path}, breakpoints=condition)
    assert go(client, "reverseContinue") == "breakpoint" and value(client, "cycle") == "6"
    client.ask("setBreakpoints", source={"path": path}, breakpoints=[])
    client.ask("setInstructionBreakpoints", breakpoints=[{"instructionReference": "0x008"}])
    assert go(client, "continue") == "instruction breakpoint" and stack(client)[0][2] == 13
    client.ask("setInstructionBreakpoints", breakpoints=[])
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "loop"}])
    assert go(client, "continue") == "function breakpoint" and stack(client)[0][2] == 9
    client.ask("setFunctionBreakpoints", breakpoints=[])
    data = client.ask("dataBreakpointInfo", name="n", variablesReference=2)
    assert data["accessTypes"] == ["read", "write"], data
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": data["dataId"], "accessType": "write"}])
    client.ask("continue", **THREAD)
    stopped = client.event("stopped")
    assert stopped["description"] == "Paused on data breakpoint: n: 02 -> 01", stopped
    client.ask("setDataBreakpoints", breakpoints=[])

    # Registers, RAM by name, nets.
    scopes = client.ask("scopes", frameId=1)["scopes"]
    assert [scope["name"] for scope in scopes[:2]] == ["Registers", "RAM"], scopes
    for scope in scopes:
        variables = client.ask("variables", variablesReference=scope["variablesReference"])["variables"]
        assert len(variables) == scope["namedVariables"], scope
    assert value(client, "net.PH1") == "1" and value(client, "phase") == "1"

    # An edit forks the run. Answers are about the new run from then on.
    assert client.ask("setVariable", variablesReference=2, name="n", value="9")["value"] == "9"
    assert client.event("stopped")["reason"] == "goto", "the cycle was completed before the edit"
    assert client.ask("setExpression", expression="list[2]", value="n + 1")["value"] == "10 ($0A)"
    target = client.ask("gotoTargets", source={"path": path}, line=9)["targets"][0]
    assert go(client, "goto", targetId=target["id"]) == "goto" and value(client, "pc") == "2"
    instructions = client.ask("disassemble", memoryReference="0x002", instructionOffset=-3, instructionCount=4)
    assert [one["instruction"] for one in instructions["instructions"]][1:] == ["LDA #$03", "STA n", "LDA n"]

    # The console; the halt, from which a step back is possible and going on ends the session.
    said = client.ask("evaluate", expression="who wrote n", context="repl")["result"]
    assert said == "not so far" or "sta n" in said, said
    before = client.output
    assert go(client, "continue") == "halt" and client.output == before + "987654321", client.output
    assert go(client, "stepBack") == "step"
    client.ask("restart")
    assert client.event("stopped")["reason"] == "entry"
    client.output = ""
    assert go(client, "continue") == "halt" and client.output == "321", client.output
    client.ask("continue", **THREAD)
    assert client.event("exited") == {"exitCode": 0}
    client.event("terminated")
    assert "has ended" in client.refused("continue", **THREAD)
    bye(client)


def endless(client):
    """An endless program: stopped by a breakpoint, paused, run backwards, and disconnected while it runs."""
    path = os.path.join(HERE, "endless.g1")
    begin(client, path, ram="zero")
    while client.output.count("x") < 1000:
        client.event("output")
    assert "pause" in client.refused("stackTrace", **THREAD)
    found = client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 3}])["breakpoints"]
    assert client.event("stopped")["hitBreakpointIds"] == [found[0]["id"]], "set while it runs"
    client.ask("setBreakpoints", source={"path": path}, breakpoints=[])
    client.ask("continue", **THREAD)
    client.ask("pause", **THREAD)
    assert client.event("stopped")["reason"] == "pause"
    number = client.send("evaluate", expression="run", context="repl")
    client.send("pause", **THREAD)
    assert client.answer(number)["message"] == "interrupted"
    assert client.answer(client.number)["success"]
    client.events.clear()  # depending on how far the run got before
    assert go(client, "reverseContinue") == "entry" and value(client, "cycle") == "0"
    client.ask("continue", **THREAD)
    bye(client)


def names(client):
    """All paths of a file are recognised. Stack frames use the path with which the program was launched."""
    os.symlink(HERE, "link")
    begin(client, os.path.join("link", "count.g1"), stopOnEntry=True)
    client.event("stopped")
    for folder in [HERE, "link", os.path.join(os.getcwd(), "link")]:
        source = {"path": os.path.join(folder, "send.g1")}
        found = client.ask("setBreakpoints", source=source, breakpoints=[{"line": 8}])["breakpoints"]
        assert found[0]["verified"], found
    assert go(client, "continue") == "breakpoint"
    top = client.ask("stackTrace", **THREAD)["stackFrames"][0]["source"]["path"]
    assert top == os.path.join(os.getcwd(), "link", "send.g1"), top
    bye(client)


def faults(client):
    """What is impossible is refused in a response, or reported as output if there was no request."""
    assert "`initialize` comes first" in client.refused("launch", program="x.g1")
    client.ask("initialize", adapterID="gray1")
    with open("broken.g1", "w", encoding="utf-8") as file:
        file.write("  lda m\n")
    message = client.refused("launch", program="broken.g1")
    assert message.startswith("broken.g1:1:7: ") and "not assembled: 1 error" in message, message
    client.hear("broken.g1:1:7")
    refusals = [
        ({"program": "none.g1"}, "none.g1: cannot read"),
        ({"program": "-"}, "`-` cannot be used here"),
        ({"program": os.path.join(HERE, "count.g1"), "ram": "noise"}, "write `random`"),
        ({"program": os.path.join(HERE, "count.g1"), "defines": ["1"]}, "write a name and a value"),
        ({"program": os.path.join(HERE, "count.g1"), "input": "none.ron"}, "none.ron: cannot read"),
        ({"program": os.path.join(HERE, "count.g1"), "stateIn": "none.ron"}, "none.ron: cannot read"),
    ]
    for launch, part in refusals:
        message = client.refused("launch", **launch)
        assert part in message, message
    client.send_raw(b"Content-Length: 3\r\n\r\n{]}")
    client.hear("not JSON")
    client.ask("launch", program=os.path.join(HERE, "count.g1"), noDebug=True)
    client.ask("configurationDone")
    client.event("terminated")
    assert client.output == "321", client.output
    client.send_raw(b"Hello!\r\n\r\n")
    client.hear("expected `Content-Length: N`")
    client.ends()


def end(server, expected):
    """Waits until a server ends with this exit code, and returns its messages."""
    said = server.communicate(timeout=PATIENCE)[1].decode()
    assert server.returncode == expected, (server.returncode, said)
    return said


def main(gray1, folder):
    os.chdir(folder)
    for talk, code in [(whole, 0), (endless, 0), (names, 0), (faults, 1)]:
        server, client = over_pipes(gray1)
        talk(client)
        said = end(server, code)
        assert code == 0 and not said or "expected `Content-Length: N`" in said, said
        print(f"{talk.__name__}: over pipes")

    # Standard input is closed while an endless program runs.
    server, client = over_pipes(gray1)
    begin(client, os.path.join(HERE, "endless.g1"))
    server.stdin.close()
    client.ends()
    assert server.wait(timeout=PATIENCE) == 0
    print("closed: over pipes")

    # Clients one after the other; then one that closes the connection, after which the next must still be served.
    server, port = listening(gray1)
    for talk in [whole, endless, faults, whole]:
        connection, client = over_port(port)
        talk(client)
        connection.close()
        print(f"{talk.__name__}: over a port")
    connection, client = over_port(port)
    begin(client, os.path.join(HERE, "endless.g1"))
    connection.shutdown(socket.SHUT_RDWR)
    connection, client = over_port(port)
    endless(client)
    server.send_signal(signal.SIGINT)
    end(server, 130)
    print("gone: over a port")


if __name__ == "__main__":
    main(*sys.argv[1:])
