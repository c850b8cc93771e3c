// The board. `oscillator` is the machine's; it has to stay as it is for some clocks, until all has settled: 16 are enough.
module core (
    input clock, input oscillator, input reset, input [7:0] pad_column, input [7:0] pad_row, input [6:0] keys,
    output [1:0] sequence_state, output strobe, output [7:0] sent, // a byte is sent while the strobe is 1
    output [63:0] green, output [63:0] red // 1 is lit; the lowest byte is the top row, its lowest bit the leftmost
);
