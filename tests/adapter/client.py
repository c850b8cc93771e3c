"""A small client of the Debug Adapter Protocol, for the conversations beside this file."""

import json
import queue
import socket
import subprocess
import threading

# The limit for each answer, in seconds. It is generous, so that a slow computer does not fail a test.
PATIENCE = 60


class Client:
    """A client. `events` holds the events that no test has asked for yet."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.number = 0
        self.events = []
        self.output = ""
        self.messages = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        try:
            while True:
                length = None
                while (line := self.reader.readline()) not in (b"\r\n", b""):
                    name, value = line.split(b":", 1)
                    if name == b"Content-Length":
                        length = int(value)
                if length is None:
                    break
                self.messages.put(json.loads(self.reader.read(length)))
        except (OSError, ValueError) as error:
            self.messages.put(error)
        self.messages.put(None)

    def _next(self):
        message = self.messages.get(timeout=PATIENCE)
        if isinstance(message, Exception):
            raise message
        return message

    def send_raw(self, data):
        self.writer.write(data)
        self.writer.flush()

    def send(self, command, **arguments):
        self.number += 1
        message = {"seq": self.number, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self.number

    def answer(self, number):
        """The response to a request. Events that arrive before it are kept."""
        while True:
            message = self._next()
            assert message is not None, "the server has gone"
            if message["type"] == "event":
                self._keep(message)
            else:
                assert message["request_seq"] == number, message
                return message

    def ask(self, command, **arguments):
        """Sends a request that must succeed, and returns the body of the response."""
        response = self.answer(self.send(command, **arguments))
        assert response["success"], response
        return response.get("body")

    def refused(self, command, **arguments):
        """Sends a request that must be refused, and returns the message of the response."""
        response = self.answer(self.send(command, **arguments))
        assert not response["success"], response
        return response["message"]

    def _keep(self, event):
        if event["event"] == "output" and event["body"]["category"] == "stdout":
            self.output += event["body"]["output"]
        self.events.append(event)

    def event(self, name):
        """The next event of this name. Events before it are dropped."""
        while True:
            for place, event in enumerate(self.events):
                if event["event"] == name:
                    del self.events[: place + 1]
                    return event.get("body")
            message = self._next()
            assert message is not None, f"the server has gone without `{name}`"
            assert message["type"] == "event", message
            self._keep(message)

    def hear(self, part):
        """Waits for an output event that contains this text."""
        while part not in self.event("output")["output"]:
            pass

    def ends(self):
        """Waits for the end of the stream."""
        while (message := self._next()) is not None:
            assert message["type"] == "event", message
            self._keep(message)


def over_pipes(gray1):
    """Starts a server that uses its standard input and output, and a client of it."""
    pipe = subprocess.PIPE
    server = subprocess.Popen([gray1, "dap"], stdin=pipe, stdout=pipe, stderr=pipe)
    return server, Client(server.stdout, server.stdin)


def listening(gray1):
    """Starts a server that listens on a port, and returns both."""
    # The server must not inherit standard output, or a reader of this script's output would wait for the server, too.
    server = subprocess.Popen([gray1, "dap", "--port", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    line = server.stderr.readline().decode()
    assert line.startswith("gray1 dap: listening on 127.0.0.1:"), line
    return server, int(line.rsplit(":", 1)[1])


def over_port(port):
    """Connects to a server that listens, and returns the connection and a client."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return connection, Client(connection.makefile("rb"), connection.makefile("wb"))
