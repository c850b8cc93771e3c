// Goes over all cells of all chips, and compares the function in core.v with the image that is burned. Program and RAM
// are left out: they are no functions, but memory in the FPGA too.

`timescale 1ns / 1ns

module cells_testbench;
    reg [7:0] cells [0:131071];
    integer address, compared = 0, wrong = 0;
{instances}
    initial begin
{loops}
        $display("%0d cells compared, %0d wrong", compared, wrong);
        $finish(0);
    end
endmodule
