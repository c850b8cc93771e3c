# Receives the bytes of a Gray-1 with a Raspberry Pi Pico, in MicroPython: the Pico is the clock, holds reset, and takes
# a byte whenever OUTE falls. Copy it to the Pico as main.py; its serial line then says a line for each byte:
#
#     68
#
# Save these lines, and `python3 observed.py lines.txt observed.bin` makes the file for `gray1 faults --diagnose`.
# Nobody has used it with a machine; its logic has been tested with simulated pins.
#
# Wiring. The machine has 5 volts, and the pins of a Pico bear 3.3: the nine lines from the machine go through two 74LVC245
# at 3.3 V, whose inputs take 5 V. 3.3 V is a 1 for the machine's inputs.
#
#     GP0 to GP7   OUT0 to OUT7 of the output port, its pins 1 to 8
#     GP8          OUTE, its pin 9; ground is its pin 10
#     GP9          OSC: the pin IN beside the jumper of the clock, which is on IN
#     GP10         RSTIN, at the reset button

from machine import Pin
import time

STROBE, OSC, RESET = 8, 9, 10
RESET_PHASES = 16
# After this many phases without a byte, the machine waits or has halted: some seconds.
PATIENCE = 400_000
# Half a period of the clock, in microseconds. 0 is as fast as the Pico can: some ten kilohertz.
HALF_PERIOD = 0


class Machine:
    def __init__(self):
        self.data = [Pin(number, Pin.IN) for number in range(8)]
        self.strobe = Pin(STROBE, Pin.IN)
        self.osc = Pin(OSC, Pin.OUT, value=0)
        self.reset = Pin(RESET, Pin.OUT, value=1)
        self.level = 0
        self.was_open = 0

    def phase(self):
        """One edge of the clock. Returns a byte if OUTE has fallen: until then it is still on its way."""
        self.level ^= 1
        self.osc.value(self.level)
        if HALF_PERIOD:
            time.sleep_us(HALF_PERIOD)
        is_open = self.strobe.value()
        has_fallen = self.was_open and not is_open
        self.was_open = is_open
        if has_fallen:
            return sum(line.value() << bit for bit, line in enumerate(self.data))
        return None

    def start(self):
        """Holds reset while the clock runs, and lets go of it."""
        self.reset.value(1)
        for _ in range(RESET_PHASES):
            self.phase()
        self.reset.value(0)

    def bytes(self, patience=PATIENCE):
        """The bytes, until none has come for so many phases."""
        silence = 0
        while silence < patience:
            byte = self.phase()
            silence += 1
            if byte is not None:
                silence = 0
                yield byte


def main():
    machine = Machine()
    machine.start()
    for byte in machine.bytes():
        print("%02x" % byte)


if __name__ == "__main__":
    main()
