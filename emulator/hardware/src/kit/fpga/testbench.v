// Resets the core, runs it, and prints what `gray1 run --trace` writes: a row for each instruction, with the state
// before it runs, until the machine halts.
//
//     iverilog -g2012 testbench.v core.v && vvp a.out +cycles=100 +clocks=16
//
// +cycles=N is how many rows are printed at most, +clocks=N how many clocks a phase takes, +seed=N chooses the noise at
// power-up.

`timescale 1ns / 1ns

module testbench;
    localparam RESET_PHASES = 16;

    reg clock = 0, oscillator = 0, reset = 1;
    wire [1:0] sequence_state;
    core machine (
        .clock(clock), .oscillator(oscillator), .reset(reset), .pad_column(8'b0), .pad_row(8'b0), .keys(7'b0),
        .sequence_state(sequence_state), .strobe(), .sent(), .green(), .red()
    );

    wire [11:0] counter = {counter};
    wire [15:0] word = {word};
    wire [7:0] accumulator = {accumulator};
    wire carry = {carry};

    // The number whose Gray code is in the counter.
    function [11:0] place(input [11:0] code);
        integer bit_number;
        begin
            place[11] = code[11];
            for (bit_number = 10; bit_number >= 0; bit_number = bit_number - 1)
                place[bit_number] = place[bit_number + 1] ^ code[bit_number];
        end
    endfunction

    integer cycles, clocks, seed, cycle = 0, phases;
    reg [11:0] counter_before;
    reg halted = 0;

    task tick(input integer times);
        repeat (times) begin
            #5 clock = 1;
            #5 clock = 0;
        end
    endtask

    initial begin
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 1000;
        if (!$value$plusargs("clocks=%d", clocks)) clocks = 16;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        // The clock has no phase that it prefers: the oscillator may begin high or low.
        oscillator = seed[0];
        // The button is let go while the slaves are open: a machine without a synchronised reset starts at 0 as well.
        for (phases = 0; phases < RESET_PHASES || sequence_state != 2'b10; phases = phases + 1) begin
            if (phases == 2 * RESET_PHASES) begin
                $display("the sequencer does not run");
                $finish(0);
            end
            tick(clocks);
            oscillator = !oscillator;
            tick(clocks / 2);
        end
        reset = 0;
        tick(clocks);
        oscillator = !oscillator;
        tick(clocks);
        $display("cycle,pc,word,a,c");
        while (cycle < cycles && !halted) begin
            $display("%0d,%h,%h,%h,%b", cycle, place(counter), word, accumulator, carry);
            counter_before = counter;
            repeat (4) begin
                oscillator = !oscillator;
                tick(clocks);
            end
            halted = counter == counter_before;
            cycle = cycle + 1;
        end
        $finish(0);
    end
endmodule
