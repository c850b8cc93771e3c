// The parts of the machine. Nothing in them computes: a chip looks up what is in it.

`timescale 1ns / 1ns

// A ROM: 131,072 cells of 8 bits. When power comes on, it shows noise, until it has looked up its first cell.
module rom #(parameter IMAGE = "", parameter NUMBER = 0) (input [16:0] address, output reg [7:0] data);
    localparam ACCESS = 70;
    reg [7:0] cells [0:131071];
    reg power = 0;
    integer seed;
    initial begin
        $readmemh(IMAGE, cells);
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        seed = seed * 1000 + NUMBER;
        data = $random(seed);
        #1 power = 1;
    end
    always @(address or power) if (power) data <= #ACCESS cells[address];
endmodule

// A RAM with separate input and output. While it is written, the output follows the input. It wakes up with noise.
// A RAM with one port and the buffer that drives its data pins while it is written are like this for all others: its
// input is what the buffer drives.
module ram #(parameter LINES = 12, parameter WIDTH = 4, parameter NUMBER = 0, parameter ACCESS = 45) (
    input [LINES-1:0] address, input [WIDTH-1:0] in, input write, output reg [WIDTH-1:0] data
);
    reg [WIDTH-1:0] cells [0:(1 << LINES) - 1];
    reg power = 0;
    integer seed, cell_number;
    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        seed = seed * 1000 + NUMBER;
        for (cell_number = 0; cell_number < 1 << LINES; cell_number = cell_number + 1)
            cells[cell_number] = $random(seed);
        data = $random(seed);
        #1 power = 1;
    end
    always @(address or in or write or power) if (power) begin
        if (write) cells[address] = in;
        data <= #ACCESS cells[address];
    end
endmodule
