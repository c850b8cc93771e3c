// The core on an iCEBreaker, whose FPGA is the smaller iCE40-UP5K: clock, serial line and reset button are on the board, the
// matrix of LEDs takes all pins of its three connectors. So there are no pads and no keys. icebreaker.pcf has the pins.

`timescale 1ns / 1ns

module icebreaker (
    input clock, input button, output transmit, output [7:0] row, output [7:0] green, output [7:0] red
);
    wire [7:0] led;
    top machine (
        .clock(clock), .button(button), .key(7'h7F), .pad_row(8'hFF), .pad_column(8'hFF),
        .transmit(transmit), .led(led), .row(row), .green(green), .red(red)
    );
endmodule
