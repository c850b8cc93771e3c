// The core on a Lattice iCE40-HX8K breakout board: its clock of 12 MHz, a reset button, an 8 x 8 matrix of LEDs in two
// colours, 64 pads, seven keys, and the port as a serial line at 115,200 baud, through the board's own USB. hx8k.pcf has the pins.

`timescale 1ns / 1ns

module top #(
    parameter CLOCKS = 16, // of a phase: until all has settled, whatever the program does
    parameter BIT = 104,   // clocks of a bit on the serial line
    parameter ROW = 12     // a row of the matrix is on for 2 ** ROW clocks
) (
    input clock,
    input button, input [6:0] key,            // 0 while pressed: to ground, with the pull-ups of the FPGA
    input [7:0] pad_row, input [7:0] pad_column, // likewise: a pad joins its row and its column to ground
    output transmit,
    output [7:0] led,                         // on the board: the byte that was sent last
    output reg [7:0] row,                     // 1 is chosen, through a driver that takes the current of 16 LEDs
    output reg [7:0] green, output reg [7:0] red // 1 is lit, through a resistor; bit 0 is the leftmost
);
    // What comes from outside passes two registers.
    reg [23:0] outside = 0, pressed = 0;
    always @(posedge clock) begin
        outside <= ~{pad_row, pad_column, button, key};
        pressed <= outside;
    end

    wire [1:0] sequence_state;
    wire strobe;
    wire [7:0] sent;
    wire [63:0] green_rows, red_rows;
    reg oscillator = 0, reset = 1;
    core machine (
        .clock(clock), .oscillator(oscillator), .reset(reset),
        .pad_column(pressed[15:8]), .pad_row(pressed[23:16]), .keys(pressed[6:0]),
        .sequence_state(sequence_state), .strobe(strobe), .sent(sent), .green(green_rows), .red(red_rows)
    );

    // The oscillator. It waits while a byte is to be sent and the one before is still on the line, so none is lost.
    reg [9:0] shift = 10'h3FF;
    reg [3:0] bits = 0;
    reg [7:0] bit_clock = 0, last = 0;
    reg [5:0] phase_clock = 0;
    wire ends = phase_clock == CLOCKS - 1;
    wire waits = strobe && bits != 0;
    always @(posedge clock)
        if (!ends) phase_clock <= phase_clock + 1;
        else if (!waits) begin
            phase_clock <= 0;
            oscillator <= !oscillator;
        end

    // The port: a start bit, eight bits with the lowest first, a stop bit.
    always @(posedge clock)
        if (ends && strobe && !waits) begin
            shift <= {1'b1, sent, 1'b0};
            bits <= 10;
            bit_clock <= 0;
            last <= sent;
        end else if (bit_clock != BIT - 1) bit_clock <= bit_clock + 1;
        else begin
            bit_clock <= 0;
            shift <= {1'b1, shift[9:1]};
            if (bits != 0) bits <= bits - 1;
        end
    assign transmit = shift[0];
    assign led = last;

    // Reset: for 32 phases after power-up, and while the button is pressed. It moves in the middle of the phase in which
    // the slaves are open, where a machine whose button goes straight to the chips starts at 0 as well.
    reg [5:0] awake = 0;
    always @(posedge clock) begin
        if (ends && !waits && !awake[5]) awake <= awake + 1;
        if (phase_clock == CLOCKS / 2 && sequence_state == 2'b10) reset <= pressed[7] || !awake[5];
    end

    // The matrix, a row at a time. All is dark while the row changes.
    reg [ROW+2:0] scan = 0;
    wire [2:0] number = scan[ROW+2:ROW];
    wire dark = scan[ROW-1:ROW-4] == 0;
    always @(posedge clock) begin
        scan <= scan + 1;
        row <= dark ? 8'b0 : 8'b1 << number;
        green <= dark ? 8'b0 : green_rows[8 * number +: 8];
        red <= dark ? 8'b0 : red_rows[8 * number +: 8];
    end
endmodule
