// The machine for an FPGA: each chip as its function and a register behind it. Its access time is one clock.
//
// The functions are made from the tables that are burned. `make cells` compares them with the images, cell by cell.

`timescale 1ns / 1ns

// What is behind a function. An FPGA wakes up with 0 in it, a simulation with noise.
module register #(parameter WIDTH = 1, parameter NUMBER = 0) (
    input clock, input [WIDTH-1:0] next, output reg [WIDTH-1:0] now
);
`ifdef SYNTHESIS
    initial now = 0;
`else
    integer seed, noise;
    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        seed = seed * 1000 + NUMBER;
        noise = $random(seed);
        now = noise[WIDTH-1:0];
    end
`endif
    always @(posedge clock) now <= next;
endmodule

// A ROM that holds the program.
module program_memory #(parameter IMAGE = "", parameter LINES = 12, parameter WIDTH = 8) (
    input clock, input [LINES-1:0] address, output reg [WIDTH-1:0] data
);
    reg [WIDTH-1:0] cells [0:(1 << LINES) - 1];
    generate if (IMAGE != "") initial $readmemh(IMAGE, cells); endgenerate
    always @(posedge clock) data <= cells[address];
endmodule

// RAM. While it is written, the output follows the input; block RAM does not do that by itself.
module memory #(parameter LINES = 12, parameter WIDTH = 8, parameter NUMBER = 0) (
    input clock, input [LINES-1:0] address, input [WIDTH-1:0] in, input write, output [WIDTH-1:0] data
);
    reg [WIDTH-1:0] cells [0:(1 << LINES) - 1];
    reg [WIDTH-1:0] stored, written;
    reg follows;
    always @(posedge clock) begin
        if (write) cells[address] <= in; else stored <= cells[address];
        written <= in;
        follows <= write;
    end
    assign data = follows ? written : stored;
`ifndef SYNTHESIS
    integer seed, noise, cell_number;
    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        seed = seed * 1000 + NUMBER;
        for (cell_number = 0; cell_number < 1 << LINES; cell_number = cell_number + 1) begin
            noise = $random(seed);
            cells[cell_number] = noise[WIDTH-1:0];
        end
        noise = $random(seed);
        {follows, written, stored} = noise[2*WIDTH:0];
    end
`endif
endmodule
